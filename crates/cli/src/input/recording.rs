//! The screens of a recording.
//!
//! See also: `screentest_core::formats::asciicast` and `screentest::recording::cassette` (the
//! files), `output/picture.rs` (screens become a video), `output/convert_recording.rs` (recordings
//! in other formats).

use std::borrow::Cow;
use std::time::Duration;

use anyhow::anyhow;
use screentest::core::formats::asciicast::{Cast, CastEventKind, CastHeader};
use screentest::core::formats::cassette::InputLineKind;
use screentest::core::formats::state_json;
use screentest::core::{Backend, Emulator, RecordingFrame, Size, State};
use screentest::recording::{Cassette, Moment, PlayError, Player};

use super::cassette_failure::{play_failure, read_failure};
use crate::failure::Failure;
use crate::input::Content;

/// Precision of printed durations.
const MILLISECOND: Duration = Duration::from_millis(1);

/// A recording.
#[derive(Debug)]
pub(crate) enum Recording {
    Cast(Box<Cast>),
    Cassette(Box<OpenCassette>),
}

/// An open cassette.
#[derive(Debug)]
pub(crate) struct OpenCassette {
    pub(crate) cassette: Cassette,
    pub(crate) emulator: AllowedFrames,
    header: CastHeader,
}

/// Which frames of a cassette may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AllowedFrames {
    /// Only those of an emulator that this build contains.
    SameEmulator,
    /// Stored frames of any emulator.
    AnyEmulator,
}

impl OpenCassette {
    /// Opens a cassette; `emulator` says which frames may be shown.
    pub(crate) fn new(
        cassette: Cassette,
        emulator: AllowedFrames,
    ) -> Result<OpenCassette, Failure> {
        let header = cassette.cast_header().map_err(read_failure)?;
        Ok(OpenCassette {
            cassette,
            emulator,
            header,
        })
    }

    fn player(&self) -> Result<Player<'_>, Failure> {
        let OpenCassette { cassette, .. } = self;
        // The frames are not derived again, so check that they are unchanged.
        cassette.verify_digests().map_err(read_failure)?;
        match self.emulator {
            AllowedFrames::SameEmulator => Player::new(cassette),
            AllowedFrames::AnyEmulator => Player::of_any_emulator(cassette),
        }
        .map_err(play_failure)
    }

    fn state_at(&self, moment: Duration) -> Result<State, Failure> {
        let mut player = self.player()?;
        if self.emulator == AllowedFrames::SameEmulator {
            let state = self.cassette.state_at(moment, state_json::MAX_SCROLLBACK);
            return state.map_err(read_failure);
        }
        let sought = match player.seek(&Moment::Time(moment)) {
            // The moment is before the first frame.
            Err(PlayError::NothingShown { .. }) => player.seek(&Moment::Start),
            result => result,
        };
        let screen = sought.map_err(play_failure)?.clone();
        Ok(State {
            screen: player.screen_with_images().unwrap_or(screen),
            scrollback: Vec::new(),
        })
    }
}

impl Recording {
    /// Returns the duration.
    pub(crate) fn duration(&self) -> Duration {
        match self {
            Recording::Cast(cast) => cast.duration(),
            Recording::Cassette(opened) => opened.cassette.manifest().timing.duration_ms.time(),
        }
    }

    /// Returns the header, in the form of an asciicast header.
    pub(crate) fn header(&self) -> &CastHeader {
        match self {
            Recording::Cast(cast) => &cast.header,
            Recording::Cassette(opened) => &opened.header,
        }
    }

    /// Returns a size that all screens fit into.
    pub(crate) fn max_size(&self) -> Result<Size, Failure> {
        let sizes: Vec<Size> = match self {
            Recording::Cast(cast) => {
                let events = cast.events.iter();
                let sizes = events.filter_map(|event| match event.kind {
                    CastEventKind::Resize(size) => Some(size),
                    _ => None,
                });
                sizes.collect()
            }
            Recording::Cassette(opened) => {
                let inputs = opened.cassette.inputs().map_err(read_failure)?;
                let sizes = inputs.iter().filter_map(|input| match input.kind {
                    InputLineKind::Resize { cols, rows } => Some(Size { cols, rows }),
                    _ => None,
                });
                sizes.collect()
            }
        };
        let start = self.header().size;
        Ok(sizes.into_iter().fold(start, |max, size| Size {
            cols: max.cols.max(size.cols),
            rows: max.rows.max(size.rows),
        }))
    }

    /// Passes all frames to `watch`. Writes of an asciicast within `close` after the first of a
    /// group become one frame.
    pub(crate) fn play<T>(
        &self,
        close: Duration,
        watch: impl FnOnce(&mut dyn Iterator<Item = RecordingFrame>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        match self {
            Recording::Cast(cast) => watch(&mut cast.frames(&mut *emulator_for(cast), close)),
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
                    Some(error) => Err(play_failure(error)),
                    None => watched,
                }
            }
        }
    }

    /// Returns the screen at a moment.
    fn state_at(&self, moment: Duration) -> Result<State, Failure> {
        match self {
            Recording::Cast(cast) => {
                Ok(cast.state_at(&mut *emulator_for(cast), moment, state_json::MAX_SCROLLBACK))
            }
            Recording::Cassette(opened) => opened.state_at(moment),
        }
    }
}

impl Content {
    /// Returns the screen of a recording at a moment. Returns the content unchanged if no moment is
    /// given.
    pub(crate) fn at(self, moment: Option<Duration>, name: &str) -> Result<Content, Failure> {
        let Some(moment) = moment else {
            return Ok(self);
        };
        let recording = match self {
            Content::Recording(recording) => recording,
            Content::Screen(_) => {
                return Err(Failure::usage(anyhow!(
                    "`--at` applies to recordings only, and {name} is one screen"
                )));
            }
        };
        let moment = moment_within(moment, recording.duration(), name)
            .map_err(|failure| failure.hint("without `--at`, the last screen is used"))?;
        recording.state_at(moment).map(Content::Screen)
    }

    /// Returns the screen; of a recording the last one.
    pub(crate) fn last(&self) -> Result<Cow<'_, State>, Failure> {
        match self {
            Content::Screen(state) => Ok(Cow::Borrowed(state)),
            Content::Recording(recording) => recording.state_at(Duration::MAX).map(Cow::Owned),
        }
    }
}

/// Creates an emulator for playing an asciicast.
fn emulator_for(cast: &Cast) -> Box<dyn Emulator> {
    Backend::default().emulator(cast.header.size, cast.emulator_options())
}

/// Returns a moment within a recording of this length, or a failure.
pub(crate) fn moment_within(
    moment: Duration,
    length: Duration,
    recording: &str,
) -> Result<Duration, Failure> {
    clamp_moment(moment, length).ok_or_else(|| {
        Failure::usage(anyhow!(
            "`--at {}s` is after the end of {recording}, which lasts {}s",
            moment.as_secs_f64(),
            length.as_secs_f64()
        ))
    })
}

/// Limits a moment to the length of a recording; `None` if it is after the end. Lengths are printed
/// in whole milliseconds, rounded up or down, so the printed length and the millisecond after it
/// count as the end.
pub(crate) fn clamp_moment(moment: Duration, length: Duration) -> Option<Duration> {
    let printed = Duration::from_millis(length.saturating_add(MILLISECOND / 2).as_millis() as u64);
    if moment < printed.min(length) {
        return Some(moment);
    }
    (moment < printed.max(length).saturating_add(MILLISECOND)).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(moment: u64, length: u64, expected: Option<u64>) {
        let [moment, length] = [moment, length].map(Duration::from_micros);
        let expected = expected.map(Duration::from_micros);
        assert_eq!(clamp_moment(moment, length), expected);
    }

    #[test]
    fn printed_length_counts_as_the_end() {
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
