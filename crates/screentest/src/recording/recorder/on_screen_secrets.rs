//! Redacts secrets that occur in no run of bytes, but that cursor movements put together on the
//! screen.
//!
//! They can be found only on the screens. They are redacted in the unpublished directory: first the
//! bytes that wrote the cells, then the frames, which are derived again.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;

use screentest_core::Screen;
use screentest_core::formats::cassette::frames::{FrameMoment, FrameTime};
use screentest_core::formats::cassette::{FRAMES, FrameWriter, Millis, OUTPUT_RAW, from_line};
use screentest_core::redact::scrub::on_screen::{OnScreenFinder, OnScreenSecret, shows_secret};
use screentest_core::redact::scrub::{RedactedSecret, replacements};

use super::writer::Writer;
use super::{RecordError, publish};
use crate::recording::cassette::iter::Walk;
use crate::recording::cassette::lines::Lines;

/// The maximum number of passes. A pass may leave a secret that another secret overlapped; the next
/// one finds it.
const MOST_ROUNDS: usize = 4;

/// Derives the frames again after a redaction, and returns the last screen. If a screen shows a
/// secret, the bytes that wrote it are redacted first.
pub(super) fn settle(writer: &mut Writer, last: &FrameTime) -> Result<Screen, RecordError> {
    if !writer.late {
        let (screen, shows) = frames(writer, last)?;
        if shows.is_none() {
            return Ok(screen);
        }
    }
    cover(writer, last)?;
    match frames(writer, last)? {
        (screen, None) => Ok(screen),
        (_, Some(time)) => Err(RecordError::SecretShown {
            time,
            emulator: writer.start.terminal.emulator.to_string(),
            path: writer.part.path().to_owned(),
        }),
    }
}

/// Redacts the bytes that show a secret in any frame or on the last screen.
fn cover(writer: &mut Writer, last: &FrameTime) -> Result<(), RecordError> {
    for _ in 0..MOST_ROUNDS {
        let found = found(writer, last)?;
        if found.is_empty() {
            break;
        }
        let mut covered = Vec::new();
        for OnScreenSecret { rule, places } in found {
            let mut pieces: Vec<Range<u64>> = Vec::new();
            for at in places {
                let length = cover_character(&writer.part.raw, at)
                    .map_err(|error| writer.unwritten(OUTPUT_RAW, error))?;
                match pieces.last_mut() {
                    Some(last) if last.end == at => last.end += length,
                    _ => pieces.push(at..at + length),
                }
            }
            covered.push(RedactedSecret { rule, pieces });
        }
        writer.count(&covered, true);
    }
    Ok(())
}

/// Returns every secret that a frame or the last screen shows, each once.
fn found(writer: &Writer, last: &FrameTime) -> Result<Vec<OnScreenSecret>, RecordError> {
    let raw = &writer.part.raw;
    let deriver = publish::deriver(&writer.start.terminal, writer.part.path())?;
    let mut walk = Walk::new(OnScreenFinder::new(deriver), writer.resizes.iter().copied());
    let mut found: Vec<OnScreenSecret> = Vec::new();
    let mut known = BTreeMap::new();
    let mut look = |shown: &FrameTime| {
        walk.to(raw, shown)?;
        for traced in walk.walker.secrets(&writer.secrets) {
            let same = traced.places.iter().find_map(|at| known.get(at)).copied();
            let index = same.unwrap_or(found.len());
            for at in &traced.places {
                if known.insert(*at, index).is_none() && same.is_some() {
                    found[index].places.push(*at);
                }
            }
            if same.is_none() {
                found.push(traced);
            }
        }
        Ok(())
    };
    each(writer, &mut look)?;
    look(last).map_err(|error| writer.unwritten(OUTPUT_RAW, error))?;
    for traced in &mut found {
        traced.places.sort_unstable();
    }
    // A secret without known bytes cannot be redacted.
    found.retain(|traced| !traced.places.is_empty());
    Ok(found)
}

/// Redacts the character at an offset, and returns its length in bytes.
fn cover_character(raw: &File, at: u64) -> io::Result<u64> {
    let mut bytes = [0; 4];
    let count = raw.read_at(&mut bytes, at)?;
    let text = bytes[..count].utf8_chunks().next();
    let first = text.map_or("", |chunk| chunk.valid());
    let length = first.chars().next().map_or(1, char::len_utf8).min(count);
    raw.write_all_at(&replacements(&bytes[..length]), at)?;
    Ok(length as u64)
}

/// Derives all frames again, at their recorded moments, and the last screen. Also returns the first
/// time at which a secret is shown.
fn frames(writer: &Writer, last: &FrameTime) -> Result<(Screen, Option<Millis>), RecordError> {
    let part = &writer.part;
    let wrong = |error| writer.unwritten(FRAMES, error);
    let deriver = publish::deriver(&writer.start.terminal, part.path())?;
    let mut walk = Walk::new(deriver, writer.resizes.iter().copied());
    let mut frames = FrameWriter::new();
    let mut file = part.passing(FRAMES).map_err(wrong)?;
    let mut shows = None;
    each(writer, &mut |shown| {
        let screen = walk.screen(&part.raw, shown)?;
        let Some(line) = frames.line(*shown, &screen) else {
            return Ok(());
        };
        if shows.is_none() && shows_secret(&screen, &writer.secrets).is_some() {
            shows = Some(shown.time);
        }
        file.write_all(&line)
    })?;
    part.pass(FRAMES).map_err(wrong)?;
    let screen = walk.screen(&part.raw, last).map_err(wrong)?;
    if shows.is_none() && shows_secret(&screen, &writer.secrets).is_some() {
        shows = Some(last.time);
    }
    Ok((screen, shows))
}

/// Calls `tell` with the moment of every frame.
fn each(
    writer: &Writer,
    tell: &mut dyn FnMut(&FrameTime) -> io::Result<()>,
) -> Result<(), RecordError> {
    let path = writer.part.path().join(FRAMES);
    let wrong = |error| writer.unwritten(FRAMES, error);
    let mut lines = Lines::new(File::open(path).map_err(wrong)?);
    while let Some(line) = lines.next().map_err(wrong)? {
        let frame = from_line::<FrameMoment>(line.text, line.number);
        let frame = frame.map_err(|error| wrong(io::Error::other(error)))?;
        tell(&frame.shown()).map_err(wrong)?;
    }
    Ok(())
}
