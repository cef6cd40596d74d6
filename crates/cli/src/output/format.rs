//! The formats by name, on the command line and at the end of a file's name.
//!
//! Elsewhere: a screen written down (`notation.rs`), a screen drawn (`picture.rs`), which format a file is in
//! (`input/detect.rs`), where the bytes go (`output.rs`).

use std::fmt;
use std::path::Path;

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::notation::Notation;
use crate::picture::Medium;

/// How a screen is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Written down: it can be read again, or compared.
    Written(Notation),
    /// Drawn, for people to look at.
    Drawn(Medium),
}

impl Format {
    /// The endings of file names that promise a format; of those that fit, the first counts.
    const ENDINGS: [(&str, Format); 13] = [
        (".ansi.txt", Format::Written(Notation::Ansi)),
        (".ansi", Format::Written(Notation::Ansi)),
        (".txt", Format::Written(Notation::Text)),
        (".json", Format::Written(Notation::Json)),
        (".vt2", Format::Written(Notation::Vt2)),
        (".png", Format::Drawn(Medium::Png)),
        (".svg", Format::Drawn(Medium::Svg)),
        (".html", Format::Drawn(Medium::Html)),
        (".gif", Format::Drawn(Medium::Gif)),
        (".apng", Format::Drawn(Medium::Apng)),
        (".webp", Format::Drawn(Medium::Webp)),
        (".mp4", Format::Drawn(Medium::Mp4)),
        (".webm", Format::Drawn(Medium::Webm)),
    ];

    /// The format that a file's name promises.
    pub(crate) fn promised(path: &Path) -> Option<Format> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let fits = |(ending, _): &&(&str, Format)| name.ends_with(ending);
        Format::ENDINGS.iter().find(fits).map(|(_, format)| *format)
    }

    /// The endings of those that are wanted, for a sentence.
    pub(crate) fn endings(wanted: impl Fn(Format) -> bool) -> String {
        let endings = Format::ENDINGS.iter();
        let endings = endings.filter(|(_, format)| wanted(*format));
        let quoted: Vec<String> = endings.map(|(ending, _)| format!("`{ending}`")).collect();
        quoted.join(", ")
    }

    /// Whether a file whose name promises this may hold another without surprising anybody: any text may stand in a `.txt`,
    /// and an APNG is a PNG.
    pub(crate) fn may_hold(self, other: Format) -> bool {
        use Notation::{Ansi, Sketch, Text};
        self == other
            || match (self, other) {
                (Format::Written(Text), Format::Written(held)) => matches!(held, Ansi | Sketch),
                (Format::Drawn(Medium::Png), held) => held == Format::Drawn(Medium::Apng),
                _ => false,
            }
    }

    /// Whether a terminal would show noise.
    pub(crate) fn is_binary(self) -> bool {
        match self {
            Format::Written(notation) => notation == Notation::Vt2,
            Format::Drawn(medium) => !medium.is_text(),
        }
    }
}

/// The name that `--format` takes.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.write_str(value.as_ref().map_or("", PossibleValue::get_name))
    }
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Format] {
        const ALL: [Format; 13] = [
            Format::Written(Notation::Text),
            Format::Written(Notation::Json),
            Format::Written(Notation::Ansi),
            Format::Written(Notation::Vt2),
            Format::Written(Notation::Sketch),
            Format::Drawn(Medium::Png),
            Format::Drawn(Medium::Svg),
            Format::Drawn(Medium::Html),
            Format::Drawn(Medium::Gif),
            Format::Drawn(Medium::Apng),
            Format::Drawn(Medium::Webp),
            Format::Drawn(Medium::Mp4),
            Format::Drawn(Medium::Webm),
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Format::Written(notation) => notation.to_possible_value(),
            Format::Drawn(medium) => medium.to_possible_value(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_ending_counts() {
        for (name, format) in [
            ("x.ansi.txt", Some("ansi")),
            ("a/x.ansi", Some("ansi")),
            ("x.txt", Some("text")),
            ("x.y.json", Some("json")),
            ("x.vt2", Some("vt2")),
            ("x.txt.png", Some("png")),
            ("X.PNG", Some("png")),
            ("x.jpg", None),
            ("x", None),
            ("/", None),
        ] {
            let found = Format::promised(Path::new(name)).map(|format| format.to_string());
            assert_eq!(found.as_deref(), format, "{name}");
        }
    }

    #[test]
    fn every_format_has_a_name_of_its_own() {
        for (_, format) in Format::ENDINGS {
            assert!(Format::value_variants().contains(&format));
            assert_eq!(Format::from_str(&format.to_string(), false), Ok(format));
        }
    }
}
