//! Redacts secrets whose characters are not consecutive in the output, because the program wrote
//! them with cursor movements.
//!
//! Only the screens show them. They are redacted in the unpublished directory: first the bytes that
//! wrote the cells, then the frames, which are derived again.

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

use super::writer::RecordingWriter;
use super::{RecordError, publish};
use crate::recording::cassette::streams::line_reader::LineReader;
use crate::recording::cassette::streams::output_replay::OutputReplay;

/// The maximum number of passes. A pass may leave a secret that another secret overlapped; the next
/// one finds it.
const MAX_PASSES: usize = 4;

/// Derives the frames again after a redaction, and returns the last screen. If a screen shows a
/// secret, the bytes that wrote it are redacted first.
pub(super) fn redact_and_derive(
    writer: &mut RecordingWriter,
    last: &FrameTime,
) -> Result<Screen, RecordError> {
    if !writer.is_secret_on_screen {
        let (screen, secret_shown_at) = derive_frames(writer, last)?;
        if secret_shown_at.is_none() {
            return Ok(screen);
        }
    }
    redact(writer, last)?;
    match derive_frames(writer, last)? {
        (screen, None) => Ok(screen),
        (_, Some(time)) => Err(RecordError::SecretShown {
            time,
            emulator: writer.metadata.terminal.emulator.to_string(),
            path: writer.partial.path().to_owned(),
        }),
    }
}

/// Redacts the bytes that show a secret in any frame or on the last screen.
fn redact(writer: &mut RecordingWriter, last: &FrameTime) -> Result<(), RecordError> {
    for _ in 0..MAX_PASSES {
        let found = find_secrets(writer, last)?;
        if found.is_empty() {
            break;
        }
        let mut covered = Vec::new();
        for OnScreenSecret { rule, places } in found {
            let mut pieces: Vec<Range<u64>> = Vec::new();
            for at in places {
                let length = redact_character(&writer.partial.raw, at)
                    .map_err(|error| writer.write_error(OUTPUT_RAW, error))?;
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
fn find_secrets(
    writer: &RecordingWriter,
    last: &FrameTime,
) -> Result<Vec<OnScreenSecret>, RecordError> {
    let raw = &writer.partial.raw;
    let deriver = publish::deriver(&writer.metadata.terminal, writer.partial.path())?;
    let mut replay =
        OutputReplay::new(OnScreenFinder::new(deriver), writer.resizes.iter().copied());
    let mut found: Vec<OnScreenSecret> = Vec::new();
    let mut index_by_offset = BTreeMap::new();
    let mut find_in_frame = |shown: &FrameTime| {
        replay.advance_to(raw, shown)?;
        for traced in replay.consumer.secrets(&writer.secrets) {
            let same = traced
                .places
                .iter()
                .find_map(|at| index_by_offset.get(at))
                .copied();
            let index = same.unwrap_or(found.len());
            for at in &traced.places {
                if index_by_offset.insert(*at, index).is_none() && same.is_some() {
                    found[index].places.push(*at);
                }
            }
            if same.is_none() {
                found.push(traced);
            }
        }
        Ok(())
    };
    for_each_frame(writer, &mut find_in_frame)?;
    find_in_frame(last).map_err(|error| writer.write_error(OUTPUT_RAW, error))?;
    for traced in &mut found {
        traced.places.sort_unstable();
    }
    // A secret without known bytes cannot be redacted.
    found.retain(|traced| !traced.places.is_empty());
    Ok(found)
}

/// Redacts the character at an offset, and returns its length in bytes.
fn redact_character(raw: &File, at: u64) -> io::Result<u64> {
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
fn derive_frames(
    writer: &RecordingWriter,
    last: &FrameTime,
) -> Result<(Screen, Option<Millis>), RecordError> {
    let partial = &writer.partial;
    let write_error = |error| writer.write_error(FRAMES, error);
    let deriver = publish::deriver(&writer.metadata.terminal, partial.path())?;
    let mut replay = OutputReplay::new(deriver, writer.resizes.iter().copied());
    let mut frames = FrameWriter::new();
    let mut file = partial.create_replacement(FRAMES).map_err(write_error)?;
    let mut secret_shown_at = None;
    for_each_frame(writer, &mut |shown| {
        let screen = replay.screen(&partial.raw, shown)?;
        let Some(line) = frames.line(*shown, &screen) else {
            return Ok(());
        };
        if secret_shown_at.is_none() && shows_secret(&screen, &writer.secrets).is_some() {
            secret_shown_at = Some(shown.time);
        }
        file.write_all(&line)
    })?;
    partial.commit_replacement(FRAMES).map_err(write_error)?;
    let screen = replay.screen(&partial.raw, last).map_err(write_error)?;
    if secret_shown_at.is_none() && shows_secret(&screen, &writer.secrets).is_some() {
        secret_shown_at = Some(last.time);
    }
    Ok((screen, secret_shown_at))
}

/// Calls `visit` with the moment of every frame.
fn for_each_frame(
    writer: &RecordingWriter,
    visit: &mut dyn FnMut(&FrameTime) -> io::Result<()>,
) -> Result<(), RecordError> {
    let path = writer.partial.path().join(FRAMES);
    let write_error = |error| writer.write_error(FRAMES, error);
    let mut lines = LineReader::new(File::open(path).map_err(write_error)?);
    while let Some(line) = lines.next().map_err(write_error)? {
        let frame = from_line::<FrameMoment>(line.text, line.number);
        let frame = frame.map_err(|error| write_error(io::Error::other(error)))?;
        visit(&frame.shown()).map_err(write_error)?;
    }
    Ok(())
}
