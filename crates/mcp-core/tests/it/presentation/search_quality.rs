//! How well search finds, and what it costs: numbers that the documentation tells.

use super::generated::{ALL, name, router};
use crate::wire::{MODERN, serving};
use mcp_core::presentation::{Presentation, ToolSearch};
use serde_json::{Value, json};

/// What somebody wants, and the tool that does it. The last ones share no word with what their tool says of itself.
const QUERIES: [(&str, &str, &str); 50] = [
    ("create a new invoice for a customer", "create", "invoice"),
    ("send the bill: make one with lines and taxes", "create", "invoice"),
    ("show me invoice 4711", "get", "invoice"),
    ("export all invoices to excel", "export", "invoice"),
    ("approve the invoice that is waiting", "approve", "invoice"),
    ("find a customer by name", "search", "customer"),
    ("change the address of a customer", "update", "customer"),
    ("import customers from a file", "import", "customer"),
    ("list my newest sales orders", "list", "sales_order"),
    ("delete an order", "delete", "sales_order"),
    ("who changed the price of this product", "history", "product"),
    ("update product price", "update", "product"),
    ("where is my parcel, by tracking number", "get", "shipment"),
    ("list shipments of a carrier", "list", "shipment"),
    ("give money back to a customer", "create", "refund"),
    ("reject a refund with a reason", "approve", "refund"),
    ("archive old subscriptions", "archive", "subscription"),
    ("new subscription that renews each month", "create", "subscription"),
    ("open a support ticket about a problem", "create", "ticket"),
    ("search tickets by words", "search", "ticket"),
    ("share a support ticket with a colleague", "share", "ticket"),
    ("look up an employee and their manager", "get", "employee"),
    ("export employees as csv", "export", "employee"),
    ("show the salary of last month", "get", "payslip"),
    ("download payslips", "export", "payslip"),
    ("ask for vacation days off", "create", "leave_request"),
    ("approve a leave request", "approve", "leave_request"),
    ("put a meeting into the calendar with attendees", "create", "meeting"),
    ("delete the meeting", "delete", "meeting"),
    ("list meeting rooms with their seats", "list", "room"),
    ("search my emails by date", "search", "email"),
    ("get an email with its attachments", "get", "email"),
    ("what was different before in the document", "history", "document"),
    ("share a document by link", "share", "document"),
    ("remove a folder for good", "delete", "folder"),
    ("list backups, newest first", "list", "backup"),
    ("make a copy of the data for restoring", "create", "backup"),
    ("start a new server in the cloud", "create", "virtual_machine"),
    ("resize the disk of a virtual machine", "update", "virtual_machine"),
    ("list databases on the cluster", "list", "database"),
    ("release a service to production", "create", "deployment"),
    ("audit trail of a deployment", "history", "deployment"),
    ("monitoring alert rule for a metric", "create", "alert"),
    ("update the permissions of a role", "update", "role"),
    ("list logins with their sessions", "list", "user_account"),
    ("charts about the business", "get", "report"),
    ("approve a newsletter campaign", "approve", "campaign"),
    ("terminate the dismissed worker's access", "delete", "user_account"),
    ("hire somebody", "create", "employee"),
    ("book a holiday trip", "create", "leave_request"),
];

/// How many tools count as found.
const SHOWN: usize = 5;

#[tokio::test]
async fn what_is_wanted_is_among_the_first_five_of_three_hundred() {
    let presentation = Presentation::search(ToolSearch::default());
    let client = serving(router(ALL)).presentation(presentation).build().unwrap().client(MODERN);
    let (mut found, mut first) = (0, 0);
    for (query, act, thing) in QUERIES {
        let answer = client.call_tool("search_tools", json!({ "query": query, "limit": SHOWN })).await;
        let told: Value = serde_json::from_str(answer.text()).unwrap();
        let names: Vec<_> =
            told["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
        match names.iter().position(|shown| *shown == name(act, thing)) {
            Some(place) => (found, first) = (found + 1, first + usize::from(place == 0)),
            None => println!("missed: {query:?} wants {}, got {names:?}", name(act, thing)),
        }
    }
    let share = |count: usize| count as f64 / QUERIES.len() as f64;
    println!(
        "{ALL} tools, {} queries: recall@5 {:.2}, recall@1 {:.2}",
        QUERIES.len(),
        share(found),
        share(first)
    );
    assert!(
        share(found) >= 0.9 && share(first) >= 0.7,
        "recall@5 {}, recall@1 {}",
        share(found),
        share(first)
    );
}

/// What a list costs a model's context, at four bytes a token.
async fn tokens(count: usize, presentation: Presentation) -> usize {
    let server = serving(router(count)).presentation(presentation).build().unwrap();
    server.client(MODERN).list_tools().await.outcome.unwrap()["tools"].to_string().len() / 4
}

#[tokio::test]
async fn a_list_that_leaves_tools_to_search_costs_the_same_however_many_there_are() {
    let mut searched = Vec::new();
    for count in [10, 100, 500] {
        let whole = tokens(count, Presentation::whole()).await;
        let search = tokens(count, Presentation::search(ToolSearch::default())).await;
        println!("{count} tools: whole {whole} tokens, search {search} tokens");
        assert!(whole > count * 80, "each tool costs something");
        searched.push(search);
    }
    assert!(searched.windows(2).all(|pair| pair[0] == pair[1]) && searched[0] < 1_000, "{searched:?}");
}
