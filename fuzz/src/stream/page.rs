//! Runs the page's reader in Node, one message after another, until this process ends.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{LazyLock, Mutex, PoisonError};

use screentest_core::formats::stream::{ProgramExit, Viewer};
use serde_json::{Value, json};

/// The script that calls the page's reader.
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/stream/page.mjs");

/// Limits the memory of Node. Node exits if it needs more, which is a finding.
const MEMORY: &str = "--max-old-space-size=512";

/// The contents of larger screens are not compared, because that takes long.
const MAX_CELLS: usize = 4_000;

/// Why a message was rejected.
#[derive(Debug, Clone, Copy)]
pub(super) enum Refused {
    /// At this byte offset.
    At(usize),
    /// It does not fit the viewer's screen.
    Unfit,
}

/// Node exits when its input is closed, as it is when this process ends.
struct Node {
    _child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

static NODE: LazyLock<Mutex<Node>> = LazyLock::new(|| {
    #[expect(
        clippy::disallowed_methods,
        reason = "runs the page's script in Node, which needs no terminal"
    )]
    let mut child = Command::new("node")
        .args([MEMORY, SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("`node` runs: install the package `nodejs`");
    let input = child.stdin.take().expect("it is piped");
    let output = BufReader::new(child.stdout.take().expect("it is piped"));
    Mutex::new(Node {
        _child: child,
        input,
        output,
    })
});

/// Passes the same message to the page's reader and compares the result.
pub(super) fn check(
    channel: u32,
    base: Option<&[u8]>,
    bytes: &[u8],
    ours: &Result<&Viewer, Refused>,
) {
    let small = |view: &Viewer| {
        view.seen().is_none_or(|seen| {
            let size = seen.screen().size;
            usize::from(size.cols) * usize::from(size.rows) <= MAX_CELLS
        })
    };
    let (wanted, tell) = match ours {
        Err(Refused::At(offset)) => (json!({ "offset": offset }), true),
        Err(Refused::Unfit) => (json!({ "outside": true }), true),
        Ok(view) if small(view) => (page_view(view), true),
        Ok(_) => (json!({}), false),
    };
    let base = base.map(digits).unwrap_or_default();
    let line = format!("{channel} {} {base}.{}\n", u8::from(tell), digits(bytes));
    let mut node = NODE.lock().unwrap_or_else(PoisonError::into_inner);
    node.input.write_all(line.as_bytes()).expect("Node reads");
    let mut answer = String::new();
    node.output.read_line(&mut answer).expect("Node answers");
    let answer: Value = serde_json::from_str(&answer).expect("Node answers in JSON");
    assert_eq!(answer, wanted, "of {}", digits(bytes));
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Describes a view in the format of the script. The appearance of cells is compared by the tests
/// of the format.
fn page_view(view: &Viewer) -> Value {
    let ended = view.ended().map(|how| match how {
        ProgramExit::Unknown => json!({ "unknown": true }),
        ProgramExit::Exited(code) => json!({ "code": code }),
        ProgramExit::Signaled(name) => json!({ "signal": &**name }),
    });
    let shown = view.seen().map(|seen| {
        let screen = seen.screen();
        let rows: Vec<Value> = screen
            .rows
            .iter()
            .map(|row| {
                let mut text = String::new();
                let widths: String = row
                    .cells()
                    .map(|cell| {
                        cell.push_to(&mut text);
                        char::from(b'0' + cell.width as u8)
                    })
                    .collect();
                json!([text, widths, row.wrapped(), row.zones().len()])
            })
            .collect();
        json!({
            "size": [screen.size.cols, screen.size.rows],
            "cursor": [screen.cursor.position.row, screen.cursor.position.col],
            "title": &*screen.title,
            "bells": seen.bells(),
            "rows": rows,
        })
    });
    json!({
        "revision": view.revision(),
        "shown": shown,
        "ended": ended,
        "closed": view.closed(),
    })
}
