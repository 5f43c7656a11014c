//! The media types of a request: what it carries and what its answer may be.
//!
//! Two types matter here: `application/json` for single messages, `text/event-stream` for streams of them.

const JSON: (&str, &str) = ("application", "json");
const EVENT_STREAM: (&str, &str) = ("text", "event-stream");

/// How many members of `Accept` are looked at; those that follow accept nothing.
pub const ACCEPT_ENTRIES: usize = 50;

/// What the client takes as an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepts {
    /// How much it wants `application/json`.
    pub json: Preference,
    /// How much it wants `text/event-stream`.
    pub event_stream: Preference,
}

/// How much a media type is wanted; the greater is wanted more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Preference(u16);

impl Preference {
    /// The type is not taken.
    pub const NOT_ACCEPTED: Self = Self(0);

    /// The type is taken without reservation.
    pub const FULL: Self = Self(1000);

    /// Tells whether the type is taken at all.
    #[must_use]
    pub const fn is_accepted(self) -> bool {
        self.0 > 0
    }

    /// Gives the weight in thousandths, 0 to 1000.
    #[must_use]
    pub const fn thousandths(self) -> u16 {
        self.0
    }
}

/// What nearly every client sends, told without parsing.
const USUAL: [&[u8]; 3] =
    [b"application/json, text/event-stream", b"text/event-stream, application/json", b"*/*"];

impl Accepts {
    /// The answer may be anything.
    pub const EVERYTHING: Self = Self { json: Preference::FULL, event_stream: Preference::FULL };

    /// Reads the lines of the `Accept` header, in order.
    ///
    /// No lines, or only blank ones, accept everything. For each type the range that fits most closely decides, also
    /// when it says `q=0`; of several such ranges the one with the greatest weight. A range with parameters of its
    /// own (`application/json;profile=x`) fits less closely than the bare type and more than `application/*`.
    /// A parameter `q` is the weight wherever it stands.
    ///
    /// Members that are not well formed accept nothing: a quote that is not closed (which takes everything up to the
    /// end of its line with it), a parameter without a name or value, a weight that is none, two weights, `*/json`.
    /// The first [`ACCEPT_ENTRIES`] members that are not empty are looked at, so that a long header costs little.
    ///
    /// RFC 9110, sections 5.6.6, 12.4.2 and 12.5.1.
    pub fn parse<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut lines = lines.into_iter();
        let (first, second) = (lines.next(), lines.next());
        if let (Some(line), None) = (first, second)
            && USUAL.contains(&line)
        {
            return Self::EVERYTHING;
        }
        let lines = first.into_iter().chain(second).chain(lines);
        let mut json = Best::default();
        let mut event_stream = Best::default();
        let mut blank = true;
        let members = lines.flat_map(|line| Split { rest: line, at: b',' });
        for member in members.filter(|member| !member.trim_ascii().is_empty()).take(ACCEPT_ENTRIES) {
            blank = false;
            if let Some(range) = Range::parse(member) {
                json.consider(&range, JSON);
                event_stream.consider(&range, EVENT_STREAM);
            }
        }
        if blank {
            return Self::EVERYTHING;
        }
        Self { json: json.weight, event_stream: event_stream.weight }
    }
}

/// Tells whether a `Content-Type` says `application/json`, whatever its parameters are.
///
/// RFC 9110, section 8.3; JSON is UTF-8 without regard to `charset` (RFC 8259, sections 8.1 and 11).
#[must_use]
pub fn is_json(content_type: &[u8]) -> bool {
    if content_type == b"application/json" {
        return true;
    }
    let essence = Split { rest: content_type, at: b';' }.next().unwrap_or_default();
    MediaType::parse(essence).is_some_and(|found| found.is(JSON))
}

/// Splits a header's value at a character outside quoted strings.
struct Split<'a> {
    rest: &'a [u8],
    at: u8,
}

impl<'a> Iterator for Split<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let mut quoted = false;
        let mut escaped = false;
        let end = self.rest.iter().position(|octet| {
            let found = !quoted && *octet == self.at;
            match *octet {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                _ => {}
            }
            found
        });
        let (part, rest) = match end {
            Some(end) => (self.rest.get(..end)?, self.rest.get(end + 1..)?),
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        Some(part)
    }
}

#[derive(Clone, Copy)]
struct MediaType<'a> {
    kind: &'a [u8],
    subkind: &'a [u8],
}

impl<'a> MediaType<'a> {
    fn parse(essence: &'a [u8]) -> Option<Self> {
        let essence = essence.trim_ascii();
        let slash = essence.iter().position(|octet| *octet == b'/')?;
        let (kind, subkind) = (essence.get(..slash)?, essence.get(slash + 1..)?);
        (is_token(kind) && is_token(subkind)).then_some(Self { kind, subkind })
    }

    fn is(self, (kind, subkind): (&str, &str)) -> bool {
        self.kind.eq_ignore_ascii_case(kind.as_bytes())
            && self.subkind.eq_ignore_ascii_case(subkind.as_bytes())
    }
}

struct Range<'a> {
    media_type: MediaType<'a>,
    parameters: Parameters,
    weight: Preference,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Parameters {
    None,
    Some,
}

/// How closely a range fits a type; the greater fits more closely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Closeness {
    #[default]
    Not,
    Anything,
    Kind,
    Parameterised,
    Exact,
}

impl<'a> Range<'a> {
    fn parse(member: &'a [u8]) -> Option<Self> {
        let mut pieces = Split { rest: member, at: b';' };
        let media_type = MediaType::parse(pieces.next()?)?;
        if media_type.kind == b"*" && media_type.subkind != b"*" {
            return None;
        }
        let mut range = Self { media_type, parameters: Parameters::None, weight: Preference::FULL };
        let mut weighted = false;
        for piece in pieces.map(<[u8]>::trim_ascii).filter(|piece| !piece.is_empty()) {
            let equals = piece.iter().position(|octet| *octet == b'=')?;
            let (name, value) = (piece.get(..equals)?, piece.get(equals + 1..)?);
            if !is_token(name) || !(is_token(value) || is_quoted_string(value)) {
                return None;
            }
            if name.eq_ignore_ascii_case(b"q") {
                if std::mem::replace(&mut weighted, true) {
                    return None;
                }
                range.weight = weight(value)?;
                continue;
            }
            // The texts we send are UTF-8 with or without saying so.
            let utf8 = name.eq_ignore_ascii_case(b"charset")
                && (value.eq_ignore_ascii_case(b"utf-8") || value.eq_ignore_ascii_case(b"\"utf-8\""));
            if !utf8 {
                range.parameters = Parameters::Some;
            }
        }
        Some(range)
    }

    fn closeness(&self, wanted: (&str, &str)) -> Closeness {
        let MediaType { kind, subkind } = self.media_type;
        if self.media_type.is(wanted) {
            return if self.parameters == Parameters::None {
                Closeness::Exact
            } else {
                Closeness::Parameterised
            };
        }
        match (kind, subkind) {
            (b"*", b"*") => Closeness::Anything,
            (kind, b"*") if kind.eq_ignore_ascii_case(wanted.0.as_bytes()) => Closeness::Kind,
            _ => Closeness::Not,
        }
    }
}

struct Best {
    closeness: Closeness,
    weight: Preference,
}

impl Default for Best {
    fn default() -> Self {
        Self { closeness: Closeness::Not, weight: Preference::NOT_ACCEPTED }
    }
}

impl Best {
    fn consider(&mut self, range: &Range<'_>, wanted: (&str, &str)) {
        let closeness = range.closeness(wanted);
        if closeness > Closeness::Not && (closeness, range.weight) > (self.closeness, self.weight) {
            *self = Self { closeness, weight: range.weight };
        }
    }
}

/// `0` to `1` with at most three decimals, in thousandths.
fn weight(value: &[u8]) -> Option<Preference> {
    let (whole, decimals) = match value {
        [whole] => (*whole, &[][..]),
        [whole, b'.', decimals @ ..] if decimals.len() <= 3 => (*whole, decimals),
        _ => return None,
    };
    let mut thousandths = match whole {
        b'0' => 0,
        b'1' => 1000,
        _ => return None,
    };
    for (decimal, worth) in decimals.iter().zip([100, 10, 1]) {
        thousandths += u16::from(decimal.is_ascii_digit().then(|| decimal - b'0')?) * worth;
    }
    (thousandths <= 1000).then_some(Preference(thousandths))
}

fn is_token(text: &[u8]) -> bool {
    !text.is_empty()
        && text.iter().all(|octet| octet.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(octet))
}

/// A quoted string, closed by the last octet and not before.
///
/// RFC 9110, section 5.6.4.
fn is_quoted_string(value: &[u8]) -> bool {
    let [b'"', inside @ .., b'"'] = value else { return false };
    let mut octets = inside.iter();
    while let Some(octet) = octets.next() {
        let printable = |octet: u8| matches!(octet, b'\t' | b' '..=b'~' | 0x80..);
        match *octet {
            b'"' => return false,
            b'\\' if !octets.next().is_some_and(|escaped| printable(*escaped)) => return false,
            octet if !printable(octet) => return false,
            _ => {}
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_told_without_parsing_is_what_parsing_tells() {
        for line in USUAL {
            // A blank second line changes nothing but that the first one is parsed.
            assert_eq!(Accepts::parse([line]), Accepts::parse([line, b""]));
        }
    }

    fn weights(lines: &[&str]) -> (u16, u16) {
        let accepts = Accepts::parse(lines.iter().map(|line| line.as_bytes()));
        (accepts.json.thousandths(), accepts.event_stream.thousandths())
    }

    #[test]
    fn the_closest_range_decides() {
        for (lines, expected) in [
            (&[][..], (1000, 1000)),
            (&["", " , "], (1000, 1000)),
            (&["application/json, text/event-stream"], (1000, 1000)),
            (&["application/json", "text/event-stream;q=0.5"], (1000, 500)),
            (&["APPLICATION/JSON"], (1000, 0)),
            (&["*/*"], (1000, 1000)),
            (&["text/*;q=0.25"], (0, 250)),
            (&["*/*;q=0.1, text/*;q=0.2, application/json"], (1000, 200)),
            (&["*/*, text/event-stream;q=0"], (1000, 0)),
            (&["application/json;q=0, */*"], (0, 1000)),
            (&["application/json;q=0.2, application/json;q=0.7"], (700, 0)),
            (&["application/json; charset=\"UTF-8\" ; Q=0.125"], (125, 0)),
            (&["application/json;profile=x;q=0, application/json"], (1000, 0)),
            (&["application/json;profile=\"a,text/event-stream;q=1\\\"\";q=0.5"], (500, 0)),
            (&["application/json;profile=x, application/json;q=0"], (0, 0)),
            (&["application/json;profile=x;q=0, application/*"], (0, 0)),
            (&["text/html"], (0, 0)),
            (&["application/jsonp, text/event-streams, json"], (0, 0)),
            (&["application/json;q=2, text/event-stream;q=0.1234"], (0, 0)),
            (&["application/json;q=1.001, text/event-stream;q=1.000"], (0, 1000)),
            (&["application/json;q=.5, text/event-stream;q="], (0, 0)),
            (&["*/json"], (0, 0)),
        ] {
            assert_eq!(weights(lines), expected, "{lines:?}");
        }
    }

    #[test]
    fn the_weight_counts_wherever_it_stands() {
        for (line, expected) in [
            ("application/json;q=0.5;profile=x", (500, 0)),
            ("application/json;q=0;profile=x, application/json", (1000, 0)),
            ("application/json;;q=0.5;", (500, 0)),
            ("application/json ; q=0.5 ; charset=utf-8", (500, 0)),
        ] {
            assert_eq!(weights(&[line]), expected, "{line}");
        }
    }

    #[test]
    fn a_malformed_member_accepts_nothing_and_spares_the_others() {
        for malformed in [
            "application/json;q=2",
            "application/json;q=-1",
            "application/json;q=1.001",
            "application/json;q=0.1234",
            "application/json;q=\"1\"",
            "application/json;q=",
            "application/json;q",
            "application/json;q=0.5;q=0.6",
            "application/json;q =0.5",
            "application/json;profile",
            "application/json;profile=",
            "application/json;=x",
            "application/json;profile=a b",
            "application/json;profile=\"a\"b",
            "application/json;profile=\"a\\\"",
            "application /json",
            "application/",
            "/json",
            "json",
            "*",
            "*/json",
            "*/event-stream",
        ] {
            assert_eq!(weights(&[malformed]), (0, 0), "{malformed}");
            // An open quote reaches to the end of its line, so the others have one of their own.
            assert_eq!(weights(&[malformed, "text/event-stream;q=0.5"]), (0, 500), "{malformed}");
        }
    }

    #[test]
    fn a_quoted_value_hides_what_it_holds() {
        for (line, expected) in [
            (r#"application/json;profile="a,text/event-stream""#, (1000, 0)),
            (r#"application/json;profile="a;q=0""#, (1000, 0)),
            (r#"application/json;profile="a\",*/*""#, (1000, 0)),
            (r#"application/json;profile="open, text/event-stream"#, (0, 0)),
            (r#"text/event-stream, application/json;profile="open, */*"#, (0, 1000)),
        ] {
            assert_eq!(weights(&[line]), expected, "{line}");
        }
    }

    #[test]
    fn fifty_members_are_looked_at_whether_they_are_well_formed_or_not() {
        let after = |count: usize| format!("{}application/json", "text/html;q, , ".repeat(count));
        assert_eq!(weights(&[&after(ACCEPT_ENTRIES - 1)]), (1000, 0));
        assert_eq!(weights(&[&after(ACCEPT_ENTRIES)]), (0, 0));
        let lines: Vec<_> = std::iter::repeat_n("text/html", ACCEPT_ENTRIES).chain(["*/*"]).collect();
        assert_eq!((weights(&lines[1..]), weights(&lines)), ((1000, 1000), (0, 0)));
    }

    #[test]
    fn content_is_json_by_its_type_alone() {
        for yes in [
            "application/json",
            " Application/JSON ",
            "application/json;charset=latin1",
            "application/json ; x",
        ] {
            assert!(is_json(yes.as_bytes()), "{yes}");
        }
        for no in [
            "",
            "application/jsonp",
            "application/json, text/plain",
            "text/json",
            "application/vnd.a+json",
            "*/*",
            "json",
        ] {
            assert!(!is_json(no.as_bytes()), "{no}");
        }
    }

    proptest! {
        #[test]
        fn any_octets_are_read(lines in prop::collection::vec("[a-z/*;=,q0-1. \"\\\\]{0,30}", 0..3)) {
            let accepts = Accepts::parse(lines.iter().map(|line| line.as_bytes()));
            prop_assert!(accepts.json <= Preference::FULL && accepts.event_stream <= Preference::FULL);
        }
    }
}
