//! Secrets that no stretch of bytes is, but that a jumping cursor put together on the screen.
//!
//! They are known only by what was shown, so they are covered in the unpublished folder: first the bytes that wrote the cells, then the frames,
//! which are derived again.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;

use screentest_core::Screen;
use screentest_core::formats::cassette::frames::{FrameMoment, Shown};
use screentest_core::formats::cassette::{FRAMES, FrameWriter, OUTPUT_RAW, from_line};
use screentest_core::scrub::covers;
use screentest_core::scrub::trace::{Tracer, shows_secret};

use super::writer::Writer;
use super::{RecordError, publish};
use crate::cassette::lines::Lines;
use crate::cassette::walk::Walk;

/// How often covering is tried: what one leaves, such as a secret that another one covered in part, the next finds.
const MOST_ROUNDS: usize = 4;

/// Covers the bytes that show a secret in any frame.
pub(super) fn cover(writer: &mut Writer) -> Result<(), RecordError> {
    for _ in 0..MOST_ROUNDS {
        let found = found(writer)?;
        if found.is_empty() {
            break;
        }
        let mut hits = BTreeMap::new();
        for (at, rule) in &found {
            *hits.entry(*rule).or_insert(0_u64) += 1;
            cover_character(&writer.part.raw, *at)
                .map_err(|error| writer.unwritten(OUTPUT_RAW, error))?;
        }
        for (rule, _) in hits {
            let rule = writer.secrets.rules()[rule].clone();
            *writer.report.rules.entry(rule).or_default() += 1;
        }
    }
    Ok(())
}

fn found(writer: &Writer) -> Result<Vec<(u64, usize)>, RecordError> {
    let raw = &writer.part.raw;
    let deriver = publish::deriver(&writer.start.terminal, writer.part.path())?;
    let mut walk = Walk::new(Tracer::new(deriver), writer.resizes.iter().copied());
    let mut found = Vec::new();
    each(writer, |shown| {
        walk.to(raw, shown)?;
        found.extend(walk.walker.secrets(&writer.secrets));
        Ok(())
    })?;
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Covers the character that begins at a place.
fn cover_character(raw: &File, at: u64) -> io::Result<()> {
    let mut bytes = [0; 4];
    let count = raw.read_at(&mut bytes, at)?;
    let text = bytes[..count].utf8_chunks().next();
    let first = text.map_or("", |chunk| chunk.valid());
    let length = first.chars().next().map_or(1, char::len_utf8);
    raw.write_all_at(&covers(&bytes[..length.min(count)]), at)
}

/// Derives every frame again, at the moments at which it was shown, and what was shown last.
pub(super) fn frames(writer: &Writer, last: &Shown) -> Result<Screen, RecordError> {
    let part = &writer.part;
    let wrong = |error| writer.unwritten(FRAMES, error);
    let deriver = publish::deriver(&writer.start.terminal, part.path())?;
    let mut walk = Walk::new(deriver, writer.resizes.iter().copied());
    let mut frames = FrameWriter::new();
    let passing = part.path().join("frames.jsonl.new");
    let mut file = File::create(&passing).map_err(wrong)?;
    each(writer, |shown| {
        let screen = walk.screen(&part.raw, shown)?;
        match frames.line(*shown, &screen) {
            Some(line) => file.write_all(&line),
            None => Ok(()),
        }
    })?;
    std::fs::rename(&passing, part.path().join(FRAMES)).map_err(wrong)?;
    let screen = walk.screen(&part.raw, last).map_err(wrong)?;
    match shows_secret(&screen, &writer.secrets) {
        false => Ok(screen),
        true => Err(RecordError::SecretLeft {
            rule: "on the last screen".to_owned(),
            file: FRAMES.to_owned(),
            path: part.path().to_owned(),
        }),
    }
}

/// Tells of every moment at which a frame was shown.
fn each(
    writer: &Writer,
    mut tell: impl FnMut(&Shown) -> io::Result<()>,
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
