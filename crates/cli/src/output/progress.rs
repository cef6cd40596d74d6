//! Progress bar on stderr.
//!
//! Nothing is shown for work that takes less than a second, or if stderr is not a terminal.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use screentest::render::animation;

/// Delay before the bar is shown. Shorter work seems immediate.
const DELAY: Duration = Duration::from_secs(1);

/// Interval of redraws while no progress is reported, so that the bar does not seem frozen.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

/// A progress bar. Dropping it removes it from the terminal.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    /// The thread that shows the bar after the delay. It ends early if the work does.
    delay_thread: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts the work. Nothing is shown yet.
    pub(super) fn start() -> Progress {
        let is_terminal = io::stderr().is_terminal();
        Progress::after(DELAY, is_terminal.then(ProgressDrawTarget::stderr))
    }

    /// Shows the bar after `delay`; never if there is no target.
    fn after(delay: Duration, target: Option<ProgressDrawTarget>) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let delay_thread = target.map(|target| {
            let (done, ended) = mpsc::channel();
            let bar = bar.clone();
            let delay_thread = thread::spawn(move || {
                if ended.recv_timeout(delay) == Err(RecvTimeoutError::Timeout) {
                    bar.set_draw_target(target);
                    bar.enable_steady_tick(REDRAW_INTERVAL);
                }
            });
            (done, delay_thread)
        });
        Progress { bar, delay_thread }
    }

    /// Starts a part of the work with this many steps.
    pub(super) fn begin(&self, name: &'static str, steps: u64) {
        let style = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3}% {eta:>4}");
        let style = style.expect("the template is a valid constant");
        self.bar.set_position(0);
        self.bar.set_length(steps);
        self.bar.set_style(style);
        self.bar.set_message(name);
        self.bar.reset_eta();
    }

    /// Sets the number of finished steps.
    pub(super) fn advance_to(&self, step: u64) {
        self.bar.set_position(step);
    }

    /// Starts a part whose progress an encoder reports.
    pub(super) fn encoder_progress(&self, name: &'static str) -> animation::Progress {
        self.begin(name, 1);
        let bar = self.bar.clone();
        animation::Progress::new(move |done| {
            bar.set_length(done.total);
            bar.set_position(done.units);
        })
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((done, delay_thread)) = self.delay_thread.take() {
            drop(done);
            // The thread panics only if drawing does; then there is nothing to clear.
            let _ = delay_thread.join();
        }
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use indicatif::TermLike;

    use super::*;

    /// A terminal that stores all that is written to it.
    #[derive(Debug, Clone, Default)]
    struct FakeTerminal(Arc<Mutex<String>>);

    impl FakeTerminal {
        fn written(&self) -> String {
            self.0.lock().unwrap().clone()
        }
    }

    impl TermLike for FakeTerminal {
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
    fn bar_is_shown_after_the_delay() {
        let terminal = FakeTerminal::default();
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let mut progress = Progress::after(Duration::ZERO, Some(target));
        progress.begin("drawing", 10);
        let (done, delay_thread) = progress.delay_thread.take().unwrap();
        delay_thread.join().unwrap();
        drop(done);
        progress.bar.force_draw();
        assert!(
            terminal.written().contains("drawing"),
            "{}",
            terminal.written()
        );
    }

    #[test]
    fn short_work_shows_no_bar() {
        let terminal = FakeTerminal::default();
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let progress = Progress::after(Duration::MAX, Some(target));
        progress.begin("drawing", 10);
        progress.advance_to(10);
        drop(progress);
        assert_eq!(terminal.written(), "");
    }

    #[test]
    fn no_bar_without_a_terminal() {
        let progress = Progress::after(Duration::ZERO, None);
        progress.begin("drawing", 10);
        assert!(progress.delay_thread.is_none() && progress.bar.is_hidden());
    }
}
