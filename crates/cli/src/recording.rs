//! The screens of a recording.
//!
//! Elsewhere: the files (`screentest_core::formats::asciicast`, `screentest::recording::cassette`), how screens become a film
//! (`picture/make.rs`), recordings in other formats (`dub.rs`).

use std::borrow::Cow;
use std::time::Duration;

use anyhow::anyhow;
use screentest::core::formats::asciicast::{Cast, EventKind, Header};
use screentest::core::formats::cassette::InputKind;
use screentest::core::formats::state_json;
use screentest::core::{Backend, Emulator, Frame, Size, State, emulator};
use screentest::{Cassette, CassetteError, Moment, PlayError, Player};

use crate::cassette::{self, refused_unless, unplayed};
use crate::failure::Failure;
use crate::input::Content;

/// As precisely as a length is told.
const MILLI: Duration = Duration::from_millis(1);

/// A recording that was read, or opened.
#[derive(Debug)]
pub(crate) enum Recording {
    Cast(Box<Cast>),
    Cassette(Box<Opened>),
}

/// A cassette.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) cassette: Cassette,
    pub(crate) emulator: Derived,
    header: Header,
}

/// Whose frames are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Derived {
    /// Those that this build would derive too.
    ByOurs,
    /// Any, as they are kept.
    ByAny,
}

impl Opened {
    /// A cassette whose frames are shown if they are derived by whom the caller says.
    pub(crate) fn new(cassette: Cassette, emulator: Derived) -> Result<Opened, Failure> {
        let header = cassette.cast_header().map_err(refused)?;
        Ok(Opened {
            cassette,
            emulator,
            header,
        })
    }

    fn player(&self) -> Result<Player<'_>, Failure> {
        let Opened { cassette, .. } = self;
        // Frames are not derived again, so that somebody has to look whether they were changed.
        cassette.verify_digests().map_err(refused)?;
        match self.emulator {
            Derived::ByOurs => Player::new(cassette),
            Derived::ByAny => Player::of_any_emulator(cassette),
        }
        .map_err(unplayed)
    }

    fn shown(&self, moment: Duration) -> Result<State, Failure> {
        let mut player = self.player()?;
        if self.emulator == Derived::ByOurs {
            let state = self.cassette.state_at(moment, state_json::MAX_SCROLLBACK);
            return state.map_err(refused);
        }
        let seek = match player.seek(&Moment::Time(moment)) {
            // It began with what was shown first.
            Err(PlayError::NothingShown { .. }) => player.seek(&Moment::Start),
            sought => sought,
        };
        Ok(State {
            screen: seek.map_err(unplayed)?.clone(),
            scrollback: Vec::new(),
        })
    }
}

impl Recording {
    /// How long it takes.
    pub(crate) fn duration(&self) -> Duration {
        match self {
            Recording::Cast(cast) => cast.duration(),
            Recording::Cassette(opened) => opened.cassette.manifest().timing.duration_ms.time(),
        }
    }

    /// What it says of itself.
    pub(crate) fn header(&self) -> &Header {
        match self {
            Recording::Cast(cast) => &cast.header,
            Recording::Cassette(opened) => &opened.header,
        }
    }

    /// The room that all its screens need.
    pub(crate) fn room(&self) -> Result<Size, Failure> {
        let sizes: Vec<Size> = match self {
            Recording::Cast(cast) => {
                let events = cast.events.iter();
                let sizes = events.filter_map(|event| match event.kind {
                    EventKind::Resize(size) => Some(size),
                    _ => None,
                });
                sizes.collect()
            }
            Recording::Cassette(opened) => {
                let inputs = opened.cassette.inputs().map_err(refused)?;
                let sizes = inputs.iter().filter_map(|input| match input.kind {
                    InputKind::Resize { cols, rows } => Some(Size { cols, rows }),
                    _ => None,
                });
                sizes.collect()
            }
        };
        let start = self.header().size;
        Ok(sizes.into_iter().fold(start, |room, size| Size {
            cols: room.cols.max(size.cols),
            rows: room.rows.max(size.rows),
        }))
    }

    /// Gives all that was shown to somebody, frame by frame. Writes of an asciicast within `close` of each other are one picture.
    pub(crate) fn play<T>(
        &self,
        close: Duration,
        watch: impl FnOnce(&mut dyn Iterator<Item = Frame>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        match self {
            Recording::Cast(cast) => watch(&mut cast.frames(&mut *terminal(cast), close)),
            Recording::Cassette(opened) => {
                let mut failed = None;
                let frames = opened.player()?.into_frames();
                let watched = watch(&mut frames.map_while(|frame| match frame {
                    Ok(frame) => Some(frame),
                    Err(error) => {
                        failed = Some(error);
                        None
                    }
                }));
                match failed {
                    Some(error) => Err(unplayed(error)),
                    None => watched,
                }
            }
        }
    }

    /// What was on the screen at a moment.
    fn shown(&self, moment: Duration) -> Result<State, Failure> {
        match self {
            Recording::Cast(cast) => {
                Ok(cast.state_at(&mut *terminal(cast), moment, state_json::MAX_SCROLLBACK))
            }
            Recording::Cassette(opened) => opened.shown(moment),
        }
    }
}

impl Content {
    /// The same, or of a recording the screen that was shown at a moment.
    pub(crate) fn at(self, moment: Option<Duration>, name: &str) -> Result<Content, Failure> {
        let Some(moment) = moment else {
            return Ok(self);
        };
        let recording = match self {
            Content::Recording(recording) => recording,
            Content::Screen(_) => {
                return Err(Failure::usage(anyhow!(
                    "`--at` is a moment of a recording, and {name} is one screen"
                )));
            }
        };
        let moment = moment_of(moment, recording.duration(), name)
            .map_err(|failure| failure.hint("without `--at` the last screen is taken"))?;
        recording.shown(moment).map(Content::Screen)
    }

    /// The screen, or the last one.
    pub(crate) fn last(&self) -> Result<Cow<'_, State>, Failure> {
        match self {
            Content::Screen(state) => Ok(Cow::Borrowed(state)),
            Content::Recording(recording) => recording.shown(Duration::MAX).map(Cow::Owned),
        }
    }
}

/// A terminal in which an asciicast can be played.
fn terminal(cast: &Cast) -> Box<dyn Emulator> {
    Backend::default().emulator(cast.header.size, emulator::Options::default())
}

/// A cassette that is not taken.
pub(crate) fn refused(error: CassetteError) -> Failure {
    refused_unless(error, cassette::KEPT)
}

/// A moment of a recording of this length, or a refusal.
pub(crate) fn moment_of(
    moment: Duration,
    length: Duration,
    recording: &str,
) -> Result<Duration, Failure> {
    clamped(moment, length).ok_or_else(|| {
        Failure::usage(anyhow!(
            "`--at {}s` lies behind the end of {recording}, which lasts {}s",
            moment.as_secs_f64(),
            length.as_secs_f64()
        ))
    })
}

/// A moment of a recording of this length, where it has that. Lengths are told in whole milliseconds, up or down: the length as it is told, and
/// the millisecond behind it, are the end.
pub(crate) fn clamped(moment: Duration, length: Duration) -> Option<Duration> {
    let told = Duration::from_millis(length.saturating_add(MILLI / 2).as_millis() as u64);
    if moment < told.min(length) {
        return Some(moment);
    }
    (moment < told.max(length).saturating_add(MILLI)).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(moment: u64, length: u64, expected: Option<u64>) {
        let [moment, length] = [moment, length].map(Duration::from_micros);
        let expected = expected.map(Duration::from_micros);
        assert_eq!(clamped(moment, length), expected);
    }

    #[test]
    fn the_length_as_it_is_told_is_the_end() {
        check(0, 400, Some(400));
        check(1_000, 600, Some(600));
        check(12_000, 12_345, Some(12_345));
        check(13_000, 12_700, Some(12_700));
        check(13_000, 12_345, Some(12_345));
        check(11_999, 12_345, Some(11_999));
        check(12_000, 12_700, Some(12_000));
        check(14_000, 12_345, None);
        check(14_000, 12_700, None);
    }
}
