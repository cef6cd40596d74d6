//! Metadata of a recording that is known at its start: program, environment, terminal.
//!
//! It comes from the caller and the machine, not from the program's output. Secrets in it are
//! redacted as well.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;

use screentest_core::formats::cassette::manifest::{
    Manifest, PinnedEmulator, Provenance, RecordedCommand, RecordedEnvironment, RecordedTerminal,
};
use screentest_core::redact::scrub::Rules;

use super::TerminalInfo;
use crate::app::{App, Inherit};
use crate::recording::cassette::directory::partial::RecordingMetadata;

/// The command.
pub(super) fn command(app: &App) -> RecordedCommand {
    let text = |text: &OsStr| text.to_string_lossy().into_owned();
    RecordedCommand {
        program: text(app.program()),
        args: app.arguments().iter().map(|arg| text(arg)).collect(),
        cwd: app.directory().map(|path| text(path.as_os_str())),
    }
}

/// The environment. The values of variables with these names, and of variables whose names suggest
/// a secret, are hidden.
pub(super) fn environment(app: &App, names: &[String]) -> RecordedEnvironment {
    let mut set = BTreeMap::new();
    let mut unset = Vec::new();
    for (name, value) in app.variables() {
        let name = name.to_string_lossy().into_owned();
        match value {
            None => unset.push(name),
            Some(_) if names.contains(&name) || is_secret_name(&name) => {
                set.insert(name, placeholder());
            }
            Some(value) => {
                set.insert(name, value.to_string_lossy().into_owned());
            }
        }
    }
    RecordedEnvironment {
        inherit: match app.inherit() {
            Inherit::Most => "most",
            Inherit::Least => "least",
        }
        .to_owned(),
        set,
        unset,
    }
}

/// Returns whether the name of a variable suggests that its value is a secret.
fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    [
        "TOKEN",
        "SECRET",
        "PASSW",
        "CREDENTIAL",
        "API_KEY",
        "APIKEY",
        "PRIVATE_KEY",
    ]
    .iter()
    .any(|word| name.contains(word))
}

/// A placeholder for a value; does not reveal its length.
fn placeholder() -> String {
    "*".repeat(8)
}

/// The terminal.
pub(super) fn terminal(
    info: &TerminalInfo,
    variables: &[(OsString, OsString)],
) -> RecordedTerminal {
    let value = |name: &str| {
        let found = variables.iter().find(|(known, _)| known == name);
        found.map_or_else(String::new, |(_, value)| {
            value.to_string_lossy().into_owned()
        })
    };
    RecordedTerminal {
        cols: info.size.cols,
        rows: info.size.rows,
        term: value("TERM"),
        locale: value("LANG"),
        scrollback: info.scrollback,
        hostname: Some(info.hostname.clone()),
        emulator: PinnedEmulator::of(info.identity),
    }
}

/// Redacts the secrets in the metadata.
pub(super) fn redacted(metadata: RecordingMetadata, secrets: &Arc<Rules>) -> RecordingMetadata {
    let redacted = |text: String| redact(secrets, &text);
    let all = |texts: Vec<String>| texts.into_iter().map(redacted).collect();
    let RecordingMetadata {
        command,
        environment,
        terminal,
        provenance,
        ..
    } = metadata;
    let set = environment.set.into_iter().map(|(name, value)| {
        let value = if secrets.names().contains(&name) {
            placeholder()
        } else {
            redacted(value)
        };
        (redacted(name), value)
    });
    RecordingMetadata {
        command: RecordedCommand {
            program: redacted(command.program),
            args: all(command.args),
            cwd: command.cwd.map(redacted),
        },
        environment: RecordedEnvironment {
            inherit: environment.inherit,
            set: set.collect(),
            unset: all(environment.unset),
        },
        terminal: RecordedTerminal {
            term: redacted(terminal.term),
            locale: redacted(terminal.locale),
            // The output is redacted in the same way, so host names in it still match.
            hostname: terminal.hostname.map(redacted),
            ..terminal
        },
        provenance: Provenance {
            recorder: redacted(provenance.recorder),
            os: redacted(provenance.os),
            arch: redacted(provenance.arch),
            ..provenance
        },
        ..metadata
    }
}

/// All texts of a manifest that came from outside. The rest are words, numbers and digests of the
/// format, in which a short secret may occur by chance.
pub(crate) fn texts(manifest: &Manifest) -> impl Iterator<Item = &str> {
    let Manifest {
        command,
        environment,
        terminal,
        provenance,
        ..
    } = manifest;
    let Provenance {
        recorder, os, arch, ..
    } = provenance;
    let set = environment.set.iter();
    let texts = [&command.program, &terminal.term, &terminal.locale];
    texts
        .into_iter()
        .chain([recorder, os, arch])
        .chain(&command.args)
        .chain(&command.cwd)
        .chain(&terminal.hostname)
        .chain(set.flat_map(|(name, value)| [name, value]))
        .chain(&environment.unset)
        .map(String::as_str)
}

/// Redacts the secrets in a text.
pub(crate) fn redact(secrets: &Arc<Rules>, text: &str) -> String {
    let (redacted, _) = secrets.scrub(text.as_bytes());
    String::from_utf8_lossy(&redacted).into_owned()
}
