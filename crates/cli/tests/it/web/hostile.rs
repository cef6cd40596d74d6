//! A thousand hostile requests, while another client is served.

use std::io::Write;
use std::net::TcpStream;

use serde_json::json;

use super::client::Server;
use attack::{FRAMES, Reply, Target};

mod attack;

/// Number of requests of each kind.
const EACH: usize = 50;

#[test]
fn hostile_requests_are_rejected_and_others_are_served() {
    let server = Server::start();
    let opening = json!({ "name": "target", "command": ["cat"] });
    assert_eq!(server.post("/api/sessions", &opening).status, 201);
    let target = Target {
        address: &server.address,
        token: &server.touch,
    };
    // Half of them send an incomplete header, the others nothing.
    let held: Vec<TcpStream> = (0..400)
        .map(|number| {
            let mut stream = server.connect();
            if number % 2 == 0 {
                stream
                    .write_all(b"GET /api/sessions HTTP/1.1\r\nHos")
                    .unwrap();
            }
            stream
        })
        .collect();
    std::thread::scope(|scope| {
        for kind in 0..attack::KINDS {
            scope.spawn(move || {
                for number in 0..EACH {
                    let (what, bytes) = attack::request(target, kind, number);
                    match attack::send(target, &bytes) {
                        Reply::Status(400..=499) | Reply::Closed => {}
                        got => panic!("{what}, {number}: {got:?}"),
                    }
                }
            });
        }
        scope.spawn(|| {
            for number in 0..100 {
                let got = attack::broken_socket(target, FRAMES[number % FRAMES.len()]);
                assert_eq!(got, Reply::Status(101), "frame {number}");
            }
        });
        scope.spawn(|| {
            for _ in 0..100 {
                assert_eq!(server.get("/api/sessions/target").status, 200);
            }
        });
    });
    // The server closes all idle connections by itself.
    for mut stream in held {
        assert!(matches!(
            attack::read(&mut stream),
            Reply::Status(408 | 400) | Reply::Closed
        ));
    }
    // No input was typed, no session was opened, and the server is healthy.
    assert_eq!(
        server
            .get("/api/sessions/target/buffer?format=text")
            .text()
            .trim(),
        ""
    );
    let sessions = server.get("/api/sessions").json();
    assert_eq!(sessions["sessions"].as_array().unwrap().len(), 1);
    let metrics = server.get("/metrics").text();
    assert!(metrics.contains("screentest_sessions 1"), "{metrics}");
}
