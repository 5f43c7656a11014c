//! Every limit at its edge.

use super::{
    super::{JsonFaultKind, JsonLimits},
    parse, parse_within, refusal,
};

/// Checks that `fits` is accepted and `exceeds` is refused under a named setting.
fn edge(limits: &JsonLimits, fits: &str, exceeds: &str, kind: JsonFaultKind, setting: &str) {
    assert_eq!(parse_within(fits, limits).err(), None);
    let fault = parse_within(exceeds, limits).unwrap_err();
    assert_eq!((fault.kind, fault.setting(), fault.is_limit()), (kind, Some(setting), true));
}

#[test]
fn the_size_of_the_text_is_limited() {
    let limits = JsonLimits { document_bytes: 4, ..JsonLimits::default() };
    edge(&limits, "true", "false", JsonFaultKind::TooLarge, "document_bytes");
}

#[test]
fn nesting_is_limited() {
    let nest = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    edge(&JsonLimits::default(), &nest(1_000), &nest(1_001), JsonFaultKind::TooDeep, "depth");
    let objects = |depth: usize| "{\"a\":".repeat(depth) + "1" + &"}".repeat(depth);
    edge(&JsonLimits::default(), &objects(1_000), &objects(1_001), JsonFaultKind::TooDeep, "depth");
}

#[test]
fn very_deep_nesting_is_refused_without_using_the_stack() {
    assert_eq!(refusal("[".repeat(100_000)), (JsonFaultKind::TooDeep, 1_000));
    let unlimited = JsonLimits { depth: usize::MAX, tokens: usize::MAX, ..JsonLimits::default() };
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    assert!(parse_within(deep, &unlimited).is_ok());
}

#[test]
fn closed_containers_do_not_count_as_depth() {
    let limits = JsonLimits { depth: 2, ..JsonLimits::default() };
    edge(&limits, "[[],[],{}]", "[[],[[]]]", JsonFaultKind::TooDeep, "depth");
}

#[test]
fn values_and_names_are_counted_together() {
    let array = |elements: usize| format!("[{}1]", "1,".repeat(elements - 1));
    edge(&JsonLimits::default(), &array(65_535), &array(65_536), JsonFaultKind::TooManyTokens, "tokens");
    let limits = JsonLimits { tokens: 5, ..JsonLimits::default() };
    edge(&limits, r#"{"a":1,"b":2}"#, r#"{"a":1,"b":[2]}"#, JsonFaultKind::TooManyTokens, "tokens");
}

#[test]
fn the_length_of_a_number_is_limited() {
    let (fits, exceeds) = ("1".repeat(1_000), "1".repeat(1_001));
    edge(&JsonLimits::default(), &fits, &exceeds, JsonFaultKind::NumberTooLong, "number_chars");
    let fraction = |digits: usize| format!("0.{}", "3".repeat(digits));
    let limits = JsonLimits::default();
    edge(&limits, &fraction(998), &fraction(999), JsonFaultKind::NumberTooLong, "number_chars");
}

#[test]
fn the_length_of_a_name_is_limited_in_characters() {
    let object = |name: &str| format!("{{\"{name}\":1}}");
    for character in ["a", "é", "\\u00e9", "\\ud83d\\ude00"] {
        let (fits, exceeds) = (object(&character.repeat(50_000)), object(&character.repeat(50_001)));
        edge(&JsonLimits::default(), &fits, &exceeds, JsonFaultKind::NameTooLong, "name_chars");
    }
}

#[test]
fn the_length_of_a_string_is_limited_in_characters() {
    let limits = JsonLimits { string_chars: 100, ..JsonLimits::default() };
    for character in ["a", "😀", "\\n"] {
        let string = |length: usize| format!("\"{}\"", character.repeat(length));
        edge(&limits, &string(100), &string(101), JsonFaultKind::StringTooLong, "string_chars");
    }
}

#[test]
fn the_exponent_of_a_number_is_limited_after_normalising() {
    let limits = JsonLimits::default();
    for (fits, exceeds) in [
        ("1e9999", "1e10000"),
        ("1E-9999", "1E-10000"),
        ("0.1e10000", "0.1e10001"),
        ("10e9998", "10e9999"),
        ("1.5e-9998", "1.5e-9999"),
        ("0e99999999999999999999", "1e99999999999999999999"),
        ("0.00e-99999999999999999999", "1e-99999999999999999999"),
    ] {
        edge(&limits, fits, exceeds, JsonFaultKind::ScaleTooLarge, "number_scale");
    }
    let limits = JsonLimits { number_scale: 400, ..JsonLimits::default() };
    let power = |zeros: usize| format!("1{}", "0".repeat(zeros));
    edge(&limits, &power(400), &power(401), JsonFaultKind::ScaleTooLarge, "number_scale");
}

#[test]
fn a_repeated_name_is_refused_where_it_repeats() {
    assert_eq!(refusal(r#"{"a":1,"b":2,"a":3}"#), (JsonFaultKind::DuplicateName, 13));
    assert_eq!(refusal(r#"{"a":1,"\u0061":2}"#), (JsonFaultKind::DuplicateName, 7));
    assert_eq!(refusal(r#"[{"\n":{},"\u000a":2}]"#), (JsonFaultKind::DuplicateName, 10));
    assert!(parse(r#"{"a":{"a":1},"b":[{"a":2},{"a":2}],"A":3,"":4}"#).is_ok());
    let fault = parse(r#"{"a":1,"a":3}"#).unwrap_err();
    assert_eq!((fault.is_limit(), fault.setting()), (true, None));
}

#[test]
fn names_that_look_alike_are_told_apart() {
    assert!(parse(r#"{"abxcd":1,"acxbd":2,"axd":3,"":4,"a":5,"aa":6}"#).is_ok());
    let long = "x".repeat(255);
    assert!(parse(format!(r#"{{"{long}x":1,"":2,"{long}xx":3,"x":4}}"#)).is_ok());
    assert_eq!(refusal(r#"{"":1,"b":2,"":3}"#), (JsonFaultKind::DuplicateName, 12));
    assert_eq!(refusal(r#"{"b\\":1,"b":2,"b\\":3}"#), (JsonFaultKind::DuplicateName, 15));
}

#[test]
fn a_repeated_name_is_found_in_objects_of_every_size() {
    for size in [2, 7, 8, 9, 10, 100, 20_000] {
        let members: Vec<_> = (0..size).map(|index| format!("\"name{index}\":{index}")).collect();
        let distinct = format!("{{{}}}", members.join(","));
        assert!(parse(&distinct).is_ok(), "{size}");
        // The last name repeats the second, with an escape.
        let repeated = distinct.replace(&format!("\"name{}\":", size - 1), "\"n\\u0061me0\":");
        let position = repeated.rfind("\"n\\u0061me0\"").unwrap();
        assert_eq!(refusal(&repeated), (JsonFaultKind::DuplicateName, position), "{size}");
    }
}

#[test]
fn faults_of_the_grammar_are_no_limits() {
    for text in ["[", "]", "01", "\"\\ud800\"", "1 1"] {
        let fault = parse(text).unwrap_err();
        assert_eq!((fault.is_limit(), fault.setting()), (false, None), "{text}");
    }
}
