//! The Model Context Protocol as pure domain: no socket, no clock, no runtime.
//!
//! A [`McpRouter`](registry::McpRouter) binds names to handlers, a [`Server`](server::Server) is built from it,
//! and transports hand it bytes. Everything a transport sends back comes from an
//! [`Exchange`](exchange::Exchange).
//!
//! | folder | what is in it |
//! |---|---|
//! | [`json`] | the bounded index of incoming text, exact numbers, fast writing |
//! | [`jsonrpc`] | messages, ids, error codes |
//! | [`version`] | the revisions, what each has, how one is chosen |
//! | [`protocol`] | the wire shapes of the newest revision |
//! | [`admit`] | which era a message belongs to, and the checks of its envelope |
//! | [`registry`] | routers, catalogues, build faults |
//! | [`page`] | pages of lists, cursors, how long lists stay fresh |
//! | [`presentation`] | lists that are not whole, and tools that find and call the rest |
//! | [`view`] | who sees what in the lists |
//! | [`schema`] | published schemas and the check of arguments |
//! | [`uri`], [`fields`] | URIs, templates, text fields |
//! | [`handler`], [`extract`] | async functions as handlers, and their parameters |
//! | [`context`] | what a call knows |
//! | [`ask`] | asking the client in the middle of a call |
//! | `dispatch`, [`exchange`] | the method table; one request and all that answers it |
//! | `session` | sessions of the handshake era, and the streams of each |
//! | `subscription` | who hears of changes |
//! | `task` | calls whose client does not wait for them |
//! | [`connection`] | a peer on a byte stream |
//! | `lower` | from the superset to each revision's wire |
//! | [`server`], [`setting`] | the server, its settings and limits; what is wrong with settings |
//! | [`card`] | cards that hosts show beside the results of tools |
//! | [`skill`] | skills: files as resources, told of as a whole |
//! | [`ports`] | what the core needs from outside |
//! | [`testing`] | an in-process client |

pub mod admit;
pub mod ask;
pub mod card;
pub mod connection;
pub mod context;
pub mod exchange;
pub mod extract;
pub mod fields;
pub mod handler;
pub mod header;
pub mod json;
pub mod jsonrpc;
pub mod media;
pub mod overflow;
pub mod page;
pub mod ports;
pub mod presentation;
pub mod principal;
pub mod protocol;
pub mod refusal;
pub mod registry;
pub mod schema;
pub mod server;
pub mod setting;
pub mod skill;
pub mod testing;
pub mod uri;
pub mod version;
pub mod view;

mod dispatch;
mod lower;
mod output;
mod session;
mod subscription;
mod task;
