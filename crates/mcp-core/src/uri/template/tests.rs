//! Templates against URIs: by example, by property, and by the work that it takes.

use super::{
    super::variables::{Value, Variables},
    reach::Meter,
    *,
};
use proptest::{prelude::*, sample::select};

fn template(text: &str) -> UriTemplate {
    UriTemplate::parse(text).unwrap()
}

fn matched(text: &str, uri: &str) -> Option<Vec<(String, Value)>> {
    let variables = template(text).matches(uri)?;
    Some(variables.iter().map(|(name, value)| (name.to_owned(), value.clone())).collect())
}

fn texts(pairs: &[(&str, &str)]) -> Option<Vec<(String, Value)>> {
    Some(pairs.iter().map(|(name, text)| ((*name).to_owned(), Value::from(*text))).collect())
}

fn list(name: &str, items: &[&str]) -> Option<Vec<(String, Value)>> {
    Some(vec![(name.to_owned(), Value::List(items.iter().map(|item| (*item).to_owned()).collect()))])
}

#[test]
fn query_pairs_come_in_any_order_and_may_be_missing() {
    let text = "test://s/{id}{?q,page}";
    assert_eq!(matched(text, "test://s/7"), texts(&[("id", "7")]));
    assert_eq!(matched(text, "test://s/7?q=a%20b"), texts(&[("id", "7"), ("q", "a b")]));
    assert_eq!(matched(text, "test://s/7?page=2&q=x"), texts(&[("id", "7"), ("q", "x"), ("page", "2")]));
    assert_eq!(matched(text, "test://s/7?q="), texts(&[("id", "7"), ("q", "")]));
    assert_eq!(matched(text, "test://s/7?q"), texts(&[("id", "7"), ("q", "")]));
    assert_eq!(matched(text, "test://s/7?"), texts(&[("id", "7")]));
    assert_eq!(matched(text, "test://s/7?q=a=b/?"), texts(&[("id", "7"), ("q", "a=b/?")]));
    for other in [
        "test://s/7/8",
        "test://s/",
        "test://s/7?q=1&q=2",
        "test://s/7?other=1",
        "test://s/7#f",
        "test://s/7?q=1#f",
    ] {
        assert_eq!(matched(text, other), None, "{other}");
    }
}

#[test]
fn a_query_is_continued_after_a_literal_one() {
    let text = "test://s?v={v}&fixed=1{&a,b}";
    assert_eq!(matched(text, "test://s?v=2&fixed=1"), texts(&[("v", "2")]));
    assert_eq!(matched(text, "test://s?v=2&fixed=1&b=3"), texts(&[("v", "2"), ("b", "3")]));
    assert_eq!(matched(text, "test://s?v=2&x=1&fixed=1"), None);
    assert_eq!(matched("test://s?v={v}", "test://s?v=1&w=2"), None);
    assert_eq!(matched("test://s?v={+v}", "test://s?v=1/2&w=2"), None);
    assert_eq!(matched("test://s{?a}{&b}", "test://s?b=1&a=2"), texts(&[("a", "2"), ("b", "1")]));
}

#[test]
fn an_exploded_query_takes_the_pairs_that_are_left() {
    let text = "test://s{?q,k*}";
    assert_eq!(matched(text, "test://s?q=1"), texts(&[("q", "1")]));
    assert_eq!(matched(text, "test://s?k=1&k=2"), list("k", &["1", "2"]));
    let pairs = [("k", "1"), ("z%", "2")].map(|(name, text)| (name.to_owned(), text.to_owned()));
    let expected = vec![("q".to_owned(), Value::from("0")), ("k".to_owned(), Value::Pairs(pairs.to_vec()))];
    assert_eq!(matched(text, "test://s?k=1&q=0&z%25=2"), Some(expected));
}

#[test]
fn a_simple_variable_is_one_segment_and_an_encoded_slash_is_data() {
    let text = "test://c/{customer_id}";
    assert_eq!(matched(text, "test://c/a%2Fb"), texts(&[("customer_id", "a/b")]));
    assert_eq!(matched(text, "test://c/a%252Fb"), texts(&[("customer_id", "a%2Fb")]));
    assert_eq!(matched(text, "test://c/größe 1"), texts(&[("customer_id", "größe 1")]));
    assert_eq!(matched(text, "TEST://c/x"), texts(&[("customer_id", "x")]));
    for other in [
        "test://c/",
        "test://c/a/b",
        "test://c/a?b",
        "test://c/a#b",
        "test://c/%FF",
        "test://c",
        "test://d/a",
    ] {
        assert_eq!(matched(text, other), None, "{other}");
    }
    assert_eq!(matched("test://c/{customer-id}", "test://c/7"), texts(&[("customer-id", "7")]));
    assert_eq!(matched("test://c/{customer%2Did}", "test://c/7"), texts(&[("customer%2Did", "7")]));
    assert_eq!(matched("test://c{?a%20b}", "test://c?a%20b=7"), texts(&[("a%20b", "7")]));
    assert_eq!(matched("test://p/{x,y}", "test://p/1,2"), texts(&[("x", "1"), ("y", "2")]));
    assert_eq!(matched("test://p/{x*}", "test://p/1,2%2C"), list("x", &["1", "2,"]));
    assert_eq!(matched("test://p/{x*}", "test://p/1,"), None);
}

#[test]
fn a_reserved_variable_crosses_slashes_up_to_the_literal_that_follows() {
    assert_eq!(matched("test://f/{+path}", "test://f/a/b/c.txt"), texts(&[("path", "a/b/c.txt")]));
    assert_eq!(matched("test://f/{+path}", "test://f/"), None);
    assert_eq!(matched("test://f/{+path}", "test://f/a?b"), None);
    assert_eq!(matched("test://f/{+path}/raw", "test://f/a/raw/b/raw"), texts(&[("path", "a/raw/b")]));
    assert_eq!(
        matched("test://f/{+path}/{name}", "test://f/a/b/c"),
        texts(&[("path", "a/b"), ("name", "c")])
    );
    let text = "test://f/{+a}/x{b}/y";
    assert_eq!(matched(text, "test://f/1/xq/z/xr/y"), texts(&[("a", "1/xq/z"), ("b", "r")]));
    assert_eq!(matched("test://f/{+a}/-/{+b}", "test://f/1/-/2/-/3"), texts(&[("a", "1"), ("b", "2/-/3")]));
    assert_eq!(matched("test://f/{+a}{?q}", "test://f/1/2?q=3"), texts(&[("a", "1/2"), ("q", "3")]));
    assert_eq!(matched("test://f/{+a}{#at}", "test://f/1/2#3/?"), texts(&[("a", "1/2"), ("at", "3/?")]));
    assert_eq!(matched("test://f/{+a}{#at}", "test://f/1/2"), texts(&[("a", "1/2")]));
}

#[test]
fn path_segments_and_labels_come_one_by_one_or_as_a_list() {
    assert_eq!(matched("test://l{/seg*}", "test://l/x/y"), list("seg", &["x", "y"]));
    assert_eq!(matched("test://l{/seg*}", "test://l/x%2Fy"), list("seg", &["x/y"]));
    for other in ["test://l", "test://l/", "test://l/x/", "test://l//x", "test://lx", "test://l/x?y"] {
        assert_eq!(matched("test://l{/seg*}", other), None, "{other}");
    }
    assert_eq!(matched("test://l{/a,b}", "test://l/x/y"), texts(&[("a", "x"), ("b", "y")]));
    assert_eq!(matched("test://l/a{.x}", "test://l/a.txt"), texts(&[("x", "txt")]));
    assert_eq!(matched("test://l/a{.x*}", "test://l/a.tar.gz"), list("x", &["tar", "gz"]));
    let between = matched("test://l{/seg*}/end/{last}", "test://l/x/end/y/end/z").unwrap();
    assert_eq!(between[0].1, Value::List(vec!["x".into(), "end".into(), "y".into()]));
    let after = matched("test://{x}{/rest*}", "test://a/b/c").unwrap();
    assert_eq!(after[0].1, Value::from("a"));
    let late = matched("test://l{/seg*}x/y{+rest}", "test://l/q/x/yx/yz").unwrap();
    assert_eq!(late[0].1, Value::List(vec!["q".into(), "x".into(), "y".into()]));
    assert_eq!(matched("test://l{/seg*}/end", "test://l//end"), None);
    assert_eq!(matched("test://l{/seg*}/end/{x}", "test://l/a//end/x"), None);
}

#[test]
fn literals_are_compared_in_their_encoded_form_and_never_within_an_escape() {
    assert!(matched("test://größe/{x}", "test://gr%c3%b6%C3%9Fe/1").is_some());
    assert!(matched("test://gr%c3%b6%C3%9Fe/{x}", "test://größe/1").is_some());
    assert_eq!(matched("test://{x}41", "test://a%41"), None);
    assert_eq!(matched("test://{x}41{+y}/z", "test://a%41b/z"), None);
    assert_eq!(matched("test://{x}4{+y}/z/{w}", "test://%44/y/z/w"), None);
    assert_eq!(matched("test://{x}.{y}", "test://a.b.c"), texts(&[("x", "a"), ("y", "b.c")]));
    assert_eq!(matched("test://static", "test://static"), texts(&[]));
    assert_eq!(matched("test://static", "test://statics"), None);
    assert_eq!(matched("test://aa{x}aa", "test://aaa"), None);
}

#[test]
fn a_template_that_cannot_be_matched_is_refused_with_its_position() {
    use TemplateProblem as P;
    for (text, at, problem) in [
        ("", 0, P::Empty),
        ("a:{x", 2, P::Unclosed),
        ("a:x}", 3, P::Unopened),
        ("a:{x{y}}", 4, P::Name),
        ("a: b", 2, P::IllegalLiteral),
        ("a:\\", 2, P::IllegalLiteral),
        ("a:b#c#d", 5, P::IllegalLiteral),
        ("a:%2", 2, P::BrokenEscape),
        ("a:{;x}", 3, P::Operator(';')),
        ("a:{|x}", 3, P::Operator('|')),
        ("a:{}", 3, P::Name),
        ("a:{+}", 4, P::Name),
        ("a:{x,}", 5, P::Name),
        ("a:{a b}", 4, P::Name),
        ("a:{é}", 3, P::Name),
        ("a:{x%2}", 4, P::Name),
        ("a:{x}/{x}", 7, P::Duplicate("x".into())),
        ("a:{x}{?x}", 7, P::Duplicate("x".into())),
        ("a:{x:3}", 4, P::Prefix),
        ("a:{x}{y}", 6, P::Adjacent),
        ("a:{x}{+y}", 7, P::Adjacent),
        ("a:{+x}{/y*}", 8, P::Adjacent),
        ("a:{/x*}{.y*}", 9, P::Adjacent),
        ("a:{/x*}{y}", 8, P::Adjacent),
        ("a:{+x*}", 4, P::ExplodedReserved),
        ("a:{#x*}", 4, P::ExplodedReserved),
        ("a:{+x,y}", 6, P::SeveralReserved),
        ("a:{#x,y}", 6, P::SeveralReserved),
        ("a:{?x}b", 6, P::AfterQuery),
        ("a:{?x}{y}", 7, P::AfterQuery),
        ("a:{?x}{/y}", 8, P::AfterQuery),
        ("a:{#x}b", 6, P::AfterFragment),
        ("a:{#x}{?y}", 8, P::AfterFragment),
        ("a:{#x}{#y}", 8, P::AfterFragment),
        ("a:?b{?x}", 6, P::SecondQuery),
        ("a:{?x}{?y}", 8, P::SecondQuery),
        ("a:{&x}", 4, P::NoQuery),
        ("a:{?x*,y*}", 7, P::SecondRest),
        ("a:#b{?x}", 6, P::InFragment),
        ("a:#b{#x}", 6, P::InFragment),
    ] {
        let fault = UriTemplate::parse(text).unwrap_err();
        assert_eq!((fault.at(), fault.problem()), (at, &problem), "{text}");
        assert!(fault.to_string().starts_with(&format!("at byte {at}: ")));
    }
}

#[test]
fn the_template_that_says_more_wins() {
    for (more, less) in [
        ("test://a/{x}", "test://{x}/a/b/c"),
        ("test://a/{x}/b", "test://a/{x}"),
        ("test://a/{x}", "test://a/{x}{?q}"),
        ("test://a/{x}", "test://a/{+x}"),
        ("test://a/{x}/{y}", "test://a/{+x}"),
        ("test://a/{x}", "test://a{/x*}"),
        ("test://a/b", "test://a/{x}"),
    ] {
        assert!(template(more).specificity() > template(less).specificity(), "{more} {less}");
    }
    assert_eq!(template("test://a/{x}").specificity(), template("test://b/{y}").specificity());
}

#[test]
fn expansion_asks_for_what_matching_would_find() {
    let variables = |pairs: &[(&str, Value)]| pairs.iter().cloned().collect::<Variables>();
    let text = template("test://s/{id}{/seg*}{?q,k*}{#at}");
    let all = variables(&[
        ("at", "x y".into()),
        ("k", Value::Pairs(vec![("a&b".into(), "=".into())])),
        ("q", "".into()),
        ("seg", Value::List(vec!["a/b".into(), "c".into()])),
        ("id", "ü".into()),
    ]);
    assert_eq!(text.expand(&all).unwrap(), "test://s/%C3%BC/a%2Fb/c?q=&a%26b=%3D#x%20y");
    let short = variables(&[("id", "7".into()), ("seg", Value::List(vec!["a".into()]))]);
    assert_eq!(text.expand(&short).unwrap(), "test://s/7/a");
    assert_eq!(text.variable_names().collect::<Vec<_>>(), ["id", "seg", "q", "k", "at"]);

    let joined = variables(&[("v", "a&b/?".into())]);
    assert_eq!(template("test://s?v={+v}").expand(&joined).unwrap(), "test://s?v=a%26b/%3F");
    assert_eq!(template("test://s/{+v}").expand(&joined).unwrap(), "test://s/a&b/%3F");

    for (pairs, name, problem) in [
        (&[][..], "id", ExpandProblem::Missing),
        (&[("id", "".into())], "id", ExpandProblem::Empty),
        (&[("id", Value::List(vec![]))], "id", ExpandProblem::NotText),
        (&[("id", "7".into()), ("seg", "a".into())], "seg", ExpandProblem::NotList),
        (&[("id", "7".into()), ("seg", Value::List(vec![]))], "seg", ExpandProblem::Empty),
    ] {
        let fault = text.expand(&variables(pairs)).unwrap_err();
        assert_eq!((fault.name(), fault.problem()), (name, problem));
    }
}

#[test]
fn a_value_that_holds_what_follows_it_is_read_back_whole() {
    let list = |items: &[&str]| Value::List(items.iter().map(|&item| item.to_owned()).collect());
    for (text, pairs, uri) in [
        ("test://{x}.{y}", [("x", "a.b".into()), ("y", "c".into())], "test://a%2Eb.c"),
        ("test://{+x}/{+y}", [("x", "a/b".into()), ("y", "c/d".into())], "test://a%2Fb/c/d"),
        ("test://{+x}/{y}", [("x", "a/b".into()), ("y", "c".into())], "test://a/b/c"),
        ("test://{x}aba{y}", [("x", "cab".into()), ("y", "d".into())], "test://c%61%62abad"),
        ("test://{x}{.y*}", [("x", "a.b".into()), ("y", list(&["c", "d"]))], "test://a%2Eb.c.d"),
        ("test://{x*}{/y*}", [("x", list(&["a/", "b"])), ("y", list(&["c"]))], "test://a%2F,b/c"),
        ("test:/{/x*}/end{+y}", [("x", list(&["a", "end"])), ("y", "z".into())], "test://a/%65%6E%64/endz"),
        // Letters in front of a colon would become the scheme, whose case says nothing.
        ("{+x}/{y}", [("x", "Ab:c".into()), ("y", "d".into())], "%41%62%3A%63/%64"),
        ("A{x}!{+y}", [("x", "z".into()), ("y", "b:c".into())], "Az!b:c"),
        ("A{x}.{+y}", [("x", "z".into()), ("y", "b:c".into())], "A%7A.%62%3A%63"),
    ] {
        assert_eq!(template(text).expand(&pairs.iter().cloned().collect()).as_deref(), Ok(uri), "{text}");
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value));
        assert_eq!(matched(text, uri), Some(pairs.into()), "{text}");
    }
}

#[test]
fn values_that_no_uri_has_are_refused() {
    let list = |items: &[&str]| Value::List(items.iter().map(|&item| item.to_owned()).collect());
    for (text, pairs, name) in [
        ("test:/{/x*}/{+y}", [("x", list(&["a", "b"])), ("y", "c".into())], "x"),
        ("test://{x}%20{y}", [("x", "a b".into()), ("y", "c".into())], "x"),
        ("test://s{?q,k*}", [("k", Value::Pairs(vec![("q".into(), "1".into())])), ("q", "2".into())], "q"),
    ] {
        let fault = template(text).expand(&pairs.into_iter().collect()).unwrap_err();
        assert_eq!((fault.name(), fault.problem()), (name, ExpandProblem::Ambiguous), "{text}");
    }
    let rest = template("test://s{?k*}");
    for (value, uri) in [
        ("a".into(), "test://s?k=a"),
        (list(&[]), "test://s"),
        (Value::Pairs(vec![("k".into(), "a".into())]), "test://s?k=a"),
    ] {
        assert_eq!(rest.expand(&[("k", value)].into_iter().collect()).as_deref(), Ok(uri));
    }
}

#[test]
fn variables_are_read_into_the_callers_type() {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct NoteUri {
        id: u64,
        q: Option<String>,
        page: Option<u8>,
    }
    let text = template("test://s/{id}{?q,page}");
    let read = |uri: &str| text.matches(uri).unwrap().read::<NoteUri>();
    assert_eq!(read("test://s/7?page=2"), Ok(NoteUri { id: 7, q: None, page: Some(2) }));
    assert_eq!(read("test://s/x").unwrap_err().name(), Some("id"));
    let places = text.matches("test://s/7?page=2").unwrap().read();
    assert_eq!(places, Ok((7_u64, None::<String>, Some(2_u8))));
    assert_eq!(template("test://s/{id}").matches("test://s/7").unwrap().read(), Ok(7_u8));
}

/// Counts the octets that matching looked at.
struct Count(usize);

impl Meter for Count {
    fn step(&mut self) {
        self.0 += 1;
    }
}

fn steps(text: &UriTemplate, uri: &str) -> usize {
    let mut count = Count(0);
    let _ = text.matches_metered(uri, &mut count);
    count.0
}

#[test]
fn work_grows_in_proportion_to_the_uri_whatever_it_holds() {
    for (text, parts, prefix, repeated, end) in [
        ("test://x{/seg*}{?k*}", 2, "test://x", "/a,", ""),
        ("test://x{/seg*}{?k*}", 2, "test://x", "/a,", "/"),
        ("test://x{/seg*}{?k*}", 2, "test://x/a?", "k=1&", ""),
        ("test://x{/seg*}{?k*}", 2, "test://x/a?", "k=1&", "#"),
        ("test://{+a}/a/{+b}/a/{+c}/a/{+d}/z", 7, "test://", "/a", ""),
        ("test://{+a}/a/{+b}/a/{+c}/a/{+d}/z", 7, "test://", "/a", "/z"),
        ("test://{a,b,c,d}{/l*}", 8, "test://", ",", "/"),
        ("test://{a,b,c,d}{/l*}", 8, "test://", ",a", "/b"),
        ("test://{a}%25{b}%25{c}", 5, "test://", "%", ""),
    ] {
        let text = template(text);
        let [small, large] = [50_000, 100_000].map(|times| {
            let uri = format!("{prefix}{}{end}", repeated.repeat(times));
            let bound = 3 * uri.len() * (2 * parts + 1);
            let steps = steps(&text, &uri);
            assert!(steps <= bound, "{text}: {steps} steps for {} octets", uri.len());
            steps
        });
        assert!(large <= 2 * small + 100, "{text}: {small} steps, then {large}");
    }
}

fn value_text() -> impl Strategy<Value = String> {
    "[a-z0-9 /?#&=%,.ü+{\\[-]{1,8}"
}

fn value_list() -> impl Strategy<Value = Value> {
    prop::collection::vec(value_text(), 1..4).prop_map(Value::List)
}

/// Templates whose variables are told apart by a slash, with values for them.
fn template_with_values() -> impl Strategy<Value = (String, Vec<(String, Value)>)> {
    let plain = || value_text().prop_map(Value::Text);
    let hole = prop_oneof![
        plain().prop_map(|value| ("/{NAME}", value)),
        plain().prop_map(|value| ("{/NAME}", value)),
        plain().prop_map(|value| ("/lit%c3%a4/{NAME}", value)),
        value_list().prop_map(|value| ("/{NAME*}", value)),
    ];
    let last = prop_oneof![
        Just(("/end", None)),
        value_text().prop_map(|text| ("/r-{+NAME}", Some(Value::Text(text)))),
        value_list().prop_map(|value| ("{/NAME*}", Some(value))),
        value_list().prop_map(|value| ("/w{.NAME*}", Some(value))),
    ];
    let query = prop_oneof![
        Just(("", None)),
        Just(("{?NAME}", None)),
        value_text().prop_map(|text| ("{?NAME}", Some(Value::Text(text)))),
        value_list().prop_map(|value| ("{?NAME*}", Some(value))),
        prop::collection::vec((value_text(), value_text()), 1..4)
            .prop_map(|pairs| ("{?NAME*}", Some(Value::Pairs(pairs)))),
    ];
    let fragment =
        prop_oneof![Just(("", None)), value_text().prop_map(|text| ("{#NAME}", Some(Value::Text(text)))),];
    (prop::collection::vec(hole, 0..4), last, query, fragment).prop_map(|(holes, last, query, fragment)| {
        let mut text = "test://h".to_owned();
        let mut values = Vec::new();
        let holes = holes.into_iter().map(|(form, value)| (form, Some(value)));
        for (index, (form, value)) in holes.chain([last, query, fragment]).enumerate() {
            let name = format!("v{index}");
            text.push_str(&form.replace("NAME", &name));
            values.extend(value.map(|value| (name, value)));
        }
        (text, values)
    })
}

proptest! {
    #[test]
    fn matching_an_expansion_gives_the_same_variables((text, values) in template_with_values()) {
        let template = template(&text);
        let variables: Variables = values.iter().cloned().collect();
        let uri = template.expand(&variables).unwrap();
        prop_assert!(crate::uri::AbsoluteUri::parse(&uri).is_ok(), "{}", uri);
        prop_assert_eq!(matched(&text, &uri), Some(values), "{}", uri);
    }

    #[test]
    fn any_text_is_parsed_or_refused(text in "(a:)?([{}%/?#&+*.,:a-c \\PC]|\\{[+#./?&]?[a-c](,[a-c])?\\*?\\}){0,12}") {
        if let Err(fault) = UriTemplate::parse(&text) {
            prop_assert!(fault.at() <= text.len());
        }
    }

    #[test]
    fn any_uri_is_matched_or_not_in_bounded_work(
        text in select(vec![
            "a:{x}", "a:{+x}", "a:{/x*}{?k*}", "a:{x}{/y*}/b{+z}{#f}", "a:{+x}/b/{y}.{z}{?q}", "a:b?c={d}&e{&f,g*}",
            "{x}", "{+x}", "{a,b}{.c*}", "a%41{x}41{y}4",
        ]),
        uri in "(a:)?([ab/?#&=.,4]|%[0-9A-Fa-f]{2}|\\PC){0,30}",
    ) {
        let template = template(text);
        if let Some(variables) = template.matches(&uri) {
            prop_assert!(variables.iter().count() <= template.names.len());
        }
        prop_assert!(steps(&template, &uri) <= (4 * uri.len() + 8) * 3 * (2 * template.body.len() + 1));
    }

    /// A matcher that tries every split is the judge of the one that tries none twice.
    #[test]
    fn a_match_is_found_exactly_when_there_is_one(
        text in select(vec![
            "a{x}b{y}", "a{x}/{+y}", "{+x}/a{y}/b", "{+x}/{/y*}", "a{/x*}/b{y}",
            "a{/x*}b/{+y}", "{x}{/y*}/a", "{+x}a{+y}b{+z}", "{x}.{y}{.z*}",
        ]),
        uri in "[ab/.]{0,9}",
    ) {
        let template = template(text);
        prop_assert_eq!(template.matches(&uri).is_some(), every_split(&template.body, &uri), "{} {}", text, uri);
    }
}

fn every_split(parts: &[Part], text: &str) -> bool {
    match parts {
        [] => text.is_empty(),
        [Part::Literal(literal), rest @ ..] => {
            text.strip_prefix(&**literal).is_some_and(|text| every_split(rest, text))
        }
        [Part::Hole(hole), rest @ ..] => (1..=text.len()).any(|end| {
            let (head, tail) = text.split_at(end);
            let fits = match hole.span {
                part::Span::Repeated(separator) => {
                    let mut items = head.split(char::from(separator));
                    items.next() == Some("")
                        && items.clone().next().is_some()
                        && items.all(|item| !item.is_empty() && item.bytes().all(|octet| hole.takes(octet)))
                }
                _ => head.bytes().all(|octet| hole.takes(octet)),
            };
            fits && every_split(rest, tail)
        }),
    }
}
