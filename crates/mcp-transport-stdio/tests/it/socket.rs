//! Many connections over a Unix socket.

use crate::fixture::{built, handshake, modern_call, text};
use mcp_transport_stdio::{StdioOptions, serve_unix};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{UnixListener, UnixStream},
    sync::oneshot,
};

async fn exchange(stream: &mut BufReader<UnixStream>, message: &Value) -> Value {
    stream.get_mut().write_all(format!("{message}\n").as_bytes()).await.unwrap();
    let mut line = String::new();
    stream.read_line(&mut line).await.unwrap();
    serde_json::from_str(&line).unwrap()
}

#[tokio::test]
async fn connections_are_independent_and_end_together() {
    let folder = std::env::temp_dir().join(format!("mcp-socket-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("socket");
    let listener = UnixListener::bind(&path).unwrap();
    let (end, ended) = oneshot::channel::<()>();
    let shutdown = async move {
        let _ = ended.await;
    };
    let options = StdioOptions { connections: 2, ..StdioOptions::default() };
    let serving = tokio::spawn(serve_unix(listener, built(), options, shutdown));
    let mut first = BufReader::new(UnixStream::connect(&path).await.unwrap());
    let mut second = BufReader::new(UnixStream::connect(&path).await.unwrap());
    assert!(exchange(&mut first, &handshake()).await["result"].is_object());
    // The handshake of one connection is none of the other's.
    assert!(
        exchange(&mut second, &json!({"jsonrpc":"2.0","id":1,"method":"tools/list"})).await["error"]
            .is_object()
    );
    let third = UnixStream::connect(&path).await.unwrap();
    drop(first);
    let mut third = BufReader::new(third);
    let echo = modern_call(1, "echo", json!({"text": "after the first has gone"}));
    assert_eq!(text(&exchange(&mut third, &echo).await), "after the first has gone");
    end.send(()).unwrap();
    let mut line = String::new();
    assert_eq!(third.read_line(&mut line).await.unwrap(), 0);
    assert!(serving.await.unwrap().is_ok());
    std::fs::remove_dir_all(&folder).unwrap();
}
