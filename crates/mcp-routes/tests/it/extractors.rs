//! Types of every kind in extractors: what agents are told of them, and that what fits arrives.

use crate::world::{call, faults, listed, world};
use axum::{
    Form, Json,
    extract::{Path, Query},
};
use http::Method;
use mcp_server::routes::{Expose, Headers, Parameter, Route, Routes, by_hand, get, head, post};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Deserialize, Serialize, JsonSchema)]
struct Count {
    /// How many
    count: u32,
}

/// One tool, of the route at `path`.
async fn schema(path: &str, route: Route) -> Value {
    let route = route.tool(Expose::new("Takes it").name("it"));
    listed(&world(Routes::new().route(path, route)), "it").await["inputSchema"].clone()
}

async fn answer(path: &str, route: Route, arguments: Value) -> String {
    let world = world(Routes::new().route(path, route.tool(Expose::new("Takes it").name("it"))));
    let reply = call(&world, "it", arguments, &[]).await;
    assert!(!reply.is_error(), "{reply:?}");
    reply.text().to_owned()
}

fn refused(path: &str, route: Route) -> String {
    faults(Routes::new().route(path, route.tool(Expose::new("Takes it").name("it"))))
}

async fn in_query(Query(it): Query<Count>) -> String {
    it.count.to_string()
}

async fn in_path(Path(it): Path<u128>) -> String {
    it.to_string()
}

async fn in_body(Json(it): Json<Count>) -> String {
    it.count.to_string()
}

#[tokio::test]
async fn an_integer_may_be_written_with_a_fraction_or_an_exponent_or_as_text() {
    for (number, expected) in [("3.0", "3"), ("\"3\"", "3"), ("1e2", "100"), ("4", "4")] {
        let number: Value = serde_json::from_str(number).unwrap();
        let text = answer("/it", get(in_query), json!({ "count": number })).await;
        assert_eq!(text, expected);
        assert_eq!(answer("/it/{count}", get(in_path), json!({ "count": number })).await, expected);
        assert_eq!(answer("/it", post(in_body), json!({ "body": { "count": number } })).await, expected);
    }
    let largest = json!({ "count": u128::MAX.to_string() });
    let text = answer("/it/{count}", get(in_path), largest).await;
    assert_eq!(text, u128::MAX.to_string());
}

async fn form(Form(it): Form<Count>) -> String {
    it.count.to_string()
}

#[tokio::test]
async fn a_form_of_get_is_the_query_string_and_of_post_the_body() {
    assert_eq!(schema("/it", get(form)).await["properties"]["count"]["description"], "How many");
    assert_eq!(answer("/it", get(form), json!({ "count": 3 })).await, "3");
    assert_eq!(answer("/it", post(form), json!({ "body": { "count": 3 } })).await, "3");
    assert_eq!(schema("/it", head(form)).await["required"], json!(["count"]));
}

#[derive(Deserialize, JsonSchema)]
#[serde(transparent)]
struct Wrapped(Count);

async fn wrapped(Query(it): Query<Wrapped>) -> String {
    it.0.count.to_string()
}

#[derive(Deserialize, JsonSchema)]
struct Number(u32);

async fn number(Path(it): Path<Number>) -> String {
    it.0.to_string()
}

async fn pairs(Path(it): Path<Vec<(String, String)>>) -> String {
    format!("{it:?}")
}

async fn map(Path(it): Path<BTreeMap<String, String>>) -> String {
    format!("{it:?}")
}

#[tokio::test]
async fn types_that_wrap_others_and_lists_of_path_parameters_are_described_by_what_they_hold() {
    assert_eq!(schema("/it", get(wrapped)).await["properties"]["count"]["type"], "integer");
    assert_eq!(answer("/it", get(wrapped), json!({ "count": 5 })).await, "5");
    assert_eq!(schema("/it/{n}", get(number)).await["properties"]["n"]["type"], "integer");
    assert_eq!(answer("/it/{n}", get(number), json!({ "n": 5 })).await, "5");
    let given = json!({ "a": "x", "b": "y/z" });
    assert_eq!(answer("/it/{a}/{b}", get(pairs), given.clone()).await, r#"[("a", "x"), ("b", "y/z")]"#);
    assert_eq!(answer("/it/{a}/{b}", get(map), given).await, r#"{"a": "x", "b": "y/z"}"#);
}

#[derive(Deserialize, JsonSchema)]
struct Place {
    id: String,
    part: Option<String>,
}

async fn place(Path(it): Path<Place>) -> String {
    format!("{} {:?}", it.id, it.part)
}

async fn perhaps(it: Option<Path<String>>) -> String {
    format!("{:?}", it.map(|it| it.0))
}

async fn perhaps_body(it: Option<Json<Count>>) -> String {
    format!("{:?}", it.map(|it| it.0.count))
}

#[tokio::test]
async fn what_a_handler_can_do_without_a_path_need_not_have() {
    assert_eq!(answer("/it/{id}", get(place), json!({ "id": "1" })).await, "1 None");
    assert_eq!(
        answer("/it/{id}/{part}", get(place), json!({ "id": "1", "part": "2" })).await,
        "1 Some(\"2\")"
    );
    assert_eq!(answer("/it", get(perhaps), json!({})).await, "None");
    assert_eq!(answer("/it/{id}", get(perhaps), json!({ "id": "1" })).await, "Some(\"1\")");
    assert_eq!(answer("/it", post(perhaps_body), json!({})).await, "None");
    assert_eq!(answer("/it", post(perhaps_body), json!({ "body": { "count": 1 } })).await, "Some(1)");
    assert!(refused("/it", get(place)).contains("the path parameter `id`"));
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only their schema is looked at")]
struct Nested {
    one: Option<Count>,
    many: Option<Vec<Count>>,
    grid: Vec<Vec<u8>>,
    fine: Option<Vec<u8>>,
}

async fn nested(Query(_): Query<Nested>) {}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
#[expect(dead_code, reason = "only its schema is looked at")]
enum Either {
    A { x: u8 },
    B,
}

async fn either(Query(_): Query<Either>) {}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Upper {
    #[serde(rename = "X-Upper")]
    upper: String,
}

async fn upper(Headers(_): Headers<Upper>) {}

#[tokio::test]
async fn what_a_place_cannot_hold_is_a_fault() {
    let told = refused("/it", get(nested));
    for name in ["one", "many", "grid"] {
        assert!(
            told.contains(&format!("`{name}` is an object or a list, which its query cannot hold")),
            "{told}"
        );
    }
    assert!(!told.contains("`fine`"), "{told}");
    assert!(refused("/it", get(either)).contains("has alternatives"));
    assert!(refused("/it", get(upper)).contains("rename it to `x-upper`"));
    let list = by_hand(Method::GET, async || "x").parameter(Parameter::path::<Vec<u8>>("id"));
    assert!(refused("/it/{id}", list).contains("`id` is an object or a list, which its path cannot hold"));
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Tree {
    kids: Vec<Self>,
}

async fn tree(Json(_): Json<Tree>) {}

async fn any(Json(it): Json<Value>) -> String {
    it.to_string()
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct Defaults {
    page_size: u8,
}

impl Default for Defaults {
    fn default() -> Self {
        Self { page_size: 9 }
    }
}

async fn defaults(Query(it): Query<Defaults>) -> String {
    it.page_size.to_string()
}

#[tokio::test]
async fn types_that_hold_themselves_any_value_or_defaults_are_described() {
    let recursive = schema("/it", post(tree)).await;
    assert_eq!(recursive["$defs"]["Tree"]["properties"]["kids"]["items"], json!({ "$ref": "#/$defs/Tree" }));
    assert_eq!(answer("/it", post(any), json!({ "body": [1, { "a": null }] })).await, r#"[1,{"a":null}]"#);
    let own = schema("/it", get(defaults)).await;
    assert_eq!((&own["properties"]["page-size"]["default"], &own["required"]), (&json!(9), &Value::Null));
    assert_eq!(answer("/it", get(defaults), json!({})).await, "9");
    assert_eq!(answer("/it", get(defaults), json!({ "page-size": 4 })).await, "4");
}

#[derive(Deserialize, JsonSchema)]
struct Label {
    #[serde(rename = "x-label")]
    label: Option<String>,
}

async fn label(Headers(it): Headers<Label>) -> String {
    format!("{:?}", it.label)
}

#[tokio::test]
async fn a_header_field_may_be_more_than_ascii() {
    assert_eq!(answer("/it", get(label), json!({ "x-label": "größe" })).await, "Some(\"größe\")");
}
