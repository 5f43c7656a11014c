//! Reads named texts into a type of the caller's.
//!
//! The variables of a URI template and the arguments of a prompt are texts with names. [`read`] makes a struct, a
//! tuple or a single value of them: numbers, booleans and enums are parsed from the text, a missing name is an
//! `Option`'s `None`, a list becomes a `Vec`.

mod fault;
mod root;
mod scalar;
#[cfg(test)]
mod tests;

pub use fault::{FieldFault, FieldProblem};

use serde::de::DeserializeOwned;

/// What one name holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldText<'a> {
    /// The name is known and has no text; it keeps its place in a tuple.
    Absent,
    /// One text.
    Text(&'a str),
    /// Several texts.
    List(&'a [String]),
    /// Several texts with names of their own. Read as a list, these are the texts that have the field's own name.
    Pairs(&'a [(String, String)]),
}

impl<'a> From<&'a str> for FieldText<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for FieldText<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

/// Reads fields, in order, into a value.
///
/// Structs and maps go by name, tuples and sequences by position. Anything else takes the only field there is.
/// Names that a struct does not know are ignored unless it says `deny_unknown_fields`.
///
/// # Errors
/// [`FieldFault`], naming the field whose text does not fit or that is missing.
pub fn read<'a, T, N, V>(fields: impl IntoIterator<Item = (&'a N, V)>) -> Result<T, FieldFault>
where
    T: DeserializeOwned,
    N: AsRef<str> + ?Sized + 'a,
    V: Into<FieldText<'a>>,
{
    let fields = fields.into_iter().map(|(name, text)| (name.as_ref(), text.into())).collect();
    T::deserialize(root::Fields::new(fields))
}
