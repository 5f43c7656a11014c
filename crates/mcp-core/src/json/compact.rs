//! JSON text on one line.

use std::borrow::Cow;

/// Gives the same JSON without line breaks and other white space around its tokens.
///
/// One message is one line on every transport, and text that is passed through may hold the line breaks its
/// author wrote. `text` must be JSON; text without line breaks comes back untouched.
pub(crate) fn on_one_line(text: &str) -> Cow<'_, str> {
    if memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len());
    let mut in_string = false;
    let mut escaped = false;
    for character in text.chars() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
        } else if matches!(character, ' ' | '\t' | '\n' | '\r') {
            continue;
        } else {
            in_string = character == '"';
        }
        line.push(character);
    }
    Cow::Owned(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_goes_and_strings_stay() {
        let text = "{\r\n \"a b\" : [1,\t2],\n\"q\\\"\\\\\": \" \\n \"}";
        let line = on_one_line(text);
        assert_eq!(line, r#"{"a b":[1,2],"q\"\\":" \n "}"#);
        let same: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::from_str::<serde_json::Value>(&line).unwrap(), same);
        assert!(matches!(on_one_line("{ }"), Cow::Borrowed("{ }")));
    }
}
