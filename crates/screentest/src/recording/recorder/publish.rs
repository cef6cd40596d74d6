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

use super::writer::RecordingWriter;
use super::{RecordError, final_scan, metadata};
use crate::recording::cassette::directory::partial::{PartialCassette, RecordingMetadata};

/// Publishes the output of a writer; `screen` is the last screen.
pub(super) fn publish_recording(
    writer: RecordingWriter,
    shown: FrameTime,
    screen: &Screen,
) -> Result<PathBuf, RecordError> {
    let mut ending =
        RecordingEnd::new(&writer.metadata.id, shown.seq, shown.time, shown.at, screen);
    let RecordingWriter {
        partial,
        metadata,
        secrets,
        mut report,
        end,
        ..
    } = writer;
    ending.exit_code = end.exit_code;
    ending.signal = end.signal;
    report.covered.sort_by_key(|covered| covered.offset);
    let status = end.status.unwrap_or(RecordingStatus::Complete);
    publish_cassette(partial, metadata, status, &ending, &report, &secrets)
}

/// Makes a cassette of a directory whose streams are complete.
pub(crate) fn publish_cassette(
    partial: PartialCassette,
    metadata: RecordingMetadata,
    status: RecordingStatus,
    ending: &RecordingEnd,
    report: &ScrubReport,
    secrets: &Rules,
) -> Result<PathBuf, RecordError> {
    partial.replace_file(format::FINAL, &ending.to_file())?;
    partial.replace_file(format::SCRUB_REPORT, &pretty(report))?;
    let mut files = BTreeMap::new();
    for name in format::NAMES {
        files.insert(
            name.to_owned(),
            final_scan::scan_file(&partial, name, secrets)?,
        );
    }
    let mut manifest = Manifest::new(
        metadata.id,
        status,
        metadata.command,
        metadata.environment,
        metadata.terminal,
        RecordingTiming::monotonic(ending.t_ms),
        metadata.provenance,
        files,
    );
    let found = secrets.values().find(|(_, value)| {
        let value = Finder::new(value);
        metadata::texts(&manifest).any(|text| value.find(text.as_bytes()).is_some())
    });
    if let Some((rule, _)) = found {
        return Err(secret_left(&partial, format::MANIFEST, secrets, rule));
    }
    partial.replace_file(format::MANIFEST, &manifest.to_file())?;
    Ok(partial.publish()?)
}

pub(super) fn secret_left(
    partial: &PartialCassette,
    name: &str,
    secrets: &Rules,
    rule: usize,
) -> RecordError {
    RecordError::SecretLeft {
        rule: secrets.names()[rule].clone(),
        file: name.to_owned(),
        path: partial.path().to_owned(),
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
    use crate::recording::cassette::directory::access::CassetteAccess;
    use crate::recording::recorder::{ExistingCassette, TerminalInfo};

    /// The metadata of an empty recording on a machine with this host name.
    fn empty_recording(hostname: &str) -> RecordingMetadata {
        let size = Size { cols: 20, rows: 4 };
        let emulator = Backend::default().emulator(size, emulator::EmulatorOptions::default());
        let terminal_info = TerminalInfo {
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
        let mut terminal = metadata::terminal(&terminal_info, &[]);
        terminal.term = "xterm-sesame".to_owned();
        terminal.locale = "sesame.UTF-8".to_owned();
        RecordingMetadata {
            id: "1".to_owned(),
            command: metadata::command(&app),
            environment: metadata::environment(&app, &[]),
            terminal,
            provenance: Provenance {
                recorder: "sesame 1.0".to_owned(),
                ..Provenance::default()
            },
            secrets: Vec::new(),
        }
    }

    fn published(
        scratch: &Scratch,
        metadata: RecordingMetadata,
        secrets: &Rules,
    ) -> Result<PathBuf, RecordError> {
        let target = scratch.path().join("x.cassette");
        let (existing, access) = (ExistingCassette::Keep, CassetteAccess::Umask);
        let partial = PartialCassette::create(&target, existing, access, &metadata).unwrap();
        let screen = deriver(&metadata.terminal, partial.path())
            .unwrap()
            .screen();
        let ending = RecordingEnd::new(&metadata.id, 1, Millis::default(), 0, &screen);
        let report = ScrubReport::default();
        publish_cassette(
            partial,
            metadata,
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
        let error = published(&scratch, empty_recording("host-of-sesame"), &secrets).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("the secret `WORD` is still in `manifest.json`"),
            "{error}"
        );
        // The manifest that contains the secret was not written.
        assert!(
            !scratch
                .path()
                .join("x.cassette.part/manifest.json")
                .exists()
        );
        let scratch = Scratch::new();
        let metadata = metadata::redacted(empty_recording("host-of-sesame"), &secrets);
        let path = published(&scratch, metadata, &secrets).unwrap();
        let manifest = fs::read_to_string(path.join(format::MANIFEST)).unwrap();
        assert!(!manifest.contains("sesame"), "{manifest}");
        assert!(manifest.contains("host-of-******"), "{manifest}");
    }
}
