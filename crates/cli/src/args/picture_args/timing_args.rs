//! Options for the timing of recordings: part, speed, pauses, frame rate, repetition.

use std::num::NonZeroU16;
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use screentest::render::animation::{self, FRAME_RATES, LoopOffset, Repeat, SPEEDS, Timing};

use crate::args::duration_arg;
use crate::args::number::within;
use crate::failure::{self, Failure};
use crate::input::Content;
use crate::output::format::OutputFormat;
use crate::output::picture_format::PictureFormat;

/// Default maximum frame rate: motion looks smooth, and a GIF stays small.
const DEFAULT_FRAME_RATE: u32 = 30;

/// Default extra time for the last frame. A loop that restarts at once hides the end.
const DEFAULT_HOLD: Duration = Duration::from_secs(1);

/// Maximum frame rate at which browsers play a GIF, see [`Timing::GIF`].
const GIF_FRAME_RATE: u32 = (1000 / Timing::GIF.least.as_millis()) as u32;

/// Hint after an option that needs an animation.
const ANIMATION_HINT: &str = "a recording becomes an animation as gif, apng, webp, mp4 or webm";

/// Input or output that an option needs to have an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Requirement {
    /// Several frames.
    Frames,
    /// A repeated animation.
    Loop,
    /// A duration.
    Duration,
}

/// The option that selects a moment of a recording.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Recordings")]
pub(crate) struct MomentArgs {
    /// Use the screen at second S, instead of the whole recording or its last screen
    #[arg(long, value_name = "S", value_parser = duration_arg::seconds, allow_negative_numbers = true)]
    pub(crate) at: Option<Duration>,
}

/// The options for recordings.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Recordings")]
pub(crate) struct TimingArgs {
    #[command(flatten)]
    pub(crate) moment: MomentArgs,
    /// Playback speed: 2 takes half the time
    #[arg(long, value_name = "X", value_parser = speed, allow_negative_numbers = true)]
    speed: Option<f64>,
    /// Shorten pauses to at most S seconds
    #[arg(long, value_name = "S", value_parser = duration_arg::seconds, allow_negative_numbers = true)]
    idle_limit: Option<Duration>,
    /// Maximum frames per second [default: 30; a GIF has at most 50]
    #[arg(long, value_name = "N", value_parser = frame_rate, allow_negative_numbers = true)]
    fps: Option<u32>,
    /// Start a looping GIF, APNG or WebP at this second, or at a percentage such as 20%
    #[arg(long, value_name = "S|P%", value_parser = loop_offset, allow_negative_numbers = true)]
    loop_offset: Option<LoopOffset>,
    /// Show the last frame S seconds longer; a video of one screen lasts S seconds [default: 1]
    #[arg(long, value_name = "S", value_parser = hold, allow_negative_numbers = true)]
    hold: Option<Duration>,
    /// Number of times to play a GIF, APNG or WebP, or `forever` [default: forever]
    #[arg(long, value_name = "N", value_parser = repeat, allow_negative_numbers = true)]
    repeat: Option<Repeat>,
}

fn speed(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('x').unwrap_or(text);
    within(number, &SPEEDS, "a speed")
}

fn frame_rate(text: &str) -> Result<u32, String> {
    within(text, &FRAME_RATES, "a frame rate")
}

fn loop_offset(text: &str) -> Result<LoopOffset, String> {
    let Some(percent) = text.strip_suffix('%') else {
        return duration_arg::seconds(text).map(LoopOffset::Time);
    };
    let percent = within(percent, &(0.0..=100.0), "a percentage")?;
    Ok(LoopOffset::Share(percent / 100.0))
}

fn hold(text: &str) -> Result<Duration, String> {
    let most = animation::MAX_LENGTH;
    match duration_arg::seconds(text)? {
        time if time <= most => Ok(time),
        _ => Err(format!("expected at most {} seconds", most.as_secs())),
    }
}

fn repeat(text: &str) -> Result<Repeat, String> {
    if text == "forever" {
        return Ok(Repeat::Forever);
    }
    let times = text.parse().ok().map(Repeat::Times);
    times.ok_or_else(|| {
        format!(
            "expected a number from 1 to {}, or `forever`",
            NonZeroU16::MAX
        )
    })
}

impl TimingArgs {
    /// Checks that the options have an effect: they apply to animations, and `--hold` also to a
    /// video of a single screen. Prints a note about an option that is obeyed only in part.
    pub(crate) fn check(
        &self,
        content: &Content,
        format: OutputFormat,
        name: &str,
    ) -> Result<(), Failure> {
        let picture = match format {
            OutputFormat::Picture(picture) => Some(picture),
            OutputFormat::Screen(_) => None,
        };
        let video = picture.is_some_and(PictureFormat::is_video);
        let animates = picture.is_some_and(PictureFormat::is_animated);
        for (option, needs) in self.given() {
            let (scope, but, hint) = match (content, needs) {
                (Content::Screen(_), Requirement::Duration) if video => continue,
                (Content::Screen(_), _) if self.moment.at.is_some() => (
                    "animations",
                    "`--at` selects one screen".to_owned(),
                    "without `--at`, the whole recording is used",
                ),
                (Content::Screen(_), _) => (
                    "animations",
                    format!("{name} is one screen"),
                    ANIMATION_HINT,
                ),
                _ if !animates => (
                    "animations",
                    format!("{format} shows one screen"),
                    ANIMATION_HINT,
                ),
                (_, Requirement::Loop) if video => (
                    "animations that repeat",
                    format!("{format} does not repeat"),
                    "gif, apng and webp do",
                ),
                _ => continue,
            };
            let error = anyhow!("`{option}` applies only to {scope}, and {but}");
            return Err(Failure::usage(error).hint(hint));
        }
        let fast = self.fps.filter(|fps| *fps > GIF_FRAME_RATE);
        if let (Some(PictureFormat::Gif), Some(fps)) = (picture, fast) {
            failure::note(&format!(
                "{format} shows at most {GIF_FRAME_RATE} frames per second, so `--fps {fps}` becomes {GIF_FRAME_RATE}; apng, webp and videos have no such limit"
            ));
        }
        Ok(())
    }

    /// Returns the first option that was given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        self.given().map(|(name, _)| name).next()
    }

    /// Checks that an animation of this length can start at the requested offset.
    pub(crate) fn check_offset(&self, length: Duration) -> Result<(), Failure> {
        match self.loop_offset {
            Some(LoopOffset::Time(offset)) if offset >= length => Err(Failure::usage(anyhow!(
                "`--loop-offset {}s` is not before the end of the animation, which lasts {}s",
                offset.as_secs_f64(),
                length.as_secs_f64()
            ))
            .hint("a percentage such as `50%` fits any length")),
            _ => Ok(()),
        }
    }

    /// Returns the given options and what each needs.
    fn given(&self) -> impl Iterator<Item = (&'static str, Requirement)> {
        [
            (self.speed.is_some(), "--speed", Requirement::Frames),
            (
                self.idle_limit.is_some(),
                "--idle-limit",
                Requirement::Frames,
            ),
            (self.fps.is_some(), "--fps", Requirement::Frames),
            (
                self.loop_offset.is_some(),
                "--loop-offset",
                Requirement::Loop,
            ),
            (self.hold.is_some(), "--hold", Requirement::Duration),
            (self.repeat.is_some(), "--repeat", Requirement::Loop),
        ]
        .into_iter()
        .filter_map(|(given, name, needs)| given.then_some((name, needs)))
    }

    /// Returns the animation options for a format. A recording may have its own limit for pauses.
    pub(crate) fn animation_options(
        &self,
        picture: PictureFormat,
        own_limit: Option<Duration>,
    ) -> animation::AnimationOptions {
        animation::AnimationOptions {
            idle_limit: self.idle_limit.or(own_limit),
            speed: self.speed.unwrap_or(1.0),
            frame_rate: Some(match picture {
                PictureFormat::Gif => self.frame_rate().min(GIF_FRAME_RATE),
                _ => self.frame_rate(),
            }),
            loop_offset: self.loop_offset.unwrap_or(LoopOffset::None),
            hold: self.hold.unwrap_or(DEFAULT_HOLD),
            timing: match picture {
                PictureFormat::Gif => Timing::GIF,
                _ => Timing::FINE,
            },
        }
    }

    /// Returns the maximum frame rate; for a video the exact one.
    pub(crate) fn frame_rate(&self) -> u32 {
        self.fps.unwrap_or(DEFAULT_FRAME_RATE)
    }

    pub(crate) fn repeat(&self) -> Repeat {
        self.repeat.unwrap_or_default()
    }
}
