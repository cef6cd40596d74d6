//! What came of running a tape.

use std::path::PathBuf;
use std::time::Duration;

use screentest_core::tape::{Diagnostic, Place, Severity};
use screentest_core::{Paint, Screen};

use crate::test::snapshot::Baseline;

/// What came of running a tape.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Run {
    /// What messages call the tape.
    pub name: String,
    /// How long it took.
    pub duration: Duration,
    /// How long its recording is, which is what the tape says where pauses were not lived through.
    pub recorded: Duration,
    /// How many steps went well.
    pub steps_done: usize,
    /// How many there are.
    pub steps: usize,
    /// What ended it early; `None` where all went well.
    pub failure: Option<Failed>,
    /// What the tape wanted written, in its order. Nothing, if it failed.
    pub files: Vec<PathBuf>,
    /// What was written on the way, and stays.
    pub checkpoints: Vec<PathBuf>,
    /// The snapshots that were compared or kept.
    pub snapshots: Vec<PathBuf>,
    /// The names of those whose baseline is new or was written anew, and which of both.
    pub baselines: Vec<(String, Baseline)>,
    /// What did not go as it should, and is no failure.
    pub notes: Vec<String>,
}

/// Why a tape failed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Failed {
    /// What broke.
    pub broken: Broken,
    /// Where in the tape; `None` where no place of it is to blame.
    pub place: Option<Place>,
    /// What went wrong, in a line.
    pub message: String,
    /// What explains it: the last screen, what came close, what the program was given.
    pub details: String,
    /// The folder with all of that as files.
    pub bundle: Option<PathBuf>,
    /// The last screen; `None` where no program ran.
    pub screen: Option<Box<Screen>>,
}

/// What of a run broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Broken {
    /// What it needs could not be had: the program did not start, or there was no room for a recording.
    Start,
    /// A step: the program is not as the tape says.
    Step,
    /// Something could not be written once every step had gone well.
    Output,
    /// Somebody ended it.
    Interrupted,
}

impl Run {
    /// Whether all went well.
    pub fn passed(&self) -> bool {
        self.failure.is_none()
    }

    /// What went wrong, for people; empty where nothing did.
    pub fn told(&self) -> String {
        let failure = self.failure.as_ref();
        failure.map_or_else(String::new, |failed| failed.painted(Paint::Plain))
    }
}

impl Failed {
    /// For people: the place in the tape with a mark under it, and what explains it.
    pub fn painted(&self, paint: Paint) -> String {
        let mut told = match &self.place {
            Some(place) => {
                let message = self.message.clone();
                Diagnostic::new(Severity::Error, place.clone(), message).painted(paint)
            }
            None => format!("error: {}\n", self.message),
        };
        if !self.details.is_empty() {
            told.push_str(self.details.trim_end());
            told.push('\n');
        }
        if let Some(bundle) = &self.bundle {
            told.push_str(&format!("artifacts: {}\n", bundle.display()));
        }
        told
    }
}
