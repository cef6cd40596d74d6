//! Turns an unpublished directory into a cassette: writes the ending and the redaction report,
//! scans for secrets, computes digests, writes the manifest, and renames the directory.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use memchr::memmem::Finder;
use screentest_core::Screen;
use screentest_core::formats::cassette::frames::FrameTime;
use screentest_core::formats::cassette::manifest::{
    RecordedTerminal, RecordingStatus, RecordingTiming,
};
use screentest_core::formats::cassette::recording_end::pretty;
use screentest_core::formats::cassette::{
    self as format, Deriver, Manifest, RecordingEnd, ScrubReport,
};
use screentest_core::redact::scrub::Rules;

use super::writer::Writer;
use super::{RecordError, final_scan, start};
use crate::recording::cassette::partial::{Part, Start};

/// Publishes the output of a writer; `screen` is the last screen.
pub(super) fn ended(
    writer: Writer,
    shown: FrameTime,
    screen: &Screen,
) -> Result<PathBuf, RecordError> {
    let mut ending = RecordingEnd::new(&writer.start.id, shown.seq, shown.time, shown.at, screen);
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
    let status = ends.status.unwrap_or(RecordingStatus::Complete);
    seal(part, start, status, &ending, &report, &secrets)
}

/// Makes a cassette of a directory whose streams are complete.
pub(crate) fn seal(
    part: Part,
    start: Start,
    status: RecordingStatus,
    ending: &RecordingEnd,
    report: &ScrubReport,
    secrets: &Rules,
) -> Result<PathBuf, RecordError> {
    part.write(format::FINAL, &ending.to_file())?;
    part.write(format::SCRUB_REPORT, &pretty(report))?;
    let mut files = BTreeMap::new();
    for name in format::NAMES {
        files.insert(name.to_owned(), final_scan::look(&part, name, secrets)?);
    }
    let mut manifest = Manifest::new(
        start.id,
        status,
        start.command,
        start.environment,
        start.terminal,
        RecordingTiming::monotonic(ending.t_ms),
        start.provenance,
        files,
    );
    let left = secrets.values().find(|(_, value)| {
        let value = Finder::new(value);
        start::texts(&manifest).any(|text| value.find(text.as_bytes()).is_some())
    });
    if let Some((rule, _)) = left {
        return Err(secret_left(&part, format::MANIFEST, secrets, rule));
    }
    part.write(format::MANIFEST, &manifest.to_file())?;
    Ok(part.publish()?)
}

pub(super) fn secret_left(part: &Part, name: &str, secrets: &Rules, rule: usize) -> RecordError {
    RecordError::SecretLeft {
        rule: secrets.names()[rule].clone(),
        file: name.to_owned(),
        path: part.path().to_owned(),
    }
}

/// The emulator that derives the frames, which is the one of the session.
pub(super) fn deriver(terminal: &RecordedTerminal, path: &Path) -> Result<Deriver, RecordError> {
    Deriver::pinned(terminal).map_err(|error| RecordError::Write {
        path: path.to_owned(),
        source: io::Error::other(error),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use screentest_core::formats::cassette::Millis;
    use screentest_core::formats::cassette::manifest::Provenance;
    use screentest_core::{Backend, Size, emulator};
    use screentest_fixtures::scratch::Scratch;

    use super::*;
    use crate::recording::recorder::{Existing, Setting};

    /// An empty recording on a machine with this host name.
    fn begun(hostname: &str) -> Start {
        let size = Size { cols: 20, rows: 4 };
        let emulator = Backend::default().emulator(size, emulator::EmulatorOptions::default());
        let setting = Setting {
            size,
            scrollback: 0,
            identity: emulator.identity(),
            hostname: hostname.to_owned(),
        };
        let app = crate::App::new("sh")
            .args(["-c", "echo sesame"])
            .cwd("/srv/sesame")
            .env("sesame_on", "open sesame")
            .unset_env("NO_sesame");
        let mut terminal = start::terminal(&setting, &[]);
        terminal.term = "xterm-sesame".to_owned();
        terminal.locale = "sesame.UTF-8".to_owned();
        Start {
            id: "1".to_owned(),
            command: start::command(&app),
            environment: start::environment(&app, &[]),
            terminal,
            provenance: Provenance {
                recorder: "sesame 1.0".to_owned(),
                ..Provenance::default()
            },
            secrets: Vec::new(),
        }
    }

    fn sealed(scratch: &Scratch, start: Start, secrets: &Rules) -> Result<PathBuf, RecordError> {
        let target = scratch.path().join("x.cassette");
        let part = Part::create(&target, Existing::Kept, &start).unwrap();
        let screen = deriver(&start.terminal, part.path()).unwrap().screen();
        let ending = RecordingEnd::new(&start.id, 1, Millis::default(), 0, &screen);
        let report = ScrubReport::default();
        seal(
            part,
            start,
            RecordingStatus::Complete,
            &ending,
            &report,
            secrets,
        )
    }

    #[test]
    fn secrets_in_the_manifest_prevent_publishing() {
        let secrets = Arc::new(Rules::none().and_value("WORD", b"sesame").unwrap());
        let scratch = Scratch::new();
        let told = sealed(&scratch, begun("host-of-sesame"), &secrets).unwrap_err();
        assert!(
            told.to_string()
                .contains("the secret `WORD` is still in `manifest.json`"),
            "{told}"
        );
        // The manifest that contains the secret was not written.
        assert!(
            !scratch
                .path()
                .join("x.cassette.part/manifest.json")
                .exists()
        );
        let scratch = Scratch::new();
        let begun = start::covered(begun("host-of-sesame"), &secrets);
        let path = sealed(&scratch, begun, &secrets).unwrap();
        let manifest = fs::read_to_string(path.join(format::MANIFEST)).unwrap();
        assert!(!manifest.contains("sesame"), "{manifest}");
        assert!(manifest.contains("host-of-******"), "{manifest}");
    }
}
