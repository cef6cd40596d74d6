//! What a test claims.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use screentest_core::{Condition, Normaliser, Screen, Selector};

use super::{Tui, TuiError, lock};
use crate::history::{Frame, Mark};
use crate::snapshot::{GiveUp, Snapshot, SnapshotFiles};

/// What is visible.
impl Tui {
    /// Waits until a selector finds its match: exactly one, unless the options tolerate more.
    pub fn expect_visible(&self, selector: impl Into<Selector>) -> Result<(), TuiError> {
        self.wait_for_selector(selector)?;
        Ok(())
    }

    /// Waits until a selector finds nothing.
    pub fn expect_not_visible(&self, selector: impl Into<Selector>) -> Result<(), TuiError> {
        self.wait_for(!Condition::visible(selector))?;
        Ok(())
    }
}

/// What was visible. These look at every screen that was shown, however briefly; they do not wait.
impl Tui {
    /// The first screen since a mark for which a condition held.
    pub fn saw(
        &self,
        condition: impl Into<Condition>,
        since: Mark,
    ) -> Result<Arc<Frame>, TuiError> {
        let session = self.session()?;
        let condition = self.checked(condition.into())?;
        match session.saw(&condition, since)? {
            Some(frame) => Ok(frame),
            None => Err(TuiError::NotSeen {
                report: Box::new(session.report(&condition)),
                condition: condition.to_string(),
            }),
        }
    }

    /// No screen since a mark satisfied a condition.
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

    /// Nothing visible changes for so long, from now on.
    pub fn unchanged_for(&self, time: Duration) -> Result<(), TuiError> {
        let session = self.session()?;
        // Only the test's own end limits it: waiting longer than that could not be told from a failure.
        if let Some(left) = self.time_left().filter(|left| time > *left) {
            return Err(TuiError::NoTime { asked: time, left });
        }
        session.unchanged_for(time).map_err(TuiError::from)?;
        Ok(())
    }
}

/// What was kept.
impl Tui {
    /// Waits until the screen is the one that was kept under this name. Where none was kept, it is kept now, once it stands
    /// still; [`RunOptions::update_snapshots`](crate::RunOptions::update_snapshots) says more.
    pub fn expect_snapshot(&self, name: &str) -> Result<(), TuiError> {
        self.expect_snapshot_with(name, [])
    }

    /// Compares like [`Tui::expect_snapshot`], after evening out what may vary, besides what the options name already.
    pub fn expect_snapshot_with(
        &self,
        name: &str,
        normalisers: impl IntoIterator<Item = Normaliser>,
    ) -> Result<(), TuiError> {
        let session = self.session()?;
        let shared = &self.shared;
        let mut all = shared.options.normalisers.clone();
        all.extend(normalisers);
        if !shared.options.secrets.is_empty() {
            // What was kept has them covered.
            all.push(shared.options.secrets.normaliser());
        }
        let snapshot = Snapshot::new(&shared.artifacts, &all, name)?;
        let (timeout, _) = self.time();
        let fine = snapshot.expect(
            &session,
            shared.options.update_snapshots,
            &self.patience(timeout),
            GiveUp::InTime,
        )?;
        lock(&shared.snapshots).push(fine.capture);
        Ok(())
    }

    /// Keeps what is shown now in this run's folder, and compares it with nothing. Returns where it is.
    pub fn dump_view(&self, name: &str) -> Result<PathBuf, TuiError> {
        let session = self.session()?;
        self.dump_screen(name, &session.screen())
    }

    /// Keeps a screen that was looked at before, like [`Tui::dump_view`].
    pub fn dump_screen(&self, name: &str, screen: &Screen) -> Result<PathBuf, TuiError> {
        let snapshot = Snapshot::new(&self.shared.artifacts, &[], name)?;
        let path = snapshot.capture(screen)?;
        lock(&self.shared.snapshots).push(path.clone());
        Ok(path)
    }

    /// Keeps what is shown now like [`Tui::dump_view`], and a picture of it beside it. Returns where the picture is: a PNG in
    /// the colours of the terminal. Characters that the bundled font lacks are drawn with fonts of the system.
    #[cfg(feature = "render")]
    pub fn render_view(&self, name: &str) -> Result<PathBuf, TuiError> {
        let options = screentest_render::Options::default();
        self.render_view_with(name, &options, crate::picture::usual_fonts()?)
    }

    /// Draws like [`Tui::render_view`], with options and fonts of one's own. Fonts that may borrow nothing from the system draw
    /// the same everywhere; of others, [`Fonts::fallbacks`](screentest_render::Fonts::fallbacks) tells what they borrowed.
    #[cfg(feature = "render")]
    pub fn render_view_with(
        &self,
        name: &str,
        options: &screentest_render::Options,
        fonts: &screentest_render::Fonts,
    ) -> Result<PathBuf, TuiError> {
        let session = self.session()?;
        let screen = session.screen();
        let shown = self.shared.artifacts.secrets().screen(&screen);
        let png = crate::picture::png(&shown, session.theme(), options, fonts)?;
        let snapshot = Snapshot::new(&self.shared.artifacts, &[], name)?;
        let path = snapshot.capture(&screen)?;
        let picture = snapshot.capture_picture(&png)?;
        lock(&self.shared.snapshots).push(path);
        Ok(picture)
    }

    /// Where the snapshot of this name is, and its baseline; either may not be there yet.
    pub fn snapshot_files(&self, name: &str) -> Result<SnapshotFiles, TuiError> {
        Ok(Snapshot::new(&self.shared.artifacts, &[], name)?.files())
    }

    /// Keeps a file of one's own, such as a picture, whole and below the folder of [`Tui::artifacts`].
    pub fn keep_file(&self, path: &Path, bytes: &[u8]) -> Result<(), TuiError> {
        let path = self.shared.artifacts.run().join(path);
        Ok(self.shared.artifacts.write(&path, bytes)?)
    }
}
