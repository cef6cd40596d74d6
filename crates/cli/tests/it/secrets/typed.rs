//! Secrets that are typed in 75 ways are covered in the recorded input. Neither the recorded keys
//! nor the line that they edit shows the value.

use std::collections::BTreeSet;
use std::sync::Arc;

use screentest::clock::Clock;
use screentest::core::formats::cassette::InputLine;
use screentest::core::{Key, Size};
use screentest::pty::scripted::ScriptedPty;
use screentest::recording::{Cassette, RecordOptions};
use screentest::session::SessionOptions;
use screentest::{ExitStatus, Session};

use super::leaks::{assert_none_in_files, leaks};
use super::print_counts;
use super::ways::{ENCODINGS, SECRETS};
use crate::harness::cli::Folder;

/// A part of the typed input.
#[derive(Clone)]
enum Typed {
    Text(String),
    Paste(String),
    Bytes(&'static [u8]),
    Key(Key),
}

type Order = (&'static str, fn(&str) -> Vec<Typed>);

fn letters(text: &str) -> Vec<Typed> {
    text.chars().map(|c| Typed::Text(c.to_string())).collect()
}

fn halves(text: &str) -> (String, String) {
    let characters: Vec<char> = text.chars().collect();
    let (one, two) = characters.split_at(characters.len() / 2);
    (one.iter().collect(), two.iter().collect())
}

const ORDERS: [Order; 15] = [
    ("at once", |text| vec![Typed::Text(text.to_owned())]),
    ("pasted", |text| vec![Typed::Paste(text.to_owned())]),
    ("letter by letter", letters),
    ("in two parts", |text| {
        let (one, two) = halves(text);
        vec![Typed::Text(one), Typed::Text(two)]
    }),
    ("end first, then Home", |text| {
        let (one, two) = halves(text);
        [letters(&two), vec![Typed::Key(Key::Home)], letters(&one)].concat()
    }),
    ("end first, then Ctrl+A", |text| {
        let (one, two) = halves(text);
        [letters(&two), vec![Typed::Bytes(b"\x01")], letters(&one)].concat()
    }),
    ("from the end", |text| {
        let letters = text.chars().rev();
        letters
            .flat_map(|c| [Typed::Text(c.to_string()), Typed::Key(Key::Left)])
            .collect()
    }),
    ("every second letter, then the others", |text| {
        let characters: Vec<char> = text.chars().collect();
        let even: String = characters.iter().step_by(2).collect();
        let odd = characters.iter().skip(1).step_by(2);
        let mut typed = vec![Typed::Text(even), Typed::Key(Key::Home)];
        for c in odd {
            typed.extend([Typed::Key(Key::Right), Typed::Text(c.to_string())]);
        }
        typed
    }),
    ("with mistakes", |text| {
        let letters = text.chars();
        letters
            .flat_map(|c| {
                [
                    Typed::Text(c.to_string()),
                    Typed::Text("q".to_owned()),
                    Typed::Key(Key::Backspace),
                ]
            })
            .collect()
    }),
    ("with mistakes deleted afterwards", |text| {
        let (one, two) = halves(text);
        let back = vec![Typed::Key(Key::Left); two.chars().count() + 2];
        let delete = vec![Typed::Key(Key::Delete); 2];
        [letters(&one), letters("ZZ"), letters(&two), back, delete].concat()
    }),
    ("middle last", |text| {
        let (one, two) = halves(text);
        let (middle, end) = halves(&two);
        let back = vec![Typed::Bytes(b"\x02"); end.chars().count()];
        [letters(&one), letters(&end), back, letters(&middle)].concat()
    }),
    ("and erased", |text| {
        let (one, two) = halves(text);
        [
            letters(&two),
            vec![Typed::Bytes(b"\x01")],
            letters(&one),
            vec![Typed::Bytes(b"\x05\x15")],
        ]
        .concat()
    }),
    ("after an erased line", |text| {
        [
            letters("something else"),
            vec![Typed::Bytes(b"\x15")],
            letters(text),
        ]
        .concat()
    }),
    ("with words erased", |text| {
        let (one, two) = halves(text);
        [
            letters(&one),
            letters(" word"),
            vec![Typed::Bytes(b"\x17\x7f")],
            letters(&two),
        ]
        .concat()
    }),
    ("in fields", |text| {
        let letters = text.chars();
        letters
            .flat_map(|c| [Typed::Text(c.to_string()), Typed::Key(Key::Tab)])
            .collect()
    }),
];

/// Every order, with two plain values and with values in three encodings.
fn ways() -> Vec<(String, Vec<Typed>)> {
    let mut ways = Vec::new();
    for (ordered_as, order) in ORDERS {
        for (encoding, secret) in [(0, 0), (0, 1), (2, 0), (7, 1), (9, 2)] {
            let (name, value) = SECRETS[secret];
            let (encoded_as, encode) = ENCODINGS[encoding];
            ways.push((
                format!("{name}: {encoded_as}, {ordered_as}"),
                order(&encode(value)),
            ));
        }
    }
    assert_eq!(ways.len(), 75);
    ways
}

/// Returns the line that these keys produce in the line editor of a shell.
fn edited(bytes: &[u8]) -> String {
    let mut line: Vec<char> = Vec::new();
    let mut cursor = 0usize;
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        let sequence = [
            "\x1b[D",
            "\x1b[C",
            "\x1b[H",
            "\x1b[F",
            "\x1b[3~",
            "\x1b[200~",
            "\x1b[201~",
        ];
        if let Some(key) = sequence.into_iter().find(|key| rest.starts_with(key)) {
            rest = rest.get(key.len()..).unwrap_or_default();
            match key {
                "\x1b[D" => cursor = cursor.saturating_sub(1),
                "\x1b[C" => cursor = (cursor + 1).min(line.len()),
                "\x1b[H" => cursor = 0,
                "\x1b[F" => cursor = line.len(),
                "\x1b[3~" if cursor < line.len() => drop(line.remove(cursor)),
                _ => {}
            }
            continue;
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '\x01' => cursor = 0,
            '\x05' => cursor = line.len(),
            '\x02' => cursor = cursor.saturating_sub(1),
            '\x7f' if cursor > 0 => {
                cursor -= 1;
                line.remove(cursor);
            }
            '\x17' => {
                while cursor > 0 && line[cursor - 1] == ' ' {
                    cursor -= 1;
                    line.remove(cursor);
                }
                while cursor > 0 && line[cursor - 1] != ' ' {
                    cursor -= 1;
                    line.remove(cursor);
                }
            }
            '\x15' => {
                line.drain(..cursor);
                cursor = 0;
            }
            c if c >= ' ' && c != '\x7f' => {
                line.insert(cursor, c);
                cursor += 1;
            }
            _ => {}
        }
    }
    line.into_iter().collect()
}

/// Returns the states of the line after each byte.
fn edited_lines(bytes: &[u8]) -> String {
    let ends = (0..=bytes.len()).map(|end| edited(&bytes[..end]));
    ends.collect::<Vec<_>>().join("\n\n--- other ---\n\n")
}

#[test]
fn typed_values_are_covered_in_recordings() {
    let folder = Folder::new();
    let path = folder.path().join("x.cassette");
    let record = SECRETS.iter().fold(
        RecordOptions::new(&path).keep_keys(),
        |record, (name, value)| record.secret_value(*name, value.as_bytes()),
    );
    let pty = ScriptedPty::new(Size { cols: 80, rows: 24 });
    let options = SessionOptions {
        size: Size { cols: 80, rows: 24 },
        clock: Clock::manual(),
        ..SessionOptions::default()
    }
    .record(record);
    let session = Session::over(Arc::new(pty.clone()), options).unwrap();
    let ways = ways();
    for (_, typed) in &ways {
        for part in typed {
            match part {
                Typed::Text(text) => session.type_text(text).unwrap(),
                Typed::Paste(text) => session.paste(text).unwrap(),
                Typed::Bytes(bytes) => session.send(bytes).unwrap(),
                Typed::Key(key) => session.press(*key).unwrap(),
            }
        }
        session
            .send(b"\x1b[24~ and now the next one of them\r")
            .unwrap();
    }
    pty.end(ExitStatus::Exited(0));
    session
        .wait_for_exit(std::time::Duration::from_secs(20))
        .unwrap();
    session.finish_recording().unwrap().unwrap();

    let cassette = Cassette::open(&path).unwrap();
    cassette.verify().unwrap();
    let lines: Vec<InputLine> = cassette.inputs().unwrap();
    let typed: Vec<u8> = lines
        .iter()
        .flat_map(|line| line.kind.bytes().unwrap_or_default().to_vec())
        .collect();
    let recorded: Vec<&[u8]> = typed.split(|byte| *byte == b'\r').collect();
    assert_eq!(recorded.len(), ways.len() + 1);
    let mut shown = Vec::new();
    let mut leaking = BTreeSet::new();
    for ((name, _), bytes) in ways.iter().zip(recorded) {
        let all = format!(
            "{}\n\n{}",
            String::from_utf8_lossy(bytes),
            edited_lines(bytes)
        );
        for (_, value) in SECRETS {
            let found = leaks(value, &all);
            if !found.is_empty() {
                leaking.insert(name);
                shown.push(format!("{name} shows {found:?}: {:?}", edited(bytes)));
            }
        }
    }
    print_counts("typed", leaking.len(), ways.len());
    assert!(shown.is_empty(), "{}", shown.join("\n"));
    assert_none_in_files(&path, |_| false);
}
