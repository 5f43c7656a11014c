//! What authorization needs from outside, as traits that adapters implement.

mod verifier;

pub use verifier::{Verifier, VerifyError};
