//! Iterating over members and elements.

use super::{
    document::{Document, Node, checked, token_eq, unescaped},
    token::{Form, Token},
};
use std::{borrow::Cow, fmt};

/// A member's name.
#[derive(Clone, Copy)]
pub struct Name<'a> {
    document: &'a Document,
    token: Token,
}

impl<'a> Name<'a> {
    /// Returns the name's text, borrowed unless it has escapes.
    #[must_use]
    pub fn text(self) -> Cow<'a, str> {
        let inside = self.token.inside_quotes(self.document.bytes());
        if self.token.form() == Form::Escaped {
            Cow::Owned(unescaped(inside))
        } else {
            Cow::Borrowed(checked(inside))
        }
    }

    /// Tells whether the name is `other`, without building it.
    #[must_use]
    pub fn eq_str(self, other: &str) -> bool {
        token_eq(self.document, self.token, other)
    }
}

impl fmt::Debug for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text(), f)
    }
}

/// Iterates over an object's members in the order of the text.
#[derive(Clone, Debug)]
pub struct Members<'a> {
    rest: Elements<'a>,
}

impl<'a> Members<'a> {
    pub(super) fn of(node: Node<'a>) -> Self {
        Self { rest: Elements::inside(node, Form::Object) }
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (Name<'a>, Node<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let name = self.rest.next()?;
        let value = self.rest.next()?;
        Some((Name { document: name.document(), token: name.token() }, value))
    }
}

/// Iterates over an array's elements.
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    document: &'a Document,
    at: u32,
    end: u32,
}

impl<'a> Elements<'a> {
    pub(super) fn of(node: Node<'a>) -> Self {
        Self::inside(node, Form::Array)
    }

    /// Visits the direct children of a container of the given form: for an object, names too.
    fn inside(node: Node<'a>, form: Form) -> Self {
        let token = node.token();
        let at = node.index() + 1;
        Self { document: node.document(), at, end: if token.form() == form { token.next } else { at } }
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Node<'a>;

    fn next(&mut self) -> Option<Node<'a>> {
        if self.at >= self.end {
            return None;
        }
        let node = Node::at(self.document, self.at);
        self.at = node.token().next;
        Some(node)
    }
}
