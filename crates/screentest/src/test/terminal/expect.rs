//! Assertions of a test.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use screentest_core::{Condition, Match, Normaliser, Screen, Selector};

use super::{Terminal, TuiError, lock};
use crate::session::Session;
use crate::session::exit_status::ExitStatus;
use crate::session::history::{Mark, SessionFrame};
use crate::test::snapshot::{GiveUp, Snapshot, SnapshotFiles};

/// Assertions about the current screen.
impl Terminal {
    /// Waits until a selector finds its match, and returns it. Several matches are an error, unless
    /// [`RunOptions::ambiguity`](crate::RunOptions::ambiguity) says otherwise.
    pub fn expect(&self, selector: impl Into<Selector>) -> Result<Match, TuiError> {
        self.wait_for_match(&selector.into())
    }

    /// Waits until a selector finds nothing.
    pub fn expect_gone(&self, selector: impl Into<Selector>) -> Result<(), TuiError> {
        self.wait_for(!Condition::visible(selector))?;
        Ok(())
    }

    /// Waits until the program has exited, and asserts its exit code and that it restored the
    /// terminal. Returns [`screentest::Result`](crate::Result), so that it can be the last
    /// expression of a test.
    #[track_caller]
    pub fn expect_exit(&self, code: i32) -> crate::Result {
        let exit_status = self.wait_for_exit()?;
        if exit_status == ExitStatus::Exited(code) {
            return Ok(());
        }
        Err(TuiError::ExitStatus {
            expected: code,
            exit_status,
            report: Box::new(self.session()?.report_now()),
        }
        .into())
    }
}

/// Assertions about earlier screens. They search every screen that was shown, however briefly, and
/// do not wait.
impl Terminal {
    /// Returns the first screen since a mark for which a condition held; an error if there is none.
    pub fn saw(
        &self,
        condition: impl Into<Condition>,
        since: Mark,
    ) -> Result<Arc<SessionFrame>, TuiError> {
        self.saw_in(&*self.session()?, condition, since)
    }

    /// Like [`Terminal::saw`], for a program that may have been replaced meanwhile.
    #[doc(hidden)]
    pub fn saw_in(
        &self,
        session: &Session,
        condition: impl Into<Condition>,
        since: Mark,
    ) -> Result<Arc<SessionFrame>, TuiError> {
        let condition = self.checked(condition.into())?;
        match session.saw(&condition, since)? {
            Some(frame) => Ok(frame),
            None => Err(TuiError::NotSeen {
                report: Box::new(session.report(&condition)),
                condition: condition.to_string(),
            }),
        }
    }

    /// Asserts that no screen since a mark satisfied a condition.
    pub fn never(&self, condition: impl Into<Condition>, since: Mark) -> Result<(), TuiError> {
        let session = self.session()?;
        let condition = self.checked(condition.into())?;
        match session.saw(&condition, since)? {
            None => Ok(()),
            Some(frame) => Err(TuiError::Seen {
                condition: condition.to_string(),
                after: session.since_start(&frame),
                report: Box::new(session.report_now()),
                frame,
            }),
        }
    }

    /// Asserts that nothing visible changes for `time` from now on.
    pub fn unchanged_for(&self, time: Duration) -> Result<(), TuiError> {
        let session = self.session()?;
        // A period that ends after the test's timeout could not be verified.
        if let Some(left) = self.time_left().filter(|left| time > *left) {
            return Err(TuiError::NoTime { asked: time, left });
        }
        session.unchanged_for(time).map_err(TuiError::from)?;
        Ok(())
    }
}

/// Snapshots and artifacts.
impl Terminal {
    /// Waits until the screen equals the stored snapshot of this name. If there is none, saves the
    /// screen as soon as it is stable; see
    /// [`RunOptions::update_snapshots`](crate::RunOptions::update_snapshots).
    pub fn expect_snapshot(&self, name: &str) -> Result<(), TuiError> {
        self.expect_snapshot_with(name, [])
    }

    /// Like [`Terminal::expect_snapshot`], with normalisers in addition to those of the options.
    pub fn expect_snapshot_with(
        &self,
        name: &str,
        normalisers: impl IntoIterator<Item = Normaliser>,
    ) -> Result<(), TuiError> {
        let session = self.session()?;
        let shared = &self.shared;
        let mut all = shared.options.normalisers.clone();
        all.extend(normalisers);
        let snapshot = Snapshot::new(&shared.artifacts, &all, name)?;
        let (timeout, _) = self.time();
        let fine = snapshot.expect(
            &session,
            shared.options.update_snapshots,
            &self.limits(timeout),
            GiveUp::InTime,
        )?;
        lock(&shared.snapshots).push(fine.capture);
        Ok(())
    }

    /// Saves the current screen in this run's directory without comparing it. Returns its path.
    pub fn dump_view(&self, name: &str) -> Result<PathBuf, TuiError> {
        let session = self.session()?;
        self.dump_screen(name, &session.screen())
    }

    /// Saves a screen that was obtained before, like [`Terminal::dump_view`].
    pub fn dump_screen(&self, name: &str, screen: &Screen) -> Result<PathBuf, TuiError> {
        let snapshot = Snapshot::new(&self.shared.artifacts, &[], name)?;
        let path = snapshot.capture(screen)?;
        lock(&self.shared.snapshots).push(path.clone());
        Ok(path)
    }

    /// Saves the current screen like [`Terminal::dump_view`], and a picture next to it. Returns the
    /// path of the picture, a PNG in the terminal's colours. Characters that the bundled font lacks
    /// are drawn with system fonts.
    #[cfg(feature = "render")]
    pub fn render_view(&self, name: &str) -> Result<PathBuf, TuiError> {
        let options = screentest_render::RenderOptions::default();
        self.render_view_with(name, &options, crate::test::picture::usual_fonts()?)
    }

    /// Draws like [`Terminal::render_view`], with the given options and fonts. The picture is the
    /// same on every machine if no system fonts are used.
    /// [`Fonts::fallbacks`](screentest_render::Fonts::fallbacks) lists those that were used.
    #[cfg(feature = "render")]
    pub fn render_view_with(
        &self,
        name: &str,
        options: &screentest_render::RenderOptions,
        fonts: &screentest_render::Fonts,
    ) -> Result<PathBuf, TuiError> {
        let session = self.session()?;
        let screen = session.screen();
        let shown = self.shared.artifacts.secrets().screen(&screen);
        let png = crate::test::picture::png(&shown, session.theme(), options, fonts)?;
        let snapshot = Snapshot::new(&self.shared.artifacts, &[], name)?;
        let path = snapshot.capture(&screen)?;
        let picture = snapshot.capture_picture(&png)?;
        lock(&self.shared.snapshots).push(path);
        Ok(picture)
    }

    /// Returns the paths of this snapshot and of its baseline; either may not exist yet.
    pub fn snapshot_files(&self, name: &str) -> Result<SnapshotFiles, TuiError> {
        Ok(Snapshot::new(&self.shared.artifacts, &[], name)?.files())
    }

    /// Writes a custom file, such as a picture, atomically below the directory of
    /// [`Terminal::artifacts`]. Secrets in it are not redacted.
    pub fn keep_file(&self, path: &Path, bytes: &[u8]) -> Result<(), TuiError> {
        let path = self.shared.artifacts.run().join(path);
        Ok(self.shared.artifacts.write(&path, bytes)?)
    }
}
