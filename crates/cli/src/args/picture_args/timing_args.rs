//! How the time of a recording becomes that of a film.

use std::num::NonZeroU16;
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use screentest::render::animation::{self, FRAME_RATES, LoopOffset, Repeat, SPEEDS, Timing};

use super::Medium;
use super::number::within;
use crate::failure::{self, Failure};
use crate::format::Format;
use crate::input::Content;
use crate::seconds;

/// How many frames a second there are at most, unless told otherwise: smooth to the eye, and a GIF stays small.
const FRAME_RATE: u32 = 30;

/// How long the last screen stays, unless told otherwise: a loop that starts again at once hides how it ended.
const HOLD: Duration = Duration::from_secs(1);

/// The most frames a second that browsers show of a GIF, as [`Timing::GIF`] has it.
const GIF_FRAME_RATE: u32 = (1000 / Timing::GIF.least.as_millis()) as u32;

/// Where films come from, for who asked for one in vain.
const FILMS: &str = "recordings become films as gif, apng, webp, mp4 and webm";

/// What an option is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// Screens that follow each other.
    Motion,
    /// A beginning after the end.
    Repetition,
    /// A length.
    Time,
}

/// Which screen of a recording is meant.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Recordings")]
pub(crate) struct Moment {
    /// Take the screen that was shown at this second, instead of all or the last
    #[arg(long, value_name = "S", value_parser = seconds::moment, allow_negative_numbers = true)]
    pub(crate) at: Option<Duration>,
}

/// What a command may be told about recordings.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Recordings")]
pub(crate) struct Motion {
    #[command(flatten)]
    pub(crate) moment: Moment,
    /// How many times faster than recorded: 2 takes half the time
    #[arg(long, value_name = "X", value_parser = speed, allow_negative_numbers = true)]
    speed: Option<f64>,
    /// The most seconds that nothing happens: longer pauses are cut
    #[arg(long, value_name = "S", value_parser = seconds::moment, allow_negative_numbers = true)]
    idle_limit: Option<Duration>,
    /// The most frames a second, 30 unless told otherwise; a GIF has 50 at most
    #[arg(long, value_name = "N", value_parser = frame_rate, allow_negative_numbers = true)]
    fps: Option<u32>,
    /// Where a GIF, APNG or WebP that is repeated begins: after some seconds, or a part such as 20%
    #[arg(long, value_name = "S|P%", value_parser = loop_offset, allow_negative_numbers = true)]
    loop_offset: Option<LoopOffset>,
    /// How many seconds longer the last screen stays, 1 unless told otherwise; as a video, one screen stays as long
    #[arg(long, value_name = "S", value_parser = hold, allow_negative_numbers = true)]
    hold: Option<Duration>,
    /// How often GIF, APNG and WebP are shown: for ever unless told otherwise
    #[arg(long, value_name = "N", value_parser = repeat, allow_negative_numbers = true)]
    repeat: Option<Repeat>,
}

fn speed(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('x').unwrap_or(text);
    within(number, &SPEEDS, "a speed is")
}

fn frame_rate(text: &str) -> Result<u32, String> {
    within(text, &FRAME_RATES, "frames a second are")
}

fn loop_offset(text: &str) -> Result<LoopOffset, String> {
    let Some(percent) = text.strip_suffix('%') else {
        return seconds::moment(text).map(LoopOffset::Time);
    };
    let percent = within(percent, &(0.0..=100.0), "a part of the film is")?;
    Ok(LoopOffset::Share(percent / 100.0))
}

fn hold(text: &str) -> Result<Duration, String> {
    let most = animation::MAX_LENGTH;
    match seconds::moment(text)? {
        time if time <= most => Ok(time),
        _ => Err(format!("a film lasts at most {} seconds", most.as_secs())),
    }
}

fn repeat(text: &str) -> Result<Repeat, String> {
    if text == "forever" {
        return Ok(Repeat::Forever);
    }
    let times = text.parse().ok().map(Repeat::Times);
    times.ok_or_else(|| {
        format!(
            "neither a number from 1 to {} nor `forever`",
            NonZeroU16::MAX
        )
    })
}

impl Motion {
    /// Whether what was asked can be obeyed: a screen alone does not move, and neither do some formats. What is obeyed only
    /// in part is told.
    pub(crate) fn check(
        &self,
        content: &Content,
        format: Format,
        name: &str,
    ) -> Result<(), Failure> {
        let medium = match format {
            Format::Drawn(medium) => Some(medium),
            Format::Written(_) => None,
        };
        let video = medium.is_some_and(Medium::is_video);
        let moves = medium.is_some_and(Medium::moves);
        for (option, needs) in self.given() {
            let (whom, but, hint) = match (content, needs) {
                (Content::Screen(_), Needs::Time) if video => continue,
                (Content::Screen(_), _) => ("films", format!("{name} is one screen"), FILMS),
                _ if !moves => ("films", format!("{format} shows one screen"), FILMS),
                (_, Needs::Repetition) if video => (
                    "films that begin again",
                    format!("{format} does not"),
                    "gif, apng and webp can",
                ),
                _ => continue,
            };
            let fault = anyhow!("`{option}` is for {whom}, and {but}");
            return Err(Failure::usage(fault).hint(hint));
        }
        let fast = self.fps.filter(|fps| *fps > GIF_FRAME_RATE);
        if let (Some(Medium::Gif), Some(fps)) = (medium, fast) {
            failure::note(&format!(
                "{format} shows at most {GIF_FRAME_RATE} frames a second, so `--fps {fps}` becomes {GIF_FRAME_RATE}; apng, webp and videos have all of them"
            ));
        }
        Ok(())
    }

    /// The first option that was given, if any was.
    pub(crate) fn first(&self) -> Option<&'static str> {
        self.given().map(|(name, _)| name).next()
    }

    /// Whether a film of this length can begin where it was asked to.
    pub(super) fn check_offset(&self, length: Duration) -> Result<(), Failure> {
        match self.loop_offset {
            Some(LoopOffset::Time(offset)) if offset >= length => Err(Failure::usage(anyhow!(
                "`--loop-offset {}s` is not before the end of the film, which lasts {}s",
                offset.as_secs_f64(),
                length.as_secs_f64()
            ))
            .hint("a part such as `50%` lies within any film")),
            _ => Ok(()),
        }
    }

    /// The options that were given, and what each needs.
    fn given(&self) -> impl Iterator<Item = (&'static str, Needs)> {
        [
            (self.speed.is_some(), "--speed", Needs::Motion),
            (self.idle_limit.is_some(), "--idle-limit", Needs::Motion),
            (self.fps.is_some(), "--fps", Needs::Motion),
            (
                self.loop_offset.is_some(),
                "--loop-offset",
                Needs::Repetition,
            ),
            (self.hold.is_some(), "--hold", Needs::Time),
            (self.repeat.is_some(), "--repeat", Needs::Repetition),
        ]
        .into_iter()
        .filter_map(|(given, name, needs)| given.then_some((name, needs)))
    }

    /// What was asked of a film in some format. A recording may have a limit for pauses of its own.
    pub(super) fn film(
        &self,
        medium: Medium,
        own_limit: Option<Duration>,
    ) -> animation::AnimationOptions {
        animation::AnimationOptions {
            idle_limit: self.idle_limit.or(own_limit),
            speed: self.speed.unwrap_or(1.0),
            frame_rate: Some(match medium {
                Medium::Gif => self.frame_rate().min(GIF_FRAME_RATE),
                _ => self.frame_rate(),
            }),
            loop_offset: self.loop_offset.unwrap_or(LoopOffset::None),
            hold: self.hold.unwrap_or(HOLD),
            timing: match medium {
                Medium::Gif => Timing::GIF,
                _ => Timing::FINE,
            },
        }
    }

    /// The most frames a second, and in a video the number of them.
    pub(super) fn frame_rate(&self) -> u32 {
        self.fps.unwrap_or(FRAME_RATE)
    }

    pub(super) fn repeat(&self) -> Repeat {
        self.repeat.unwrap_or_default()
    }
}
