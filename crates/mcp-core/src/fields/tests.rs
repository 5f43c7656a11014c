//! Reading structs, tuples and single values from named texts.

use super::*;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Shade {
    Light,
    Dark,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Page(u16);

#[derive(Debug, PartialEq, Deserialize)]
struct Note {
    id: u64,
    q: Option<String>,
    shade: Option<Shade>,
    page: Option<Page>,
    #[serde(default)]
    tag: Vec<i8>,
    exact: Option<bool>,
    ratio: Option<f64>,
}

fn note(fields: &[(&str, FieldText<'_>)]) -> Result<Note, FieldFault> {
    read(fields.iter().copied())
}

#[test]
fn a_struct_takes_its_fields_by_name_and_parses_them() {
    let tags = ["1".to_owned(), "-2".to_owned()];
    let read = note(&[
        ("shade", "dark".into()),
        ("exact", "true".into()),
        ("id", "7".into()),
        ("ratio", "0.5".into()),
        ("page", "3".into()),
        ("tag", FieldText::List(&tags)),
        ("q", "".into()),
        ("other", "ignored".into()),
    ]);
    let expected = Note {
        id: 7,
        q: Some(String::new()),
        shade: Some(Shade::Dark),
        page: Some(Page(3)),
        tag: vec![1, -2],
        exact: Some(true),
        ratio: Some(0.5),
    };
    assert_eq!(read, Ok(expected));
}

#[test]
fn missing_and_absent_fields_are_none() {
    let read = note(&[("id", "7".into()), ("q", FieldText::Absent), ("tag", FieldText::Absent)]).unwrap();
    assert_eq!((read.q, read.page, read.tag), (None, None, vec![]));
}

#[test]
fn every_fault_names_its_field() {
    let several = ["1".to_owned(), "x".to_owned()];
    for (fields, message) in [
        (vec![("q", "x".into())], "`id` is missing"),
        (vec![("id", FieldText::Absent)], "`id` is missing"),
        (vec![("id", "".into())], "`id` must be an integer from 0 of at most 64 bits"),
        (vec![("id", "-1".into())], "`id` must be an integer from 0 of at most 64 bits"),
        (vec![("id", FieldText::List(&several))], "`id` must be one text, not a list"),
        (vec![("id", "1".into()), ("id", "2".into())], "`id` stands twice"),
        (vec![("id", "1".into()), ("shade", "grey".into())], "`shade` must be one of `light`, `dark`"),
        (vec![("id", "1".into()), ("page", "70000".into())], "`page` must be an integer from 0 to 65535"),
        (vec![("id", "1".into()), ("exact", "yes".into())], "`exact` must be `true` or `false`"),
        (vec![("id", "1".into()), ("ratio", "inf".into())], "`ratio` must be a number"),
        (vec![("id", "1".into()), ("tag", "1".into())], "`tag` must be a list"),
        (
            vec![("id", "1".into()), ("tag", FieldText::List(&several))],
            "`tag` must be an integer from -128 to 127",
        ),
    ] {
        assert_eq!(note(&fields).unwrap_err().to_string(), message);
    }
}

#[test]
fn a_fault_raised_by_the_type_itself_is_named_too() {
    #[derive(Debug, Deserialize)]
    #[serde(try_from = "u8")]
    struct Even;
    impl TryFrom<u8> for Even {
        type Error = &'static str;
        fn try_from(number: u8) -> Result<Self, Self::Error> {
            if number.is_multiple_of(2) { Ok(Self) } else { Err("it is odd") }
        }
    }
    #[derive(Debug, Deserialize)]
    struct Holder {
        #[serde(rename = "n")]
        _even: Even,
    }
    assert!(read::<Holder, _, _>([("n", "4")]).is_ok());
    assert_eq!(read::<Holder, _, _>([("n", "3")]).unwrap_err().to_string(), "`n` is refused: it is odd");
}

#[test]
fn tuples_go_by_position_and_keep_absent_places() {
    let fields = [("a", FieldText::Text("x")), ("b", FieldText::Absent), ("c", FieldText::Text("3"))];
    assert_eq!(read(fields), Ok(("x".to_owned(), None::<u8>, 3_u8)));
    assert_eq!(
        read::<(String, u8), _, _>(fields).unwrap_err().to_string(),
        "this input must have 2 fields, not 3"
    );
    let wrong = read::<(String, Option<u8>, bool), _, _>(fields).unwrap_err();
    assert_eq!(wrong.name(), Some("c"));
}

#[test]
fn a_single_value_takes_the_only_field() {
    assert_eq!(read::<String, _, _>([("a", "x")]), Ok("x".to_owned()));
    assert_eq!(read::<Page, _, _>([("a", "3")]), Ok(Page(3)));
    assert_eq!(read::<Shade, _, _>([("a", "light")]), Ok(Shade::Light));
    assert_eq!(read::<Option<u8>, _, _>([("a", FieldText::Absent)]), Ok(None));
    assert_eq!(read::<u8, _, _>([("a", "300")]).unwrap_err().name(), Some("a"));
    assert_eq!(
        *read::<u8, _, _>([("a", "1"), ("b", "2")]).unwrap_err().problem(),
        FieldProblem::Count { wanted: 1, found: 2 }
    );
    let items = ["x".to_owned(), "y".to_owned()];
    assert_eq!(read::<Vec<String>, _, _>([("a", FieldText::List(&items))]), Ok(items.to_vec()));
}

#[test]
fn fields_become_a_map() {
    let arguments = BTreeMap::from([("a".to_owned(), "1".to_owned()), ("b".to_owned(), "2".to_owned())]);
    assert_eq!(
        read::<BTreeMap<String, u8>, _, _>(&arguments).unwrap(),
        BTreeMap::from([("a".into(), 1), ("b".into(), 2)])
    );
}

#[test]
fn pairs_are_a_map_and_their_own_name_is_a_list() {
    let pairs = [("k", "1"), ("z", "2"), ("k", "3")].map(|(name, text)| (name.to_owned(), text.to_owned()));
    #[derive(Deserialize)]
    struct Map {
        k: BTreeMap<String, u8>,
    }
    #[derive(Deserialize)]
    struct List {
        k: Vec<u8>,
    }
    let fields = [("k", FieldText::Pairs(&pairs))];
    assert_eq!(read::<Map, _, _>(fields).unwrap().k, BTreeMap::from([("k".into(), 3), ("z".into(), 2)]));
    assert_eq!(read::<List, _, _>(fields).unwrap().k, [1, 3]);
}

#[test]
fn a_value_with_fields_of_its_own_is_refused() {
    #[derive(Debug, Deserialize)]
    struct Outer {
        #[serde(rename = "inner")]
        _inner: Note,
    }
    let fault = read::<Outer, _, _>([("inner", "x")]).unwrap_err();
    assert_eq!((fault.name(), fault.problem()), (Some("inner"), &FieldProblem::Nested));
}
