//! `Accept` and `Content-Type`: any octets in any number of lines.

use mcp_core::media::{ACCEPT_ENTRIES, Accepts, Preference, is_json};

/// Reads `input` as the lines of an `Accept` header, and as a `Content-Type`.
///
/// # Panics
/// Where the verdict depends on the case of letters or on the order of lines, counts members that come too late, or
/// takes what a malformed member names.
pub fn accept(input: &[u8]) {
    let lines: Vec<&[u8]> = input.split(|octet| *octet == b'\n').collect();
    let accepts = Accepts::parse(lines.iter().copied());
    assert!(accepts.json <= Preference::FULL && accepts.event_stream <= Preference::FULL);

    let (upper, lower) = (input.to_ascii_uppercase(), input.to_ascii_lowercase());
    let of = |text: &[u8]| Accepts::parse(text.split(|octet| *octet == b'\n'));
    assert_eq!((of(&upper), of(&lower)), (accepts, accepts), "the case of letters says nothing");
    assert_eq!((is_json(&upper), is_json(&lower)), (is_json(input), is_json(input)));

    let commas = input.iter().filter(|octet| **octet == b',').count();
    if commas + lines.len() <= ACCEPT_ENTRIES {
        assert_eq!(
            Accepts::parse(lines.iter().rev().copied()),
            accepts,
            "of equal ranges the greatest weighs"
        );
    }

    // A malformed member admits nothing and takes nothing away; after so many of them nothing counts.
    let malformed: &[u8] = b"application/json;q=2";
    let after = lines.iter().copied().chain([malformed]);
    let silent = lines.iter().all(|line| line.iter().all(|octet| b" \t,\r\x0C".contains(octet)));
    if silent {
        assert_eq!(accepts, Accepts::EVERYTHING);
    } else {
        assert_eq!(Accepts::parse(after), accepts);
    }
    let late = Accepts::parse(std::iter::repeat_n(malformed, ACCEPT_ENTRIES).chain(lines));
    assert!(!late.json.is_accepted() && !late.event_stream.is_accepted(), "members that come too late count");
}

#[cfg(test)]
mod tests {
    use super::accept;

    #[test]
    fn headers_of_every_kind_and_their_fragments_pass_the_target() {
        for text in [
            "application/json, text/event-stream",
            "text/event-stream\napplication/json;q=0.5",
            "*/*;q=0.1, text/*;q=0.25 ,application/json;q=0",
            "application/json;profile=\"a,b;q=0\\\"\";q=1.000;charset=UTF-8, */json",
            "application/json;q=0.1234, text/event-stream;q=\"1\"",
            " ,\t, \n ",
            "application/json ; charset = utf-8",
        ] {
            for end in 0..=text.len() {
                accept(&text.as_bytes()[..end]);
                let mut broken = text.as_bytes().to_vec();
                if let Some(byte) = broken.get_mut(end) {
                    *byte ^= 0x21;
                }
                accept(&broken);
            }
        }
        accept("text/html,".repeat(60).as_bytes());
    }
}
