//! `docs/limits.md` tells every limit as it is: none is missing, and defaults and ranges are those of the code.

use super::{
    assert_none,
    source::{Source, crate_sources, repository},
};
use mcp_core::{page::Lists, server::Lifecycle, skill::Skills};
use mcp_server::{
    AutomaticSearch, EventLimits, JsonLimits, Limits, Overflow, SchemaBounds, SessionLimits, Sessions,
    TaskLimits, Tasks, ToolSearch, apps,
    http::{HttpOptions, LegacySse, ServeOptions},
    routes::RouteOptions,
    skills,
    stdio::StdioOptions,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    fs,
    time::Duration,
};

/// What a limit is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Amount {
    Count(u128),
    Time(Duration),
    /// There is no bound.
    Unbounded,
}

/// A line of a table: what is in its first three columns.
#[derive(Debug, PartialEq, Eq)]
struct Row<'a> {
    setting: &'a str,
    default: &'a str,
    range: &'a str,
}

/// The rows of the page whose first column begins with a name in backquotes.
fn rows(page: &str) -> impl Iterator<Item = Row<'_>> {
    page.lines().filter(|line| line.starts_with("| `")).filter_map(|line| {
        let mut columns = line.trim_matches('|').split(" | ").map(str::trim);
        Some(Row { setting: columns.next()?, default: columns.next()?, range: columns.next()? })
    })
}

/// Reads an amount as the page writes it: `4 MiB`, `1,024`, `30 s`, `5 minutes`, `none`.
fn amount(text: &str) -> Option<Amount> {
    if text == "none" {
        return Some(Amount::Unbounded);
    }
    let (number, unit) = text.split_once(' ').unwrap_or((text, ""));
    let number: u64 = number.replace(',', "").parse().ok()?;
    let seconds = |each: u64| Some(Amount::Time(Duration::from_secs(number * each)));
    match unit {
        "" => Some(Amount::Count(number.into())),
        "KiB" => Some(Amount::Count(u128::from(number) << 10)),
        "MiB" => Some(Amount::Count(u128::from(number) << 20)),
        "GiB" => Some(Amount::Count(u128::from(number) << 30)),
        "ms" => Some(Amount::Time(Duration::from_millis(number))),
        "s" => seconds(1),
        "minute" | "minutes" => seconds(60),
        "hour" | "hours" => seconds(3_600),
        "day" | "days" => seconds(86_400),
        _ => None,
    }
}

/// Reads an amount as `{:?}` writes it: `1024`, `30s`, `250ms`, `None`.
fn printed(text: &str) -> Option<Amount> {
    if text == "None" {
        return Some(Amount::Unbounded);
    }
    let time = |text: &str, nanos: f64| {
        let number: f64 = text.parse().ok()?;
        Some(Amount::Time(Duration::from_nanos((number * nanos).round() as u64)))
    };
    if let Some(text) = text.strip_suffix("ms") {
        return time(text, 1e6);
    }
    match text.strip_suffix('s') {
        Some(text) => time(text, 1e9),
        None => text.parse().ok().map(Amount::Count),
    }
}

/// The amounts among the fields of a struct, by name; what is neither a number nor a time is no limit.
fn fields(settings: &impl Debug) -> Vec<(String, Amount)> {
    let text = format!("{settings:#?}");
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((name, value)) = line.strip_prefix("    ").and_then(|line| line.split_once(": ")) else {
            continue;
        };
        let value = match value {
            "Some(" => lines.get(at + 1).copied().unwrap_or_default().trim(),
            value => value,
        };
        if !name.starts_with(' ')
            && let Some(amount) = printed(value.trim_end_matches(','))
        {
            found.push((name.to_owned(), amount));
        }
    }
    found
}

/// The settings of one struct: how the page calls them, and where their documentation is.
struct Group {
    prefix: &'static str,
    file: &'static str,
    fields: Vec<(String, Amount)>,
}

fn groups() -> Vec<Group> {
    let group = |prefix, file, fields| Group { prefix, file, fields };
    let json = "crates/mcp-core/src/json/limits.rs";
    vec![
        group("limits.", "crates/mcp-core/src/server/limits.rs", fields(&Limits::default())),
        group("overflow.", "crates/mcp-core/src/overflow/options.rs", fields(&Overflow::default())),
        group("limits.message.", json, fields(&JsonLimits::default())),
        group("limits.output_json.", json, fields(&Limits::default().output_json)),
        group("lists.", "crates/mcp-core/src/page/options.rs", fields(&Lists::default())),
        group(
            "tool_search.",
            "crates/mcp-core/src/presentation/search/options.rs",
            fields(&ToolSearch::default()),
        ),
        group(
            "automatic_search.",
            "crates/mcp-core/src/presentation/search/options.rs",
            fields(&AutomaticSearch::default()),
        ),
        group(
            "sessions.limits.",
            "crates/mcp-core/src/ports/session_store.rs",
            fields(&SessionLimits::default()),
        ),
        group(
            "sessions.event_limits.",
            "crates/mcp-core/src/ports/event_log.rs",
            fields(&EventLimits::default()),
        ),
        group("sessions.", "crates/mcp-core/src/session/options.rs", retry()),
        group("tasks.limits.", "crates/mcp-core/src/ports/task_store.rs", fields(&TaskLimits::default())),
        group("tasks.", "crates/mcp-core/src/task/options.rs", of_tasks()),
        group("lifecycle.", "crates/mcp-core/src/session/lifecycle.rs", patience()),
        group("skills.", "crates/mcp-core/src/skill/options.rs", fields(&Skills::default())),
        group(
            "legacy_sse.",
            "crates/mcp-transport-http/src/legacy_sse/options.rs",
            fields(&LegacySse::default()),
        ),
        group("SkillFolder::", "crates/mcp-server/src/skills/folder.rs", fields(&skills::folder(""))),
        group("CardsBuilder::", "crates/mcp-server/src/apps/builder.rs", fields(&apps::folder(""))),
        group("SchemaBounds::", "crates/mcp-core/src/schema/bounds.rs", fields(&SchemaBounds::default())),
        group("RouteOptions::", "crates/mcp-routes/src/options.rs", fields(&RouteOptions::default())),
        group("HttpOptions::", "crates/mcp-transport-http/src/options.rs", fields(&HttpOptions::default())),
        group(
            "ServeOptions::",
            "crates/mcp-transport-http/src/serve/options.rs",
            fields(&ServeOptions::default()),
        ),
        group(
            "StdioOptions::",
            "crates/mcp-transport-stdio/src/options.rs",
            fields(&StdioOptions::default()),
        ),
    ]
}

/// The one amount of `Sessions` itself, which needs stores to have a default.
fn retry() -> Vec<(String, Amount)> {
    vec![("retry".to_owned(), Amount::Time(Sessions::DEFAULT_RETRY))]
}

/// The one amount of `Lifecycle`, whose field is only there where it is enforced.
fn patience() -> Vec<(String, Amount)> {
    vec![("patience".to_owned(), Amount::Time(Lifecycle::DEFAULT_PATIENCE))]
}

/// The one amount of `Tasks` itself, which needs a store to have a default.
fn of_tasks() -> Vec<(String, Amount)> {
    vec![
        ("poll_interval".to_owned(), Amount::Time(Tasks::DEFAULT_POLL_INTERVAL)),
        ("request_bytes".to_owned(), Amount::Count(Tasks::DEFAULT_REQUEST_BYTES as u128)),
    ]
}

/// Fields that hold no amount; their default prints as `None`.
const NO_LIMITS: [&str; 7] = [
    "HttpOptions::legacy_sse",
    "HttpOptions::public_url",
    "HttpOptions::verifier",
    "StdioOptions::principal",
    "lists.prompts",
    "lists.resources",
    "lists.tools",
];

/// Every limit with a setting, and its default.
fn defaults() -> BTreeMap<String, Amount> {
    let all = groups().into_iter().flat_map(|Group { prefix, fields, .. }| {
        fields.into_iter().map(move |(name, amount)| (format!("{prefix}{name}"), amount))
    });
    all.filter(|(setting, _)| !NO_LIMITS.contains(&&**setting)).collect()
}

/// What the documentation of a field or of a method says, on one line.
fn documented(source: &str, name: &str) -> Option<String> {
    let mut text = String::new();
    for line in source.lines().map(str::trim) {
        if let Some(words) = line.strip_prefix("///") {
            text.push_str(words);
        } else if line.starts_with(&format!("pub {name}:")) || is_method(line, name) {
            return Some(text);
        } else if !line.starts_with("#[") {
            text.clear();
        }
    }
    None
}

/// Whether a line begins a public method of this name.
fn is_method(line: &str, name: &str) -> bool {
    ["pub fn", "pub const fn"].iter().any(|start| line.starts_with(&format!("{start} {name}(")))
}

/// The names that settings are checked by, each as often as it is checked.
fn checked(sources: &[Source]) -> BTreeMap<String, usize> {
    let mut names = BTreeMap::new();
    for source in sources.iter().filter(|source| source.is_product()) {
        let code: String = source.code_lines().map(|(_, line)| line.trim()).collect();
        for (at, call) in code.match_indices(".within(\"") {
            let name = code[at + call.len()..].split('"').next().unwrap();
            *names.entry(name.to_owned()).or_insert(0) += 1;
        }
    }
    names
}

/// The values of constants, by file and name.
fn constant(sources: &[Source], file: &str, name: &str) -> Option<Amount> {
    let source = sources.iter().find(|source| source.path.ends_with(&format!("/{file}")))?;
    let line = source.code_lines().find(|(_, line)| line.contains(&format!("const {name}:")))?.1;
    let value = line.split_once(" = ")?.1.trim_end_matches(';');
    match value.strip_prefix("Duration::from_secs(").and_then(|value| value.strip_suffix(')')) {
        Some(seconds) => Some(Amount::Time(Duration::from_secs(seconds.replace('_', "").parse().ok()?))),
        None => product(value),
    }
}

/// What a product of whole numbers comes to.
fn product(text: &str) -> Option<Amount> {
    let factors = text.split(" * ").map(|factor| factor.replace('_', "").parse::<u128>().ok());
    factors.product::<Option<u128>>().map(Amount::Count)
}

fn page() -> String {
    fs::read_to_string(repository().join("docs/limits.md")).unwrap()
}

/// The rows of settings: a single name in backquotes.
fn settings(page: &str) -> impl Iterator<Item = Row<'_>> {
    rows(page).filter_map(|row| {
        let setting = row.setting.strip_prefix('`')?.strip_suffix('`')?;
        (!setting.contains('`')).then_some(Row { setting, ..row })
    })
}

#[test]
fn every_setting_is_on_the_page_with_its_default() {
    let page = page();
    let mut complaints = Vec::new();
    let mut told = BTreeMap::new();
    for row in settings(&page) {
        match amount(row.default) {
            Some(amount) => complaints.extend(
                told.insert(row.setting.to_owned(), amount)
                    .map(|_| format!("{} is there twice", row.setting)),
            ),
            None => complaints.push(format!("{}: `{}` is no amount", row.setting, row.default)),
        }
    }
    let defaults = defaults();
    assert!(defaults.len() > 50, "only {} settings were found", defaults.len());
    for (setting, default) in &defaults {
        match told.get(setting) {
            None => complaints.push(format!("{setting} is missing; it is {default:?}")),
            Some(told) if told != default => {
                complaints.push(format!("{setting} is {default:?} and told to be {told:?}"));
            }
            Some(_) => {}
        }
    }
    let known: BTreeSet<_> = defaults.keys().collect();
    complaints.extend(told.keys().filter(|setting| !known.contains(setting)).map(|setting| {
        format!("{setting} is no field of the structs that this test looks at: add its struct to `groups`")
    }));
    assert_none("docs/limits.md", &complaints);
}

#[test]
fn every_range_on_the_page_is_the_documented_one() {
    let page = page();
    let mut complaints = Vec::new();
    for Group { prefix, file, fields } in groups() {
        let source = fs::read_to_string(repository().join(file)).unwrap();
        for (name, _) in fields {
            let setting = format!("{prefix}{name}");
            let Some(row) = settings(&page).find(|row| row.setting == setting && row.range != "any") else {
                continue;
            };
            match documented(&source, &name) {
                None => complaints.push(format!("{setting} has no documentation in {file}")),
                Some(text) if !text.contains(row.range) => {
                    complaints.push(format!("{setting}: `{}` is not in `{}`", row.range, text.trim()));
                }
                Some(_) => {}
            }
        }
    }
    assert_none("docs/limits.md", &complaints);
}

#[test]
fn every_setting_that_is_checked_against_a_range_is_on_the_page() {
    let page = page();
    let told: Vec<_> = settings(&page).map(|row| row.setting.to_owned()).collect();
    let mut complaints = Vec::new();
    for (name, times) in checked(&crate_sources()) {
        let last = |setting: &str| {
            setting == name
                || setting.ends_with(&format!(".{name}"))
                || setting.ends_with(&format!("::{name}"))
        };
        let rows = told.iter().filter(|setting| last(setting)).count();
        // The timeout of one tool, prompt or resource is told with that of all.
        if name != "timeout" && rows < times {
            complaints.push(format!("`{name}` is checked in {times} places and has {rows} rows"));
        }
    }
    assert_none("docs/limits.md", &complaints);
}

#[test]
fn every_fixed_limit_on_the_page_is_the_constant() {
    let (page, sources) = (page(), crate_sources());
    let mut complaints = Vec::new();
    let mut seen = BTreeSet::new();
    for row in rows(&page) {
        let Some((file, name)) = row.setting.trim_matches('`').split_once("` `") else { continue };
        if !seen.insert((file, name)) {
            complaints.push(format!("{file} {name} is there twice"));
        }
        let (told, is) = (amount(row.default), constant(&sources, file, name));
        if told.is_none() || told != is {
            complaints.push(format!("{file} {name} is {is:?} and told to be `{}`", row.default));
        }
    }
    assert!(seen.len() > 10, "only {} fixed limits were found", seen.len());
    assert_none("docs/limits.md", &complaints);
}

#[test]
fn amounts_are_read_as_the_page_and_as_the_code_write_them() {
    let minutes = Amount::Time(Duration::from_secs(300));
    for (told, is, expected) in [
        ("1,024", "1024", Some(Amount::Count(1_024))),
        ("4 KiB", "4096", Some(Amount::Count(4_096))),
        ("5 minutes", "300s", Some(minutes)),
        ("250 ms", "250ms", Some(Amount::Time(Duration::from_millis(250)))),
        ("none", "None", Some(Amount::Unbounded)),
        ("much", "\"/mcp\"", None),
    ] {
        assert_eq!((amount(told), printed(is)), (expected, expected), "{told}");
    }
    assert_eq!(product("64 * 1_024"), Some(Amount::Count(65_536)));
    assert_eq!(product("OTHER"), None);
}

#[test]
fn fields_and_documentation_are_found() {
    #[derive(Debug)]
    #[expect(dead_code, reason = "only their names and values are printed")]
    struct Example {
        bytes: usize,
        after: Option<Duration>,
        never: Option<Duration>,
        path: &'static str,
        inner: Option<Box<Self>>,
    }
    let example =
        |inner| Example { bytes: 7, after: Some(Duration::from_secs(1)), never: None, path: "/", inner };
    let found = fields(&example(Some(Box::new(example(None)))));
    let names: Vec<_> = found.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["bytes", "after", "never"]);
    let source = "/// One.\n/// 1 to 2; 1 by default.\n#[x]\npub a: usize,\n\n/// Two.\npub b: usize,\n";
    assert_eq!(documented(source, "a").unwrap(), " One. 1 to 2; 1 by default.");
    assert_eq!(documented(source, "b").unwrap(), " Two.");
    let code = Source::new(
        "crates/a/src/b.rs",
        "fn f() {\n    x\n        .within(\"n\", 1);\n    x.within(\"n\", 2);\n}\n",
    );
    assert_eq!(checked(&[code])["n"], 2);
}
