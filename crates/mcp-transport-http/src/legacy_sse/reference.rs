//! The URL for POSTs as the stream tells it: relative to the stream's own, so that whatever stands before both
//! paths (a nested router, a proxy that strips a prefix) does not matter.
//!
//! RFC 3986, section 4.2.

/// The reference from one path to another of the same router.
///
/// A slash at the end of `from` counts, because clients resolve the reference against the URL they asked for.
pub(super) fn relative(from: &str, to: &str) -> String {
    let (from, (folders, name)) = (split(from).0, split(to));
    let shared = from.iter().zip(&folders).take_while(|(one, other)| one == other).count();
    let mut reference = "../".repeat(from.len() - shared);
    for folder in folders.iter().skip(shared) {
        reference.push_str(folder);
        reference.push('/');
    }
    // What stands before a colon in the first segment would be read as a scheme.
    if reference.is_empty() && name.contains(':') {
        reference.push_str("./");
    }
    reference + name
}

/// The folders of a path, and the name in the last of them.
fn split(path: &str) -> (Vec<&str>, &str) {
    let mut segments: Vec<_> = path.trim_start_matches('/').split('/').collect();
    let name = segments.pop().unwrap_or_default();
    (segments, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_leads_from_one_path_to_the_other_wherever_both_are_mounted() {
        for (from, to, expected) in [
            ("/sse", "/messages", "messages"),
            ("/sse/", "/messages", "../messages"),
            ("/agent/sse", "/agent/messages", "messages"),
            ("/agent/sse", "/messages", "../messages"),
            ("/sse", "/agent/messages", "agent/messages"),
            ("/a/b/sse", "/a/c/d/messages", "../c/d/messages"),
            ("/sse", "/v1:messages", "./v1:messages"),
        ] {
            assert_eq!(relative(from, to), expected, "{from} to {to}");
        }
    }
}
