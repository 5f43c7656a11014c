//! Storms of headers over HTTP/2, where no line is counted but the size of the whole.

use crate::request::{Probe, call, sample};
use axum::body::Body;
use http::{Request, StatusCode};
use hyper::client::conn::http2::{Builder, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use mcp_transport_http::{Endpoint, HttpOptions, ServeOptions, serve};
use tokio::net::{TcpListener, TcpStream};

/// A client of a server that takes heads of 8 KiB.
async fn client() -> SendRequest<Body> {
    let endpoint = Endpoint::new(sample(&Probe::default()), HttpOptions::default()).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let options = ServeOptions { head_bytes: 8 * 1024, ..ServeOptions::default() };
        serve(listener, endpoint.routes(), &endpoint, options, std::future::pending()).await
    });
    let stream = TokioIo::new(TcpStream::connect(address).await.unwrap());
    let (client, connection) = Builder::new(TokioExecutor::new()).handshake(stream).await.unwrap();
    tokio::spawn(connection);
    client
}

/// A call with more headers, so many and of such a length.
fn with(count: usize, length: usize) -> Request<Body> {
    let mut request = call("echo");
    *request.uri_mut() = "http://localhost/mcp".parse().unwrap();
    request.headers_mut().remove("host");
    for number in 0..count {
        let name: http::HeaderName = format!("x-{number}").parse().unwrap();
        request.headers_mut().insert(name, "1".repeat(length).parse().unwrap());
    }
    request
}

#[tokio::test]
async fn a_head_beyond_its_size_is_431_and_the_connection_goes_on() {
    let mut client = client().await;
    for (count, length, status) in [
        (10, 10, StatusCode::OK),
        (1, 20_000, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE),
        // RFC 9113, section 6.5.2: each field counts 32 bytes beside its name and value.
        (250, 1, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE),
        (10, 10, StatusCode::OK),
    ] {
        let response = client.send_request(with(count, length)).await.unwrap();
        assert_eq!(response.status(), status, "{count} of {length}");
    }
}
