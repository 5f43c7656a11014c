//! The state of a call between its rounds, sealed into the `requestState` that the client carries.
//!
//! In 2026-07-28 a server asks by ending a call with an `InputRequiredResult`; the client calls again and brings the
//! answers along, together with the `requestState` it was given. The server itself keeps nothing, so any node can
//! take the next round. The client is nevertheless not trusted with the state:
//!
//! * it cannot read or change it, because it is sealed with authenticated encryption;
//! * it cannot use it elsewhere, because the seal covers the server, the revision, the method, what the method is
//!   applied to, the arguments, and who calls;
//! * it cannot use it later than its expiry.
//!
//! It can use a state twice. What must happen once needs a store.
//!
//! Keys come from a [`StateKeys`] ring, which every node of a server shares.
//!
//! Spec: 2026-07-28, basic/patterns/mrtr.

mod binding;
mod canonical;
mod cursor;
mod key;
mod record;
mod ring;
mod seal;
mod token;

#[doc(hidden)]
pub mod hostile;

#[cfg(test)]
mod tests;

pub use key::{StateKey, StateKeyFault};
pub use ring::StateKeys;
pub(crate) use {
    binding::{Binding, bind_optional, bind_owner, bind_part},
    canonical::arguments_digest,
    record::{Remembered, RoundState},
};
