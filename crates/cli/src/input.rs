//! Reads a saved screen or a recording from a file or from stdin.
//!
//! The format is detected from the content and the file name, unless the caller names it.
//!
//! See also: `input/detect.rs` (format detection), `input/recording.rs` (the screens of a
//! recording), `input/regular_file.rs` (settings and other small files).

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use screentest::core::formats::ansi::{self, Meta};
use screentest::core::formats::asciicast::Cast;
use screentest::core::formats::state_json::StateJson;
use screentest::core::formats::vt2::{self, Strictness};
use screentest::core::{Color, Screen, Size, State, Theme};
use screentest::recording::Cassette;

use crate::args::size;
use crate::failure::{self, Failure};
use crate::output::screen_format;
use cassette_failure::read_failure;
use detect::InputFormat;
use recording::{AllowedFrames, OpenCassette, Recording};

pub(crate) mod cassette_failure;
mod detect;
pub(crate) mod recording;
pub(crate) mod regular_file;

/// Maximum input size: larger than any saved state.
const MAX_BYTES: u64 = 256 << 20;

/// Maximum input from a device: more than a person types, and little of an endless one such as
/// `/dev/zero`.
const MAX_DEVICE_BYTES: u64 = 1 << 20;

/// How much of a file is read to recognise an asciicast. Its header is one line, which is much
/// shorter.
const HEADER_BYTES: u64 = 64 << 10;

/// The size of ANSI text if none is known: tuispec's default.
const DEFAULT_SIZE: Size = Size {
    cols: 134,
    rows: 40,
};

const KNOWN_FORMATS: &str = "known formats are State JSON, VT2 (begins with `VT`), asciicasts, cassettes and ANSI text; `--from ansi` reads any bytes as a program's output";

/// The options for the input file.
#[derive(Debug, Args)]
pub(crate) struct InputFile {
    /// State JSON, VT2, ANSI text, an asciicast or a cassette; `-` for stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Format of FILE instead of the detected one; `ansi` accepts any bytes
    #[arg(long, value_enum, value_name = "F")]
    from: Option<InputFormat>,
    /// Columns of ANSI text, 2 to 2000
    #[arg(long, value_name = "N", value_parser = size::cols, allow_hyphen_values = true)]
    cols: Option<u16>,
    /// Rows of ANSI text, 1 to 2000
    #[arg(long, value_name = "N", value_parser = size::rows, allow_hyphen_values = true)]
    rows: Option<u16>,
    /// Show the frames of a cassette even if another emulator derived them
    #[arg(long)]
    any_emulator: bool,
}

/// How empty text without a size file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EmptyText {
    /// As a blank screen, if the name has a text extension.
    Blank,
    /// As an error, since a picture of it, or its text, would be useless.
    Refused,
}

/// The content of an input file.
#[derive(Debug)]
pub(crate) struct LoadedInput {
    /// One screen, or a recording.
    pub(crate) content: Content,
    /// The default colours of the file, if its format has them.
    default_colors: Option<Theme>,
    /// The name of the file, if it has exact colours that a theme cannot change.
    exact_colors_in: Option<String>,
    /// The guessed size, if none was given and the guess seems to be too large.
    pub(crate) guess: Option<SizeGuess>,
}

/// A guessed size that seems to be too large.
#[derive(Debug)]
pub(crate) struct SizeGuess {
    size: Size,
    /// The part of the screen that is not blank.
    used: Size,
}

impl SizeGuess {
    /// Prints a note about the guess.
    pub(crate) fn print_note(&self, name: &str) {
        let SizeGuess { size, used } = self;
        failure::note(&format!(
            "the size of {name} is unknown; {size} was assumed, but only {used} is used: set it with `--cols` and `--rows`"
        ));
    }
}

/// One screen, or a recording.
#[derive(Debug)]
pub(crate) enum Content {
    Screen(State),
    Recording(Recording),
}

impl LoadedInput {
    /// Returns the theme to use: the requested one, else the file's own, if it has one. Prints a
    /// note if the theme cannot change all colours.
    pub(crate) fn theme(&self, requested: Option<&Theme>) -> Option<Theme> {
        if let (Some(_), Some(name)) = (requested, &self.exact_colors_in) {
            failure::note(&format!(
                "the colours in {name} are exact: `--theme` changes only the default colours; ANSI text and vt2 store the colours' numbers instead"
            ));
        }
        requested.or(self.default_colors.as_ref()).cloned()
    }
}

/// Reads an asciicast, if the file is one by its name or by its first line.
pub(crate) fn read_cast(path: &Path) -> Result<Option<Cast>, Failure> {
    let head = || -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        File::open(path)?
            .take(HEADER_BYTES)
            .read_to_end(&mut head)?;
        Ok(head)
    };
    // A pipe or a device may be endless.
    if !path.is_file() {
        return Ok(None);
    }
    let indicated = InputFormat::from_path(path);
    let found =
        head().is_ok_and(|head| InputFormat::detect(&head, indicated) == InputFormat::Asciicast);
    if !found {
        return Ok(None);
    }
    let input = InputFile {
        file: path.to_owned(),
        from: Some(InputFormat::Asciicast),
        cols: None,
        rows: None,
        any_emulator: false,
    };
    match input.read(EmptyText::Refused)?.content {
        Content::Recording(Recording::Cast(cast)) => Ok(Some(*cast)),
        _ => Ok(None),
    }
}

impl InputFile {
    /// Reads the input.
    pub(crate) fn read(&self, empty: EmptyText) -> Result<LoadedInput, Failure> {
        let name = self.name();
        let indicated = self.path().and_then(InputFormat::from_path);
        let directory = self.path().filter(|path| path.is_dir());
        let bytes = match (directory, self.from.or(indicated)) {
            (Some(_), Some(InputFormat::Cassette)) => Vec::new(),
            (Some(path), _) if self.from.is_none() && detect::is_cassette(path) => Vec::new(),
            _ => self.read_bytes().map_err(Failure::usage)?,
        };
        let from = match (self.from, directory) {
            (Some(from), _) => from,
            (None, Some(_)) => InputFormat::Cassette,
            (None, None) => InputFormat::detect(&bytes, indicated),
        };
        if self.any_emulator && from != InputFormat::Cassette {
            return Err(Failure::usage(anyhow!(
                "`--any-emulator` applies to cassettes only, and {name} is not one"
            )));
        }
        if let Some(format) = from.name_if_sized()
            && (self.cols.is_some() || self.rows.is_some())
        {
            return Err(Failure::usage(anyhow!(
                "`--cols` and `--rows` apply to ANSI text only, and {name} is {format}, which stores its size"
            )));
        }
        let unreadable = |error| Failure::usage(error).hint(KNOWN_FORMATS);
        match from {
            InputFormat::Json => {
                let (state, colors) = StateJson::parse_with_default_style(&bytes)
                    .with_context(|| format!("{name} is not State JSON"))
                    .map_err(unreadable)?;
                Ok(LoadedInput {
                    default_colors: Some(Theme {
                        fg: colors.fg,
                        bg: colors.bg,
                        cursor: colors.fg,
                        ..Theme::default()
                    }),
                    exact_colors_in: has_colors(&state).then_some(name),
                    ..Content::Screen(state).into()
                })
            }
            InputFormat::Vt2 => {
                let screen = vt2::decode(&bytes, Strictness::Strict)
                    .with_context(|| format!("{name} is not a VT2 snapshot"))
                    .map_err(unreadable)?;
                Ok(screen.into())
            }
            InputFormat::Asciicast => {
                let cast = Cast::parse(&bytes)
                    .with_context(|| format!("could not read {name} as an asciicast"))
                    .map_err(unreadable)?;
                if let Some(line) = cast.cut_short {
                    failure::note(&format!(
                        "line {line}, the last of {name}, is incomplete and was left out"
                    ));
                }
                Ok(Recording::Cast(cast.into()).into())
            }
            InputFormat::Cassette => self.open_cassette(),
            InputFormat::Text | InputFormat::Ansi => {
                let meta = self.read_meta().map_err(Failure::usage)?;
                if self.from.is_none() {
                    let textual = matches!(indicated, Some(InputFormat::Text | InputFormat::Ansi));
                    // An empty screen is saved as an empty file, but other files may be empty too.
                    let screen = meta.is_some() || (textual && empty == EmptyText::Blank);
                    if bytes.is_empty() && !screen {
                        return Err(Failure::usage(anyhow!("{name} is empty"))
                            .hint("`--from ansi` reads it as a blank screen"));
                    }
                    detect::check_text(&bytes)
                        .with_context(|| format!("the format of {name} is not known"))
                        .map_err(unreadable)?;
                }
                Ok(self.read_ansi(&bytes, meta.as_ref()))
            }
        }
    }

    /// Opens a cassette.
    fn open_cassette(&self) -> Result<LoadedInput, Failure> {
        let name = self.name();
        let path = match self.path() {
            Some(path) if !path.is_file() => path,
            _ => {
                return Err(Failure::usage(anyhow!(
                    "a cassette is a directory, and {name} is not one"
                )));
            }
        };
        let cassette = Cassette::open(path).map_err(read_failure)?;
        let emulator = if self.any_emulator {
            AllowedFrames::AnyEmulator
        } else {
            AllowedFrames::SameEmulator
        };
        let opened = OpenCassette::new(cassette, emulator)?;
        Ok(Recording::Cassette(opened.into()).into())
    }

    /// Returns the path of the input with another extension; `None` for stdin.
    pub(crate) fn with_extension(&self, extension: &str) -> Option<PathBuf> {
        let path = self.path()?;
        let mut name = detect::stem(path)?.to_owned();
        name.push(".");
        name.push(extension);
        Some(path.with_file_name(name))
    }

    /// Returns the name for messages.
    pub(crate) fn name(&self) -> String {
        match self.path() {
            None => "stdin".to_owned(),
            Some(path) => format!("`{}`", path.display()),
        }
    }

    fn path(&self) -> Option<&Path> {
        (self.file.as_os_str() != "-").then_some(&self.file)
    }

    fn read_bytes(&self) -> anyhow::Result<Vec<u8>> {
        let name = self.name();
        let mut bytes = Vec::new();
        let max = self.max_bytes();
        match self.path() {
            None => io::stdin().lock().take(max + 1).read_to_end(&mut bytes),
            Some(path) if path.is_dir() => bail!("{name} is a directory"),
            // A file that is too large is refused before it is read.
            Some(path) if fs::metadata(path).is_ok_and(|about| about.len() > max) => {
                bail!("{name} is larger than the limit of {max} bytes")
            }
            Some(path) => {
                File::open(path).and_then(|file| file.take(max + 1).read_to_end(&mut bytes))
            }
        }
        .with_context(|| format!("could not read {name}"))?;
        if bytes.len() as u64 > max {
            bail!("{name} is larger than the limit of {max} bytes")
        } else {
            Ok(bytes)
        }
    }

    /// Returns the limit of the size.
    fn max_bytes(&self) -> u64 {
        let metadata = self.path().and_then(|path| fs::metadata(path).ok());
        if metadata.is_some_and(|about| about.file_type().is_char_device()) {
            MAX_DEVICE_BYTES
        } else {
            MAX_BYTES
        }
    }

    /// Reads the size from the `.meta.json` file next to ANSI text. A file that cannot be parsed is
    /// an error: with another size, rows would wrap at other columns.
    fn read_meta(&self) -> anyhow::Result<Option<Meta>> {
        let Some(meta_file) = self.path().and_then(screen_format::meta_path) else {
            return Ok(None);
        };
        let json = match regular_file::read(&meta_file, screen_format::MAX_META_BYTES) {
            Ok(json) => json,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(anyhow!(error))
                    .with_context(|| format!("could not read `{}`", meta_file.display()));
            }
        };
        let meta = Meta::parse(json);
        let meta =
            meta.with_context(|| format!("`{}` contains no valid size", meta_file.display()))?;
        Ok(Some(meta))
    }

    /// Reads ANSI text. The size on the command line has precedence over the size file.
    fn read_ansi(&self, bytes: &[u8], meta: Option<&Meta>) -> LoadedInput {
        let known = meta.map(Meta::size);
        let cols = self.cols.or(known.map(|size| size.cols));
        let rows = self.rows.or(known.map(|size| size.rows));
        let guessed = Size {
            cols: cols.unwrap_or(DEFAULT_SIZE.cols),
            rows: rows.unwrap_or(DEFAULT_SIZE.rows),
        };
        let mut screen = ansi::read(bytes, guessed);
        // Output that did not fit appears on a larger screen.
        let larger = Size {
            cols: cols.unwrap_or(DEFAULT_SIZE.cols * 4),
            rows: rows.unwrap_or(DEFAULT_SIZE.rows * 4),
        };
        let mut guess = None;
        if larger != guessed && ansi::read(bytes, larger).text() != screen.text() {
            failure::note(&format!(
                "{} does not fit into {guessed}, the assumed size: set it with `--cols` and `--rows`",
                self.name()
            ));
        } else {
            let used = used_size(&screen);
            let used = Size {
                cols: cols.unwrap_or(used.cols),
                rows: rows.unwrap_or(used.rows),
            };
            guess = is_mostly_blank(guessed, used).then_some(SizeGuess {
                size: guessed,
                used,
            });
        }
        if let Some(meta) = meta {
            meta.place_cursor(&mut screen);
        }
        LoadedInput {
            guess,
            ..screen.into()
        }
    }
}

/// Returns the size of the part that is not blank.
fn used_size(screen: &Screen) -> Size {
    let cols = screen.rows.iter().map(|row| row.len()).max();
    let rows = screen.rows.iter().rposition(|row| !row.is_empty());
    let side = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
    Size {
        cols: side(cols.unwrap_or(0)),
        rows: side(rows.map_or(0, |last| last + 1)),
    }
}

/// Returns whether less than half of the screen is used. That holds for 80x24, a common size, in
/// the guessed size.
fn is_mostly_blank(size: Size, used: Size) -> bool {
    let cells = |size: Size| u32::from(size.cols) * u32::from(size.rows);
    cells(used) * 2 < cells(size)
}

/// Returns whether any cell has a colour other than the default.
fn has_colors(state: &State) -> bool {
    let mut rows = state.screen.rows.iter().chain(&state.scrollback);
    let own = |color: Color| color != Color::Default;
    rows.any(|row| {
        row.cells()
            .any(|cell| own(cell.style.fg) || own(cell.style.bg))
    })
}

impl From<Screen> for LoadedInput {
    fn from(screen: Screen) -> LoadedInput {
        let scrollback = Vec::new();
        Content::Screen(State { screen, scrollback }).into()
    }
}

impl From<Recording> for LoadedInput {
    fn from(recording: Recording) -> LoadedInput {
        let own = recording.header().theme.as_ref();
        LoadedInput {
            default_colors: own.map(|own| own.theme(&Theme::default())),
            ..Content::Recording(recording).into()
        }
    }
}

impl From<Content> for LoadedInput {
    fn from(content: Content) -> LoadedInput {
        LoadedInput {
            content,
            default_colors: None,
            exact_colors_in: None,
            guess: None,
        }
    }
}
