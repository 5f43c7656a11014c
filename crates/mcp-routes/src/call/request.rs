//! The request that goes through the application's router.

use super::{AgentCall, arguments::Written, origin::Origin};
use crate::operation::is_untouchable;
use axum::{body::Body, extract::ConnectInfo};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, header, request::Parts};
use mcp_core::principal::Principal;
use std::{net::SocketAddr, sync::Arc};

/// Makes the request of a call.
///
/// It carries the method and the concrete URL of the route, what arguments put into header fields and body, the
/// forwarded header fields and the host of the request to the endpoint, and in its extensions the principal, the
/// address of the client and the [`AgentCall`].
pub(crate) fn request(
    origin: &Origin<'_>,
    method: &Method,
    url: String,
    written: Written,
    forwarded: &[HeaderName],
) -> Result<Request<Body>, http::Error> {
    let Written { mut headers, body, .. } = written;
    if let Some(head) = &origin.head {
        forward(&mut headers, &head.headers, forwarded);
    }
    if !headers.contains_key(header::ACCEPT) {
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, */*;q=0.8"));
    }
    if *method != Method::GET && *method != Method::HEAD {
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
    }
    let mut request = Request::builder().method(method).uri(url).body(Body::from(body))?;
    *request.headers_mut() = headers;
    let extensions = request.extensions_mut();
    if let Some(principal) = &origin.principal {
        extensions.insert(Arc::clone(principal));
        extensions.insert(Principal::clone(principal));
    }
    let address = |head: &Arc<Parts>| head.extensions.get::<ConnectInfo<SocketAddr>>().copied();
    if let Some(client) = origin.head.as_ref().and_then(address) {
        extensions.insert(client);
    }
    extensions.insert(AgentCall::new(origin.context.cloned()));
    Ok(request)
}

/// Copies what is forwarded; what an argument wrote under such a name was refused when the server was built.
fn forward(headers: &mut HeaderMap, from: &HeaderMap, forwarded: &[HeaderName]) {
    for name in forwarded.iter().filter(|name| !is_untouchable(name.as_str())) {
        headers.remove(name);
        for value in from.get_all(name) {
            headers.append(name.clone(), value.clone());
        }
    }
    if let Some(host) = from.get(header::HOST) {
        headers.insert(header::HOST, host.clone());
    }
}
