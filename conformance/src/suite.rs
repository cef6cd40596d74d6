//! The probes, the recorded programs, and xterm's stored answers.
//!
//! ```text
//! probes/FOLDER/TOPIC.txt       probes           answers/FOLDER/TOPIC.txt    what xterm showed
//! programs/GROUP/NAME.cast      a program        answers/programs/…          at its checkpoints
//! programs/GROUP/NAME.tape      how it was recorded
//! programs/reasons.txt          differences of programs that are right
//! known.txt                     differences that are to be fixed
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use screentest_core::{Backend, Size};

use crate::difference::Aspect;
use crate::known::{self, Place};
use crate::observation::{self, Observation};
use crate::report::Outcome;
use crate::{emulator, probe, program};

/// Name of the topic of all recorded programs.
pub const PROGRAMS: &str = "programs";

/// The first lines of a file of answers.
const HEADER: &str = "What xterm showed. Written by `cargo xtask conformance --update`.";

/// One output whose effect is compared: a probe, or a recorded program up to a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Topic and name.
    pub place: Place,
    /// Size of the terminal.
    pub size: Size,
    /// The output.
    pub bytes: Vec<u8>,
    /// The aspects in which a difference is right, each with its reason.
    pub differs: BTreeMap<Aspect, String>,
    /// What xterm showed, if it was asked.
    pub answer: Option<Observation>,
    /// The file of the answer.
    pub answer_file: PathBuf,
}

impl Case {
    /// Removes what is not compared: the replies to a recorded program, which got ours.
    pub fn relevant(&self, mut observation: Observation) -> Observation {
        if self.place.topic == PROGRAMS {
            observation.replies.clear();
        }
        observation
    }
}

/// All cases, in the order of their files.
#[derive(Debug, Clone)]
pub struct Suite {
    root: PathBuf,
    /// The cases.
    pub cases: Vec<Case>,
    /// Names of stored answers to probes that do not exist.
    pub unused_answers: Vec<String>,
}

impl Suite {
    /// Returns the folder of this package.
    pub fn folder() -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
    }

    /// Reads everything below a folder.
    pub fn read(root: &Path) -> Result<Suite> {
        let mut cases = probes(root)?;
        cases.extend(programs(root)?);
        let mut answers = BTreeMap::new();
        for case in &mut cases {
            let file = case.answer_file.clone();
            let stored = match answers.get_mut(&file) {
                Some(stored) => stored,
                None => answers.entry(file.clone()).or_insert(read_answers(&file)?),
            };
            case.answer = stored.remove(&case.place.name);
        }
        let unused = answers.values().flat_map(|left| left.keys().cloned());
        Ok(Suite {
            root: root.to_owned(),
            cases,
            unused_answers: unused.collect(),
        })
    }

    /// Returns the path of the list of known differences.
    pub fn known_file(&self) -> PathBuf {
        self.root.join("known.txt")
    }

    /// Compares an emulator with the stored answers.
    pub fn compare_with_answers(&self, backend: Backend) -> Result<Vec<Outcome>> {
        let outcomes = self.cases.iter().map(|case| {
            let answer = case.answer.as_ref();
            let answer = answer.with_context(|| format!("{}: no stored answer", case.place))?;
            let ours = emulator::observe(backend, case.size, &case.bytes);
            Ok(Outcome::new(case, &case.relevant(ours), answer))
        });
        outcomes.collect()
    }

    /// Writes the answers of all cases.
    pub fn write_answers(&self) -> Result<()> {
        let mut files: BTreeMap<&Path, Vec<(&str, &Observation)>> = BTreeMap::new();
        for case in &self.cases {
            if let Some(answer) = &case.answer {
                let entries = files.entry(&case.answer_file).or_default();
                entries.push((&case.place.name, answer));
            }
        }
        for (file, entries) in files {
            if let Some(folder) = file.parent() {
                fs::create_dir_all(folder)?;
            }
            let text = observation::write_all(HEADER, entries);
            fs::write(file, text).with_context(|| file.display().to_string())?;
        }
        Ok(())
    }
}

fn probes(root: &Path) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for folder in entries(&root.join("probes"), "")? {
        for file in entries(&folder, "txt")? {
            let topic = format!("{}/{}", name(&folder), name(&file));
            let text = read(&file)?;
            let probes = probe::parse(&text).map_err(|error| anyhow!("{topic}: {error}"))?;
            for probe in probes {
                cases.push(Case {
                    place: Place {
                        topic: topic.clone(),
                        name: probe.name,
                    },
                    size: probe.size,
                    bytes: probe.bytes,
                    differs: probe.differs,
                    answer: None,
                    answer_file: root.join("answers").join(format!("{topic}.txt")),
                });
            }
        }
    }
    Ok(cases)
}

fn programs(root: &Path) -> Result<Vec<Case>> {
    let folder = root.join(PROGRAMS);
    let mut reasons = known::parse_reasons(&read(&folder.join("reasons.txt"))?)
        .map_err(|error| anyhow!("reasons.txt: {error}"))?;
    let mut cases = Vec::new();
    for group in entries(&folder, "")? {
        for file in entries(&group, "cast")? {
            let program = name(&file);
            let recorded = program::read(&fs::read(&file)?);
            let recorded = recorded.map_err(|error| anyhow!("{program}: {error}"))?;
            let answers = root.join("answers/programs").join(name(&group));
            for (number, bytes) in (1..).zip(recorded.checkpoints()) {
                let place = Place {
                    topic: PROGRAMS.to_owned(),
                    name: format!("{program} {number}"),
                };
                cases.push(Case {
                    size: recorded.size,
                    bytes: bytes.to_vec(),
                    differs: reasons.remove(&place).unwrap_or_default(),
                    place,
                    answer: None,
                    answer_file: answers.join(format!("{program}.txt")),
                });
            }
        }
    }
    match reasons.first_key_value() {
        Some((place, _)) => Err(anyhow!("reasons.txt: no checkpoint `{place}`")),
        None => Ok(cases),
    }
}

fn read_answers(file: &Path) -> Result<BTreeMap<String, Observation>> {
    if !file.exists() {
        return Ok(BTreeMap::new());
    }
    let entries = observation::parse_all(&read(file)?);
    let entries = entries.map_err(|error| anyhow!("{}: {error}", file.display()))?;
    Ok(entries.into_iter().collect())
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| file.display().to_string())
}

/// Returns the entries of a folder with an extension, sorted.
pub fn entries(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let read = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let paths: std::io::Result<Vec<PathBuf>> = read.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths?;
    paths.retain(|path| path.extension().unwrap_or_default() == extension);
    paths.sort();
    Ok(paths)
}

/// Returns the name of a file without its extension.
pub fn name(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}
