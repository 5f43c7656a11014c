//! Results that are too large to be sent whole, kept as resources that are read in parts.
//!
//! A tool or the server opts in. What is too large of a result goes into a store of this process, and the result says
//! how it begins and where the whole is: a link to `overflow://{id}`, which `resources/read` answers in parts.
//!
//! | URI | what is read |
//! |---|---|
//! | `overflow://{id}` | the beginning |
//! | `overflow://{id}?offset=65536&length=65536` | a range of bytes |
//! | `overflow://{id}?line=201&lines=200` | lines, counted from 1 |
//!
//! A range never cuts a character: both of its ends move back to the beginning of the character they lie in, so that
//! ranges which follow each other give the whole text, nothing missing and nothing twice. No read gives more than
//! [`Overflow::range_bytes`]; the `_meta` entry `overflow/range` says what was read, how much there is, and the URI to
//! go on with. Ids are unguessable, and a resource is found only by whom it was made for: the principal, or without
//! one the session. Everyone else hears that there is no such resource.

mod divert;
mod options;
mod range;
mod read;
mod store;

pub use options::Overflow;

pub(crate) use divert::divert;
pub(crate) use read::read;
pub(crate) use store::Store;
