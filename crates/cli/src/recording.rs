//! The screens of a recording.
//!
//! Elsewhere: the file (`screentest_core::formats::asciicast`), how screens become a film (`picture/make.rs`).

use std::borrow::Cow;
use std::time::Duration;

use anyhow::anyhow;
use screentest::core::formats::asciicast::{Cast, EventKind};
use screentest::core::formats::state_json;
use screentest::core::{Backend, Emulator, Size, State, emulator};

use crate::failure::Failure;
use crate::input::Content;

impl Content {
    /// The same, or of a recording the screen that was shown at a moment.
    pub(crate) fn at(self, moment: Option<Duration>, name: &str) -> Result<Content, Failure> {
        let Some(moment) = moment else {
            return Ok(self);
        };
        let cast = match self {
            Content::Recording(cast) => cast,
            Content::Screen(_) => {
                return Err(Failure::usage(anyhow!(
                    "`--at` is a moment of a recording, and {name} is one screen"
                )));
            }
        };
        let length = cast.duration();
        if moment > length {
            return Err(Failure::usage(anyhow!(
                "`--at {}` lies behind the end of {name}, which lasts {}",
                seconds(moment),
                seconds(length)
            ))
            .hint("without `--at` the last screen is taken"));
        }
        Ok(Content::Screen(shown(&cast, moment)))
    }

    /// The screen, or the last one.
    pub(crate) fn last(&self) -> Cow<'_, State> {
        match self {
            Content::Screen(state) => Cow::Borrowed(state),
            Content::Recording(cast) => Cow::Owned(shown(cast, Duration::MAX)),
        }
    }
}

/// A terminal in which a recording can be played.
pub(crate) fn terminal(cast: &Cast) -> Box<dyn Emulator> {
    Backend::default().emulator(cast.header.size, emulator::Options::default())
}

/// The room that all its screens need.
pub(crate) fn room(cast: &Cast) -> Size {
    let resized = cast.events.iter().filter_map(|event| match event.kind {
        EventKind::Resize(size) => Some(size),
        _ => None,
    });
    resized.fold(cast.header.size, |room, size| Size {
        cols: room.cols.max(size.cols),
        rows: room.rows.max(size.rows),
    })
}

/// What was on the screen at a moment.
fn shown(cast: &Cast, moment: Duration) -> State {
    cast.state_at(&mut *terminal(cast), moment, state_json::MAX_SCROLLBACK)
}

/// A time as people read it.
fn seconds(time: Duration) -> String {
    format!("{}s", time.as_secs_f64())
}
