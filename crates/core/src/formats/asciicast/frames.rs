//! The screens that a recording showed.
//!
//! An emulator is fed what the program wrote, and is asked for its screen when the program pauses: writes that come close
//! together are one picture, as a person would see them.

use std::time::Duration;

use super::{Cast, EventKind};
use crate::Emulator;
use crate::frame::Frame;

impl Cast {
    /// What was shown, by an emulator that is new and has the size of the cast.
    ///
    /// Writes that follow each other within `close` of the first are one frame, at the time of the last. The first frame is
    /// the empty screen, at 0; the last one has the time of the last event, of whatever kind, so that its pause is kept.
    pub fn frames<'a>(&'a self, emulator: &'a mut dyn Emulator, close: Duration) -> Frames<'a> {
        Frames {
            cast: self,
            emulator,
            close,
            at: At::Start,
            shown: Duration::ZERO,
        }
    }
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
            match &event.kind {
                EventKind::Output(text) => self.emulator.feed(text.as_bytes()),
                EventKind::Resize(size) => self.emulator.resize(*size),
                _ => {}
            }
            // Whoever was asked then has answered then.
            self.emulator.take_replies();
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
        // A program that draws without end is shown as far as it came.
        self.emulator.end_synchronized();
        let end = self.cast.duration();
        (self.shown < end).then(|| self.frame(end))
    }
}
