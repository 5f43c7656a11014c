//! Which paths below a folder are served at all, before the file system is asked.

use super::HiddenFiles;

/// Whether a path from a client is a plain relative one: names and slashes, nothing that steers.
///
/// The folder's handle refuses to leave the folder whatever the path is; what is refused here has no
/// business in a URI and no URI of its own in the list.
pub(super) fn is_plain(path: &str, hidden: HiddenFiles) -> bool {
    !path.is_empty() && path.split('/').all(|name| is_plain_name(name, hidden))
}

/// Whether one name may be part of a served path.
pub(crate) fn is_plain_name(name: &str, hidden: HiddenFiles) -> bool {
    let steers = matches!(name, "" | "." | "..");
    // A backslash separates, and a colon names a drive or a stream, on Windows only; nobody misses them elsewhere.
    let strange = |character: char| character.is_control() || matches!(character, '\\' | ':');
    !steers && !name.contains(strange) && (hidden == HiddenFiles::Served || !name.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_slashes_between_them_are_plain() {
        for path in ["a", "a/b.txt", "a b/ü.md", "...", "a../b", "~"] {
            assert!(is_plain(path, HiddenFiles::Served), "{path}");
        }
    }

    #[test]
    fn what_steers_is_not_plain_whatever_is_served() {
        for path in [
            "",
            "/",
            "/etc/passwd",
            "a//b",
            "a/",
            "..",
            "../a",
            "a/../b",
            "./a",
            "a/.",
            "a\\b",
            "c:a",
            "a\0",
            "a\nb",
        ] {
            assert!(!is_plain(path, HiddenFiles::Served), "{path:?}");
        }
    }

    #[test]
    fn hidden_names_are_plain_only_where_they_are_served() {
        for path in [".env", "a/.git/config", "..."] {
            assert!(!is_plain(path, HiddenFiles::Refused), "{path}");
            assert!(is_plain(path, HiddenFiles::Served), "{path}");
        }
    }
}
