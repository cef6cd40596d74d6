//! Options for the font of pictures.
//!
//! The first of these that is set selects the font: `--font`, `SCREENTEST_FONT_PATH`,
//! `TUISPEC_FONT_PATH`. The default is the bundled font. Missing characters come from the system's
//! fonts. A note reports that, since other systems have other fonts.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::render::{Bold, FontError, Fonts, RenderOptions, Scale, SystemFonts};

use crate::args::number::within;
use crate::failure::{self, Failure};
use crate::output::format::OutputFormat;
use crate::output::picture_format::PictureFormat;

/// Maximum number of characters that a note lists.
const MAX_LISTED: usize = 12;

/// Valid font sizes, in pixels.
const FONT_SIZES: RangeInclusive<f32> = 4.0..=256.0;

/// The options for the font.
#[derive(Debug, Args)]
pub(super) struct FontArgs {
    /// Monospaced TrueType or OpenType file; repeat for fallback fonts [default: DejaVu Sans Mono,
    /// bundled]
    #[arg(long, value_name = "FILE")]
    font: Vec<PathBuf>,
    /// Do not take missing characters from the fonts of this system: same picture everywhere
    #[arg(long)]
    no_system_fonts: bool,
    /// Draw bold text in the first eight colours bright, as xterm and VHS do
    #[arg(long)]
    bold_is_bright: bool,
    /// Fonts that svg and html name, as a CSS list
    #[arg(long, value_name = "CSS")]
    font_family: Option<String>,
    /// Font size in pixels, 4 to 256 [default: 16]
    #[arg(long, value_name = "PX", value_parser = font_size, allow_negative_numbers = true)]
    font_size: Option<f32>,
    /// Extra space between letters, in pixels
    #[arg(long, value_name = "PX", value_parser = letter_spacing, allow_negative_numbers = true)]
    letter_spacing: Option<f32>,
    /// Row height as a factor of the font's own, 0.5 to 4
    #[arg(long, value_name = "X", value_parser = line_height, allow_negative_numbers = true)]
    line_height: Option<f32>,
    /// Resolution factor: 2 is sharp on high-resolution displays
    #[arg(long, value_name = "1|2", value_parser = scale, allow_negative_numbers = true)]
    scale: Option<Scale>,
}

fn font_size(text: &str) -> Result<f32, String> {
    within(text, &FONT_SIZES, "a font size in pixels")
}

fn letter_spacing(text: &str) -> Result<f32, String> {
    // The valid range depends on the font size, and is checked with it.
    within(text, &(-256.0..=1024.0), "a number of pixels")
}

fn line_height(text: &str) -> Result<f32, String> {
    within(text, &(0.5..=4.0), "a factor")
}

fn scale(text: &str) -> Result<Scale, String> {
    match text.strip_suffix(['x', '×']).unwrap_or(text) {
        "1" => Ok(Scale::One),
        "2" => Ok(Scale::Two),
        other => Err(format!("expected 1 or 2; {}", scale_hint(other))),
    }
}

/// Returns a hint for a scale other than 1 and 2: the font size that has the same effect.
fn scale_hint(scale: &str) -> String {
    let default = RenderOptions::default().font_size;
    let wanted = scale.parse::<f32>().ok();
    match wanted.map(|scale| (scale, scale * default)) {
        Some((scale, size)) if FONT_SIZES.contains(&size) => {
            format!("`--font-size {size}` draws letters {scale} times as large")
        }
        _ => "`--font-size PX` sets any font size".to_owned(),
    }
}

impl FontArgs {
    /// Returns the first option that was given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
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

    /// Checks that the options fit the format: fonts of pixel formats are chosen here, those of
    /// text formats by the viewer.
    pub(super) fn check(&self, picture_format: PictureFormat) -> Result<(), Failure> {
        let format = OutputFormat::Picture(picture_format);
        let files = [
            (!self.font.is_empty(), "--font"),
            (self.no_system_fonts, "--no-system-fonts"),
        ];
        let file = files.into_iter().find(|(given, _)| *given);
        let (option, why, hint) = match (picture_format.is_text(), file, &self.font_family) {
            (true, Some((_, option)), _) => (
                option,
                "is drawn with the fonts of the viewer",
                "`--font-family NAME` selects them",
            ),
            (false, _, Some(_)) => (
                "--font-family",
                "contains pixels, not text",
                "`--font FILE` selects the font",
            ),
            _ => return Ok(()),
        };
        Err(Failure::usage(anyhow!("`{option}` does not apply: {format} {why}")).hint(hint))
    }

    /// Loads the requested fonts.
    pub(super) fn fonts(&self) -> Result<Fonts, Failure> {
        let system = if self.no_system_fonts {
            SystemFonts::Forbidden
        } else {
            SystemFonts::Allowed
        };
        if !self.font.is_empty() {
            return Fonts::from_files(&self.font, system)
                .context("`--font`")
                .map_err(font_failure);
        }
        screentest::test::picture::fonts(system)
            .map_err(Into::into)
            .map_err(font_failure)
    }

    /// Sets the font options of a renderer.
    pub(super) fn apply(&self, options: &mut RenderOptions) {
        let default = RenderOptions::default();
        options.font_size = self.font_size.unwrap_or(default.font_size);
        options.letter_spacing = self.letter_spacing.unwrap_or(default.letter_spacing);
        options.line_height = self.line_height.unwrap_or(default.line_height);
        options.scale = self.scale.unwrap_or(default.scale);
        options.bold = if self.bold_is_bright {
            Bold::Brightens
        } else {
            Bold::Keeps
        };
        options.font_family = self.font_family.clone().unwrap_or(default.font_family);
    }
}

fn font_failure(error: anyhow::Error) -> Failure {
    let unreadable = error
        .chain()
        .any(|cause| matches!(cause.downcast_ref(), Some(FontError::Unreadable { .. })));
    Failure::usage(error).hint(if unreadable {
        "expected the path of a `.ttf` or `.otf` file, not the name of a font"
    } else {
        "expected a monospaced `.ttf` or `.otf` file; the default is the bundled font"
    })
}

/// Prints notes about characters from fallback fonts, and about missing characters.
pub(crate) fn print_notes(fonts: &Fonts) {
    let fallbacks = fonts.fallbacks();
    // They are sorted by character; the note lists them by font.
    let mut names: Vec<&str> = fallbacks
        .iter()
        .map(|fallback| fallback.font.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    let fonts_of = |name: &&str| {
        let own = fallbacks.iter().filter(|fallback| fallback.font == *name);
        let characters: Vec<&str> = own.map(|fallback| fallback.text.as_str()).collect();
        format!(
            "`{name}` ({})",
            join_first(&characters, |text| text.to_owned())
        )
    };
    if !names.is_empty() {
        let list: Vec<String> = names.iter().map(fonts_of).collect();
        failure::note(&format!(
            "drawn with fonts of this system: {}; `--no-system-fonts` makes the picture the same on every system",
            list.join(", ")
        ));
    }
    let missing = fonts.missing();
    if !missing.is_empty() {
        let missing: Vec<&str> = missing.iter().map(String::as_str).collect();
        failure::note(&format!(
            "no font has {}: drawn as boxes with their code points; `--font A.ttf --font B.ttf` uses B for the characters that A lacks",
            join_first(&missing, with_code_points)
        ));
    }
}

/// Joins the first items, and adds the number of the others.
fn join_first(all: &[&str], written: impl Fn(&str) -> String) -> String {
    let first: Vec<String> = all
        .iter()
        .take(MAX_LISTED)
        .map(|text| written(text))
        .collect();
    let more = all.len().saturating_sub(MAX_LISTED);
    match more {
        0 => first.join(" "),
        more => format!("{} and {more} more", first.join(" ")),
    }
}

/// Formats a character with its code point: the terminal may lack the character too.
fn with_code_points(text: &str) -> String {
    let numbers: Vec<String> = text
        .chars()
        .map(|c| format!("U+{:04X}", c as u32))
        .collect();
    format!("{text} ({})", numbers.join(" "))
}
