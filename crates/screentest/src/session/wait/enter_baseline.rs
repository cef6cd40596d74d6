//! Baseline of waits after Enter: the screen that was shown when Enter was pressed.
//!
//! A wait after Enter counts only text that is new since then, so that the echo of a command line
//! does not satisfy the wait for its output. Enter sets the baseline, the next input clears it; a
//! focus report, a resize and a signal change nothing.
//!
//! See also: `screentest_core::Baseline` (which part of a screen is new).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use screentest_core::{Baseline, Changes, ClearState, Condition, Key, Keypad};

use crate::lock::lock;
use crate::session::history::SessionFrame;
use crate::session::input::log::InputKind;

/// Maximum stored length of a typed line, in bytes; a longer one is treated as unknown.
const MAX_TYPED: usize = 4096;

/// The last Enters, and the line typed so far.
#[derive(Debug, Default)]
pub(crate) struct EnterTracker {
    entered: Mutex<EnteredLines>,
}

#[derive(Debug, Default)]
struct EnteredLines {
    /// Characters typed since the last other key.
    typed: String,
    /// The last Enter, if it was the last input.
    last: Option<Arc<EnterBaseline>>,
    /// Earlier Enters, oldest first.
    earlier: VecDeque<Arc<EnterBaseline>>,
}

/// Number of stored earlier Enters, for waits that look back to a mark.
const MAX_EARLIER: usize = 16;

/// Whether typed text may still be echoed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Echo {
    /// The terminal reads a line and does not echo it.
    Off,
    /// The terminal or the program may echo it.
    Possible,
}

/// The screen that was shown when Enter was pressed.
#[derive(Debug)]
pub struct EnterBaseline {
    baseline: Baseline,
    revision: u64,
    clears: u64,
}

impl EnterTracker {
    /// Records an input that is about to be sent, with the frame that is shown before it.
    pub(crate) fn record(
        &self,
        kind: &InputKind,
        bytes: &[u8],
        scrollback: usize,
        echo: impl FnOnce() -> Echo,
        shown: impl FnOnce() -> Arc<SessionFrame>,
    ) {
        if matches!(
            kind,
            InputKind::Focus(_) | InputKind::Resize(_) | InputKind::Signal(_)
        ) {
            return;
        }
        let mut entered = self.lock();
        let mut typed = std::mem::take(&mut entered.typed);
        if let Some(last) = entered.last.take() {
            entered.earlier.push_back(last);
            let surplus = entered.earlier.len().saturating_sub(MAX_EARLIER);
            entered.earlier.drain(..surplus);
        }
        let effect = LineEffect::of(kind, bytes);
        if let LineEffect::Characters(text) | LineEffect::Line(text) = &effect {
            typed.push_str(text);
        }
        if typed.len() > MAX_TYPED {
            typed.clear();
        }
        match effect {
            LineEffect::Characters(_) => entered.typed = typed,
            LineEffect::Line(_) => {
                let frame = shown();
                let typed = match echo() {
                    Echo::Off => String::new(),
                    Echo::Possible => typed,
                };
                let baseline = Baseline::new(frame.screen.clone()).typed(typed);
                entered.last = Some(Arc::new(EnterBaseline {
                    baseline: baseline.scrollback_limit(scrollback),
                    revision: frame.revision,
                    clears: frame.counts.clears,
                }));
            }
            LineEffect::Other => {}
        }
    }

    /// Returns the baseline of the last Enter, if Enter was the last input.
    pub(crate) fn last(&self) -> Option<Arc<EnterBaseline>> {
        self.lock().last.clone()
    }

    /// Returns the last Enter before a frame, from a revision on.
    pub(crate) fn before(&self, frame: &SessionFrame, from: u64) -> Option<Arc<EnterBaseline>> {
        let entered = self.lock();
        let all = entered.earlier.iter().chain(&entered.last);
        let mut before = all
            .rev()
            .filter(|baseline| (from..frame.revision).contains(&baseline.revision));
        before.next().cloned()
    }

    fn lock(&self) -> MutexGuard<'_, EnteredLines> {
        lock(&self.entered)
    }
}

impl EnterBaseline {
    /// Returns whether a condition holds on a frame, counting only new text.
    pub(crate) fn holds(&self, condition: &Condition, frame: &SessionFrame) -> bool {
        if !condition.holds(&frame.screen) {
            return false;
        }
        !condition.requires_new_text() || condition.holds_in(&self.changes(frame))
    }

    /// Returns whether a frame was shown when Enter was pressed, or before.
    pub(crate) fn follows(&self, frame: &SessionFrame) -> bool {
        frame.revision <= self.revision
    }

    /// Returns whether a frame was the current one when Enter was pressed.
    pub(crate) fn is_at(&self, frame: &SessionFrame) -> bool {
        frame.revision == self.revision
    }

    /// Returns the new parts of a frame.
    #[doc(hidden)]
    pub fn changes<'a>(&'a self, frame: &'a SessionFrame) -> Changes<'a> {
        let cleared = if frame.counts.clears == self.clears {
            ClearState::NotCleared
        } else {
            ClearState::Cleared
        };
        self.baseline.changes(&frame.screen, cleared)
    }
}

/// The effect of an input on the current line.
#[derive(Debug)]
enum LineEffect<'a> {
    /// Characters of the line.
    Characters(&'a str),
    /// The end of the line, after these characters.
    Line(&'a str),
    /// Something else: the content of the line is unknown.
    Other,
}

impl LineEffect<'_> {
    fn of<'a>(kind: &InputKind, bytes: &'a [u8]) -> LineEffect<'a> {
        let enter = |key| matches!(key, Key::Enter | Key::Keypad(Keypad::Enter));
        match kind {
            InputKind::Key(chord) if enter(chord.key()) => return LineEffect::Line(""),
            InputKind::Key(_) | InputKind::Text(_) | InputKind::Bytes(_) => {}
            _ => return LineEffect::Other,
        }
        // Keys given as escape sequences are not characters, and are `Other` below.
        let ends = bytes.ends_with(b"\r") || bytes.ends_with(b"\n");
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        let line = text.split(['\r', '\n']).next().unwrap_or_default();
        let plain = !line.contains(char::is_control);
        match (ends, plain) {
            (true, true) => LineEffect::Line(line),
            (true, false) => LineEffect::Line(""),
            (false, true) if line.len() == bytes.len() => LineEffect::Characters(line),
            _ => LineEffect::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats the effects of the inputs on the line: `…` while it is being typed, `⏎` after Enter.
    #[track_caller]
    fn check(inputs: &[&str], line: &str) {
        let effects: String = inputs
            .iter()
            .map(
                |bytes| match LineEffect::of(&InputKind::Bytes(0), bytes.as_bytes()) {
                    LineEffect::Characters(text) => format!("{text}…"),
                    LineEffect::Line(text) => format!("{text}⏎"),
                    LineEffect::Other => "?".to_owned(),
                },
            )
            .collect();
        assert_eq!(effects, line);
    }

    #[test]
    fn input_that_ends_in_a_line_end_is_enter() {
        check(&["echo ", "done", "\r"], "echo …done…⏎");
        check(&["echo done\r\n", "two\nlines\n"], "echo done⏎two⏎");
        check(&["\x1b[A", "\x7f", "\t", "one\rtwo"], "????");
        check(&["\x1b[200~x\r"], "⏎");
    }
}
