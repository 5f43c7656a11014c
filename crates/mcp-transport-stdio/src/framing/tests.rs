//! What counts as a line.

use super::{
    splitter::{BOM, KEPT},
    *,
};
use bytes::Bytes;
use proptest::prelude::*;

/// Splits a stream that arrives in the given pieces.
fn split(most: usize, pieces: &[&[u8]]) -> Vec<Line> {
    let mut splitter = LineSplitter::new(most);
    let mut lines = Vec::new();
    for piece in pieces {
        splitter.space().extend_from_slice(piece);
        splitter.filled();
        lines.extend(std::iter::from_fn(|| splitter.next_line()));
    }
    splitter.finish();
    lines.extend(std::iter::from_fn(|| splitter.next_line()));
    lines
}

fn messages(stream: &[u8]) -> Vec<Vec<u8>> {
    let lines = split(100, &[stream]);
    lines
        .into_iter()
        .map(|line| match line {
            Line::Message(bytes) => bytes.to_vec(),
            Line::TooLong => b"TOO LONG".to_vec(),
        })
        .collect()
}

#[test]
fn marks_returns_and_blank_lines_are_no_part_of_a_message() {
    assert_eq!(messages(b"\xEF\xBB\xBFa\r\n\r\n\n  \n\t\r\nb\r\nc"), [b"a", b"b", b"c"]);
    assert_eq!(messages(b"\xEF\xBB\xBF"), Vec::<Vec<u8>>::new());
    assert_eq!(messages(b"\xEF\xBB"), [b"\xEF\xBB"]);
    assert_eq!(messages(b""), Vec::<Vec<u8>>::new());
}

#[test]
fn a_mark_after_the_start_is_kept() {
    assert_eq!(messages(b"a\n\xEF\xBB\xBFb\n"), [&b"a"[..], b"\xEF\xBB\xBFb"]);
}

#[test]
fn only_a_line_feed_ends_a_line() {
    let text = "a\u{2028}b\u{2029}c\u{85}d\u{b}e\u{c}f\rg";
    assert_eq!(messages(text.as_bytes()), [text.as_bytes()]);
}

#[test]
fn a_line_beyond_the_limit_is_told_once_and_skipped() {
    let stream =
        [&b"first\n"[..], &[b'x'; 101], b"\nsecond\n", &[b'y'; 5_000], b"\n", &[b'z'; 100], b"\r\nend"];
    let told = messages(&stream.concat());
    assert_eq!(told, [&b"first"[..], b"TOO LONG", b"second", b"TOO LONG", &[b'z'; 100], b"end"]);
}

#[test]
fn a_line_too_long_is_not_collected() {
    let mut splitter = LineSplitter::new(1_024);
    let mut told = 0;
    for _ in 0..1_000 {
        splitter.space().extend_from_slice(&[b'x'; 1_000]);
        while splitter.next_line().is_some() {
            told += 1;
        }
        assert!(splitter.held() <= 2_048);
    }
    assert_eq!(told, 1);
}

#[test]
fn a_short_line_does_not_pin_the_buffer_and_a_long_one_is_not_copied() {
    let mut splitter = LineSplitter::new(1 << 20);
    splitter.space().extend_from_slice(&[b"ab\n".to_vec(), vec![b'x'; 100_000], b"\nrest".to_vec()].concat());
    let inside = splitter.buffer.as_ptr_range();
    let Some(Line::Message(short)) = splitter.next_line() else { panic!("no line") };
    assert!(!inside.contains(&short.as_ptr()));
    let Some(Line::Message(long)) = splitter.next_line() else { panic!("no line") };
    assert!(inside.contains(&long.as_ptr()));
    assert_eq!(splitter.next_line(), None);
    assert_eq!(&splitter.buffer[..], b"rest");
}

#[test]
fn a_large_buffer_is_given_back() {
    let mut splitter = LineSplitter::new(1 << 20);
    let many = [b"0123456789\n".repeat(50_000), vec![b'x'; 10]].concat();
    splitter.space().extend_from_slice(&many);
    assert_eq!(std::iter::from_fn(|| splitter.next_line()).count(), 50_000);
    splitter.space().extend_from_slice(b"\n");
    assert!(splitter.next_line().is_some());
    assert!(splitter.space().capacity() <= KEPT);
}

/// The lines of a whole stream, by a plain reading of the rules.
fn expected(most: usize, stream: &[u8]) -> Vec<Line> {
    let stream = stream.strip_prefix(BOM).unwrap_or(stream);
    let lines = stream.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines
        .filter(|line| line.len() > most || line.iter().any(|byte| !b" \t\r".contains(byte)))
        .map(
            |line| {
                if line.len() > most { Line::TooLong } else { Line::Message(Bytes::copy_from_slice(line)) }
            },
        )
        .collect()
}

fn streams() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"\n".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\r".to_vec()),
        Just(BOM.to_vec()),
        Just(b"\xE2\x80\xA8".to_vec()),
        Just(b"  ".to_vec()),
        prop::collection::vec(any::<u8>(), 0..8),
        (1_usize..60).prop_map(|length| vec![b'x'; length]),
        Just(vec![b'y'; 40_000]),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn the_lines_do_not_depend_on_how_the_stream_arrives(
        stream in streams(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        most in prop_oneof![Just(20_usize), Just(50), Just(100_000)],
    ) {
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
        cuts.extend([0, stream.len()]);
        cuts.sort_unstable();
        let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &stream[pair[0]..pair[1]]).collect();
        prop_assert_eq!(split(most, &pieces), expected(most, &stream));
    }

    #[test]
    fn the_lines_do_not_change_when_each_byte_arrives_alone(stream in streams()) {
        let pieces: Vec<&[u8]> = stream.chunks(1).collect();
        prop_assert_eq!(split(50, &pieces), expected(50, &stream));
    }
}
