//! The screens that a recording showed.
//!
//! An emulator is fed what the program wrote, and is asked for its screen when the program pauses: writes that come close
//! together are one picture, as a person would see them. At the end of the recording a synchronized update that never ended
//! is shown as far as it came, since that is all there will ever be of it.

use std::time::Duration;

use super::{Cast, Event, EventKind};
use crate::screen::frame::Frame;
use crate::{Emulator, State};

impl Cast {
    /// What was shown, by an emulator that is new and has the size of the cast.
    ///
    /// Writes that follow each other within `close` of the first are one frame, at the time of the last. The first frame is
    /// the empty screen, at 0; the last one has the time of the last event, of whatever kind, so that its pause is kept. Two
    /// frames may have one time: the later is what was left on the screen.
    pub fn frames<'a>(&'a self, emulator: &'a mut dyn Emulator, close: Duration) -> Frames<'a> {
        Frames {
            cast: self,
            emulator,
            close,
            at: At::Start,
            shown: Duration::ZERO,
        }
    }

    /// What was on the screen at a moment, with so many rows of scrollback, by an emulator that is new and has the size of
    /// the cast. Behind the last event it is what was left at the end.
    ///
    /// ```
    /// use std::time::Duration;
    /// use screentest_core::formats::asciicast::Cast;
    /// use screentest_core::{Backend, emulator};
    ///
    /// let cast = Cast::parse("{\"version\": 2, \"width\": 9, \"height\": 1}\n[0.5, \"o\", \"hi\"]")?;
    /// let mut terminal = Backend::default().emulator(cast.header.size, emulator::Options::default());
    /// let state = cast.state_at(&mut *terminal, Duration::from_secs(1), 0);
    /// assert_eq!(state.screen.text(), "hi\n");
    /// # Ok::<(), screentest_core::formats::asciicast::ParseError>(())
    /// ```
    pub fn state_at(
        &self,
        emulator: &mut dyn Emulator,
        moment: Duration,
        scrollback: usize,
    ) -> State {
        let past = |event: &&Event| event.time <= moment;
        for event in self.events.iter().take_while(past) {
            play(event, emulator);
        }
        if moment >= self.duration() {
            emulator.end_synchronized();
        }
        emulator.state(scrollback)
    }
}

/// Lets a terminal go through an event.
fn play(event: &Event, emulator: &mut dyn Emulator) {
    match &event.kind {
        EventKind::Output(text) => emulator.feed(text.as_bytes()),
        EventKind::Resize(size) => emulator.resize(*size),
        EventKind::Input(_) | EventKind::Marker(_) | EventKind::Exit(_) => {}
    }
    // Whoever was asked then has answered then.
    emulator.take_replies();
}

/// The frames of a cast: see [`Cast::frames`].
#[derive(Debug)]
pub struct Frames<'a> {
    cast: &'a Cast,
    emulator: &'a mut dyn Emulator,
    close: Duration,
    at: At,
    /// The time of the last frame.
    shown: Duration,
}

#[derive(Debug, Clone, Copy)]
enum At {
    Start,
    /// Before this event.
    Event(usize),
    End,
}

impl Frames<'_> {
    /// Feeds the events from `from` on that make the next picture: when it was complete. Nothing where none is left.
    fn advance(&mut self, from: usize) -> Option<Duration> {
        let mut group: Option<(Duration, Duration)> = None;
        self.at = At::End;
        for (index, event) in self.cast.events.iter().enumerate().skip(from) {
            if !matches!(event.kind, EventKind::Output(_) | EventKind::Resize(_)) {
                continue;
            }
            match &mut group {
                Some((first, _)) if event.time.saturating_sub(*first) >= self.close => {
                    self.at = At::Event(index);
                    break;
                }
                Some((_, last)) => *last = event.time,
                None => group = Some((event.time, event.time)),
            }
            play(event, self.emulator);
        }
        group.map(|(_, last)| last)
    }

    fn frame(&mut self, time: Duration) -> Frame {
        self.shown = time;
        Frame {
            time,
            screen: self.emulator.screen(),
        }
    }
}

impl Iterator for Frames<'_> {
    type Item = Frame;

    fn next(&mut self) -> Option<Frame> {
        if let At::Start = self.at {
            self.at = At::Event(0);
            return Some(self.frame(Duration::ZERO));
        }
        if let At::Event(from) = self.at
            && let Some(time) = self.advance(from)
        {
            return Some(self.frame(time));
        }
        let before = self.emulator.screen();
        self.emulator.end_synchronized();
        let end = self.cast.duration();
        // What an update still held back is a frame of its own, even where no time is left for it.
        let news = self.shown < end || self.emulator.screen() != before;
        news.then(|| self.frame(end))
    }
}
