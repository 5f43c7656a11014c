//! Random derivations and random arguments: a derived tool gives what its original gives.

use crate::wire::{MODERN, drive, modern, server};
use futures_util::FutureExt as _;
use mcp_core::{
    context::Transport,
    handler::ToolCall,
    registry::{DerivedTool, McpRouter, derive, tool},
    server::{Peer, Server},
};
use proptest::{collection::vec, option, prelude::*, sample::subsequence};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// The arguments as the handler takes them, without the order in which they came.
struct Read(BTreeMap<String, String>);

impl<S: Sync> mcp_core::extract::Extract<ToolCall, S> for Read {
    type Rejection = mcp_core::handler::ToolError;

    async fn extract(call: &ToolCall, _: &S) -> Result<Self, Self::Rejection> {
        let members = call.arguments().into_iter().flat_map(|arguments| arguments.members());
        Ok(Self(members.map(|(name, value)| (name.text().into_owned(), value.raw().to_owned())).collect()))
    }
}

fn original() -> McpRouter<()> {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": { "type": "integer", "minimum": -100, "maximum": 100 },
            "b": { "type": "string", "maxLength": 5 },
            "c": { "type": ["number", "null"] },
            "d": { "type": "array", "items": { "type": "integer" } },
            "e": {},
        },
        "required": ["a", "b"],
        "additionalProperties": { "type": "boolean" },
    });
    let read = tool(|Read(arguments): Read| async move { format!("{arguments:?}") });
    McpRouter::new().tool("original", read.describe("Reads").input_schema(schema))
}

/// What becomes of one argument.
#[derive(Clone, Debug)]
enum Change {
    None,
    Rename(String),
    Fixed(Value),
    Default(Value),
    RenameAndDefault(String, Value),
    Required,
    Hide,
}

fn change(at: usize) -> impl Strategy<Value = Change> {
    // Names of other arguments too, so that some change places and some collide.
    let name = prop_oneof![(0..5_usize).prop_map(|at| NAMES[at].to_owned()), "[x-z]\u{e9}?"];
    prop_oneof![
        Just(Change::None),
        name.clone().prop_map(Change::Rename),
        value(at).prop_map(Change::Fixed),
        value(at).prop_map(Change::Default),
        (name, value(at)).prop_map(|(name, value)| Change::RenameAndDefault(name, value)),
        Just(Change::Required),
        Just(Change::Hide),
    ]
}

/// A value that mostly fits the argument.
fn value(at: usize) -> BoxedStrategy<Value> {
    match at {
        0 => (-110..110_i64).prop_map(Value::from).boxed(),
        1 => "[a-z\"\\\\\u{e9}]{0,6}".prop_map(Value::from).boxed(),
        2 => option::of(any::<i64>()).prop_map(Value::from).boxed(),
        3 => vec(any::<i64>(), 0..3).prop_map(Value::from).boxed(),
        _ => prop_oneof![Just(json!(null)), Just(json!({ "a": [1] })), any::<u64>().prop_map(Value::from)]
            .boxed(),
    }
}

fn derivation(of: &str, name: &str, changes: &[(String, Change)]) -> DerivedTool {
    changes.iter().cloned().fold(derive(of).name(name), |derived, (argument, change)| {
        derived.argument(argument, |argument| match change {
            Change::None => argument,
            Change::Rename(name) => argument.rename(name),
            Change::Fixed(value) => argument.fixed(value),
            Change::Default(value) => argument.default(value),
            Change::RenameAndDefault(name, value) => argument.rename(name).default(value),
            Change::Required => argument.required(),
            Change::Hide => argument.hide(),
        })
    })
}

/// The arguments of the original for those of the derived tool, told by the simplest means; `None` when a call with
/// them is to be refused.
fn back(changes: &[Change], sent: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut out = Map::new();
    let mut left = sent.clone();
    for (name, change) in NAMES.iter().zip(changes) {
        let published = match change {
            Change::None | Change::Default(_) | Change::Required => Some(*name),
            Change::Rename(new) | Change::RenameAndDefault(new, _) => Some(new.as_str()),
            Change::Fixed(_) | Change::Hide => None,
        };
        let given = published.and_then(|published| left.remove(published));
        let value = match (given, change) {
            (Some(value), _) => Some(value),
            (None, Change::Fixed(value) | Change::Default(value) | Change::RenameAndDefault(_, value)) => {
                Some(value.clone())
            }
            (None, Change::Required) => return None,
            (None, _) => None,
        };
        out.extend(value.map(|value| ((*name).to_owned(), value)));
    }
    for (name, value) in left {
        if NAMES.contains(&name.as_str()) {
            return None;
        }
        out.insert(name, value);
    }
    Some(out)
}

fn called(server: &Server, tool: &str, arguments: Map<String, Value>) -> (bool, String) {
    let call = modern(1, "tools/call", json!({ "name": tool, "arguments": arguments }));
    let exchange = server.dispatch(MODERN, call.to_string(), Peer::anonymous(Transport::InProcess)).unwrap();
    let answer = drive(exchange).now_or_never().unwrap();
    (answer.result()["isError"] == true, answer.text().to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    #[test]
    fn a_derived_tool_gives_what_its_original_gives_for_the_arguments_written_back(
        changes in (change(0), change(1), change(2), change(3), change(4)),
        calls in vec((
            subsequence(vec!["a", "b", "c", "d", "e", "x", "y", "z", "more"], 0..9),
            (value(0), value(1), value(2), value(3), value(4)),
        ), 1..6),
    ) {
        let changes = [changes.0, changes.1, changes.2, changes.3, changes.4];
        let named: Vec<_> = NAMES.iter().map(|name| (*name).to_owned()).zip(changes.clone()).collect();
        let router = original().through(derivation("original", "derived", &named));
        // What is refused at the build is tested elsewhere; here it only must not panic.
        let Ok(server) = crate::wire::serving(router).build() else { return Ok(()) };
        let published: BTreeMap<String, usize> = changes.iter().enumerate().filter_map(|(at, change)| match change {
            Change::None | Change::Default(_) | Change::Required => Some((NAMES[at].to_owned(), at)),
            Change::Rename(new) | Change::RenameAndDefault(new, _) => Some((new.clone(), at)),
            Change::Fixed(_) | Change::Hide => None,
        }).collect();
        for (names, values) in calls {
            let values = [values.0, values.1, values.2, values.3, values.4];
            let mut sent = Map::new();
            for name in names.into_iter().map(str::to_owned).chain(published.keys().take(2).cloned()) {
                let value = published.get(&name).map_or(json!(true), |at| values[*at].clone());
                sent.insert(name, value);
            }
            let derived = called(&server, "derived", sent.clone());
            match back(&changes, &sent) {
                None => prop_assert!(derived.0, "{:?}", derived),
                Some(arguments) => {
                    let original = called(&server, "original", arguments.clone());
                    prop_assert_eq!(derived.0, original.0, "{:?} {:?}", sent, arguments);
                    if !original.0 {
                        prop_assert_eq!(derived.1, original.1);
                    }
                }
            }
        }
    }

    #[test]
    fn deriving_twice_gives_what_deriving_once_with_both_gives(
        first in (-100..100_i64, "[a-z]{1,5}"),
        second in 0..100_i64,
        sent in option::of(-110..110_i64),
    ) {
        let router = original()
            .through(derive("original").name("one")
                .argument("a", |a| a.rename("n").default(first.0))
                .argument("b", |b| b.fixed(first.1.clone())))
            .through(derive("one").name("two").argument("n", |n| n.rename("a").default(second).at_least(-100)))
            .through(derive("original").name("both")
                .argument("a", |a| a.default(second).at_least(-100))
                .argument("b", |b| b.fixed(first.1)));
        let server = server(router);
        let arguments: Map<_, _> = sent.map(|sent| ("a".to_owned(), json!(sent))).into_iter().collect();
        prop_assert_eq!(called(&server, "two", arguments.clone()), called(&server, "both", arguments));
    }
}
