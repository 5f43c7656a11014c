//! Paths of arguments as a reader writes them: `items[2].price`.

use super::{
    got::clip,
    names::{Known, Names},
};
use crate::json::{Kind, Node};
use jsonschema::paths::{Location, LocationSegment};

/// The most segments shown.
const SEGMENTS: usize = 16;

/// Appends a member's name to a path.
pub(super) fn push_name(path: &mut String, name: &str) {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$'));
    if !plain {
        path.push_str("[\"");
        path.push_str(&clip(name));
        path.push_str("\"]");
        return;
    }
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(&clip(name));
}

/// Appends an argument's name as callers know it.
pub(super) fn push_known(path: &mut String, names: &Names, name: &str) {
    match names.known(name) {
        Known::As(known) => push_name(path, known),
        Known::Hidden => path.push('…'),
    }
}

/// Appends an element's position, from 0, to a path.
pub(super) fn push_index(path: &mut String, index: usize) {
    path.push_str(&format!("[{index}]"));
}

/// Writes a location within `root`, by the names that callers know; empty for the arguments as a whole.
pub(super) fn written(root: Node<'_>, location: &Location, names: Option<&Names>) -> String {
    let mut path = String::new();
    let mut node = Some(root);
    for (at, segment) in location.segments().enumerate() {
        if at == SEGMENTS {
            path.push('…');
            break;
        }
        match (&segment, node.map(Node::kind)) {
            (LocationSegment::Index(index), Some(Kind::Array)) => push_index(&mut path, *index),
            (segment, _) => match (names, segment.to_string()) {
                (Some(names), name) if at == 0 => push_known(&mut path, names, &name),
                (_, name) => push_name(&mut path, &name),
            },
        }
        node = node.and_then(|node| step(node, &segment));
    }
    path
}

/// Finds the value at a location.
pub(super) fn find<'a>(root: Node<'a>, location: &Location) -> Option<Node<'a>> {
    location.segments().try_fold(root, |node, segment| step(node, &segment))
}

fn step<'a>(node: Node<'a>, segment: &LocationSegment<'_>) -> Option<Node<'a>> {
    match (node.kind(), segment) {
        (Kind::Array, LocationSegment::Index(index)) => node.elements().nth(*index),
        // A member's name may look like a position.
        (Kind::Object, LocationSegment::Index(index)) => node.get(&index.to_string()),
        (Kind::Object, LocationSegment::Property(name)) => node.get(name),
        _ => None,
    }
}
