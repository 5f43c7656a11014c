//! Tests of the whole line from type to published schema.

mod by_hand;
mod closing;
mod shapes;
mod sources;
mod words;
