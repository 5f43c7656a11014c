//! Random handlers made of asks against random clients have the outcome that a straight line of them would have.

use super::fixture::{Live, Name, Rounds, accept, sent, serving, state};
use crate::wire::HANDSHAKE;
use mcp_core::{
    ask::AskError,
    extract::{App, Client},
    handler::ToolError,
    protocol::Elicitation,
    registry::{McpRouter, tool},
    server::Server,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::{collections::BTreeMap, sync::Arc};

/// One step of a handler.
#[derive(Clone, Debug)]
enum Step {
    /// Asks one thing.
    Ask(usize),
    /// Asks several things at once.
    Join(Vec<usize>),
    /// Asks two things and takes the answer that is there first, the first of both if both are.
    First(usize, usize),
    /// Asks, and has something else at once.
    Overtaken(usize),
    /// Remembers a value.
    Remember(usize),
    /// Gives way to other tasks, in which a round may end.
    Yield,
}

/// What the user does with the question of a key, after so many answers that do not fit.
#[derive(Clone, Debug)]
struct Plan {
    wrong: Vec<Value>,
    answer: Value,
}

type Script = Arc<Vec<Step>>;

fn outcome(answer: Result<Elicitation<Name>, AskError>) -> Result<String, ToolError> {
    Ok(match answer? {
        Elicitation::Accepted(Name { name }) => name,
        other => format!("{other:?}"),
    })
}

fn ask(client: &Client, key: usize) -> mcp_core::ask::Ask<Elicitation<Name>> {
    client.elicit(format!("k{key}"), format!("Question {key}"))
}

async fn play(client: Client, App(script): App<Script>) -> Result<String, ToolError> {
    let mut told = Vec::new();
    for step in &*script {
        told.push(match step {
            Step::Ask(key) => outcome(ask(&client, *key).await)?,
            Step::Join(keys) => {
                let all = futures_util::future::join_all(keys.iter().map(|key| ask(&client, *key))).await;
                all.into_iter().map(outcome).collect::<Result<Vec<_>, _>>()?.join("+")
            }
            Step::First(one, other) => tokio::select! {
                biased;
                first = ask(&client, *one) => outcome(first)?,
                second = ask(&client, *other) => outcome(second)?,
            },
            Step::Overtaken(key) => tokio::select! {
                biased;
                _ = ask(&client, *key) => "asked".to_owned(),
                () = std::future::ready(()) => "overtaken".to_owned(),
            },
            Step::Remember(key) => client.remember(&format!("v{key}"), async { key * 7 }).await?.to_string(),
            Step::Yield => {
                tokio::task::yield_now().await;
                String::new()
            }
        });
    }
    Ok(told.join(" "))
}

/// What a straight line of the steps comes to, and in how many rounds; a live client only gives what fits.
fn expected(script: &[Step], plans: &[Plan]) -> (String, usize) {
    let shown = |key: &usize| match plans[*key].answer["action"].as_str().unwrap() {
        "accept" => plans[*key].answer["content"]["name"].as_str().unwrap().to_owned(),
        "decline" => "Declined".to_owned(),
        _ => "Cancelled".to_owned(),
    };
    let wrongs = |key: &usize| plans[*key].wrong.len();
    let mut rounds = 0;
    let told: Vec<_> = script
        .iter()
        .map(|step| match step {
            Step::Ask(key) => {
                rounds += wrongs(key) + 1;
                shown(key)
            }
            Step::Join(keys) => {
                rounds += keys.iter().map(|key| wrongs(key) + 1).max().unwrap_or_default();
                keys.iter().map(shown).collect::<Vec<_>>().join("+")
            }
            Step::First(one, other) => {
                rounds += wrongs(one).min(wrongs(other)) + 1;
                if wrongs(one) <= wrongs(other) { shown(one) } else { shown(other) }
            }
            Step::Overtaken(_) => "overtaken".to_owned(),
            Step::Remember(key) => (key * 7).to_string(),
            Step::Yield => String::new(),
        })
        .collect();
    (told.join(" "), rounds)
}

fn plan() -> impl Strategy<Value = Plan> {
    let wrong = prop_oneof![
        Just(Value::Null),
        Just(json!({})),
        Just(json!({ "action": "accept" })),
        Just(json!({ "action": "perhaps" })),
        Just(accept(json!({ "name": 5 }))),
        Just(accept(json!({ "nom": "N" }))),
    ];
    let answer = prop_oneof![
        4 => "[a-z]{0,8}".prop_map(|name| accept(json!({ "name": name }))),
        1 => Just(json!({ "action": "decline" })),
        1 => Just(json!({ "action": "cancel", "content": null })),
    ];
    (prop::collection::vec(wrong, 0..3), answer).prop_map(|(wrong, answer)| Plan { wrong, answer })
}

/// Steps whose keys are all different, and a plan for each key.
fn scripts() -> impl Strategy<Value = (Vec<Step>, Vec<Plan>)> {
    let kinds = prop::collection::vec((0..6_u8, 1..4_usize), 0..6);
    kinds
        .prop_map(|kinds| {
            let mut next = 0;
            let mut key = || {
                next += 1;
                next - 1
            };
            let steps: Vec<_> = kinds
                .into_iter()
                .map(|(kind, count)| match kind {
                    0 => Step::Ask(key()),
                    1 => Step::Join((0..count).map(|_| key()).collect()),
                    2 => Step::First(key(), key()),
                    3 => Step::Overtaken(key()),
                    4 => Step::Remember(key()),
                    _ => Step::Yield,
                })
                .collect();
            (steps, next)
        })
        .prop_flat_map(|(steps, keys)| (Just(steps), prop::collection::vec(plan(), keys)))
}

fn offering(script: &[Step]) -> Server {
    let script: Script = Arc::new(script.to_vec());
    serving(McpRouter::new().tool("play", tool(play).describe(".")).with_state(script)).build().unwrap()
}

fn key_of(name: &str) -> usize {
    name.strip_prefix('k').and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{name}"))
}

/// Runs the rounds; gives the text, or the error, and the number of rounds that asked.
async fn in_rounds(server: &Server, plans: &[Plan], repeats: &[bool], extra: &Value) -> (Value, usize) {
    let call = Rounds::of_tool(server, "play");
    let mut answered_so_far = BTreeMap::<usize, usize>::new();
    let mut ended = call.begin().await;
    for round in 0.. {
        assert!(round <= 10, "there is no end to it");
        if ended.reply.get("error").is_some() || ended.result()["resultType"] != "input_required" {
            return (ended.reply, round);
        }
        let mut answers: Map<String, Value> = extra.as_object().cloned().unwrap();
        for name in ended.result()["inputRequests"].as_object().unwrap().keys() {
            let key = key_of(name);
            let given = answered_so_far.entry(key).or_default();
            answers.insert(name.clone(), plans[key].wrong.get(*given).unwrap_or(&plans[key].answer).clone());
            *given += 1;
        }
        let params = json!({ "inputResponses": answers, "requestState": state(&ended) });
        let next = call.send(params.clone()).await;
        if repeats.get(round).copied().unwrap_or_default() {
            let again = call.send(params).await;
            assert_eq!(without_state(&next.reply), without_state(&again.reply), "a repeated retry");
        }
        ended = next;
    }
    unreachable!("the loop ends")
}

fn without_state(reply: &Value) -> Value {
    let mut reply = reply.clone();
    reply["id"].take();
    if let Some(result) = reply.get_mut("result") {
        result["requestState"].take();
    }
    reply
}

async fn live(server: &Server, plans: &[Plan]) -> String {
    let mut live = Live::begin(server, HANDSHAKE).await;
    let mut call = live.call(1, "play");
    let questions: BTreeMap<String, usize> =
        (0..plans.len()).map(|key| (format!("Question {key}"), key)).collect();
    loop {
        let next = sent(&mut call);
        for request in &next.requests {
            let key = questions[request["params"]["message"].as_str().unwrap()];
            live.answer(request, plans[key].answer.clone());
        }
        if next.reply.is_some() {
            return next.text().to_owned();
        }
        if next.requests.is_empty() {
            tokio::task::yield_now().await;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_handler_comes_to_what_a_straight_line_would(
        (script, plans) in scripts(),
        repeats in prop::collection::vec(any::<bool>(), 10),
        stray in prop::collection::btree_map("[m-z]{1,4}", any::<u8>().prop_map(Value::from), 0..3),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let server = offering(&script);
        let extra = json!(stray);
        let (text, rounds) = expected(&script, &plans);
        let (reply, taken) = runtime.block_on(in_rounds(&server, &plans, &repeats, &extra));
        if rounds <= 10 {
            prop_assert_eq!(&reply["result"]["content"][0]["text"], &json!(text), "{}", reply);
            prop_assert_eq!(taken, rounds);
        } else {
            let message = reply["error"]["message"].as_str().unwrap_or_default();
            prop_assert!(message.contains("limits.ask_rounds"), "{}", reply);
            prop_assert_eq!(taken, 10);
        }
        // While the handler waits nobody is asked again, so only answers that fit are given.
        let fitting: Vec<_> = plans.iter().map(|plan| Plan { wrong: Vec::new(), ..plan.clone() }).collect();
        let (text, _) = expected(&script, &fitting);
        prop_assert_eq!(runtime.block_on(live(&server, &fitting)), text);
    }
}
