//! What a failure leaves on disk.
//!
//! The same that was told, and what is too much to tell: the last screen as ANSI text and as State JSON (and as a picture, with the
//! feature `render`), and the last of what the program wrote, byte for byte; not that, where there are secrets which it may hold.

use std::path::PathBuf;

use screentest_core::formats::state_json::{Options, StateJson};

use crate::session::Session;
use crate::test::artifacts::{ArtifactError, Artifacts};
use crate::test::snapshot_files::Kept;

/// How many rows that scrolled out are kept with the last screen.
const SCROLLBACK: usize = 1000;

/// Where a bundle is in the folder of its run.
pub(crate) const FOLDER: &str = "failure-bundles";

/// Where the bundle of a run is, as people read it.
pub(crate) fn folder(artifacts: &Artifacts) -> PathBuf {
    artifacts.shown(&artifacts.run().join(FOLDER))
}

/// Writes the bundle of a failure, and says where it is.
pub(crate) fn write(
    artifacts: &Artifacts,
    told: &str,
    session: Option<&Session>,
) -> Result<PathBuf, ArtifactError> {
    let folder = artifacts.run().join(FOLDER);
    let write = |name: &str, bytes: &[u8]| artifacts.write(&folder.join(name), bytes);
    let secrets = artifacts.secrets();
    write("failure.txt", secrets.text(told).as_bytes())?;
    if let Some(session) = session {
        let state = secrets.state(&session.state(SCROLLBACK));
        let kept = Kept::new(folder.clone(), "failure");
        artifacts.keep(&kept, &state.screen)?;
        let json = StateJson::from_state(&state, &Options::default());
        write("failure.state.json", json.to_string().as_bytes())?;
        let output = session.output_tail();
        // Where it begins stands in its name: what came before is gone.
        let name = match output.dropped {
            0 => "failure.output.raw".to_owned(),
            dropped => format!("failure.output.from-{dropped}.raw"),
        };
        // Covering a part of it would make the rest another screen.
        if secrets.is_empty() {
            write(&name, &output.bytes)?;
        }
        // Last: what cannot be drawn does not take the rest away.
        #[cfg(feature = "render")]
        draw(artifacts, &kept, &state.screen, session.theme())?;
    }
    Ok(self::folder(artifacts))
}

/// Leaves a picture of the last screen, or a word on why there is none.
#[cfg(feature = "render")]
fn draw(
    artifacts: &Artifacts,
    kept: &Kept,
    screen: &screentest_core::Screen,
    theme: &screentest_core::Theme,
) -> Result<(), ArtifactError> {
    let options = screentest_render::Options::default();
    let drawn = crate::test::picture::usual_fonts()
        .and_then(|fonts| crate::test::picture::png(screen, theme, &options, fonts));
    let path = kept.picture();
    match drawn {
        Ok(png) => artifacts.write(&path, &png),
        Err(error) => {
            let told = crate::test::failure::chain(&error);
            artifacts.write(&path.with_extension("png.txt"), told.as_bytes())
        }
    }
}
