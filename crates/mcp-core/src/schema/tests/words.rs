//! The words a generated schema is written in.

use super::shapes::*;
use crate::schema::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[test]
fn defaults_are_shown_and_their_properties_are_not_required() {
    assert_eq!(
        input::<Page>(),
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "q": {"description": "What to look for.", "type": "string"},
                "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
                "sort": {"$ref": "#/$defs/Sort", "default": "asc"},
                "tags": {"type": "array", "items": {"type": "string"}, "default": []},
            },
            "required": ["q"],
            "additionalProperties": false,
            "$defs": {"Sort": {"type": "string", "enum": ["asc", "desc"]}},
        })
    );
}

#[test]
fn a_default_outside_its_own_schema_is_a_fault() {
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only the schema is used")]
    struct Wrong {
        #[serde(default = "twenty")]
        #[schemars(range(min = 1, max = 10))]
        limit: u32,
    }
    let fault = SchemaFault::DefaultDoesNotFit { path: "/properties/limit".to_owned() };
    assert_eq!(built::<Wrong>(SchemaDialect::Standard).unwrap_err(), [fault]);
}

#[test]
fn generated_schemas_use_only_words_that_clients_take() {
    let schema = input::<Everything>();
    assert!(jsonschema::meta::is_valid(&schema));
    let properties = &schema["properties"];
    assert_eq!(properties["small"], json!({"type": "integer", "minimum": 0, "maximum": 255}));
    assert_eq!(
        properties["signed"],
        json!({"type": "integer", "minimum": -2_147_483_648_i64, "maximum": 2_147_483_647})
    );
    assert_eq!(properties["medium"], json!({"type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32}));
    assert_eq!(properties["long"], json!({"type": "integer", "minimum": 0}));
    assert_eq!(properties["whole"], json!({"type": "integer"}));
    assert_eq!(properties["real"], json!({"type": "number"}));
    assert_eq!(properties["maybe"]["type"], json!(["integer", "null"]));
    assert_eq!(properties["address"], json!({"type": "string"}));
    assert_eq!(properties["any"], json!({}));
    assert_eq!(properties["pairs"]["items"]["prefixItems"][0], json!({"type": "string"}));
    assert_eq!(properties["counts"]["additionalProperties"]["maximum"], 255);
    assert_eq!(
        schema["$defs"]["Colour"],
        json!({
            "description": "How to colour.\n\n- `red`: Warm.\n- `blue`: Cold.",
            "type": "string",
            "enum": ["red", "blue"],
        })
    );
    assert_eq!(
        schema["$defs"]["Tagged"]["oneOf"][0]["properties"]["kind"],
        json!({"type": "string", "enum": ["A"]})
    );
    let text = schema.to_string();
    for word in ["\"format\"", "\"const\"", "\"title\"", "\"default\":null"] {
        assert!(!text.contains(word), "{word} in {text}");
    }
}

#[test]
fn registered_formats_and_bounds_that_stand_are_kept() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only the schema is used")]
    struct Formats {
        #[schemars(extend("format" = "date-time"))]
        when: String,
        #[schemars(extend("format" = "money"))]
        price: String,
        #[schemars(range(min = 5))]
        small: u16,
        nonzero: std::num::NonZeroU8,
        /// A member that is called like a keyword.
        format: u8,
    }
    let properties = &input::<Formats>()["properties"];
    assert_eq!(properties["when"], json!({"type": "string", "format": "date-time"}));
    assert_eq!(properties["price"], json!({"type": "string"}));
    assert_eq!(properties["small"], json!({"type": "integer", "minimum": 5, "maximum": 65_535}));
    assert_eq!(properties["nonzero"], json!({"type": "integer", "minimum": 1, "maximum": 255}));
    assert_eq!(properties["format"]["maximum"], 255);
}

#[test]
fn the_plain_dialect_has_no_lists_of_types_and_no_null() {
    let schema = input_in::<Everything>(SchemaDialect::Plain);
    assert!(jsonschema::meta::is_valid(&schema));
    let text = schema.to_string();
    assert!(!text.contains("\"null\"") && !text.contains("\"type\":["), "{text}");
    assert_eq!(
        schema["properties"]["maybe"],
        json!({"type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32})
    );
    assert_eq!(schema["properties"]["maybe_sort"], json!({"$ref": "#/$defs/Sort"}));
    assert!(!schema["required"].as_array().unwrap().contains(&json!("maybe")));
}

#[test]
fn nulls_inside_a_default_are_left_out_in_the_plain_dialect() {
    #[derive(JsonSchema, Deserialize, Serialize, Default)]
    struct Settings {
        name: String,
        note: Option<String>,
    }
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only the schema is used")]
    struct Root {
        #[serde(default)]
        settings: Settings,
        #[serde(default)]
        note: Option<u8>,
    }
    let plain = input_in::<Root>(SchemaDialect::Plain);
    assert_eq!(plain["properties"]["settings"]["default"], json!({"name": ""}));
    assert_eq!(plain["properties"]["note"].get("default"), None);
    let standard = input::<Root>();
    assert_eq!(standard["properties"]["settings"]["default"], json!({"name": "", "note": null}));
}

#[test]
fn the_same_type_gives_the_same_text() {
    assert_eq!(input::<Everything>().to_string(), input::<Everything>().to_string());
    assert_eq!(
        input::<Everything>()["properties"].as_object().unwrap().keys().next().map(String::as_str),
        Some("small"),
        "members stand in the order of the fields"
    );
}
