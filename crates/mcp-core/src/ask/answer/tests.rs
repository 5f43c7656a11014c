//! Tests of answers.

use super::{AnswerFault, check_answer, read_elicitation, read_roots, read_sampling};
use crate::{
    ask::AskRequest,
    json::{Document, JsonLimits},
    protocol::{Elicitation, Form, SamplingContent, SamplingContentKind, SamplingRequest, StopReason},
};
use bytes::Bytes;
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

fn document(text: &str) -> Document {
    Document::parse(Bytes::copy_from_slice(text.as_bytes()), &JsonLimits::default()).unwrap()
}

#[derive(Debug, PartialEq, JsonSchema, Deserialize)]
struct Seat {
    #[schemars(range(min = 1, max = 40))]
    row: u8,
    #[schemars(length(max = 3))]
    note: Option<String>,
    #[schemars(email)]
    mail: Option<String>,
    #[serde(default)]
    extras: Vec<Extra>,
}

#[derive(Debug, PartialEq, JsonSchema, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Extra {
    Meal,
    Bed,
}

fn form() -> AskRequest {
    AskRequest::Form { message: "Which seat?".into(), form: Arc::new(Form::of::<Seat>().unwrap()) }
}

fn page() -> AskRequest {
    AskRequest::Url { message: "Pay".into(), url: "https://example.com/pay".into(), id: "1".into() }
}

fn check(request: &AskRequest, answer: &str) -> Result<(), String> {
    check_answer(request, document(answer).root()).map_err(|fault| fault.to_string())
}

#[test]
fn a_form_that_fits_is_accepted_and_read() {
    let answer = document(
        r#"{"action":"accept","content":{"row":3.0,"extras":["bed"],"more":{"a":1}},"resultType":"complete"}"#,
    );
    check_answer(&form(), answer.root()).unwrap();
    let seat = Seat { row: 3, note: None, mail: None, extras: vec![Extra::Bed] };
    assert_eq!(read_elicitation(answer.root()).unwrap(), Elicitation::Accepted(seat));
}

#[test]
fn what_does_not_fit_a_form_is_named_by_field() {
    for (content, fault) in [
        ("{}", "the field `row` is missing"),
        (r#"{"row":"3"}"#, "the field `row` is of another type"),
        (r#"{"row":0}"#, "the field `row` is too small"),
        (r#"{"row":41}"#, "the field `row` is too large"),
        (r#"{"row":3.5}"#, "the field `row` is of another type"),
        (r#"{"row":3,"note":"long"}"#, "the field `note` is too long"),
        (r#"{"row":3,"note":null}"#, "the field `note` is of another type"),
        (r#"{"row":3,"mail":"nobody"}"#, "the field `mail` is not written in the format that was asked for"),
        (r#"{"row":3,"extras":["pool"]}"#, "the field `extras` is none of the choices"),
        (r#"{"row":3,"extras":"bed"}"#, "the field `extras` is of another type"),
        ("null", "content must be an object with the form's fields"),
        ("[]", "content must be an object with the form's fields"),
    ] {
        let answer = format!(r#"{{"action":"accept","content":{content}}}"#);
        assert_eq!(check(&form(), &answer), Err(fault.to_owned()), "{content}");
    }
    assert!(check(&form(), r#"{"action":"accept"}"#).is_err());
}

#[test]
fn declined_and_cancelled_need_no_content() {
    for (action, read) in [("decline", Elicitation::Declined), ("cancel", Elicitation::Cancelled)] {
        for request in [form(), page()] {
            let answer = format!(r#"{{"action":"{action}"}}"#);
            assert_eq!(check(&request, &answer), Ok(()));
            assert_eq!(read_elicitation::<Seat>(document(&answer).root()).unwrap(), read);
        }
        let with_content = format!(r#"{{"action":"{action}","content":{{"row":"x"}}}}"#);
        assert_eq!(check(&form(), &with_content), Ok(()));
    }
}

#[test]
fn answers_of_another_shape_are_refused() {
    for answer in ["null", "[]", "1", "{}", r#"{"action":"accepted"}"#, r#"{"action":1}"#] {
        for request in [form(), page()] {
            assert!(check(&request, answer).is_err(), "{answer}");
        }
    }
    assert!(check(&AskRequest::Roots, "null").is_err());
    assert!(check(&AskRequest::Sample(Box::new(SamplingRequest::new(1))), "[]").is_err());
}

#[test]
fn nothing_comes_back_with_a_page() {
    for answer in [
        r#"{"action":"accept"}"#,
        r#"{"action":"accept","content":{}}"#,
        r#"{"action":"accept","content":null}"#,
    ] {
        assert_eq!(check(&page(), answer), Ok(()), "{answer}");
        assert_eq!(read_elicitation::<()>(document(answer).root()).unwrap(), Elicitation::Accepted(()));
    }
    for content in [r#"{"a":1}"#, "[]", "1"] {
        assert!(check(&page(), &format!(r#"{{"action":"accept","content":{content}}}"#)).is_err());
    }
}

#[test]
fn a_type_that_refuses_what_the_form_took_is_a_fault_without_the_value() {
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only whether it reads matters")]
    struct Narrow {
        row: bool,
    }
    let answer = document(r#"{"action":"accept","content":{"row":7}}"#);
    let fault = read_elicitation::<Narrow>(answer.root()).unwrap_err();
    assert_eq!(fault, AnswerFault::UnreadableField { field: "row".into() });
    assert!(!fault.to_string().contains('7'));
}

#[test]
fn names_in_faults_are_cut_short() {
    let name = "n".repeat(500);
    let schema =
        json!({ "type": "object", "properties": { &name: { "type": "string" } }, "required": [&name] });
    let form = Arc::new(Form::from_schema(schema).unwrap());
    let request = AskRequest::Form { message: "?".into(), form };
    for content in ["{}".to_owned(), format!(r#"{{"{name}":1}}"#)] {
        let fault = check(&request, &format!(r#"{{"action":"accept","content":{content}}}"#)).unwrap_err();
        assert!(fault.len() < 120, "{fault}");
    }
}

#[test]
fn what_a_model_said_is_read() {
    let answer = document(
        r#"{"role":"assistant","model":"m-1","stopReason":"toolUse","_meta":{"k":1},"content":[
            {"type":"text","text":"Let me "},{"type":"text","text":"look."},
            {"type":"image","data":"AQI","mimeType":"image/png","_meta":{"a":true}},
            {"type":"tool_use","id":"1","name":"look","input":{"n":0.10000000000000001}}]}"#,
    );
    let result = read_sampling(answer.root()).unwrap();
    assert_eq!((result.text().as_str(), result.model()), ("Let me look.", "m-1"));
    assert_eq!(result.stop_reason(), Some(&StopReason::ToolUse));
    assert_eq!(result.meta()["k"], 1);
    let image =
        SamplingContentKind::Image { data: Bytes::from_static(&[1, 2]), mime_type: "image/png".into() };
    assert_eq!(result.content()[2].kind(), &image);
    let call = result.tool_uses().next().unwrap();
    assert_eq!((call.id(), call.name(), call.input().get()), ("1", "look", r#"{"n":0.10000000000000001}"#));
    let text =
        r#"{"role":"assistant","model":"m","stopReason":"refusal","content":{"type":"text","text":"No"}}"#;
    let result = read_sampling(document(text).root()).unwrap();
    assert_eq!(result.content(), [SamplingContent::text("No")]);
    assert_eq!(result.stop_reason().unwrap().as_str(), "refusal");
}

#[test]
fn what_is_no_sampling_result_is_refused() {
    for (answer, member) in [
        (r#"{"role":"user","model":"m","content":{"type":"text","text":""}}"#, "role"),
        (r#"{"role":"assistant","content":{"type":"text","text":""}}"#, "model"),
        (r#"{"role":"assistant","model":1,"content":{"type":"text","text":""}}"#, "model"),
        (r#"{"role":"assistant","model":"m"}"#, "content"),
        (r#"{"role":"assistant","model":"m","content":"text"}"#, "content"),
        (r#"{"role":"assistant","model":"m","content":{"type":"video"}}"#, "content"),
        (r#"{"role":"assistant","model":"m","content":{"type":"text"}}"#, "text"),
        (
            r#"{"role":"assistant","model":"m","content":{"type":"audio","data":"?","mimeType":"a/b"}}"#,
            "data",
        ),
        (
            r#"{"role":"assistant","model":"m","content":{"type":"tool_use","id":"1","name":"n","input":[]}}"#,
            "input",
        ),
        (
            r#"{"role":"assistant","model":"m","content":{"type":"text","text":""},"stopReason":1}"#,
            "stopReason",
        ),
    ] {
        let fault = read_sampling(document(answer).root()).unwrap_err();
        assert!(fault.to_string().starts_with(member), "{answer}: {fault}");
    }
}

#[test]
fn roots_are_read_as_they_were_written() {
    let answer = document(
        r#"{"roots":[{"uri":"file:///d/a b","name":"A","_meta":{"k":1}},{"uri":"git+ssh://h/r","name":null}]}"#,
    );
    let roots = read_roots(answer.root()).unwrap();
    assert_eq!(
        (roots[0].uri(), roots[0].name(), &roots[0].meta()["k"]),
        ("file:///d/a b", Some("A"), &json!(1))
    );
    assert_eq!((roots[1].uri(), roots[1].name()), ("git+ssh://h/r", None));
    assert_eq!(read_roots(document(r#"{"roots":[]}"#).root()), Ok(vec![]));
    for roots in [
        "null",
        "{}",
        "[1]",
        "[{}]",
        r#"[{"uri":"/d"}]"#,
        r#"[{"uri":"C:\\d"}]"#,
        r#"[{"uri":"a:b","name":1}]"#,
    ] {
        let answer = format!(r#"{{"roots":{roots}}}"#);
        assert!(read_roots(document(&answer).root()).is_err(), "{roots}");
    }
}

/// Any JSON of few levels, with the names and words that answers have.
fn any_json() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        "[a-z]{0,200}",
        prop::sample::select(vec!["accept", "assistant", "text", "image", "bed", "AQI=", "file:///a"])
            .prop_map(str::to_owned),
    ];
    let name = prop_oneof![
        "[a-z]{0,4}",
        prop::sample::select(vec![
            "action", "content", "row", "note", "extras", "role", "model", "type", "text", "data",
            "mimeType", "roots", "uri", "name",
        ])
        .prop_map(str::to_owned),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0_u8..50).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((name.clone(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn whatever_is_answered_is_read_or_refused_in_few_words(
        answer in any_json(),
        content in any_json(),
        accepted in any::<bool>(),
    ) {
        let answer = if accepted { json!({ "action": "accept", "content": content }) } else { answer };
        let text = answer.to_string();
        let document = document(&text);
        for request in
            [form(), page(), AskRequest::Sample(Box::new(SamplingRequest::new(1))), AskRequest::Roots]
        {
            if let Err(fault) = check_answer(&request, document.root()) {
                prop_assert!(fault.to_string().len() < 200, "{}", fault);
            } else if matches!(request, AskRequest::Form { .. }) {
                prop_assert!(read_elicitation::<Seat>(document.root()).is_ok(), "{}", text);
            }
        }
    }
}
