//! Secrets that real programs wrap or edit are covered on the live screen and in its recording.

use std::time::Duration;

use screentest::core::{Key, Secrets, Size};
use screentest::recording::{Cassette, RecordOptions};
use screentest::session::SessionOptions;
use screentest::{App, Session};

use super::leaks::{assert_none_in_files, leaks};
use super::ways::SECRETS;
use crate::harness::cli::Folder;

const TIMEOUT: Duration = Duration::from_secs(20);

/// The actions of a test while a program shows a value.
type Steps = fn(&Session);

fn quit(session: &Session) {
    session.type_text("q").unwrap();
}

#[track_caller]
fn check(command: &[&str], wait: &str, steps: Steps) {
    let folder = Folder::new();
    let long = SECRETS[0].1;
    folder.file("value", format!("the value is {long}{long}\nand more\n"));
    let mut masked_secrets = Secrets::default();
    for (name, value) in SECRETS {
        masked_secrets.add(name, value).unwrap();
    }
    let path = folder.path().join("x.cassette");
    let options = SessionOptions {
        size: Size { cols: 30, rows: 12 },
        masked_secrets,
        ..SessionOptions::default()
    }
    .record(RecordOptions::new(&path).keep_keys());
    let app = App::new(command[0])
        .args(&command[1..])
        .cwd(folder.path())
        .env("VALUE", long);
    let session = Session::start(&app, options).unwrap();
    let mut shown = session.wait_for(wait, TIMEOUT).unwrap().text();
    steps(&session);
    shown.push_str(&session.screen().text());
    let _ = session.wait_for_exit(TIMEOUT);
    shown.push_str(&session.screen().text());
    let recorded = session.finish_recording().unwrap();
    let cassette = Cassette::open(recorded.unwrap()).unwrap();
    cassette.verify().unwrap();
    for (_, value) in SECRETS {
        assert_eq!(leaks(value, &shown), [""; 0], "{command:?}:\n{shown}");
    }
    assert!(shown.contains('▒'), "{command:?}:\n{shown}");
    assert_none_in_files(&path, |_| false);
}

#[test]
fn fold_and_cat() {
    check(
        &["sh", "-c", "fold -w 5 value | cat -n; printf end"],
        "end",
        |_| {},
    );
    check(
        &[
            "sh",
            "-c",
            "fold -w 7 value | sed 's/^/    # /'; printf end",
        ],
        "end",
        |_| {},
    );
    check(
        &[
            "sh",
            "-c",
            "xxd value; base64 value | fold -w 11; printf end",
        ],
        "end",
        |_| {},
    );
}

#[test]
fn less_with_line_numbers() {
    check(&["less", "-N", "value"], "value", quit);
}

#[test]
fn vim_with_line_numbers_and_a_mark_of_wrapped_lines() {
    let settings = "set number showbreak=+++\\ nocp noswapfile viminfo=";
    check(
        &["vim", "-u", "NONE", "-c", settings, "value"],
        "more",
        |session| {
            session.type_text(":q!\r").unwrap();
        },
    );
}

#[test]
fn dialog_with_a_text_and_an_input_field() {
    let script = "dialog --msgbox \"$(cat value)\" 10 20; printf end";
    check(&["sh", "-c", script], "OK", |session| {
        session.press(Key::Enter).unwrap();
        session.wait_for("end", TIMEOUT).unwrap();
    });
    let script = "dialog --inputbox Name: 8 20 \"$VALUE\"; printf end";
    check(&["sh", "-c", script], "OK", |session| {
        for key in [Key::Home, Key::End, Key::Home] {
            session.press(key).unwrap();
            session.screen();
        }
        session.press(Key::Enter).unwrap();
        session.wait_for("end", TIMEOUT).unwrap();
    });
}

#[test]
fn bash_with_a_line_edited_by_arrows() {
    check(&["bash", "--norc", "--noprofile"], "bash-", |session| {
        let (one, two) = SECRETS[0].1.split_at(9);
        session.type_text(": ").unwrap();
        session.type_text(two).unwrap();
        for _ in two.chars() {
            session.press(Key::Left).unwrap();
        }
        session.type_text(one).unwrap();
        session.press(Key::Enter).unwrap();
        session
            .type_text(": 'kT9-w'\"0rd/hu\"nt\\er22+Xq7; exit\r")
            .unwrap();
    });
}
