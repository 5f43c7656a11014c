//! Calls that ask their client, which never comes back.

use super::{
    siege::{Siege, flood},
    willing_call,
};
use serde_json::json;
use std::sync::Arc;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_rounds_that_nobody_takes_up_leave_nothing() {
    Siege::of(&[])
        .withstand(async |fixture| {
            // Ten thousand in both attacks together.
            flood(20, |client| {
                let fixture = Arc::clone(fixture);
                async move {
                    let mut connection = fixture.connect().await;
                    for number in 0..250 {
                        let tool = "test_input_required_result_elicitation";
                        let id = client * 1_000 + number;
                        let reply = connection.send(&willing_call(id, tool, json!({}))).await.reply();
                        assert_eq!(reply["result"]["resultType"], "input_required", "{reply}");
                    }
                }
            })
            .await;
        })
        .await;
}
