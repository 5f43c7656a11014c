//! What a template is made of once it is parsed.

/// A piece of the template before its query and fragment expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Normalised text that must stand in the URI as it is.
    Literal(Box<str>),
    /// A stretch of the URI that becomes a value.
    Hole(Hole),
}

/// A variable in the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hole {
    /// The place of its name in the template.
    pub(super) slot: usize,
    pub(super) span: Span,
    pub(super) place: Place,
}

/// How far a variable reaches and what it becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Span {
    /// Up to the next `/`: one text.
    Segment,
    /// Up to the next `/`: items between commas.
    Commas,
    /// Across slashes: one text.
    Reserved,
    /// Items that each follow this separator.
    Repeated(u8),
}

/// Where in the URI a variable stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Path,
    /// After a literal `?`, where `&` ends a value.
    Query,
}

impl Hole {
    /// Whether the variable may take this octet of the normalised URI.
    pub(super) const fn takes(self, octet: u8) -> bool {
        match octet {
            b'?' | b'#' => false,
            b'/' => matches!(self.span, Span::Reserved),
            b'&' => matches!(self.place, Place::Path),
            _ => true,
        }
    }
}

/// The query expressions of a template, taken together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct QueryPart {
    pub(super) lead: Lead,
    pub(super) keys: Vec<QueryKey>,
    /// `{?rest*}`: takes what no key takes.
    pub(super) rest: Option<QueryKey>,
}

/// A variable of the query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct QueryKey {
    pub(super) slot: usize,
    /// The variable's name, percent-decoded, as pairs are compared.
    pub(super) key: Box<str>,
}

/// What stands before the first pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lead {
    /// `{?…}`: the question mark.
    QuestionMark,
    /// `{&…}`: the ampersand after this many others in the template's literal query.
    Ampersand(usize),
}
