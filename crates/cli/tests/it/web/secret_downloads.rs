//! Cassettes that were recorded without `--secret` and contain a secret in 20 forms: `download`
//! refuses them, and `frames` covers the value.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use screentest::clock::Clock;
use screentest::core::formats::stream::Viewer;
use screentest::core::{Key, Size};
use screentest::pty::scripted::ScriptedPty;
use screentest::recording::RecordOptions;
use screentest::session::SessionOptions;
use screentest::{ExitStatus, Session};
use serde_json::json;

use super::cassettes::apply_frames;
use super::client::Server;
use crate::secrets::leaks::leaks;
use crate::secrets::print_counts;
use crate::secrets::ways::{SECRETS, drawn};

/// Records a session while `steps` uses it. The recorder knows no secrets.
fn record(server: &Server, name: &str, steps: impl Fn(&Session, &ScriptedPty)) {
    let folder = server.folder.path().join("artifacts/cassettes");
    std::fs::create_dir_all(&folder).unwrap();
    let size = Size { cols: 80, rows: 24 };
    let pty = ScriptedPty::new(size);
    let options = SessionOptions {
        size,
        clock: Clock::manual(),
        ..SessionOptions::default()
    }
    .record(RecordOptions::new(folder.join(name)).keep_keys());
    let session = Session::over(Arc::new(pty.clone()), options).unwrap();
    steps(&session, &pty);
    pty.end(ExitStatus::Exited(0));
    session.wait_for_exit(Duration::from_secs(20)).unwrap();
    session.finish_recording().unwrap().unwrap();
}

#[test]
fn cassettes_with_a_secret_in_any_form_are_not_downloaded() {
    let declared: Vec<&str> = SECRETS
        .iter()
        .flat_map(|(name, _)| ["--secret", *name])
        .collect();
    let server = Server::with_env(&SECRETS, &declared);
    let long = SECRETS[0].1;
    let (one, two) = long.split_at(9);
    let mut names = Vec::new();
    // A colour per letter, wrapped, framed, numbered, encoded, quoted.
    let ways = drawn();
    for (number, way) in ways.iter().step_by(6).enumerate() {
        let name = format!("drawn-{number}");
        record(&server, &name, |session, pty| {
            pty.print(way.bytes.as_bytes());
            session.screen();
        });
        names.push((name, way.name.clone()));
    }
    let mut add = |name: &str, steps: &dyn Fn(&Session, &ScriptedPty)| {
        record(&server, name, steps);
        names.push((name.to_owned(), name.to_owned()));
    };
    add("typed", &|session, _| session.type_text(long).unwrap());
    add("typed-out-of-order", &|session, _| {
        session.type_text(two).unwrap();
        session.press(Key::Home).unwrap();
        session.type_text(one).unwrap();
    });
    add("in-an-event", &|session, _| {
        session.record_event(
            Some("x"),
            json!({ "a": [{ "b": format!("<{}>", SECRETS[1].1) }] }),
        );
    });
    add("in-a-mark", &|session, _| {
        session.record_mark(&format!("'{one}'\"{two}\""));
    });
    add("in-a-title", &|session, pty| {
        pty.print(format!("\x1b]2;{long}\x07there").as_bytes());
        session.screen();
    });
    assert_eq!(names.len(), 20);
    let mut shown = Vec::new();
    let mut leaking = BTreeSet::new();
    for (name, way) in &names {
        for format in ["tar.gz", "cast"] {
            let answer = server.get(&format!("/api/cassettes/{name}/download?format={format}"));
            if answer.status != 403 {
                leaking.insert(name);
                shown.push(format!("{way}: {format} is {}", answer.status));
            }
        }
        let mut view = Viewer::new(0);
        let answer = server.get(&format!("/api/cassettes/{name}/frames"));
        apply_frames(&answer, &mut view);
        let screen = view.seen().unwrap().screen().clone();
        let one = server.get(&format!("/api/cassettes/{name}")).text();
        for (_, value) in SECRETS {
            let found = leaks(
                value,
                &format!("{}\n{}\n{one}", screen.text(), screen.title),
            );
            if !found.is_empty() {
                leaking.insert(name);
                shown.push(format!("{way}: frames show {found:?}"));
            }
        }
    }
    record(&server, "harmless", |session, pty| {
        pty.print(b"the hunter is out, 22 of them");
        session.screen();
    });
    assert_eq!(server.get("/api/cassettes/harmless/download").status, 200);
    print_counts("downloaded", leaking.len(), names.len());
    assert!(shown.is_empty(), "{}", shown.join("\n"));
}
