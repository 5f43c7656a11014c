//! The settings of a card from JSON text, to the letter of the extension.

use super::{CardCsp, CardPermission, CardSettings, fault::CardFaults};
use crate::json::{Document, JsonLimits, Kind, Node};
use bytes::Bytes;
use std::collections::BTreeSet;

/// The most bytes of such a text.
const MAX_JSON_BYTES: usize = 64 * 1024;

/// The most objects and arrays that are open at once in it.
const MAX_JSON_DEPTH: usize = 8;

impl CardSettings {
    /// Reads settings as the extension writes them: `{"csp": {"connectDomains": ["https://…"]}, "prefersBorder": true}`.
    ///
    /// Nothing is passed over: a member that the extension does not know, one that is there twice, or one of another
    /// type, `null` among them, is a fault. At most 64 KiB, nested 8 deep.
    ///
    /// # Errors
    /// [`CardFaults`] with everything that is wrong; text that is no JSON is one fault.
    pub fn from_json(text: &[u8]) -> Result<Self, CardFaults> {
        let mut faults = CardFaults::default();
        let limits =
            JsonLimits { document_bytes: MAX_JSON_BYTES, depth: MAX_JSON_DEPTH, ..JsonLimits::default() };
        let mut settings = Self::new();
        match Document::parse(Bytes::copy_from_slice(text), &limits) {
            Ok(document) => settings.read(document.root(), &mut faults),
            Err(fault) => faults.add("", fault),
        }
        if let Err(more) = settings.check() {
            more.iter().for_each(|fault| faults.add(fault.place(), fault.problem()));
        }
        faults.finish().map(|()| settings)
    }

    fn read(&mut self, node: Node<'_>, faults: &mut CardFaults) {
        let place = Place { path: "", faults };
        place.members(node, |name, node, faults| {
            match name {
                "csp" => self.csp = Some(read_csp(node, faults)),
                "permissions" => self.permissions = Some(read_permissions(node, faults)),
                "domain" => match node.as_str() {
                    Some(domain) => self.domain = Some(domain.into()),
                    None => faults.add("domain", "must be a string"),
                },
                "prefersBorder" => match node.as_bool() {
                    Some(prefers) => self.prefers_border = Some(prefers),
                    None => faults.add("prefersBorder", "must be `true` or `false`"),
                },
                _ => return Known::No,
            }
            Known::Yes
        });
    }
}

fn read_csp(node: Node<'_>, faults: &mut CardFaults) -> CardCsp {
    let mut csp = CardCsp::new();
    let place = Place { path: "csp", faults };
    place.members(node, |name, node, faults| {
        let list = match name {
            "connectDomains" => &mut csp.connect,
            "resourceDomains" => &mut csp.resource,
            "frameDomains" => &mut csp.frame,
            "baseUriDomains" => &mut csp.base_uri,
            _ => return Known::No,
        };
        *list = read_origins(&format!("csp.{name}"), node, faults);
        Known::Yes
    });
    csp
}

fn read_origins(place: &str, node: Node<'_>, faults: &mut CardFaults) -> Vec<Box<str>> {
    if node.kind() != Kind::Array {
        faults.add(place, "must be an array of origins");
        return Vec::new();
    }
    if let Some(position) = node.elements().position(|element| element.kind() != Kind::String) {
        faults.add(format!("{place}[{position}]"), "must be a string");
        return Vec::new();
    }
    node.elements().filter_map(|element| element.as_str().map(Box::from)).collect()
}

fn read_permissions(node: Node<'_>, faults: &mut CardFaults) -> BTreeSet<CardPermission> {
    let mut permissions = BTreeSet::new();
    let place = Place { path: "permissions", faults };
    place.members(node, |name, node, faults| {
        let Some(permission) = CardPermission::ALL.into_iter().find(|known| known.as_str() == name) else {
            return Known::No;
        };
        if node.kind() == Kind::Object && node.is_empty() {
            permissions.insert(permission);
        } else {
            faults.add(format!("permissions.{name}"), "must be `{}`; leave it out to ask for nothing");
        }
        Known::Yes
    });
    permissions
}

/// Whether a member is one that the extension knows.
enum Known {
    Yes,
    No,
}

/// An object on the way.
struct Place<'a> {
    path: &'static str,
    faults: &'a mut CardFaults,
}

impl Place<'_> {
    /// Reads every member of what must be an object.
    fn members(self, node: Node<'_>, mut read: impl FnMut(&str, Node<'_>, &mut CardFaults) -> Known) {
        if node.kind() != Kind::Object {
            return self.faults.add(self.path, "must be an object");
        }
        for (name, node) in node.members() {
            let name = name.text();
            if let Known::No = read(&name, node, self.faults) {
                let shown: String = name.chars().take(60).collect();
                let place = if self.path.is_empty() { shown } else { format!("{}.{shown}", self.path) };
                self.faults.add(place, "the extension knows no such member");
            }
        }
    }
}
