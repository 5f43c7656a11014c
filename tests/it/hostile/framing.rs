//! Bytes that are no HTTP, or two messages at once to whoever reads them differently.

use super::{
    raw::Raw,
    siege::{Siege, flood},
};
use std::sync::Arc;

/// What is sent; nothing of it may be answered with 200.
const BROKEN: [&[u8]; 24] = [
    b"\r\n\r\n\r\n\r\n",
    b"\0\0\0\0\0\0\0\0",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a client of TLS",
    b"GET\r\n\r\n",
    b"GET /mcp\r\n\r\n",
    b"GET /mcp HTTP/9.9\r\nHost: localhost\r\n\r\n",
    b"POST  /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"POST /mcp HTTP/1.1\r\n\r\n",
    b"POST /mcp HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 0\r\n\r\n",
    b"POST /mcp HTTP/1.1\r\nHost : localhost\r\nContent-Length: 0\r\n\r\n",
    b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n folded: x\r\nContent-Length: 0\r\n\r\n",
    b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
    b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n{}{}{}",
    b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}",
    b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: \0\r\nContent-Length: 0\r\n\r\n",
    b"POST /mcp HTTP/1.1\nHost: localhost\nContent-Length: 0\nConnection: close\n\n",
    b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n no frame of HTTP/2 at all, and much more of it than there should be",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\xff\xff\x00\x00\x00\x00\x00\x01 a frame of sixteen megabytes",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_that_are_no_request_are_refused_or_cut_off() {
    Siege::of(&["--wire-timeout", "0.5", "--idle-timeout", "2"])
        .withstand(async |fixture| {
            flood(BROKEN.len() * 2, |number| {
                let fixture = Arc::clone(fixture);
                async move {
                    let bytes = BROKEN[number % BROKEN.len()];
                    let mut client = Raw::connect(&fixture).await;
                    let _ = client.write(bytes).await;
                    let answer = client.until_closed().await;
                    let shown = String::from_utf8_lossy(bytes);
                    assert!(!answer.contains(" 200 "), "{shown:?}: {answer}");
                    // Whatever one reads as the end of the request, nobody answers a second one.
                    assert!(answer.matches("HTTP/1.").count() <= 1, "{shown:?}: {answer}");
                }
            })
            .await;
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_that_are_no_message_are_refused_and_the_connection_goes_on() {
    Siege::of(&[])
        .withstand(async |fixture| {
            let bodies: [&[u8]; 10] = [
                b"",
                b"\0",
                b"\xff\xfe{\0}\0",
                b"\xef\xbb\xbf{}",
                b"{",
                b"{}{}",
                b"nul",
                b"\"\xed\xa0\x80\"",
                b"{\"jsonrpc\":\"2.0\",\"jsonrpc\":\"2.0\"}",
                b"{'a':1}",
            ];
            flood(20, |_| {
                let fixture = Arc::clone(fixture);
                async move {
                    let mut client = fixture.connect().await;
                    for body in bodies.iter().cycle().take(100) {
                        let response = client.send(&mcp_tests::message::post(*body)).await;
                        assert_eq!(response.status, 400, "{body:?}: {}", response.text());
                        assert!([Some(-32700), Some(-32600)].contains(&response.error_code()), "{body:?}");
                    }
                }
            })
            .await;
        })
        .await;
}
