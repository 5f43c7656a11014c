//! The endpoint as HTTP clients, browsers, proxies and embedding applications meet it.

mod admission;
mod answer;
mod application;
mod authentication;
mod request;
mod serving;
mod streams;
