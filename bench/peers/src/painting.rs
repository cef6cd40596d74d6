//! Pictures drawn by contenders: ours, termwright's and tui-test's.

use std::path::Path;

use screentest::core::{RecordingFrame, Theme};
use screentest::render::animation::{Animation, AnimationOptions, EncodeOptions};
use screentest::render::{Fonts, RenderOptions, ScreenPainter, SystemFonts, draw, gif, png};

use crate::clock::monotonic;
use crate::driver::{Driver, Size, USUAL, figure};
use crate::drivers::screentest::Screentest;
use crate::drivers::termwright::Termwright;
use crate::drivers::tui_test::TuiTest;

// Our own benchmark of animations uses these frames, too.
#[path = "../../../crates/render/tests/animation/sample_frames.rs"]
mod sample_frames;

/// Returns every third frame, 100 in total, because some contenders take long for each.
pub(crate) fn frames() -> Vec<RecordingFrame> {
    sample_frames::frames().into_iter().step_by(3).collect()
}

/// Size of the screen that is drawn.
pub(crate) const SIZE: Size = Size {
    cols: 134,
    rows: 40,
};

/// Writes our bundled fonts to files for Pillow.
pub(crate) fn bundled_fonts(folder: &Path) -> [String; 2] {
    let fonts = [
        ("regular.ttf", dejavu::sans_mono::regular()),
        ("bold.ttf", dejavu::sans_mono::bold()),
    ];
    fonts.map(|(name, bytes)| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("the temporary folder has room");
        path.to_string_lossy().into_owned()
    })
}

/// Starts a session that shows a file.
fn showing<D: Driver>(file: &str) -> D {
    let mut driver = D::start(&["sh", "-c", "cat \"$0\"; exec sleep 1000", file], SIZE);
    driver.wait("utf-8");
    driver
}

/// Draws the session's screen repeatedly with our library.
pub(crate) fn ours(times: usize, file: &str) {
    let driver: Screentest = showing(file);
    let fonts = Fonts::bundled(SystemFonts::Forbidden);
    repeated(times, || {
        let screen = driver.screen();
        let pixels = draw(&screen, &Theme::DARK, &fonts, &RenderOptions::default());
        png::encode(&pixels.expect("the picture fits")).expect("the picture has pixels")
    });
}

/// Draws the session's screen repeatedly with termwright.
pub(crate) fn termwright(times: usize, file: &str) {
    let driver: Termwright = showing(file);
    repeated(times, || driver.png());
}

/// Draws a picture repeatedly and prints the times. The first picture is not counted: it reads
/// fonts and draws glyphs for the first time.
fn repeated(times: usize, picture: impl Fn() -> Vec<u8>) {
    picture();
    for _ in 0..times {
        let start = monotonic();
        std::hint::black_box(picture());
        figure(monotonic() - start);
    }
}

/// Writes our GIF of the frames.
pub(crate) fn our_gif(out: &str) {
    let frames: Vec<RecordingFrame> = frames();
    let start = monotonic();
    let animation = Animation::new(frames, &AnimationOptions::default()).expect("an animation");
    let fonts = Fonts::bundled(SystemFonts::Forbidden);
    let camera = ScreenPainter::new(&Theme::DARK, &fonts, &RenderOptions::default())
        .expect("the options are in range");
    let bytes = gif::encode(&animation, &camera, &EncodeOptions::default()).expect("a GIF");
    std::fs::write(out, bytes).expect("the temporary folder has room");
    figure(monotonic() - start);
}

/// Writes tui-test's GIF of the frames. It records while a program runs and draws when the
/// recording is stopped: only the drawing is counted. The folder contains a file per frame; a
/// program prints them at shorter intervals than in the recording.
pub(crate) fn tui_test_gif(folder: &str, out: &str) {
    let show = "read go; for frame in \"$0\"/*; do cat \"$frame\"; sleep 0.012; done; printf '\\r\\nframes-done'; exec sleep 1000";
    let mut driver = TuiTest::start(&["sh", "-c", show, folder], USUAL);
    driver.start_gif(out);
    driver.send("\r");
    driver.wait("frames-done");
    let start = monotonic();
    driver.finish_gif();
    figure(monotonic() - start);
}
