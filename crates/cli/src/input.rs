//! A kept screen or a recording, read from a file or from stdin.
//!
//! What it is in is told by its content and its name, unless the caller knows better and says so.
//!
//! Elsewhere: which format it is (`input/detect.rs`), the screens of a recording (`recording.rs`).

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use screentest::Cassette;
use screentest::core::formats::ansi::{self, Meta};
use screentest::core::formats::asciicast::Cast;
use screentest::core::formats::state_json::StateJson;
use screentest::core::formats::vt2::{self, Strictness};
use screentest::core::{Color, Screen, Size, State, Theme};

use crate::failure::{self, Failure};
use crate::notation;
use crate::recording::{self, Derived, Opened, Recording};
use crate::size;
use detect::From;

mod detect;

/// The most that is read: more than any state that people keep, and `/dev/zero` has no end.
const MOST: u64 = 256 << 20;

/// How much of a file is looked at to know an asciicast: its header is one line, and far shorter.
const HEAD: u64 = 64 << 10;

/// The size of ANSI text that nobody told: tuispec's own.
const GUESS: Size = Size {
    cols: 134,
    rows: 40,
};

const UNDERSTOOD: &str = "State JSON, VT2 (begins with `VT`), asciicasts, cassettes and ANSI text are understood; `--from ansi` takes any bytes as what a program wrote";

/// What a command may be told about its input.
#[derive(Debug, Args)]
pub(crate) struct Input {
    /// State JSON, VT2, ANSI, an asciicast or a cassette; `-` for stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The format of FILE, whatever its content and its name say; ansi takes any bytes
    #[arg(long, value_enum, value_name = "F")]
    from: Option<From>,
    /// How many columns ANSI text has, from 2 to 2000
    #[arg(long, value_name = "N", value_parser = size::cols, allow_hyphen_values = true)]
    cols: Option<u16>,
    /// How many rows it has, from 1 to 2000
    #[arg(long, value_name = "N", value_parser = size::rows, allow_hyphen_values = true)]
    rows: Option<u16>,
    /// Show the frames of a cassette that were derived by an emulator that is not here
    #[arg(long)]
    any_emulator: bool,
}

/// What an empty text without a size beside it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Empty {
    /// A screen on which nothing stands, if it is called a text.
    Blank,
    /// A slip: nobody wants a picture of it.
    Refused,
}

/// What was read.
#[derive(Debug)]
pub(crate) struct Kept {
    /// The screen, or many.
    pub(crate) content: Content,
    /// The colours of what is plain in it, where the format has them.
    colors: Option<Theme>,
    /// The name of a file whose other colours are no theme's, since they are exact.
    exact: Option<String>,
    /// The size, where nobody gave it and it seems to be another.
    pub(crate) guess: Option<Guess>,
}

/// A size that was guessed, and seems too large.
#[derive(Debug)]
pub(crate) struct Guess {
    size: Size,
    /// How much of it is not blank.
    used: Size,
}

impl Guess {
    /// Says so.
    pub(crate) fn tell(&self, name: &str) {
        let Guess { size, used } = self;
        failure::note(&format!(
            "the size of {name} was guessed as {size}, and only {used} of it are used: `--cols` and `--rows` give the right one"
        ));
    }
}

/// One screen, or many.
#[derive(Debug)]
pub(crate) enum Content {
    Screen(State),
    Recording(Recording),
}

impl Kept {
    /// Its colours: those that were asked for, else its own. What a theme cannot change is told.
    pub(crate) fn theme(&self, asked: Option<&Theme>) -> Theme {
        if let (Some(_), Some(name)) = (asked, &self.exact) {
            failure::note(&format!(
                "the colours in {name} are exact and stay: `--theme` changes only plain text and the background; ANSI text and vt2 keep colours by their number"
            ));
        }
        let theme = asked.or(self.colors.as_ref());
        theme.cloned().unwrap_or_default()
    }
}

/// The asciicast in a file, if the file is one by its name or by its first line.
pub(crate) fn cast(path: &Path) -> Result<Option<Cast>, Failure> {
    let head = || -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        File::open(path)?.take(HEAD).read_to_end(&mut head)?;
        Ok(head)
    };
    // A pipe or a device may have no end.
    if !path.is_file() {
        return Ok(None);
    }
    let promised = From::promised(path);
    let found = head().is_ok_and(|head| From::of(&head, promised) == From::Asciicast);
    if !found {
        return Ok(None);
    }
    let input = Input {
        file: path.to_owned(),
        from: Some(From::Asciicast),
        cols: None,
        rows: None,
        any_emulator: false,
    };
    match input.read(Empty::Refused)?.content {
        Content::Recording(Recording::Cast(cast)) => Ok(Some(*cast)),
        _ => Ok(None),
    }
}

impl Input {
    /// Reads it.
    pub(crate) fn read(&self, empty: Empty) -> Result<Kept, Failure> {
        let name = self.name();
        let promised = self.path().and_then(From::promised);
        let folder = self.path().filter(|path| path.is_dir());
        let bytes = match (folder, self.from.or(promised)) {
            (Some(_), Some(From::Cassette)) => Vec::new(),
            (Some(path), _) if self.from.is_none() && detect::is_cassette(path) => Vec::new(),
            _ => self.bytes().map_err(Failure::usage)?,
        };
        let from = match (self.from, folder) {
            (Some(from), _) => from,
            (None, Some(_)) => From::Cassette,
            (None, None) => From::of(&bytes, promised),
        };
        if self.any_emulator && from != From::Cassette {
            return Err(Failure::usage(anyhow!(
                "`--any-emulator` is for cassettes, and {name} is none"
            )));
        }
        if let Some(format) = from.sized()
            && (self.cols.is_some() || self.rows.is_some())
        {
            return Err(Failure::usage(anyhow!(
                "`--cols` and `--rows` are the size of ANSI text, and {name} is {format}, which has its own"
            )));
        }
        let unreadable = |error| Failure::usage(error).hint(UNDERSTOOD);
        match from {
            From::Json => {
                let (state, colors) = StateJson::parse_with_default_style(&bytes)
                    .with_context(|| format!("{name} is not State JSON"))
                    .map_err(unreadable)?;
                Ok(Kept {
                    colors: Some(Theme {
                        fg: colors.fg,
                        bg: colors.bg,
                        cursor: colors.fg,
                        ..Theme::default()
                    }),
                    exact: is_coloured(&state).then_some(name),
                    ..Content::Screen(state).into()
                })
            }
            From::Vt2 => {
                let screen = vt2::decode(&bytes, Strictness::Strict)
                    .with_context(|| format!("{name} is not a VT2 snapshot"))
                    .map_err(unreadable)?;
                Ok(screen.into())
            }
            From::Asciicast => {
                let cast = Cast::parse(&bytes)
                    .with_context(|| format!("could not read {name} as an asciicast"))
                    .map_err(unreadable)?;
                if let Some(line) = cast.cut_short {
                    failure::note(&format!(
                        "line {line}, the last of {name}, is broken off, and left out"
                    ));
                }
                Ok(Recording::Cast(cast.into()).into())
            }
            From::Cassette => self.cassette(),
            From::Text | From::Ansi => {
                let meta = self.meta().map_err(Failure::usage)?;
                if self.from.is_none() {
                    let textual = matches!(promised, Some(From::Text | From::Ansi));
                    // An empty screen is an empty file, but not every empty file is a screen.
                    let screen = meta.is_some() || (textual && empty == Empty::Blank);
                    if bytes.is_empty() && !screen {
                        return Err(Failure::usage(anyhow!("{name} is empty"))
                            .hint("`--from ansi` reads it as a blank screen"));
                    }
                    detect::check_text(&bytes)
                        .with_context(|| format!("{name} is in no known format"))
                        .map_err(unreadable)?;
                }
                Ok(self.ansi(&bytes, meta.as_ref()))
            }
        }
    }

    /// Opens a cassette.
    fn cassette(&self) -> Result<Kept, Failure> {
        let name = self.name();
        let path = match self.path() {
            Some(path) if !path.is_file() => path,
            _ => {
                return Err(Failure::usage(anyhow!(
                    "a cassette is a directory, and {name} is none"
                )));
            }
        };
        let cassette = Cassette::open(path).map_err(recording::refused)?;
        let emulator = match self.any_emulator {
            true => Derived::ByAny,
            false => Derived::ByOurs,
        };
        let opened = Opened::new(cassette, emulator)?;
        Ok(Recording::Cassette(opened.into()).into())
    }

    /// Where something made of it belongs: beside it, under its name with another ending. Stdin is nowhere.
    pub(crate) fn beside(&self, ending: &str) -> Option<PathBuf> {
        let path = self.path()?;
        let mut name = detect::stem(path)?.to_owned();
        name.push(".");
        name.push(ending);
        Some(path.with_file_name(name))
    }

    /// Its name for a sentence.
    pub(crate) fn name(&self) -> String {
        match self.path() {
            None => "stdin".to_owned(),
            Some(path) => format!("`{}`", path.display()),
        }
    }

    fn path(&self) -> Option<&Path> {
        (self.file.as_os_str() != "-").then_some(&self.file)
    }

    fn bytes(&self) -> anyhow::Result<Vec<u8>> {
        let name = self.name();
        let mut bytes = Vec::new();
        match self.path() {
            None => io::stdin().lock().take(MOST + 1).read_to_end(&mut bytes),
            Some(path) if path.is_dir() => bail!("{name} is a directory"),
            Some(path) => {
                File::open(path).and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes))
            }
        }
        .with_context(|| format!("could not read {name}"))?;
        match bytes.len() as u64 > MOST {
            true => bail!("{name} is larger than the {MOST} bytes that are read"),
            false => Ok(bytes),
        }
    }

    /// The size that stands in a file beside ANSI text. One that cannot be read is not passed over: another size would
    /// break the rows elsewhere.
    fn meta(&self) -> anyhow::Result<Option<Meta>> {
        let Some(beside) = self.path().and_then(notation::meta_beside) else {
            return Ok(None);
        };
        let json = match fs::read(&beside) {
            Ok(json) => json,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(anyhow!(error))
                    .with_context(|| format!("could not read `{}`", beside.display()));
            }
        };
        let meta = Meta::parse(json);
        let meta = meta.with_context(|| format!("`{}` gives no size", beside.display()))?;
        Ok(Some(meta))
    }

    /// Reads ANSI text. What the caller said of its size counts first, then what stands beside it.
    fn ansi(&self, bytes: &[u8], meta: Option<&Meta>) -> Kept {
        let known = meta.map(Meta::size);
        let cols = self.cols.or(known.map(|size| size.cols));
        let rows = self.rows.or(known.map(|size| size.rows));
        let guessed = Size {
            cols: cols.unwrap_or(GUESS.cols),
            rows: rows.unwrap_or(GUESS.rows),
        };
        let mut screen = ansi::read(bytes, guessed);
        // Whatever did not fit shows where there is more room.
        let larger = Size {
            cols: cols.unwrap_or(GUESS.cols * 4),
            rows: rows.unwrap_or(GUESS.rows * 4),
        };
        let mut guess = None;
        if larger != guessed && ansi::read(bytes, larger).text() != screen.text() {
            failure::note(&format!(
                "{} does not fit into {guessed}, the size that was guessed: `--cols` and `--rows` give the right one",
                self.name()
            ));
        } else {
            let used = used(&screen);
            let used = Size {
                cols: cols.unwrap_or(used.cols),
                rows: rows.unwrap_or(used.rows),
            };
            guess = is_roomy(guessed, used).then_some(Guess {
                size: guessed,
                used,
            });
        }
        if let Some(meta) = meta {
            meta.place_cursor(&mut screen);
        }
        Kept {
            guess,
            ..screen.into()
        }
    }
}

/// Up to where a screen is not blank.
fn used(screen: &Screen) -> Size {
    let cols = screen.rows.iter().map(|row| row.len()).max();
    let rows = screen.rows.iter().rposition(|row| !row.is_empty());
    let side = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
    Size {
        cols: side(cols.unwrap_or(0)),
        rows: side(rows.map_or(0, |last| last + 1)),
    }
}

/// Whether less than half of a screen is used: 80x24, which many programs have, in a larger one already.
fn is_roomy(size: Size, used: Size) -> bool {
    let cells = |size: Size| u32::from(size.cols) * u32::from(size.rows);
    cells(used) * 2 < cells(size)
}

/// Whether anything in it has a colour of its own.
fn is_coloured(state: &State) -> bool {
    let mut rows = state.screen.rows.iter().chain(&state.scrollback);
    let own = |color: Color| color != Color::Default;
    rows.any(|row| {
        row.cells()
            .any(|cell| own(cell.style.fg) || own(cell.style.bg))
    })
}

impl std::convert::From<Screen> for Kept {
    fn from(screen: Screen) -> Kept {
        let scrollback = Vec::new();
        Content::Screen(State { screen, scrollback }).into()
    }
}

impl std::convert::From<Recording> for Kept {
    fn from(recording: Recording) -> Kept {
        let own = recording.header().theme.as_ref();
        Kept {
            colors: own.map(|own| own.theme(&Theme::default())),
            ..Content::Recording(recording).into()
        }
    }
}

impl std::convert::From<Content> for Kept {
    fn from(content: Content) -> Kept {
        Kept {
            content,
            colors: None,
            exact: None,
            guess: None,
        }
    }
}
