//! What is seen while tapes run: a bar for each that is running, or one line for all of them.
//!
//! Bars belong to a terminal; where stderr is none, nothing is drawn. What is said meanwhile goes through here, so that it stands
//! above the bars and not among them.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::pool::What;
use crate::output::sanitize as plain;
use terminal::Terminal;

mod terminal;

/// How often bars are drawn again while nothing happens, so that they can be seen to live.
const TICK: Duration = Duration::from_millis(100);

/// How often a second they are drawn at most.
const RATE: u8 = 20;

/// How many columns of a title are shown: half a terminal.
const WIDEST: usize = 40;

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A bar for each tape that is running.
    Bars,
    /// One line.
    Line,
    Nothing,
}

/// The lower end of the terminal. Dropped, it leaves nothing there.
#[derive(Debug)]
pub(crate) struct Live {
    kind: Kind,
    all: MultiProgress,
    /// By the number of the worker.
    bars: Vec<ProgressBar>,
    /// How many columns a title takes.
    width: usize,
    ended: usize,
    failed: usize,
}

/// What is drawn, for who must clear it when we are ended.
#[derive(Debug, Clone)]
pub(crate) struct Drawn(MultiProgress);

impl Drawn {
    /// Takes it from the terminal for good.
    pub(crate) fn clear(&self) {
        // There is nobody left to tell when stderr is gone.
        let _ = self.0.clear();
        self.0.set_draw_target(ProgressDrawTarget::hidden());
    }
}

impl Live {
    /// Nothing is drawn before the first tape begins. There are so many cases, whose titles have at most `widest` characters.
    pub(crate) fn new(kind: Kind, workers: usize, cases: usize, widest: usize) -> Live {
        let (target, kind) = match io::stderr().is_terminal() {
            true => {
                let terminal = Box::new(Terminal::default());
                (ProgressDrawTarget::term_like_with_hz(terminal, RATE), kind)
            }
            false => (ProgressDrawTarget::hidden(), Kind::Nothing),
        };
        let all = MultiProgress::with_draw_target(target);
        let bars = match kind {
            Kind::Bars => (0..workers).map(|_| hidden()).collect(),
            Kind::Line => {
                let style = "{bar:20} {pos:>3} of {len} {wide_msg}";
                let bar = all.add(ProgressBar::new(cases as u64).with_style(styled(style)));
                vec![bar]
            }
            Kind::Nothing => Vec::new(),
        };
        Live {
            kind,
            all,
            bars,
            width: widest.clamp(1, WIDEST),
            ended: 0,
            failed: 0,
        }
    }

    /// Shows what happens.
    pub(crate) fn show(&mut self, worker: usize, what: &What) {
        match (self.kind, what) {
            (Kind::Nothing, _) => {}
            (Kind::Bars, What::Began { title, steps }) => {
                let title_of = format!("{{prefix:{}!}}", self.width);
                let style = format!("{title_of} {{bar:20}} {{pos:>3}} of {{len}} {{wide_msg}}");
                let bar = ProgressBar::new(*steps as u64).with_style(styled(&style));
                let bar = self.all.add(bar.with_prefix(plain::shown(title)));
                bar.enable_steady_tick(TICK);
                self.put(worker, bar);
            }
            (Kind::Bars, What::Ended { .. }) => self.put(worker, hidden()),
            (Kind::Bars, What::Step { number, text }) => {
                if let Some(bar) = self.bars.get(worker) {
                    bar.set_position(*number as u64);
                    bar.set_message(text.clone());
                }
            }
            (Kind::Bars, What::Writing { path }) => {
                if let Some(bar) = self.bars.get(worker) {
                    bar.set_position(bar.length().unwrap_or_default());
                    bar.set_message(format!("writing {path}"));
                }
            }
            (Kind::Line, What::Began { title, .. }) => {
                if let Some(bar) = self.bars.first() {
                    let failed = match self.failed {
                        0 => String::new(),
                        failed => format!("{failed} failed; "),
                    };
                    bar.set_message(format!("{failed}{}", plain::shown(title)));
                }
            }
            (Kind::Line, What::Ended { case, .. }) => {
                self.ended += 1;
                self.failed += usize::from(case.verdict() == super::case::Verdict::Failed);
                if let Some(bar) = self.bars.first() {
                    bar.set_position(self.ended as u64);
                }
            }
            (Kind::Line, What::Step { .. } | What::Writing { .. }) => {}
        }
    }

    /// What is on the terminal, where anything is.
    pub(crate) fn drawn(&self) -> Option<Drawn> {
        (self.kind != Kind::Nothing).then(|| Drawn(self.all.clone()))
    }

    /// Says something above what is drawn.
    pub(crate) fn say(&self, say: impl FnOnce()) {
        self.all.suspend(say);
    }

    fn put(&mut self, worker: usize, bar: ProgressBar) {
        if let Some(place) = self.bars.get_mut(worker) {
            let old = std::mem::replace(place, bar);
            old.finish_and_clear();
            self.all.remove(&old);
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        for bar in &self.bars {
            bar.finish_and_clear();
        }
        // There is nobody left to tell when stderr is gone.
        let _ = self.all.clear();
    }
}

fn hidden() -> ProgressBar {
    ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden())
}

fn styled(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    style.expect("the template is as good as when it was written")
}
