//! Whether a text is an HTML document, as far as its beginning tells.

const DOCTYPE: &str = "<!doctype html";

/// Tells whether a text begins with the document type of HTML5, which comments and white space may come before.
///
/// Without it browsers show a page as those of the last century did, and the extension asks for HTML5.
///
/// HTML Living Standard, section 13.1.
pub(super) fn is_document(text: &str) -> bool {
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text).trim_ascii_start();
    while let Some(comment) = rest.strip_prefix("<!--") {
        let Some((_, after)) = comment.split_once("-->") else { return false };
        rest = after.trim_ascii_start();
    }
    let is_doctype = rest.get(..DOCTYPE.len()).is_some_and(|start| start.eq_ignore_ascii_case(DOCTYPE));
    is_doctype
        && rest
            .get(DOCTYPE.len()..)
            .is_some_and(|after| after.starts_with(|next: char| next == '>' || next.is_ascii_whitespace()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_begins_with_its_type() {
        for text in [
            "<!DOCTYPE html>",
            "<!doctype HTML><p>",
            "\u{feff}\n <!-- a\n-->\n<!-- b --> <!DOCTYPE html >",
            "<!DOCTYPE html SYSTEM 'about:legacy-compat'>",
        ] {
            assert!(is_document(text), "{text}");
        }
        for text in
            ["", "<html>", "<!DOCTYPE htmlx>", "<!DOCTYPE html", "x<!DOCTYPE html>", "<!-- <!DOCTYPE html>"]
        {
            assert!(!is_document(text), "{text}");
        }
    }
}
