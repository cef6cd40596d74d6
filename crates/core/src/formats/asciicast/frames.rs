//! The frames of a recording.
//!
//! Feeds the program's output to an emulator and takes its screen when the program pauses: writes
//! close together become one frame, as a person would see them. At the end of the recording, a
//! synchronized update that was never ended is shown as it is, since no more of it follows.

use std::time::Duration;

use super::{Cast, CastEvent, CastEventKind};
use crate::emulator::EmulatorOptions;
use crate::screen::frame::RecordingFrame;
use crate::{Emulator, State};

impl Cast {
    /// Returns the frames, drawn by a new emulator of the cast's size.
    ///
    /// Writes that follow the first of a group within `close` form one frame, at the time of the
    /// last write. The first frame is the empty screen, at 0. The last frame has the time of the
    /// last event, of any kind, so that a pause at the end is kept. If two frames have the same
    /// time, the second replaces the first.
    pub fn frames<'a>(&'a self, emulator: &'a mut dyn Emulator, close: Duration) -> CastFrames<'a> {
        CastFrames {
            cast: self,
            emulator,
            close,
            at: CastPosition::Start,
            shown: Duration::ZERO,
        }
    }

    /// Returns the screen at a given time, with up to `scrollback` rows of scrollback, drawn by a
    /// new emulator of the cast's size. After the last event, that is the final screen.
    ///
    /// ```
    /// use std::time::Duration;
    /// use screentest_core::formats::asciicast::Cast;
    /// use screentest_core::{Backend, emulator};
    ///
    /// let header = "{\"version\": 2, \"width\": 9, \"height\": 1}";
    /// let cast = Cast::parse(format!("{header}\n[0.5, \"o\", \"hi\"]"))?;
    /// let options = emulator::EmulatorOptions::default();
    /// let mut terminal = Backend::default().emulator(cast.header.size, options);
    /// let state = cast.state_at(&mut *terminal, Duration::from_secs(1), 0);
    /// assert_eq!(state.screen.text(), "hi\n");
    /// # Ok::<(), screentest_core::formats::asciicast::CastParseError>(())
    /// ```
    pub fn state_at(
        &self,
        emulator: &mut dyn Emulator,
        moment: Duration,
        scrollback: usize,
    ) -> State {
        let past = |event: &&CastEvent| event.time <= moment;
        for event in self.events.iter().take_while(past) {
            play(event, emulator);
        }
        if moment >= self.duration() {
            emulator.end_synchronized();
        }
        emulator.state(scrollback)
    }
}

/// Approximate limit on the cells that all resizes of a cast reflow together. A second of work is
/// about twenty million.
const MAX_MOVED_CELLS: usize = 40_000_000;

impl Cast {
    /// Returns options for an emulator that plays this cast. A resize reflows the whole scrollback,
    /// so a cast with many resizes gets less scrollback, but at least four screens.
    pub fn emulator_options(&self) -> EmulatorOptions {
        let sizes = self.events.iter().filter_map(|event| match &event.kind {
            CastEventKind::Resize(size) => Some(*size),
            _ => None,
        });
        let (mut resizes, mut largest) = (0, self.header.size);
        for size in sizes {
            resizes += 1;
            largest.cols = largest.cols.max(size.cols);
            largest.rows = largest.rows.max(size.rows);
        }
        let options = EmulatorOptions::default();
        let moved_per_row = resizes * usize::from(largest.cols);
        let rows = MAX_MOVED_CELLS / moved_per_row.max(1);
        EmulatorOptions {
            scrollback: rows
                .max(4 * usize::from(largest.rows))
                .min(options.scrollback),
            ..options
        }
    }
}

/// Applies an event to an emulator.
fn play(event: &CastEvent, emulator: &mut dyn Emulator) {
    match &event.kind {
        CastEventKind::Output(text) => emulator.feed(text.as_bytes()),
        CastEventKind::Resize(size) => emulator.resize(*size),
        CastEventKind::Input(_) | CastEventKind::Marker(_) | CastEventKind::Exit(_) => {}
    }
    // The recorded terminal already answered the program's queries.
    emulator.take_replies();
}

/// The frames of a cast: see [`Cast::frames`].
#[derive(Debug)]
pub struct CastFrames<'a> {
    cast: &'a Cast,
    emulator: &'a mut dyn Emulator,
    close: Duration,
    at: CastPosition,
    /// The time of the last frame.
    shown: Duration,
}

#[derive(Debug, Clone, Copy)]
enum CastPosition {
    Start,
    /// Before this event.
    Event(usize),
    End,
}

impl CastFrames<'_> {
    /// Feeds the events of the next frame, starting at `from`. Returns the time of the last of
    /// them, or `None` if none is left.
    fn advance(&mut self, from: usize) -> Option<Duration> {
        let mut group: Option<(Duration, Duration)> = None;
        self.at = CastPosition::End;
        for (index, event) in self.cast.events.iter().enumerate().skip(from) {
            if !matches!(
                event.kind,
                CastEventKind::Output(_) | CastEventKind::Resize(_)
            ) {
                continue;
            }
            match &mut group {
                Some((first, _)) if event.time.saturating_sub(*first) >= self.close => {
                    self.at = CastPosition::Event(index);
                    break;
                }
                Some((_, last)) => *last = event.time,
                None => group = Some((event.time, event.time)),
            }
            play(event, self.emulator);
        }
        group.map(|(_, last)| last)
    }

    fn frame(&mut self, time: Duration) -> RecordingFrame {
        self.shown = time;
        RecordingFrame {
            time,
            screen: self.emulator.screen(),
        }
    }
}

impl Iterator for CastFrames<'_> {
    type Item = RecordingFrame;

    fn next(&mut self) -> Option<RecordingFrame> {
        if let CastPosition::Start = self.at {
            self.at = CastPosition::Event(0);
            return Some(self.frame(Duration::ZERO));
        }
        if let CastPosition::Event(from) = self.at
            && let Some(time) = self.advance(from)
        {
            return Some(self.frame(time));
        }
        let before = self.emulator.screen();
        self.emulator.end_synchronized();
        let end = self.cast.duration();
        // Content that a synchronized update held back gets its own frame, even at the same
        // time.
        let news = self.shown < end || self.emulator.screen() != before;
        news.then(|| self.frame(end))
    }
}
