//! What skills and their files may be called, and the URIs that come of it.

use crate::uri::SEGMENT;
use percent_encoding::utf8_percent_encode;

/// What every URI of a skill begins with.
pub(super) const SCHEME: &str = "skill://";

/// The file that makes a folder a skill.
pub(super) const SKILL_FILE: &str = "SKILL.md";

/// The URI of a skill's folder.
pub(super) fn folder_uri(path: &str) -> String {
    format!("{SCHEME}{path}")
}

/// The URI of a file below a skill's folder.
pub(super) fn file_uri(skill: &str, file: &str) -> String {
    let mut uri = folder_uri(skill);
    for part in file.split('/') {
        uri.push('/');
        uri.extend(utf8_percent_encode(part, SEGMENT));
    }
    uri
}

/// Whether a name is one that the Agent Skills specification allows.
pub(super) fn is_skill_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (1..=64).contains(&name.len())
        && name.bytes().all(|byte| plain(byte) || byte == b'-')
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--")
}

/// Whether a part of a skill's path before its name can stand in a URI as it is, the first as its authority.
pub(super) fn is_prefix_part(part: &str) -> bool {
    let steers = matches!(part, "" | "." | "..");
    !steers
        && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~'))
}

/// Whether a file's path is a plain relative one: parts and slashes, nothing that steers.
pub(super) fn is_file_path(path: &str) -> bool {
    let plain = |part: &str| {
        !matches!(part, "" | "." | "..")
            && !part.contains(|character: char| character.is_control() || character == '\\')
    };
    path.split('/').all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_lower_case_words_with_hyphens_between() {
        for good in ["a", "a1", "pdf-processing", &"x".repeat(64)] {
            assert!(is_skill_name(good), "{good}");
        }
        for bad in ["", "-a", "a-", "a--b", "A", "a_b", "a b", "ä", &"x".repeat(65)] {
            assert!(!is_skill_name(bad), "{bad}");
        }
    }

    #[test]
    fn what_cannot_stand_in_a_uri_is_encoded_part_by_part() {
        assert_eq!(file_uri("a/b", "c d/ü%#?.md"), "skill://a/b/c%20d/%C3%BC%25%23%3F.md");
        assert_eq!(file_uri("a", "x@y:z!.md"), "skill://a/x@y:z!.md");
    }

    #[test]
    fn paths_that_steer_are_no_file_paths() {
        for bad in ["", "/a", "a/", "a//b", "..", "a/../b", "./a", "a\\b", "a\nb"] {
            assert!(!is_file_path(bad), "{bad:?}");
        }
        assert!(is_file_path("a b/ü.md") && is_file_path("...") && is_file_path(".hidden"));
    }
}
