//! Failure bundle: the files that a failed test leaves.
//!
//! It contains the printed report, and more: the last screen as ANSI text and as State JSON (and as
//! a picture, with the feature `render`), and the last output of the program, byte for byte except
//! for secrets.

use std::path::PathBuf;

use screentest_core::formats::state_json::{StateJson, StateJsonOptions};

use crate::session::Session;
use crate::test::artifacts::{ArtifactError, Artifacts};
use crate::test::snapshot_files::ScreenFiles;

/// Number of scrollback rows stored with the last screen.
const SCROLLBACK: usize = 1000;

/// The bundle's directory, in the directory of the run.
pub const FOLDER: &str = "failure-bundles";

/// Returns the path of a run's bundle for people.
pub fn folder(artifacts: &Artifacts) -> PathBuf {
    artifacts.shown(&artifacts.run().join(FOLDER))
}

/// Writes the bundle of a failure, and returns its path.
pub fn write(
    artifacts: &Artifacts,
    text: &str,
    session: Option<&Session>,
) -> Result<PathBuf, ArtifactError> {
    let folder = artifacts.run().join(FOLDER);
    let write = |name: &str, bytes: &[u8]| artifacts.write(&folder.join(name), bytes);
    let secrets = artifacts.secrets();
    write("failure.txt", secrets.text(text).as_bytes())?;
    if let Some(session) = session {
        let state = secrets.state(&session.state(SCROLLBACK));
        let files = ScreenFiles::new(folder.clone(), "failure");
        artifacts.keep(&files, &state.screen)?;
        let json = StateJson::from_state(&state, &StateJsonOptions::default());
        write("failure.state.json", json.to_string().as_bytes())?;
        let output = session.output_tail();
        // The name contains the offset of the first byte, if earlier ones were dropped.
        let name = match output.dropped {
            0 => "failure.output.raw".to_owned(),
            dropped => format!("failure.output.from-{dropped}.raw"),
        };
        if secrets.is_empty() {
            write(&name, &output.bytes)?;
        } else {
            write(&name, &secrets.rules().scrub_output(&output.bytes))?;
        }
        // Last, so that an error of drawing does not lose the rest.
        #[cfg(feature = "render")]
        draw(artifacts, &files, &state.screen, session.theme())?;
    }
    Ok(self::folder(artifacts))
}

/// Writes a picture of the last screen, or the reason why there is none.
#[cfg(feature = "render")]
fn draw(
    artifacts: &Artifacts,
    files: &ScreenFiles,
    screen: &screentest_core::Screen,
    theme: &screentest_core::Theme,
) -> Result<(), ArtifactError> {
    let options = screentest_render::RenderOptions::default();
    let drawn = crate::test::picture::usual_fonts()
        .and_then(|fonts| crate::test::picture::png(screen, theme, &options, fonts));
    let path = files.picture();
    match drawn {
        Ok(png) => artifacts.write(&path, &png),
        Err(error) => {
            let text = crate::test::failure::chain(&error);
            artifacts.write(&path.with_extension("png.txt"), text.as_bytes())
        }
    }
}
