//! The Rust library: a [`Session`], one call after the other.

use std::path::Path;
use std::time::Duration;

use screentest::session::SessionOptions;
use screentest::{App, Session};

use super::super::program::Step;
use super::Driver;

pub(super) struct Library {
    pub(super) patience: Duration,
}

impl Driver for Library {
    fn play(&mut self, command: &[String], steps: &[Step], directory: &Path) -> Result<(), String> {
        let app = App::new(&command[0]).args(&command[1..]).cwd(directory);
        let session = Session::start(
            &app,
            SessionOptions {
                input: screentest::test::InputOverrides::from_environment()
                    .unwrap()
                    .apply(screentest::session::InputOptions::default()),
                ..SessionOptions::default()
            },
        )
        .map_err(|error| error.to_string())?;
        for step in steps {
            let done = match *step {
                Step::WaitFor(text) => match session.wait_for(text, self.patience) {
                    Ok(_) => Ok(()),
                    Err(error) => Err(format!("{error:?}")),
                },
                Step::Press(key) => session.press(key).map_err(|error| error.to_string()),
                Step::Type(text) => session.type_text(text).map_err(|error| error.to_string()),
            };
            done.map_err(|error| format!("{step:?}: {error}"))?;
        }
        match session.wait_for_exit(self.patience) {
            Ok(_) => Ok(()),
            Err(error) => Err(format!("{error:?}")),
        }
    }
}
