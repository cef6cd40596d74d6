//! Makes the outputs of a tape: pictures, videos, texts and recordings, from the cassette of a
//! successful run.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::language::{Output, OutputKind};
use screentest_core::formats::state_json::{self, StateJson};
use screentest_core::{Frame, Screen, State, Theme};
use screentest_render::animation::{AnimationError, EncodeError, EncodeOptions, Progress, Threads};
use screentest_render::png::PngError;
use screentest_render::video::Container;
use screentest_render::{
    self as render, Animation, RenderOptionsError, ScreenPainter, apng, draw, svg, webp,
};

use super::appearance::Appearance;
use super::frame_directory::{self, TooMany};
use super::overlay::Overlay;
use super::paths::{self, Scratch};
use super::script::Ready;
use crate::video::{self, VideoError};
use screentest::Interrupt;
use screentest::internals::cassette_paths;
use screentest::recording::cassette::{Cassette, CassetteError, CastError, CastOptions};
use screentest::recording::player::PlayError;

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
    Film(#[from] AnimationError),
    #[error(transparent)]
    Encode(#[from] EncodeError),
    #[error(transparent)]
    Video(#[from] VideoError),
    #[error(transparent)]
    Cast(#[from] CastError),
    #[error(transparent)]
    Pictures(#[from] TooMany),
    #[error("it was interrupted")]
    Stopped,
}

/// A screen as PNG, with its caption.
pub(super) fn still(screen: &Screen, caption: &str, ready: &Ready) -> Result<Vec<u8>, OutputError> {
    let look = &ready.found.look;
    let dress = Overlay::of(&ready.plan, look.quiet());
    let screen = dress.still(screen, caption);
    let pixels = draw(&screen, &look.theme, &look.fonts, &look.options)?;
    Ok(render::png::encode(&pixels)?)
}

/// A state as State JSON.
pub(super) fn state(state: &State, theme: &Theme) -> String {
    let options = state_json::StateJsonOptions {
        theme: theme.clone(),
        scrollback: state_json::MAX_SCROLLBACK,
    };
    StateJson::from_state(state, &options).to_string()
}

/// A successful run whose outputs are to be made.
#[derive(Debug)]
pub(super) struct OutputWriter<'a> {
    look: &'a Appearance,
    dress: Overlay,
    cassette: Cassette,
    golden: Option<PathBuf>,
    /// The last caption.
    caption: String,
    interrupt: Option<&'a Interrupt>,
    /// The frames of the output, once they have been computed.
    frames: Option<Vec<Frame>>,
}

impl<'a> OutputWriter<'a> {
    /// For a cassette, and the golden text that was written during the run.
    pub(super) fn new(
        ready: &'a Ready,
        cassette: &Path,
        golden: Option<PathBuf>,
        caption: String,
    ) -> Result<OutputWriter<'a>, CassetteError> {
        let look = &ready.found.look;
        Ok(OutputWriter {
            look,
            dress: Overlay::of(&ready.plan, look.quiet()),
            cassette: Cassette::open(cassette)?,
            golden,
            caption,
            interrupt: ready.options.interrupt.as_ref(),
            frames: None,
        })
    }

    /// The length of the recording.
    pub(super) fn duration(&self) -> Duration {
        self.cassette.manifest().timing.duration_ms.time()
    }

    /// Makes an output; replaces an existing file.
    pub(super) fn make(&mut self, output: &Output) -> Result<(), OutputError> {
        let path = Path::new(&output.path);
        match output.kind {
            OutputKind::Gif | OutputKind::Apng | OutputKind::Webp => {
                paths::write(path, &self.animation(output.kind)?)?;
            }
            OutputKind::Mp4 => self.video(path, output.kind, Container::Mp4)?,
            OutputKind::Webm => self.video(path, output.kind, Container::Webm)?,
            OutputKind::Png | OutputKind::Svg => paths::write(path, &self.last(output.kind)?)?,
            OutputKind::Json => {
                let end = self.end()?;
                paths::write(path, state(&end, &self.look.theme).as_bytes())?;
            }
            OutputKind::Text => {
                if let Some(golden) = &self.golden {
                    copy(golden, path)?;
                }
            }
            OutputKind::Frames => {
                let film = self.film(output.kind)?;
                let (camera, rate) = (self.camera()?, self.look.framerate());
                frame_directory::write(&film, camera, rate, path, || self.is_stopped())?;
            }
            OutputKind::Cassette => self.copy_cassette(path)?,
            OutputKind::Cast => {
                let scratch = Scratch::within(&paths::make_room(path)?)?;
                let cast = scratch.path().join("cast");
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
    fn is_stopped(&self) -> bool {
        going(self.interrupt).is_break()
    }

    /// The state at the end.
    fn end(&self) -> Result<State, CassetteError> {
        self.cassette
            .state_at(Duration::MAX, state_json::MAX_SCROLLBACK)
    }

    fn film(&mut self, kind: OutputKind) -> Result<Animation, OutputError> {
        let frames = match self.frames.take() {
            Some(frames) => frames,
            None => {
                let (moment, stopped) = (self.look.moment(), || self.is_stopped());
                let frames = self.dress.frames(&self.cassette, moment, stopped)?;
                frames.ok_or(OutputError::Stopped)?
            }
        };
        let frames = self.frames.insert(frames);
        Ok(Animation::new(
            frames.iter().cloned(),
            &self.look.film(kind),
        )?)
    }

    fn camera(&self) -> Result<ScreenPainter, RenderOptionsError> {
        let Appearance {
            theme,
            fonts,
            options,
            ..
        } = self.look;
        ScreenPainter::new(theme, fonts, options)
    }

    fn animation(&mut self, kind: OutputKind) -> Result<Vec<u8>, OutputError> {
        let film = self.film(kind)?;
        let camera = self.camera()?;
        let interrupt = self.interrupt.cloned();
        let writing = EncodeOptions {
            threads: Threads::available(),
            progress: Progress::stoppable(move |_| going(interrupt.as_ref())),
            ..EncodeOptions::default()
        };
        Ok(match kind {
            OutputKind::Apng => apng::encode(&film, &camera, &writing)?,
            OutputKind::Webp => webp::encode(&film, &camera, &writing)?,
            _ => render::gif::encode(&film, &camera, &writing)?,
        })
    }

    fn video(
        &mut self,
        path: &Path,
        kind: OutputKind,
        container: Container,
    ) -> Result<(), OutputError> {
        let film = self.film(kind)?;
        let scratch = Scratch::near(paths::parent(path))?;
        let file = scratch.path().join("video");
        let (camera, rate) = (self.camera()?, self.look.framerate());
        let watch = |_, _| going(self.interrupt);
        video::write(&film, &camera, container, rate, &file, watch)?;
        paths::make_room(path)?;
        Ok(fs::rename(file, path)?)
    }

    fn last(&self, kind: OutputKind) -> Result<Vec<u8>, OutputError> {
        let Appearance {
            theme,
            fonts,
            options,
            ..
        } = self.look;
        let screen = self.dress.still(&self.end()?.screen, &self.caption);
        Ok(match kind {
            OutputKind::Svg => svg::write(&screen, theme, options)?.into_bytes(),
            _ => render::png::encode(&draw(&screen, theme, fonts, options)?)?,
        })
    }

    fn copy_cassette(&self, path: &Path) -> Result<(), OutputError> {
        let scratch = Scratch::within(&paths::make_room(path)?)?;
        let copied = scratch.path().join("cassette");
        copy_folder(self.cassette.path(), &copied)?;
        Ok(cassette_paths::settle(&copied, path, true)?)
    }
}

/// Returns whether to continue. One picture takes long enough to check after each.
fn going(interrupt: Option<&Interrupt>) -> ControlFlow<()> {
    if interrupt.is_some_and(Interrupt::is_raised) {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

/// Copies the files of a directory.
pub(super) fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Copies a file, possibly to another file system, and renames it into place in one step.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let scratch = Scratch::within(&paths::make_room(to)?)?;
    let copied = scratch.path().join("copy");
    fs::copy(from, &copied)?;
    fs::rename(copied, to)
}
