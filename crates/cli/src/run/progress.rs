//! Progress display while tapes run: one bar per running tape, or one line for all tapes.
//!
//! Nothing is drawn if stderr is not a terminal. Messages printed meanwhile go through this
//! display, so that they appear above the bars.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::pool::TapeEvent;
use crate::output::sanitize;
use terminal::StderrTerminal;

mod terminal;

/// How often idle bars are redrawn, so that they do not seem frozen.
const TICK: Duration = Duration::from_millis(100);

/// Maximum number of redraws per second.
const RATE: u8 = 20;

/// Maximum width of a title: half of a terminal with 80 columns.
const MAX_TITLE_COLS: usize = 40;

/// The style of the display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProgressMode {
    /// A bar for each running tape.
    Bars,
    /// One line for all tapes.
    Line,
    Nothing,
}

/// The progress display at the bottom of the terminal. Dropping it clears it.
#[derive(Debug)]
pub(crate) struct ProgressDisplay {
    mode: ProgressMode,
    all: MultiProgress,
    /// Indexed by worker.
    bars: Vec<ProgressBar>,
    /// The width of titles in columns.
    width: usize,
    ended: usize,
    failed: usize,
}

/// Clears the display when a signal ends the process.
#[derive(Debug, Clone)]
pub(crate) struct ClearHandle(MultiProgress);

impl ClearHandle {
    /// Clears the display and disables it.
    pub(crate) fn clear(&self) {
        // There is nowhere to report that stderr is closed.
        let _ = self.0.clear();
        self.0.set_draw_target(ProgressDrawTarget::hidden());
    }
}

impl ProgressDisplay {
    /// Creates a display for `cases` results, whose titles have at most `title_width` characters.
    /// Nothing is drawn before the first tape begins.
    pub(crate) fn new(
        mode: ProgressMode,
        workers: usize,
        cases: usize,
        title_width: usize,
    ) -> ProgressDisplay {
        let (target, mode) = if io::stderr().is_terminal() {
            let terminal = Box::new(StderrTerminal::default());
            (ProgressDrawTarget::term_like_with_hz(terminal, RATE), mode)
        } else {
            (ProgressDrawTarget::hidden(), ProgressMode::Nothing)
        };
        let all = MultiProgress::with_draw_target(target);
        let bars = match mode {
            ProgressMode::Bars => (0..workers).map(|_| hidden_bar()).collect(),
            ProgressMode::Line => {
                let style = "{bar:20} {pos:>3} of {len} {wide_msg}";
                let bar = all.add(ProgressBar::new(cases as u64).with_style(styled(style)));
                vec![bar]
            }
            ProgressMode::Nothing => Vec::new(),
        };
        ProgressDisplay {
            mode,
            all,
            bars,
            width: title_width.clamp(1, MAX_TITLE_COLS),
            ended: 0,
            failed: 0,
        }
    }

    /// Shows an event.
    pub(crate) fn show(&mut self, worker: usize, event: &TapeEvent) {
        match (self.mode, event) {
            (ProgressMode::Nothing, _) => {}
            (ProgressMode::Bars, TapeEvent::Began { title, steps }) => {
                let title_of = format!("{{prefix:{}!}}", self.width);
                let style = format!("{title_of} {{bar:20}} {{pos:>3}} of {{len}} {{wide_msg}}");
                let bar = ProgressBar::new(*steps as u64).with_style(styled(&style));
                let bar = self
                    .all
                    .add(bar.with_prefix(sanitize::replace_controls(title)));
                bar.enable_steady_tick(TICK);
                self.replace_bar(worker, bar);
            }
            (ProgressMode::Bars, TapeEvent::Ended { .. }) => self.replace_bar(worker, hidden_bar()),
            (ProgressMode::Bars, TapeEvent::Step { number, text }) => {
                if let Some(bar) = self.bars.get(worker) {
                    bar.set_position(*number as u64);
                    bar.set_message(text.clone());
                }
            }
            (ProgressMode::Bars, TapeEvent::Writing { path }) => {
                if let Some(bar) = self.bars.get(worker) {
                    bar.set_position(bar.length().unwrap_or_default());
                    bar.set_message(format!("writing {path}"));
                }
            }
            (ProgressMode::Line, TapeEvent::Began { title, .. }) => {
                if let Some(bar) = self.bars.first() {
                    let failed = match self.failed {
                        0 => String::new(),
                        failed => format!("{failed} failed; "),
                    };
                    bar.set_message(format!("{failed}{}", sanitize::replace_controls(title)));
                }
            }
            (ProgressMode::Line, TapeEvent::Ended { case, .. }) => {
                self.ended += 1;
                self.failed += usize::from(case.verdict() == super::tape_result::Verdict::Failed);
                if let Some(bar) = self.bars.first() {
                    bar.set_position(self.ended as u64);
                }
            }
            (ProgressMode::Line, TapeEvent::Step { .. } | TapeEvent::Writing { .. }) => {}
        }
    }

    /// Returns a handle that clears the display, unless nothing is drawn.
    pub(crate) fn clear_handle(&self) -> Option<ClearHandle> {
        (self.mode != ProgressMode::Nothing).then(|| ClearHandle(self.all.clone()))
    }

    /// Prints something above the display.
    pub(crate) fn print_above(&self, say: impl FnOnce()) {
        self.all.suspend(say);
    }

    fn replace_bar(&mut self, worker: usize, bar: ProgressBar) {
        if let Some(slot) = self.bars.get_mut(worker) {
            let old = std::mem::replace(slot, bar);
            old.finish_and_clear();
            self.all.remove(&old);
        }
    }
}

impl Drop for ProgressDisplay {
    fn drop(&mut self) {
        for bar in &self.bars {
            bar.finish_and_clear();
        }
        // There is nowhere to report that stderr is closed.
        let _ = self.all.clear();
    }
}

fn hidden_bar() -> ProgressBar {
    ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden())
}

fn styled(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    style.expect("the template is valid")
}
