//! The formats of screens and pictures: names for `--format` and file extensions.
//!
//! See also: `screen_format.rs` (screens as text and data), `picture_format.rs` (pictures),
//! `input/detect.rs` (format of an input file).

use std::fmt;
use std::path::Path;

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::output::picture_format::PictureFormat;
use crate::output::screen_format::ScreenFormat;

/// The format of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputFormat {
    /// Text or data: can be read again and compared.
    Screen(ScreenFormat),
    /// A picture or a video.
    Picture(PictureFormat),
}

impl OutputFormat {
    /// File extensions and their formats; the first one that matches is used.
    const EXTENSIONS: [(&str, OutputFormat); 13] = [
        (".ansi.txt", OutputFormat::Screen(ScreenFormat::Ansi)),
        (".ansi", OutputFormat::Screen(ScreenFormat::Ansi)),
        (".txt", OutputFormat::Screen(ScreenFormat::Text)),
        (".json", OutputFormat::Screen(ScreenFormat::Json)),
        (".vt2", OutputFormat::Screen(ScreenFormat::Vt2)),
        (".png", OutputFormat::Picture(PictureFormat::Png)),
        (".svg", OutputFormat::Picture(PictureFormat::Svg)),
        (".html", OutputFormat::Picture(PictureFormat::Html)),
        (".gif", OutputFormat::Picture(PictureFormat::Gif)),
        (".apng", OutputFormat::Picture(PictureFormat::Apng)),
        (".webp", OutputFormat::Picture(PictureFormat::Webp)),
        (".mp4", OutputFormat::Picture(PictureFormat::Mp4)),
        (".webm", OutputFormat::Picture(PictureFormat::Webm)),
    ];

    /// Returns the format that the file name indicates.
    pub(crate) fn from_path(path: &Path) -> Option<OutputFormat> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let fits = |(extension, _): &&(&str, OutputFormat)| name.ends_with(extension);
        OutputFormat::EXTENSIONS
            .iter()
            .find(fits)
            .map(|(_, format)| *format)
    }

    /// Returns the extensions of the wanted formats, for a message.
    pub(crate) fn extensions(wanted: impl Fn(OutputFormat) -> bool) -> String {
        let extensions = OutputFormat::EXTENSIONS.iter();
        let extensions = extensions.filter(|(_, format)| wanted(*format));
        let quoted: Vec<String> = extensions
            .map(|(extension, _)| format!("`{extension}`"))
            .collect();
        quoted.join(", ")
    }

    /// Returns whether a file with the extension of this format may contain `written` without a
    /// note: a `.txt` file may contain any text, and an APNG is a PNG.
    pub(crate) fn accepts(self, written: OutputFormat) -> bool {
        use ScreenFormat::{Ansi, Sketch, Text};
        self == written
            || match (self, written) {
                (OutputFormat::Screen(Text), OutputFormat::Screen(other)) => {
                    matches!(other, Ansi | Sketch)
                }
                (OutputFormat::Picture(PictureFormat::Png), other) => {
                    other == OutputFormat::Picture(PictureFormat::Apng)
                }
                _ => false,
            }
    }

    /// Returns whether a terminal would show garbage.
    pub(crate) fn is_binary(self) -> bool {
        match self {
            OutputFormat::Screen(format) => format == ScreenFormat::Vt2,
            OutputFormat::Picture(format) => !format.is_text(),
        }
    }
}

/// The name for `--format`.
impl fmt::Display for OutputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.write_str(value.as_ref().map_or("", PossibleValue::get_name))
    }
}

impl ValueEnum for OutputFormat {
    fn value_variants<'a>() -> &'a [OutputFormat] {
        const ALL: [OutputFormat; 13] = [
            OutputFormat::Screen(ScreenFormat::Text),
            OutputFormat::Screen(ScreenFormat::Json),
            OutputFormat::Screen(ScreenFormat::Ansi),
            OutputFormat::Screen(ScreenFormat::Vt2),
            OutputFormat::Screen(ScreenFormat::Sketch),
            OutputFormat::Picture(PictureFormat::Png),
            OutputFormat::Picture(PictureFormat::Svg),
            OutputFormat::Picture(PictureFormat::Html),
            OutputFormat::Picture(PictureFormat::Gif),
            OutputFormat::Picture(PictureFormat::Apng),
            OutputFormat::Picture(PictureFormat::Webp),
            OutputFormat::Picture(PictureFormat::Mp4),
            OutputFormat::Picture(PictureFormat::Webm),
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            OutputFormat::Screen(format) => format.to_possible_value(),
            OutputFormat::Picture(format) => format.to_possible_value(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_extension_is_used() {
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
            let found = OutputFormat::from_path(Path::new(name)).map(|format| format.to_string());
            assert_eq!(found.as_deref(), format, "{name}");
        }
    }

    #[test]
    fn formats_are_parsed_from_their_names() {
        for (_, format) in OutputFormat::EXTENSIONS {
            assert!(OutputFormat::value_variants().contains(&format));
            assert_eq!(
                OutputFormat::from_str(&format.to_string(), false),
                Ok(format)
            );
        }
    }
}
