//! What a recording says of its program and its terminal: known when it begins, and in the manifest when it ends.
//!
//! It comes from the caller and the machine, not from the program, and secrets in it are covered all the same.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;

use screentest_core::formats::cassette::manifest::{
    Command, Environment, Manifest, Pin, Provenance, Terminal,
};
use screentest_core::redact::scrub::Rules;

use super::Setting;
use crate::app::{App, Inherit};
use crate::recording::cassette::partial::Start;

/// What was started.
pub(super) fn command(app: &App) -> Command {
    let text = |text: &OsStr| text.to_string_lossy().into_owned();
    Command {
        program: text(app.program()),
        args: app.arguments().iter().map(|arg| text(arg)).collect(),
        cwd: app.directory().map(|path| text(path.as_os_str())),
    }
}

/// What it started with. The values of variables with these names, and of those that sound like secrets, are nobody's business.
pub(super) fn environment(app: &App, names: &[String]) -> Environment {
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
    Environment {
        inherit: match app.inherit() {
            Inherit::Most => "most",
            Inherit::Least => "least",
        }
        .to_owned(),
        set,
        unset,
    }
}

/// Whether a variable's name says that its value is nobody's business.
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

/// What stands for a value, however long it is.
fn hidden() -> String {
    "*".repeat(8)
}

/// Where it was shown.
pub(super) fn terminal(setting: &Setting, variables: &[(OsString, OsString)]) -> Terminal {
    let value = |name: &str| {
        let found = variables.iter().find(|(known, _)| known == name);
        found.map_or_else(String::new, |(_, value)| {
            value.to_string_lossy().into_owned()
        })
    };
    Terminal {
        cols: setting.size.cols,
        rows: setting.size.rows,
        term: value("TERM"),
        locale: value("LANG"),
        scrollback: setting.scrollback,
        hostname: Some(setting.hostname.clone()),
        emulator: Pin::of(setting.identity),
    }
}

/// The same without its secrets.
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
        let value = match secrets.names().contains(&name) {
            true => hidden(),
            false => covered(value),
        };
        (covered(name), value)
    });
    Start {
        command: Command {
            program: covered(command.program),
            args: all(command.args),
            cwd: command.cwd.map(covered),
        },
        environment: Environment {
            inherit: environment.inherit,
            set: set.collect(),
            unset: all(environment.unset),
        },
        terminal: Terminal {
            term: covered(terminal.term),
            locale: covered(terminal.locale),
            // What a program says of it in its output is covered in the same way, so that the two still agree.
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

/// Everything in a manifest that came from outside; the rest are words, numbers and digests of ours, in which a short value may stand by chance.
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

/// A text with its secrets covered.
pub(crate) fn cover(secrets: &Arc<Rules>, text: &str) -> String {
    let (covered, _) = secrets.scrub(text.as_bytes());
    String::from_utf8_lossy(&covered).into_owned()
}
