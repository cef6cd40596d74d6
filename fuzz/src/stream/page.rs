//! The page's reader, in a Node that answers one message after another until we end.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{LazyLock, Mutex, PoisonError};

use screentest_core::formats::stream::{Ended, View};
use serde_json::{Value, json};

/// The script that asks the page's reader.
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/stream/page.mjs");

/// More memory is a finding: Node ends then.
const MEMORY: &str = "--max-old-space-size=512";

/// Larger screens are only refused or not: what they show takes long to tell.
const MAX_CELLS: usize = 4_000;

/// Why a message was refused.
#[derive(Debug, Clone, Copy)]
pub(super) enum Refused {
    /// At this byte.
    At(usize),
    /// It does not fit what the viewer has.
    Unfit,
}

/// Node ends by itself once nobody writes to it, as when we end.
struct Node {
    _child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

static NODE: LazyLock<Mutex<Node>> = LazyLock::new(|| {
    #[expect(
        clippy::disallowed_methods,
        reason = "a page's script is run by Node, which needs no terminal"
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

/// Gives the page's reader the same, and compares what it makes of it.
pub(super) fn check(
    channel: u32,
    base: Option<&[u8]>,
    bytes: &[u8],
    ours: &Result<&View, Refused>,
) {
    let small = |view: &View| {
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

/// What is shown, in the page's words. How cells are drawn is compared by the tests of the format.
fn page_view(view: &View) -> Value {
    let ended = view.ended().map(|how| match how {
        Ended::Unknown => json!({ "unknown": true }),
        Ended::Exited(code) => json!({ "code": code }),
        Ended::Signaled(name) => json!({ "signal": &**name }),
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
