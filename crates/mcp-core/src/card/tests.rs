//! Settings of cards: what is read to the letter, and what could say more to a host than it should.

use super::{CardCsp, CardPermission, CardSettings, card_path_problem, card_uri};
use serde_json::json;

fn read(text: &str) -> Result<CardSettings, Vec<String>> {
    CardSettings::from_json(text.as_bytes())
        .map_err(|faults| faults.iter().map(ToString::to_string).collect())
}

#[test]
fn settings_are_read_as_they_are_written() {
    let written = json!({
        "csp": {
            "connectDomains": ["https://api.example.com", "wss://live.example.com:8443", "http://localhost:3000"],
            "resourceDomains": ["https://*.example.com"],
            "frameDomains": ["https://www.example.com"],
            "baseUriDomains": ["https://cdn.example.com"],
        },
        "permissions": { "camera": {}, "clipboardWrite": {} },
        "domain": "www-example-com.host.example",
        "prefersBorder": false,
    });
    let settings = read(&written.to_string()).unwrap();
    assert_eq!(settings.to_value(), Some(written));
    let built = CardSettings::new()
        .csp(
            CardCsp::new()
                .connect("https://api.example.com")
                .connect("wss://live.example.com:8443")
                .connect("http://localhost:3000")
                .resources("https://*.example.com")
                .frames("https://www.example.com")
                .base_uri("https://cdn.example.com"),
        )
        .permission(CardPermission::ClipboardWrite)
        .permission(CardPermission::Camera)
        .domain("www-example-com.host.example")
        .prefers_no_border();
    assert_eq!(built, settings);
    assert_eq!(read("{}").unwrap().to_value(), None);
}

#[test]
fn whatever_the_extension_does_not_know_is_a_fault_at_its_place() {
    for (text, fault) in [
        (r#"{"cps": {}}"#, "cps: the extension knows no such member"),
        (r#"{"csp": {"connect": []}}"#, "csp.connect: the extension knows no such member"),
        (r#"{"csp": []}"#, "csp: must be an object"),
        (r#"{"csp": null}"#, "csp: must be an object"),
        (
            r#"{"csp": {"connectDomains": "https://a.example"}}"#,
            "csp.connectDomains: must be an array of origins",
        ),
        (r#"{"csp": {"frameDomains": ["https://a.example", 1]}}"#, "csp.frameDomains[1]: must be a string"),
        (
            r#"{"permissions": {"camera": true}}"#,
            "permissions.camera: must be `{}`; leave it out to ask for nothing",
        ),
        (r#"{"permissions": {"usb": {}}}"#, "permissions.usb: the extension knows no such member"),
        (r#"{"permissions": ["camera"]}"#, "permissions: must be an object"),
        (r#"{"domain": null}"#, "domain: must be a string"),
        (r#"{"prefersBorder": "yes"}"#, "prefersBorder: must be `true` or `false`"),
        (r#"[]"#, "must be an object"),
        (r#"{"ui": {"prefersBorder": true}}"#, "ui: the extension knows no such member"),
    ] {
        assert_eq!(read(text), Err(vec![fault.to_owned()]), "{text}");
    }
    let two = read(r#"{"x": 1, "prefersBorder": 0}"#).unwrap_err();
    assert_eq!(two.len(), 2, "{two:?}");
}

#[test]
fn a_text_of_settings_has_at_most_64_kib() {
    let padded = |bytes: usize| format!("{{{}}}", " ".repeat(bytes - 2));
    assert_eq!(read(&padded(64 * 1024)), Ok(CardSettings::new()));
    assert!(read(&padded(64 * 1024 + 1)).is_err());
}

#[test]
fn text_that_is_no_json_or_says_a_thing_twice_is_a_fault() {
    for text in [
        "",
        "{",
        "{} {}",
        "\u{feff}{}",
        r#"{"domain": "a", "domain": "b"}"#,
        r#"{"csp": {"connectDomains": [], "connectDomains": []}}"#,
        r#"{"domain": "\ud800"}"#,
        &"[".repeat(9),
        &format!(r#"{{"domain": "{}"}}"#, "a".repeat(64 * 1024)),
    ] {
        assert!(read(text).is_err(), "{text:.40}");
    }
    assert!(CardSettings::from_json(b"{\"domain\": \"\xff\"}").is_err());
}

#[test]
fn no_origin_says_more_than_itself_in_a_policy() {
    for bad in [
        "",
        "*",
        "https:",
        "https://",
        "https://*",
        "https://*.",
        "https://*.com",
        "https://a.*.com",
        "https://*a.example.com",
        "'self'",
        "'unsafe-eval'",
        "'none'; script-src *",
        "data:",
        "blob:",
        "javascript://x",
        "file:///etc",
        "ftp://a.example",
        "a.example.com",
        "//a.example.com",
        "https://a.example.com/",
        "https://a.example.com/path",
        "https://a.example.com?x",
        "https://a.example.com#x",
        "https://user@a.example.com",
        "https://a.example.com;",
        "https://a.example.com; script-src *",
        "https://a.example.com script-src",
        "https://a.example.com,https://b.example.com",
        "https://a.example.com\n",
        "https://a.example.com\r\nX: y",
        "https://a.example.com\t",
        " https://a.example.com",
        "https://a.example.com\0",
        "https://A.example.com",
        "HTTPS://a.example.com",
        "https://ä.example.com",
        "https://a..example.com",
        "https://-a.example.com",
        "https://a-.example.com",
        "https://.example.com",
        "https://example.com.",
        "https://[::1]",
        "https://a.example.com:",
        "https://a.example.com:0",
        "https://a.example.com:080",
        "https://a.example.com:65536",
        "https://a.example.com:*",
        "https://a.example.com:+80",
        "http://a.example.com",
        "http://localhost.example.com",
        "http://*.localhost",
        &format!("https://{}.example.com", "a".repeat(64)),
        &format!("https://{}", "a.".repeat(150)),
    ] {
        let settings = CardSettings::new().csp(CardCsp::new().connect(bad));
        assert!(settings.check().is_err(), "{bad:?}");
    }
    for sockets in ["wss://a.example.com", "ws://localhost:1"] {
        assert!(CardSettings::new().csp(CardCsp::new().connect(sockets)).check().is_ok());
        for csp in [
            CardCsp::new().resources(sockets),
            CardCsp::new().frames(sockets),
            CardCsp::new().base_uri(sockets),
        ] {
            assert!(CardSettings::new().csp(csp).check().is_err(), "{sockets}");
        }
    }
}

#[test]
fn a_list_of_origins_has_a_bound_and_a_domain_is_one_word() {
    let many =
        |count| (0..count).fold(CardCsp::new(), |csp, n| csp.connect(format!("https://a{n}.example.com")));
    assert!(CardSettings::new().csp(many(64)).check().is_ok());
    let told = CardSettings::new().csp(many(65)).check().unwrap_err().to_string();
    assert_eq!(told, "csp.connectDomains: at most 64 origins have room here");
    for good in ["a904794854a047f6.host.example", "https://widgets.example.com"] {
        assert!(CardSettings::new().domain(good).check().is_ok(), "{good}");
    }
    for bad in ["", "a b", "a;b", "a\"b", "a'b", "a\nb", "ä", "<a>", &"a".repeat(301)] {
        assert!(CardSettings::new().domain(bad).check().is_err(), "{bad:?}");
    }
}

#[test]
fn settings_of_one_card_replace_members_of_the_defaults_whole() {
    let defaults = CardSettings::new()
        .csp(CardCsp::new().connect("https://a.example.com").resources("https://b.example.com"))
        .permission(CardPermission::Camera)
        .prefers_border();
    let own = read(r#"{"csp": {"connectDomains": []}, "permissions": {"microphone": {}}}"#).unwrap();
    let both = defaults.overridden_by(own);
    assert_eq!(
        both.to_value(),
        Some(json!({ "csp": {}, "permissions": { "microphone": {} }, "prefersBorder": true }))
    );
}

#[test]
fn a_path_of_a_card_is_relative_and_of_plain_names() {
    for (path, uri) in [
        ("card.html", "ui://card.html"),
        ("bookings/card.html", "ui://bookings/card.html"),
        ("a b/ü&.html", "ui://a%20b/%C3%BC%26.html"),
    ] {
        assert_eq!(card_path_problem(path), None, "{path}");
        assert_eq!(card_uri(path), uri);
    }
    for path in [
        "",
        ".html",
        "/card.html",
        "a//card.html",
        "../card.html",
        "a/../card.html",
        "./card.html",
        "a/.html",
        "card.htm",
        "card.HTML",
        "card",
        "card.html/",
        "a\\card.html",
        "c:card.html",
        "card.html?v=1",
        "card#.html",
        "a%2fcard.html",
        "a\ncard.html",
        "a\0.html",
        ".hidden/card.html",
    ] {
        assert!(card_path_problem(path).is_some(), "{path:?}");
    }
}
