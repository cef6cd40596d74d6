//! How far a long work has come, on stderr.
//!
//! What takes less than a second says nothing, and neither does anything where nobody looks: a bar belongs to a terminal.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use screentest::render::animation;

/// What people take for at once.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the bar is drawn again while nothing is reported, so that it can be seen to live.
const TICK: Duration = Duration::from_millis(100);

/// A work that may take long. Dropped, it leaves nothing on the terminal.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    /// Waits for the moment to show the bar; ends early when the work does.
    curtain: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Nothing is shown yet.
    pub(super) fn start() -> Progress {
        let screen = io::stderr().is_terminal();
        Progress::after(PATIENCE, screen.then(ProgressDrawTarget::stderr))
    }

    /// Nothing is shown before this time has passed, and never where there is nothing to show it on.
    fn after(patience: Duration, target: Option<ProgressDrawTarget>) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let curtain = target.map(|target| {
            let (done, ended) = mpsc::channel();
            let bar = bar.clone();
            let curtain = thread::spawn(move || {
                if ended.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                    bar.set_draw_target(target);
                    bar.enable_steady_tick(TICK);
                }
            });
            (done, curtain)
        });
        Progress { bar, curtain }
    }

    /// Begins a part of the work that has this many steps.
    pub(super) fn part(&self, name: &'static str, steps: u64) {
        let style = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3}% {eta:>4}");
        let style = style.expect("the template is as good as when it was written");
        self.bar.set_position(0);
        self.bar.set_length(steps);
        self.bar.set_style(style);
        self.bar.set_message(name);
        self.bar.reset_eta();
    }

    /// So many steps of the part are done.
    pub(super) fn reached(&self, step: u64) {
        self.bar.set_position(step);
    }

    /// Whoever writes a film tells this one how far it is, as one part.
    pub(super) fn listener(&self, name: &'static str) -> animation::Progress {
        self.part(name, 1);
        let bar = self.bar.clone();
        animation::Progress::new(move |done| {
            bar.set_length(done.total);
            bar.set_position(done.units);
        })
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((done, curtain)) = self.curtain.take() {
            drop(done);
            // It panics only where drawing does, and then there is nothing to clear.
            let _ = curtain.join();
        }
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use indicatif::TermLike;

    use super::*;

    /// A terminal that keeps all that is written to it.
    #[derive(Debug, Clone, Default)]
    struct Paper(Arc<Mutex<String>>);

    impl Paper {
        fn written(&self) -> String {
            self.0.lock().unwrap().clone()
        }
    }

    impl TermLike for Paper {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, line: &str) -> io::Result<()> {
            self.write_str(line)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_work_is_shown_once_patience_is_over() {
        let paper = Paper::default();
        let target = ProgressDrawTarget::term_like(Box::new(paper.clone()));
        let mut progress = Progress::after(Duration::ZERO, Some(target));
        progress.part("filming", 10);
        let (done, curtain) = progress.curtain.take().unwrap();
        curtain.join().unwrap();
        drop(done);
        progress.bar.force_draw();
        assert!(paper.written().contains("filming"), "{}", paper.written());
    }

    #[test]
    fn a_work_that_ends_sooner_shows_nothing() {
        let paper = Paper::default();
        let target = ProgressDrawTarget::term_like(Box::new(paper.clone()));
        let progress = Progress::after(Duration::MAX, Some(target));
        progress.part("filming", 10);
        progress.reached(10);
        drop(progress);
        assert_eq!(paper.written(), "");
    }

    #[test]
    fn nobody_is_shown_nothing() {
        let progress = Progress::after(Duration::ZERO, None);
        progress.part("filming", 10);
        assert!(progress.curtain.is_none() && progress.bar.is_hidden());
    }
}
