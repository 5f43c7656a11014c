//! A catalogue as a company might have it: what is done with each of its things, in words of its own.

use mcp_core::registry::{McpRouter, tool_args};

/// A thing: its name in tool names, in sentences, of several, and what people say of it.
struct Thing {
    name: &'static str,
    one: &'static str,
    many: &'static str,
    about: &'static str,
}

const fn thing(name: &'static str, one: &'static str, many: &'static str, about: &'static str) -> Thing {
    Thing { name, one, many, about }
}

const THINGS: [Thing; 25] = [
    thing("invoice", "an invoice", "invoices", "The bill a customer has to pay, with its lines and taxes."),
    thing(
        "customer",
        "a customer",
        "customers",
        "A person or company that buys, with addresses and contacts.",
    ),
    thing(
        "sales_order",
        "a sales order",
        "sales orders",
        "What a customer has bought, before it is delivered.",
    ),
    thing("product", "a product", "products", "An article of the shop with price, stock and pictures."),
    thing("shipment", "a shipment", "shipments", "Parcels on their way, with carrier and tracking number."),
    thing("refund", "a refund", "refunds", "Money that goes back to a customer after a return."),
    thing("subscription", "a subscription", "subscriptions", "A plan that renews each month or year."),
    thing(
        "ticket",
        "a support ticket",
        "support tickets",
        "A problem a customer has reported to the help desk.",
    ),
    thing(
        "employee",
        "an employee",
        "employees",
        "Somebody who works here, with team, manager and contract.",
    ),
    thing("payslip", "a payslip", "payslips", "The salary of one month with its deductions."),
    thing(
        "leave_request",
        "a leave request",
        "leave requests",
        "Vacation or sick days off that somebody asks for.",
    ),
    thing("meeting", "a meeting", "meetings", "A calendar event with attendees, a time and an agenda."),
    thing(
        "room",
        "a meeting room",
        "meeting rooms",
        "Where people meet: its seats, its equipment, its bookings.",
    ),
    thing("email", "an email", "emails", "A message in the mailbox with its attachments."),
    thing(
        "document",
        "a document",
        "documents",
        "Text that is written together, with comments and versions.",
    ),
    thing("folder", "a folder", "folders", "A directory on the shared drive."),
    thing("backup", "a backup", "backups", "A copy of the data from which a system can be restored."),
    thing(
        "virtual_machine",
        "a virtual machine",
        "virtual machines",
        "A server in the cloud, its size, disk and network.",
    ),
    thing(
        "database",
        "a database",
        "databases",
        "Tables on a cluster, with their connections and size on disk.",
    ),
    thing(
        "deployment",
        "a deployment",
        "deployments",
        "A release of a service to an environment such as production.",
    ),
    thing(
        "alert",
        "a monitoring alert",
        "monitoring alerts",
        "A rule that pages the engineer on call when a metric is bad.",
    ),
    thing(
        "user_account",
        "a user account",
        "user accounts",
        "A login with password, second factor and sessions.",
    ),
    thing("role", "a role", "roles", "Permissions that users are given as a group."),
    thing("report", "a report", "reports", "Charts and numbers about the business, sent on a schedule."),
    thing(
        "campaign",
        "a marketing campaign",
        "marketing campaigns",
        "A newsletter or an advertisement and whom it reaches.",
    ),
];

/// What is done with a thing: the word in tool names, and the sentence, in which `1` is the thing and `2` are several.
const ACTS: [(&str, &str); 12] = [
    ("create", "Creates 1 from the fields that are given. 3"),
    ("get", "Shows 1 by its id, with everything that is known about it. 3"),
    ("list", "Lists 2, newest first, page by page. 3"),
    ("update", "Changes fields of 1 and leaves the others as they are."),
    ("delete", "Removes 1 for good. This cannot be undone."),
    ("search", "Searches 2 by words, dates and states."),
    ("export", "Exports 2 to a CSV or Excel file that can be downloaded."),
    ("import", "Imports 2 from an uploaded file and tells which rows were wrong."),
    ("archive", "Archives 1: it is kept, and no longer shown by default."),
    ("share", "Shares 1 with a colleague by a link that expires."),
    ("approve", "Approves or rejects 1 that waits for a decision, with a reason."),
    ("history", "Tells who changed 1, when, and what was different before: the audit trail."),
];

/// How many tools there are.
pub(super) const ALL: usize = THINGS.len() * ACTS.len();

/// The name of a tool by what it does; names are written as different teams would.
pub(super) fn name(act: &str, thing: &str) -> String {
    let place = THINGS.iter().position(|known| known.name == thing).unwrap();
    match place % 3 {
        0 => format!("{act}_{thing}"),
        1 => format!("{thing}.{act}"),
        _ => {
            let words = thing.split('_').map(|word| format!("{}{}", word[..1].to_uppercase(), &word[1..]));
            format!("{act}{}", words.collect::<String>())
        }
    }
}

/// The first of the tools; beyond all there are those of further branches.
pub(super) fn router(count: usize) -> McpRouter<()> {
    let all = (0..).flat_map(|branch: usize| {
        THINGS.iter().flat_map(move |thing| ACTS.iter().map(move |act| (branch, thing, act)))
    });
    all.take(count).fold(McpRouter::new(), |router, (branch, thing, (act, sentence))| {
        let sentence = sentence.replace('1', thing.one).replace('2', thing.many).replace('3', thing.about);
        let name = match branch {
            0 => name(act, thing.name),
            other => format!("branch{other}_{}", name(act, thing.name)),
        };
        let tool =
            tool_args(["id", "filter", "limit"], |id: String, _: Option<String>, _: Option<u32>| async {
                id
            })
            .argument("id", format!("Which of the {} is meant, by id or by number", thing.many))
            .argument("filter", "Restricts the result, such as `state:open created:2026`")
            .argument("limit", "How many to return at most; 100 if nothing is said")
            .describe(sentence.trim());
        router.tool(name, tool)
    })
}
