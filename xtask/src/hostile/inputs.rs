//! The hostile inputs: changed copies of real files, and files written for this purpose.
//!
//! See also: `inputs/json.rs` (mutations of JSON), `inputs/cassette.rs` (recordings with valid
//! digests), `inputs/damage.rs` (damage to any file), `inputs/text.rs` (tapes, settings, names).

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::commands::InputKind;

mod cassette;
mod damage;
mod json;
mod text;

/// Control characters and escape sequences: a title, a colour, erasing, C1, DEL, a carriage return,
/// and reversed text.
pub(super) const CONTROLS: &str = "a\x1b]0;OWNED\x07\x1b[38;5;199m\x1b[2J\u{9b}5n\x7f\rb\u{202e}c";

/// A colour that only hostile text selects.
pub(super) const HOSTILE_STYLE: &str = "38;5;199";

/// A file name with control characters and escape sequences.
pub(super) const NAME: &str = "a\x1b]0;OWNED\x07\x1b[38;5;199m\u{9b}31m\x1b[2J\u{202e}";

/// The folders of a run.
#[derive(Debug, Clone)]
pub(super) struct Folders {
    /// A directory that must not change.
    pub(super) outside: PathBuf,
    /// The working directory, where everything may be written.
    pub(super) work: PathBuf,
}

type Make = dyn Fn(&Folders) -> Result<PathBuf> + Send + Sync;

/// A hostile input.
pub(super) struct HostileInput {
    pub(super) kind: InputKind,
    pub(super) name: String,
    make: Box<Make>,
}

impl fmt::Debug for HostileInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HostileInput({:?}, {})", self.kind, self.name)
    }
}

impl HostileInput {
    /// Creates an input; `make` writes it and returns its path in the working directory.
    fn new(
        kind: InputKind,
        name: impl Into<String>,
        make: impl Fn(&Folders) -> Result<PathBuf> + Send + Sync + 'static,
    ) -> HostileInput {
        HostileInput {
            kind,
            name: name.into(),
            make: Box::new(make),
        }
    }

    /// Creates an input of the usual name with this content.
    fn file(kind: InputKind, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> HostileInput {
        let bytes = bytes.into();
        HostileInput::new(kind, name, move |folders| {
            write(&folders.work.join(kind.file_name()), &bytes)?;
            Ok(PathBuf::from(kind.file_name()))
        })
    }

    /// Writes the input into an empty working directory. Returns its path there.
    pub(super) fn make(&self, folders: &Folders) -> Result<PathBuf> {
        (self.make)(folders).with_context(|| format!("cannot make the input `{}`", self.name))
    }
}

/// Returns all inputs, in a fixed order.
pub(super) fn all() -> Result<Vec<HostileInput>> {
    let mut inputs = cassette::inputs()?;
    inputs.extend(json::inputs()?);
    inputs.extend(damage::inputs()?);
    inputs.extend(text::inputs());
    inputs.sort_by_key(|input| input.kind);
    Ok(inputs)
}

/// Writes an unchanged recording, for inputs that are used together with a recording.
pub(super) fn write_seed_cassette(path: &Path) -> Result<()> {
    cassette::write_seed(path)
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write `{}`", path.display()))
}

fn read(path: &str) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read `{path}`"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn there_are_many_inputs_of_every_kind_with_unique_names() {
        std::env::set_current_dir(crate::tree::root()).unwrap();
        let inputs = all().unwrap();
        assert!(inputs.len() >= 120, "{}", inputs.len());
        let names: BTreeSet<_> = inputs
            .iter()
            .map(|input| (input.kind, &input.name))
            .collect();
        assert_eq!(names.len(), inputs.len());
        for kind in InputKind::ALL {
            let count = inputs.iter().filter(|input| input.kind == kind).count();
            assert!(count >= 5, "{kind:?}: {count}");
        }
    }
}
