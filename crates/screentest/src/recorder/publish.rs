//! From an unpublished folder to a cassette: the ending, the report, a last look for secrets, digests, the manifest, and its place.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use memchr::memmem::Finder;
use screentest_core::Screen;
use screentest_core::formats::cassette::digest::Digester;
use screentest_core::formats::cassette::ending::pretty;
use screentest_core::formats::cassette::frames::Shown;
use screentest_core::formats::cassette::manifest::{FileFacts, Status, Terminal, Timing};
use screentest_core::formats::cassette::{self as format, Deriver, Ending, Manifest, ScrubReport};
use screentest_core::scrub::Secrets;

use super::RecordError;
use super::writer::Writer;
use crate::cassette::part::{Part, Start};

/// How much of a file is looked at at once.
const CHUNK: usize = 1 << 20;

/// Publishes what a writer has written, with what was shown last.
pub(super) fn ended(writer: Writer, shown: Shown, screen: &Screen) -> Result<PathBuf, RecordError> {
    let mut ending = Ending::new(&writer.start.id, shown.seq, shown.time, shown.at, screen);
    let Writer {
        part,
        start,
        secrets,
        mut report,
        ends,
        ..
    } = writer;
    ending.exit_code = ends.exit_code;
    ending.signal = ends.signal;
    report.covered.sort_by_key(|covered| covered.offset);
    let status = ends.status.unwrap_or(Status::Complete);
    seal(part, start, status, &ending, &report, &secrets)
}

/// Makes a folder whose streams are written a cassette.
pub(crate) fn seal(
    part: Part,
    start: Start,
    status: Status,
    ending: &Ending,
    report: &ScrubReport,
    secrets: &Secrets,
) -> Result<PathBuf, RecordError> {
    part.write(format::FINAL, &ending.to_file())?;
    part.write(format::SCRUB_REPORT, &pretty(report))?;
    let mut files = BTreeMap::new();
    for name in format::NAMES {
        files.insert(name.to_owned(), look(&part, name, secrets)?);
    }
    let mut manifest = Manifest::new(
        start.id,
        status,
        start.command,
        start.environment,
        start.terminal,
        Timing::monotonic(ending.t_ms),
        start.provenance,
        files,
    );
    part.write(format::MANIFEST, &manifest.to_file())?;
    Ok(part.publish()?)
}

/// Looks at a file for the last time: what it is, that no value is in it, and that it is on the disk.
fn look(part: &Part, name: &str, secrets: &Secrets) -> Result<FileFacts, RecordError> {
    let path = part.path().join(name);
    let unread = |source| RecordError::Write {
        path: path.clone(),
        source,
    };
    let mut file = File::open(&path).map_err(unread)?;
    let values: Vec<(usize, Finder<'_>)> = secrets
        .values()
        .map(|(rule, value)| (rule, Finder::new(value)))
        .collect();
    let longest = secrets.values().map(|(_, value)| value.len()).max();
    let overlap = longest.unwrap_or(1) - 1;
    let mut digester = Digester::default();
    let mut bytes = 0;
    let mut buffer = Vec::new();
    loop {
        // A value may lie across the end of what was read before.
        let kept = buffer.len().min(overlap);
        buffer.drain(..buffer.len() - kept);
        let read = (&mut file).take(CHUNK as u64).read_to_end(&mut buffer);
        if read.map_err(unread)? == 0 {
            break;
        }
        digester.update(&buffer[kept..]);
        bytes += (buffer.len() - kept) as u64;
        let left = values
            .iter()
            .find(|(_, value)| value.find(&buffer).is_some());
        if let Some((rule, _)) = left {
            return Err(RecordError::SecretLeft {
                rule: secrets.rules()[*rule].clone(),
                file: name.to_owned(),
                path: part.path().to_owned(),
            });
        }
    }
    file.sync_all().map_err(unread)?;
    Ok(FileFacts {
        bytes,
        sha256: digester.finish(),
    })
}

/// The emulator that derived the frames, which is the one of the session.
pub(super) fn deriver(terminal: &Terminal, path: &Path) -> Result<Deriver, RecordError> {
    Deriver::pinned(terminal).map_err(|error| RecordError::Write {
        path: path.to_owned(),
        source: io::Error::other(error),
    })
}
