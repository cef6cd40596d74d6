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

use super::Setting;
use crate::app::{App, Inherit};
use crate::recording::cassette::partial::Start;

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
            Some(_) if names.contains(&name) || sounds_secret(&name) => {
                set.insert(name, hidden());
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
fn sounds_secret(name: &str) -> bool {
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
fn hidden() -> String {
    "*".repeat(8)
}

/// The terminal.
pub(super) fn terminal(setting: &Setting, variables: &[(OsString, OsString)]) -> RecordedTerminal {
    let value = |name: &str| {
        let found = variables.iter().find(|(known, _)| known == name);
        found.map_or_else(String::new, |(_, value)| {
            value.to_string_lossy().into_owned()
        })
    };
    RecordedTerminal {
        cols: setting.size.cols,
        rows: setting.size.rows,
        term: value("TERM"),
        locale: value("LANG"),
        scrollback: setting.scrollback,
        hostname: Some(setting.hostname.clone()),
        emulator: PinnedEmulator::of(setting.identity),
    }
}

/// Redacts the secrets in the metadata.
pub(super) fn covered(start: Start, secrets: &Arc<Rules>) -> Start {
    let covered = |text: String| cover(secrets, &text);
    let all = |texts: Vec<String>| texts.into_iter().map(covered).collect();
    let Start {
        command,
        environment,
        terminal,
        provenance,
        ..
    } = start;
    let set = environment.set.into_iter().map(|(name, value)| {
        let value = if secrets.names().contains(&name) {
            hidden()
        } else {
            covered(value)
        };
        (covered(name), value)
    });
    Start {
        command: RecordedCommand {
            program: covered(command.program),
            args: all(command.args),
            cwd: command.cwd.map(covered),
        },
        environment: RecordedEnvironment {
            inherit: environment.inherit,
            set: set.collect(),
            unset: all(environment.unset),
        },
        terminal: RecordedTerminal {
            term: covered(terminal.term),
            locale: covered(terminal.locale),
            // The output is redacted in the same way, so host names in it still match.
            hostname: terminal.hostname.map(covered),
            ..terminal
        },
        provenance: Provenance {
            recorder: covered(provenance.recorder),
            os: covered(provenance.os),
            arch: covered(provenance.arch),
            ..provenance
        },
        ..start
    }
}

/// All texts of a manifest that came from outside. The rest are words, numbers and digests of the
/// format, in which a short secret may occur by chance.
pub(super) fn texts(manifest: &Manifest) -> impl Iterator<Item = &str> {
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
pub(crate) fn cover(secrets: &Arc<Rules>, text: &str) -> String {
    let (covered, _) = secrets.scrub(text.as_bytes());
    String::from_utf8_lossy(&covered).into_owned()
}
