//! The official JSON schemas of the protocol's revisions.

use jsonschema::Validator;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Names a folder with the schemas, one file `REVISION.json` each.
const FOLDER: &str = "MCP_SCHEMAS";

/// The official schema of one revision, and its definitions compiled as they are needed.
#[derive(Debug)]
pub struct Official {
    revision: String,
    schema: Value,
    compiled: BTreeMap<String, Validator>,
}

impl Official {
    /// The schema of a revision; `None` when there is none on this machine, which is said aloud.
    ///
    /// It is looked for in the folder that `MCP_SCHEMAS` names, where `scripts/official-schemas` writes, and
    /// in a folder `shared/schema` beside the repository.
    #[must_use]
    pub fn of(revision: &str) -> Option<Self> {
        let Some(text) = text_of(revision) else {
            eprintln!(
                "SKIPPED: no official schema of {revision}; run scripts/official-schemas or set {FOLDER}"
            );
            return None;
        };
        let schema = serde_json::from_str(&text).expect("the official schema is JSON");
        Some(Self { revision: revision.to_owned(), schema, compiled: BTreeMap::new() })
    }

    /// What is wrong with `value` as an instance of the definition.
    ///
    /// # Panics
    /// When the schema has no such definition.
    pub fn faults(&mut self, definition: &str, value: &Value) -> Vec<String> {
        let definitions = self.definitions();
        let validator = self.compiled.entry(definition.to_owned()).or_insert_with(|| {
            assert!(self.schema[definitions].get(definition).is_some(), "no definition {definition}");
            let mut schema = self.schema.clone();
            schema["$ref"] = json!(format!("#/{definitions}/{definition}"));
            jsonschema::validator_for(&schema).expect("the official schema compiles")
        });
        validator.iter_errors(value).map(|error| error.to_string()).collect()
    }

    /// Fails the test when a result does not fit the type of its method, or that of results which ask.
    pub fn check_result(&mut self, method: &str, result: &Value) {
        let asks = result["resultType"] == "input_required";
        self.check(if asks { "InputRequiredResult" } else { result_of(method) }, result, method);
    }

    /// Fails the test when a request to the client does not fit the type of its method.
    pub fn check_request(&mut self, request: &Value) {
        let definition = match request["method"].as_str().unwrap_or_default() {
            "elicitation/create" => "ElicitRequest",
            "sampling/createMessage" => "CreateMessageRequest",
            "roots/list" => "ListRootsRequest",
            other => panic!("no request to a client is known by the name `{other}`"),
        };
        self.check(definition, request, "a request");
    }

    /// Fails the test when an error message does not fit the type of its code.
    pub fn check_error(&mut self, message: &Value) {
        let typed = self.definitions() == "$defs";
        let definition = match message["error"]["code"].as_i64() {
            _ if !typed => "JSONRPCError",
            Some(-32020) => "HeaderMismatchError",
            Some(-32021) => "MissingRequiredClientCapabilityError",
            Some(-32022) => "UnsupportedProtocolVersionError",
            _ => "JSONRPCErrorResponse",
        };
        self.check(definition, message, "an error");
    }

    /// Fails the test when a notification does not fit the type of its method.
    pub fn check_notification(&mut self, message: &Value) {
        let definition = match message["method"].as_str().unwrap_or_default() {
            "notifications/progress" => "ProgressNotification",
            "notifications/message" => "LoggingMessageNotification",
            "notifications/subscriptions/acknowledged" => "SubscriptionsAcknowledgedNotification",
            "notifications/tools/list_changed" => "ToolListChangedNotification",
            "notifications/prompts/list_changed" => "PromptListChangedNotification",
            "notifications/resources/list_changed" => "ResourceListChangedNotification",
            "notifications/resources/updated" => "ResourceUpdatedNotification",
            other => panic!("no notification is known by the name `{other}`"),
        };
        self.check(definition, message, "a notification");
    }

    fn check(&mut self, definition: &str, value: &Value, what: &str) {
        let faults = self.faults(definition, value);
        assert!(faults.is_empty(), "{}: {what} is no {definition}: {faults:?}\n{value}", self.revision);
    }

    fn definitions(&self) -> &'static str {
        if self.schema.get("$defs").is_some() { "$defs" } else { "definitions" }
    }
}

fn result_of(method: &str) -> &'static str {
    match method {
        "initialize" => "InitializeResult",
        "server/discover" => "DiscoverResult",
        "subscriptions/listen" => "SubscriptionsListenResult",
        "tools/list" => "ListToolsResult",
        "tools/call" => "CallToolResult",
        "resources/list" => "ListResourcesResult",
        "resources/templates/list" => "ListResourceTemplatesResult",
        "resources/read" => "ReadResourceResult",
        "prompts/list" => "ListPromptsResult",
        "prompts/get" => "GetPromptResult",
        "completion/complete" => "CompleteResult",
        "ping" => "EmptyResult",
        other => panic!("no result is known for {other}"),
    }
}

fn text_of(revision: &str) -> Option<String> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let folders = [
        std::env::var_os(FOLDER).map(PathBuf::from),
        std::env::var_os("MCP_TOOLS_DIR").map(|tools| Path::new(&tools).join("schemas")),
        Some(repository.join("target/tools/schemas")),
        Some(repository.join("../shared/schema")),
    ];
    let file = format!("{revision}.json");
    folders.into_iter().flatten().find_map(|folder| fs::read_to_string(folder.join(&file)).ok())
}
