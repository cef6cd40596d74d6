//! The letters of a picture: their fonts, their size, the space between them.
//!
//! The first of these that names a font is obeyed: `--font`, `SCREENTEST_FONT_PATH`, `TUISPEC_FONT_PATH`; else the bundled one
//! is drawn with. What the chosen font lacks is lent by the system's, and that is told, since another system has others.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::render::{Bold, FontError, Fonts, RenderOptions, Scale, SystemFonts};

use super::Medium;
use super::number::within;
use crate::failure::{self, Failure};
use crate::format::Format;

/// How many characters a note names: more than these nobody reads.
const NAMED: usize = 12;

/// The sizes that letters may have, in pixels.
const FONT_SIZES: RangeInclusive<f32> = 4.0..=256.0;

/// What a command may be told about letters.
#[derive(Debug, Args)]
pub(super) struct Letters {
    /// A font, as a TrueType or OpenType file. It must be monospaced; given again, others are
    /// asked for what the first lacks. Without it SCREENTEST_FONT_PATH and TUISPEC_FONT_PATH are asked, then the bundled
    /// DejaVu Sans Mono is used
    #[arg(long, value_name = "FILE")]
    font: Vec<PathBuf>,
    /// Do not look for missing characters in the fonts of this system: the picture is the same
    /// everywhere
    #[arg(long)]
    no_system_fonts: bool,
    /// Bold makes the first eight colours bright too, as in xterm and VHS: some programs, such as
    /// dialog, draw edges with it
    #[arg(long)]
    bold_is_bright: bool,
    /// The fonts that the reader of svg and html looks for, as CSS has them
    #[arg(long, value_name = "CSS")]
    font_family: Option<String>,
    /// The size of the letters in pixels, 4 to 256; 16 unless told otherwise
    #[arg(long, value_name = "PX", value_parser = font_size, allow_negative_numbers = true)]
    font_size: Option<f32>,
    /// Extra space between letters, in pixels
    #[arg(long, value_name = "PX", value_parser = letter_spacing, allow_negative_numbers = true)]
    letter_spacing: Option<f32>,
    /// How high a row is, in parts of what the font asks for: 0.5 to 4
    #[arg(long, value_name = "X", value_parser = line_height, allow_negative_numbers = true)]
    line_height: Option<f32>,
    /// How many pixels stand for one: 2 for sharp pictures on fine screens
    #[arg(long, value_name = "1|2", value_parser = scale, allow_negative_numbers = true)]
    scale: Option<Scale>,
}

fn font_size(text: &str) -> Result<f32, String> {
    within(text, &FONT_SIZES, "letters have pixels")
}

fn letter_spacing(text: &str) -> Result<f32, String> {
    // How far letters may move depends on their size, and is checked with it.
    within(text, &(-256.0..=1024.0), "a number of pixels is")
}

fn line_height(text: &str) -> Result<f32, String> {
    within(text, &(0.5..=4.0), "rows are")
}

fn scale(text: &str) -> Result<Scale, String> {
    match text.strip_suffix(['x', '×']).unwrap_or(text) {
        "1" => Ok(Scale::One),
        "2" => Ok(Scale::Two),
        other => Err(format!("a scale is 1 or 2; {}", instead(other))),
    }
}

/// How to get what no scale gives.
fn instead(scale: &str) -> String {
    let usual = RenderOptions::default().font_size;
    let wanted = scale.parse::<f32>().ok();
    match wanted.map(|scale| (scale, scale * usual)) {
        Some((scale, size)) if FONT_SIZES.contains(&size) => {
            format!("`--font-size {size}` draws letters {scale} times as large")
        }
        _ => "`--font-size PX` draws letters of any size".to_owned(),
    }
}

impl Letters {
    /// The first option that was given, if any was.
    pub(super) fn given(&self) -> Option<&'static str> {
        [
            (!self.font.is_empty(), "--font"),
            (self.no_system_fonts, "--no-system-fonts"),
            (self.bold_is_bright, "--bold-is-bright"),
            (self.font_family.is_some(), "--font-family"),
            (self.font_size.is_some(), "--font-size"),
            (self.letter_spacing.is_some(), "--letter-spacing"),
            (self.line_height.is_some(), "--line-height"),
            (self.scale.is_some(), "--scale"),
        ]
        .into_iter()
        .find_map(|(given, name)| given.then_some(name))
    }

    /// Whether what was asked can be obeyed: pixels are drawn here, and text by whoever shows it.
    pub(super) fn check(&self, medium: Medium) -> Result<(), Failure> {
        let format = Format::Drawn(medium);
        let files = [
            (!self.font.is_empty(), "--font"),
            (self.no_system_fonts, "--no-system-fonts"),
        ];
        let file = files.into_iter().find(|(given, _)| *given);
        let (option, why, hint) = match (medium.is_text(), file, &self.font_family) {
            (true, Some((_, option)), _) => (
                option,
                "leaves its letters to whoever shows it",
                "`--font-family NAME` says which fonts to look for there",
            ),
            (false, _, Some(_)) => (
                "--font-family",
                "has no letters, only pixels",
                "`--font FILE` gives it a font",
            ),
            _ => return Ok(()),
        };
        Err(Failure::usage(anyhow!("`{option}` is for others: {format} {why}")).hint(hint))
    }

    /// The fonts that were asked for.
    pub(super) fn fonts(&self) -> Result<Fonts, Failure> {
        let system = match self.no_system_fonts {
            true => SystemFonts::Forbidden,
            false => SystemFonts::Allowed,
        };
        if !self.font.is_empty() {
            return Fonts::from_files(&self.font, system)
                .context("`--font`")
                .map_err(unfit);
        }
        screentest::test::picture::fonts(system)
            .map_err(Into::into)
            .map_err(unfit)
    }

    /// Sets what was asked.
    pub(super) fn set(&self, options: &mut RenderOptions) {
        let usual = RenderOptions::default();
        options.font_size = self.font_size.unwrap_or(usual.font_size);
        options.letter_spacing = self.letter_spacing.unwrap_or(usual.letter_spacing);
        options.line_height = self.line_height.unwrap_or(usual.line_height);
        options.scale = self.scale.unwrap_or(usual.scale);
        options.bold = match self.bold_is_bright {
            true => Bold::Brightens,
            false => Bold::Keeps,
        };
        options.font_family = self.font_family.clone().unwrap_or(usual.font_family);
    }
}

fn unfit(error: anyhow::Error) -> Failure {
    let unreadable = error
        .chain()
        .any(|cause| matches!(cause.downcast_ref(), Some(FontError::Unreadable { .. })));
    Failure::usage(error).hint(match unreadable {
        true => "the path of a `.ttf` or `.otf` file is needed, not the name of a font",
        false => {
            "a monospaced `.ttf` or `.otf` file is needed; without any the bundled font is used"
        }
    })
}

/// Says what was drawn with fonts of this system, and what could not be drawn.
pub(super) fn tell(fonts: &Fonts) {
    let borrowed = fonts.fallbacks();
    // They come in the order of characters; people think in fonts.
    let mut names: Vec<&str> = borrowed.iter().map(|lent| lent.font.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let fonts_of = |name: &&str| {
        let own = borrowed.iter().filter(|lent| lent.font == *name);
        let characters: Vec<&str> = own.map(|lent| lent.text.as_str()).collect();
        format!("`{name}` ({})", some(&characters, |text| text.to_owned()))
    };
    if !names.is_empty() {
        let list: Vec<String> = names.iter().map(fonts_of).collect();
        failure::note(&format!(
            "drawn with fonts of this system: {}; `--no-system-fonts` draws the same on every system",
            list.join(", ")
        ));
    }
    let missing = fonts.missing();
    if !missing.is_empty() {
        let missing: Vec<&str> = missing.iter().map(String::as_str).collect();
        failure::note(&format!(
            "no font has {}: drawn as boxes with their numbers; `--font A.ttf --font B.ttf` takes from B what A lacks",
            some(&missing, numbered)
        ));
    }
}

/// The first of many, and how many more.
fn some(all: &[&str], written: impl Fn(&str) -> String) -> String {
    let first: Vec<String> = all.iter().take(NAMED).map(|text| written(text)).collect();
    let more = all.len().saturating_sub(NAMED);
    match more {
        0 => first.join(" "),
        more => format!("{} and {more} more", first.join(" ")),
    }
}

/// A character that the reader's terminal may lack as well.
fn numbered(text: &str) -> String {
    let numbers: Vec<String> = text
        .chars()
        .map(|c| format!("U+{:04X}", c as u32))
        .collect();
    format!("{text} ({})", numbers.join(" "))
}
