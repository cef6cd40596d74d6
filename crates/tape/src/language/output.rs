//! Outputs of a tape; the file extension determines the format.

use std::str::FromStr;

use super::Dialect;

/// A file or folder that is written when the tape has run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// The path as written in the tape.
    pub path: String,
    /// Its format.
    pub kind: OutputKind,
}

/// The format of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutputKind {
    /// An animation.
    Gif,
    /// An animation, as PNG.
    Apng,
    /// An animation, as WebP.
    Webp,
    /// A video, with ffmpeg.
    Mp4,
    /// A video, with ffmpeg.
    Webm,
    /// The last screen as a picture.
    Png,
    /// The last screen as SVG, with selectable text.
    Svg,
    /// The last screen as State JSON.
    Json,
    /// The text of the screen after every step, as VHS writes it.
    Text,
    /// A folder with a PNG for every frame.
    Frames,
    /// A folder with the whole session.
    Cassette,
    /// The session as an asciicast.
    Cast,
}

/// The known extensions, in the order in which messages list them.
pub(super) const EXTENSIONS: [(&str, OutputKind); 14] = [
    ("gif", OutputKind::Gif),
    ("apng", OutputKind::Apng),
    ("webp", OutputKind::Webp),
    ("mp4", OutputKind::Mp4),
    ("webm", OutputKind::Webm),
    ("png", OutputKind::Png),
    ("svg", OutputKind::Svg),
    ("json", OutputKind::Json),
    ("txt", OutputKind::Text),
    ("ascii", OutputKind::Text),
    ("test", OutputKind::Text),
    ("cassette", OutputKind::Cassette),
    ("cast", OutputKind::Cast),
    ("/", OutputKind::Frames),
];

/// Reasons why a path is not an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OutputPathError {
    /// The path is empty.
    Empty,
    /// The path has no extension.
    NoExtension,
    /// The extension is unknown.
    Unknown(String),
}

impl Output {
    /// Determines the output from a path. A folder of frames ends with `/`.
    pub(super) fn new(path: &str, dialect: Dialect) -> Result<Output, OutputPathError> {
        let kind = match extension(path) {
            _ if path.is_empty() => return Err(OutputPathError::Empty),
            _ if path.ends_with('/') => OutputKind::Frames,
            None if dialect.folder_needs_no_slash() => OutputKind::Frames,
            None => return Err(OutputPathError::NoExtension),
            Some(extension) => {
                let extension = extension.to_lowercase();
                let known = EXTENSIONS.iter().find(|(name, _)| *name == extension);
                match known.ok_or(OutputPathError::Unknown(extension))?.1 {
                    OutputKind::Png if dialect.png_is_a_folder() => OutputKind::Frames,
                    kind => kind,
                }
            }
        };
        Ok(Output {
            path: path.to_owned(),
            kind,
        })
    }
}

/// Parses an output that was requested outside a tape: `.png` is always the last screen, and a
/// folder ends with `/`.
impl FromStr for Output {
    type Err = UnknownOutput;

    fn from_str(path: &str) -> Result<Output, UnknownOutput> {
        let known = if path.ends_with('/') || extension(path).is_some() {
            Output::new(path, Dialect::Betamax).ok()
        } else {
            None
        };
        known.ok_or_else(|| UnknownOutput {
            path: path.to_owned(),
        })
    }
}

/// Error for a path without a known extension.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{path}` has no known extension: use {}", extension_list())]
pub struct UnknownOutput {
    /// The path as written.
    pub path: String,
}

fn extension_list() -> String {
    let all = EXTENSIONS.map(|(extension, _)| match extension {
        "/" => "`/` for a folder of frames".to_owned(),
        extension => format!("`.{extension}`"),
    });
    all.join(", ")
}

/// Returns the text after the last dot of a path's last component.
pub(super) fn extension(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    let (_, extension) = name.rsplit_once('.')?;
    Some(extension)
}
