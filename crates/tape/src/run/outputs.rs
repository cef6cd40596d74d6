//! Makes the outputs of a tape: pictures, videos, texts and recordings, from the cassette of a
//! successful run.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::language::{Output, OutputKind};
use screentest_core::formats::state_json::{self, StateJson};
use screentest_core::{RecordingFrame, Screen, Secrets, State, Theme};
use screentest_render::animation::{AnimationError, EncodeError, EncodeOptions, Progress, Threads};
use screentest_render::png::PngError;
use screentest_render::video::Container;
use screentest_render::{
    self as render, Animation, RenderOptionsError, ScreenPainter, apng, draw, svg, webp,
};

use super::appearance::Appearance;
use super::paths;
use super::script::ReadyTape;
use crate::video::{self, TapeVideoError};
use screentest::internals::cassette_paths;
use screentest::recording::cassette::{Cassette, CassetteError, CastError, CastOptions};
use screentest::recording::player::PlayError;
use screentest::session::Interrupt;

mod frame_directory;
pub(super) mod golden_text;
mod overlay;

use frame_directory::TooManyPictures;
use overlay::Overlay;

/// Why an output could not be made.
#[derive(Debug, thiserror::Error)]
pub(super) enum OutputError {
    #[error("could not write the file")]
    Write(#[from] io::Error),
    #[error("the recording cannot be read")]
    Cassette(#[from] CassetteError),
    #[error("the recording cannot be played")]
    Play(#[from] PlayError),
    #[error(transparent)]
    Options(#[from] RenderOptionsError),
    #[error(transparent)]
    Picture(#[from] screentest_render::PictureError),
    #[error(transparent)]
    Png(#[from] PngError),
    #[error(transparent)]
    Animation(#[from] AnimationError),
    #[error(transparent)]
    Encode(#[from] EncodeError),
    #[error(transparent)]
    Video(#[from] TapeVideoError),
    #[error(transparent)]
    Cast(#[from] CastError),
    #[error(transparent)]
    Pictures(#[from] TooManyPictures),
    #[error("interrupted")]
    Interrupted,
}

/// Draws a screen with a caption and returns it as PNG.
pub(super) fn screenshot(
    screen: &Screen,
    caption: &str,
    ready: &ReadyTape,
) -> Result<Vec<u8>, OutputError> {
    let appearance = &ready.prepared.appearance;
    let overlay = Overlay::of(&ready.plan, appearance.caption_color());
    let screen = overlay.add_caption(screen, caption);
    let screen = ready.options.run.secrets.screen(&screen);
    let pixels = draw(
        &screen,
        &appearance.theme,
        &appearance.fonts,
        &appearance.options,
    )?;
    Ok(render::png::encode(&pixels)?)
}

/// Returns a state as State JSON.
pub(super) fn state_json_text(state: &State, theme: &Theme) -> String {
    let options = state_json::StateJsonOptions {
        theme: theme.clone(),
        scrollback: state_json::MAX_SCROLLBACK,
    };
    StateJson::from_state(state, &options).to_string()
}

/// Writes the outputs of a successful run.
#[derive(Debug)]
pub(super) struct OutputWriter<'a> {
    appearance: &'a Appearance,
    secrets: &'a Secrets,
    overlay: Overlay,
    cassette: Cassette,
    golden_text: Option<PathBuf>,
    /// The caption at the end of the run.
    caption: String,
    interrupt: Option<&'a Interrupt>,
    /// The frames that all animations and videos show. Computed for the first of them.
    frames: Option<Vec<RecordingFrame>>,
}

impl<'a> OutputWriter<'a> {
    /// Opens the cassette of the run. `golden_text` is the file of golden text that the run wrote.
    pub(super) fn new(
        ready: &'a ReadyTape,
        cassette: &Path,
        golden_text: Option<PathBuf>,
        caption: String,
    ) -> Result<OutputWriter<'a>, CassetteError> {
        let appearance = &ready.prepared.appearance;
        Ok(OutputWriter {
            appearance,
            secrets: &ready.options.run.secrets,
            overlay: Overlay::of(&ready.plan, appearance.caption_color()),
            cassette: Cassette::open(cassette)?,
            golden_text,
            caption,
            interrupt: ready.options.interrupt.as_ref(),
            frames: None,
        })
    }

    /// Returns the length of the recording.
    pub(super) fn duration(&self) -> Duration {
        self.cassette.manifest().timing.duration_ms.time()
    }

    /// Writes an output; replaces an existing file.
    pub(super) fn write(&mut self, output: &Output) -> Result<(), OutputError> {
        let path = Path::new(&output.path);
        match output.kind {
            OutputKind::Gif | OutputKind::Apng | OutputKind::Webp => {
                paths::write(path, &self.encode_animation(output.kind)?)?;
            }
            OutputKind::Mp4 => self.video(path, output.kind, Container::Mp4)?,
            OutputKind::Webm => self.video(path, output.kind, Container::Webm)?,
            OutputKind::Png | OutputKind::Svg => {
                paths::write(path, &self.final_picture(output.kind)?)?;
            }
            OutputKind::Json => {
                let json = state_json_text(&self.final_state()?, &self.appearance.theme);
                paths::write(path, json.as_bytes())?;
            }
            OutputKind::Text => {
                if let Some(golden_text) = &self.golden_text {
                    copy(golden_text, path)?;
                }
            }
            OutputKind::Frames => {
                let animation = self.animation(output.kind)?;
                let (painter, rate) = (self.painter()?, self.appearance.framerate());
                frame_directory::write(&animation, painter, rate, path, || self.is_interrupted())?;
            }
            OutputKind::Cassette => self.copy_cassette(path)?,
            OutputKind::Cast => {
                let temp = paths::temp_dir_in(&paths::create_parent(path)?)?;
                let cast = temp.path().join("cast");
                let mut file = BufWriter::new(File::create_new(&cast)?);
                self.cassette
                    .write_cast(CastOptions::default(), &mut file)?;
                file.into_inner().map_err(io::IntoInnerError::into_error)?;
                fs::rename(cast, path)?;
            }
        }
        Ok(())
    }

    /// Returns whether the run was interrupted.
    fn is_interrupted(&self) -> bool {
        check_interrupt(self.interrupt).is_break()
    }

    /// Returns the state at the end of the recording.
    fn final_state(&self) -> Result<State, CassetteError> {
        let state = self
            .cassette
            .state_at(Duration::MAX, state_json::MAX_SCROLLBACK)?;
        Ok(self.secrets.state(&state))
    }

    fn animation(&mut self, kind: OutputKind) -> Result<Animation, OutputError> {
        let frames = match self.frames.take() {
            Some(frames) => frames,
            None => {
                let tolerance = self.appearance.frame_tolerance();
                let interrupted = || self.is_interrupted();
                let frames = self
                    .overlay
                    .frames(&self.cassette, tolerance, interrupted)?;
                let mut frames = frames.ok_or(OutputError::Interrupted)?;
                // The recorder has redacted the screens, but not the typed keys drawn on them.
                for frame in &mut frames {
                    frame.screen = self.secrets.screen(&frame.screen);
                }
                frames
            }
        };
        let frames = self.frames.insert(frames);
        Ok(Animation::new(
            frames.iter().cloned(),
            &self.appearance.animation_options(kind),
        )?)
    }

    fn painter(&self) -> Result<ScreenPainter, RenderOptionsError> {
        let Appearance {
            theme,
            fonts,
            options,
            ..
        } = self.appearance;
        ScreenPainter::new(theme, fonts, options)
    }

    fn encode_animation(&mut self, kind: OutputKind) -> Result<Vec<u8>, OutputError> {
        let animation = self.animation(kind)?;
        let painter = self.painter()?;
        let interrupt = self.interrupt.cloned();
        let encode_options = EncodeOptions {
            threads: Threads::available(),
            progress: Progress::stoppable(move |_| check_interrupt(interrupt.as_ref())),
            ..EncodeOptions::default()
        };
        Ok(match kind {
            OutputKind::Apng => apng::encode(&animation, &painter, &encode_options)?,
            OutputKind::Webp => webp::encode(&animation, &painter, &encode_options)?,
            _ => render::gif::encode(&animation, &painter, &encode_options)?,
        })
    }

    fn video(
        &mut self,
        path: &Path,
        kind: OutputKind,
        container: Container,
    ) -> Result<(), OutputError> {
        let animation = self.animation(kind)?;
        let temp = paths::temp_dir_near(paths::parent(path))?;
        let file = temp.path().join("video");
        let (painter, rate) = (self.painter()?, self.appearance.framerate());
        let watch = |_, _| check_interrupt(self.interrupt);
        video::write(&animation, &painter, container, rate, &file, watch)?;
        paths::create_parent(path)?;
        Ok(fs::rename(file, path)?)
    }

    fn final_picture(&self, kind: OutputKind) -> Result<Vec<u8>, OutputError> {
        let Appearance {
            theme,
            fonts,
            options,
            ..
        } = self.appearance;
        let screen = self
            .overlay
            .add_caption(&self.final_state()?.screen, &self.caption);
        let screen = self.secrets.screen(&screen);
        Ok(match kind {
            OutputKind::Svg => svg::write(&screen, theme, options)?.into_bytes(),
            _ => render::png::encode(&draw(&screen, theme, fonts, options)?)?,
        })
    }

    fn copy_cassette(&self, path: &Path) -> Result<(), OutputError> {
        let temp = paths::temp_dir_in(&paths::create_parent(path)?)?;
        let copied = temp.path().join("cassette");
        copy_directory(self.cassette.path(), &copied)?;
        Ok(cassette_paths::rename_into_place(&copied, path, true)?)
    }
}

/// Returns `Break` if the run was interrupted. Drawing one picture takes so long that the check
/// after each picture costs nothing in comparison.
fn check_interrupt(interrupt: Option<&Interrupt>) -> ControlFlow<()> {
    if interrupt.is_some_and(Interrupt::is_raised) {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

/// Copies the files of a directory that has no subdirectories.
pub(super) fn copy_directory(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Copies a file, possibly to another file system, and renames it into place in one step.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let temp = paths::temp_dir_in(&paths::create_parent(to)?)?;
    let copied = temp.path().join("copy");
    fs::copy(from, &copied)?;
    fs::rename(copied, to)
}
