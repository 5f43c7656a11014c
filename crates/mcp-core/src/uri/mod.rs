//! URIs: what a resource is registered under, and the templates that match many of them.
//!
//! [`AbsoluteUri`] is one validated URI, [`UriTemplate`] an RFC 6570 template read backwards: from a URI to its
//! [`Variables`]. Everything here is a plain function over text.

mod absolute;
mod octets;
mod template;
mod variables;

pub use absolute::{AbsoluteUri, UriFault};
pub use template::{ExpandFault, ExpandProblem, Specificity, TemplateFault, TemplateProblem, UriTemplate};
pub use variables::{Value, Variables};

pub(crate) use octets::SEGMENT;
