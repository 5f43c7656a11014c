//! Clients that do anything at any time, on a store in any mood.

use super::{moody::MoodyTasks, world::*};
use crate::sessions::world::{pass, settle};
use futures_util::future::join_all;
use mcp_core::ports::{TaskId, TaskOwner, TaskRecord, TaskState, TaskStore};
use std::{collections::BTreeMap, time::SystemTime};

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % end
    }
}

const TOOLS: [&str; 9] =
    ["work", "must", "patient", "confirm", "confirm_two", "ask_a_while", "say_then_detach", "fail", "panic"];

/// Does one thing with a server, perhaps leaving before it is answered.
async fn act(numbers: u64, client: TestClient, id: Option<String>) -> Option<String> {
    let mut numbers = Numbers(numbers);
    let id = id.unwrap_or_else(|| "none".to_owned());
    let patience = Duration::from_millis(u64::try_from(numbers.below(4_000)).unwrap());
    let acting = async {
        match numbers.below(8) {
            0..=2 => {
                let tool = TOOLS[numbers.below(TOOLS.len())];
                let seconds = numbers.below(8);
                let begun = call_as_task(&client, tool, json!({ "seconds": seconds }), json!({})).await;
                let result = begun.result()?;
                let id = result.get("taskId").or_else(|| result.get("task")?.get("taskId"))?;
                return id.as_str().map(str::to_owned);
            }
            3 => drop(about(&client, "tasks/cancel", &id).await),
            4 => drop(about(&client, "tasks/result", &id).await),
            5 => drop(get(&client, &id).await),
            _ => {
                let keys = ["sure", "one", "two", "sure#2", "one#2"];
                let fits = numbers.below(3) > 0;
                let answer = if fits { accepted(json!({ "sure": true })) } else { json!(7) };
                let answers = keys.map(|key| (key.to_owned(), answer.clone()));
                drop(update(&client, &id, Value::Object(Map::from_iter(answers))).await);
            }
        }
        None
    };
    tokio::time::timeout(patience, acting).await.ok().flatten()
}

#[tokio::test(start_paused = true)]
async fn whatever_clients_do_every_task_ends_once_and_nothing_is_left() {
    let mut seen = 0;
    for seed in 1..=60_u64 {
        let mut numbers = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let store = Arc::new(MoodyTasks::default());
        let (server, fates) = serving_on(store.clone());
        let core = server.client(CORE).answering(|_| accepted(json!({ "sure": true }))).live();
        let clients = [with_principal(modern(&server), "ada"), with_principal(core, "ada")];
        let mut ids: Vec<String> = Vec::new();
        let mut ended: BTreeMap<TaskId, TaskRecord> = BTreeMap::new();
        for _ in 0..25 {
            for mood in store.moods() {
                mood.fail(numbers.below(8) == 0);
                mood.take([0, 0, 50, 2_000][numbers.below(4)]);
            }
            let acts: Vec<_> = (0..4)
                .map(|_| {
                    let client = clients[numbers.below(2)].clone();
                    let id = (!ids.is_empty()).then(|| ids[numbers.below(ids.len())].clone());
                    act(numbers.0.wrapping_add(u64::try_from(numbers.below(1_000)).unwrap()), client, id)
                })
                .collect();
            ids.extend(join_all(acts).await.into_iter().flatten());
            pass(u64::try_from(numbers.below(3)).unwrap()).await;
            for task in all(&store).await {
                if task.is_settled() {
                    let before = ended.entry(task.id.clone()).or_insert_with(|| task.clone());
                    assert_eq!(*before, task, "seed {seed}: what has ended has changed");
                }
            }
        }
        for mood in store.moods() {
            mood.fail(false);
            mood.take(0);
        }
        // Every handler ends by itself but those that wait for an answer.
        pass(200).await;
        for task in all(&store).await {
            assert_ne!(task.state, TaskState::Working, "seed {seed}: {task:?}");
            if !task.is_settled() {
                about(&clients[0], "tasks/cancel", task.id.as_str()).await.result().unwrap();
            }
        }
        settle().await;
        assert_eq!((server.counts().tasks, server.counts().open_asks), (0, 0), "seed {seed}");
        assert_eq!(fates.begun.load(Ordering::SeqCst), fates.dropped.load(Ordering::SeqCst), "seed {seed}");
        seen += ended.len();
    }
    assert!(seen > 300, "{seen} tasks are too few to say anything");
}

/// All tasks as the store has them, whatever its mood.
async fn all(store: &MoodyTasks) -> Vec<TaskRecord> {
    let owner = TaskOwner::of(Some(&Principal::new("ada")), None);
    store.store.list(&owner, None, 1_000, SystemTime::UNIX_EPOCH).await.unwrap().unwrap()
}
