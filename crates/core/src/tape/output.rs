//! What a tape leaves, known by its name's ending.

use std::str::FromStr;

use super::Dialect;

/// A file or folder that is written when the tape has run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// As the tape names it.
    pub path: String,
    /// What it is.
    pub kind: OutputKind,
}

/// What an output is.
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
    /// The last screen as text that draws it.
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

/// The endings that are known, in the order in which messages list them.
pub(super) const ENDINGS: [(&str, OutputKind); 14] = [
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

/// Why a path is no output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OutputError {
    /// It is empty.
    Empty,
    /// It has no ending.
    NoEnding,
    /// It has this one.
    Unknown(String),
}

impl Output {
    /// The output that a path asks for. A folder of frames ends with `/`.
    pub(super) fn new(path: &str, dialect: Dialect) -> Result<Output, OutputError> {
        let kind = match ending(path) {
            _ if path.is_empty() => return Err(OutputError::Empty),
            _ if path.ends_with('/') => OutputKind::Frames,
            None if dialect.folder_needs_no_slash() => OutputKind::Frames,
            None => return Err(OutputError::NoEnding),
            Some(ending) => {
                let ending = ending.to_lowercase();
                let known = ENDINGS.iter().find(|(name, _)| *name == ending);
                match known.ok_or(OutputError::Unknown(ending))?.1 {
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

/// The output that somebody asks for outside of a tape: `.png` is always the last screen, and a folder ends with `/`.
impl FromStr for Output {
    type Err = UnknownOutput;

    fn from_str(path: &str) -> Result<Output, UnknownOutput> {
        let known = match path.ends_with('/') || ending(path).is_some() {
            true => Output::new(path, Dialect::Betamax).ok(),
            false => None,
        };
        known.ok_or_else(|| UnknownOutput {
            path: path.to_owned(),
        })
    }
}

/// A path whose ending says nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{path}` has no ending that says what it is: it can be {}", endings())]
pub struct UnknownOutput {
    /// What was written.
    pub path: String,
}

fn endings() -> String {
    let all = ENDINGS.map(|(ending, _)| match ending {
        "/" => "`/` for a folder of frames".to_owned(),
        ending => format!("`.{ending}`"),
    });
    all.join(", ")
}

/// What stands behind the last dot of a path's last part.
pub(super) fn ending(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    let (_, ending) = name.rsplit_once('.')?;
    Some(ending)
}
