//! Pictures of screens.

use std::fs;
use std::path::Path;

use screentest::render::{Fonts, RenderOptions, Scale, SystemFonts};
use screentest::{Color, Styled};

use crate::harness::sandbox::Sandbox;

/// Returns the width and height in the header of a PNG.
fn sides(path: &Path) -> [u32; 2] {
    let bytes = fs::read(path).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{path:?}");
    [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()))
}

#[test]
fn render_view_writes_a_picture_beside_the_text() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        tui.launch_and_wait(sandbox.app("sh").env("PS1", "ready> "), "ready>")?;
        let picture = tui.render_view("the prompt")?;
        assert!(picture.ends_with("snapshots/the-prompt.png"), "{picture:?}");
        let text = fs::read_to_string(picture.with_extension("ansi.txt"))?;
        assert!(text.starts_with("ready>"), "{text:?}");

        // At double scale, the picture is twice as large.
        let options = RenderOptions {
            scale: Scale::Two,
            ..RenderOptions::default()
        };
        let fonts = Fonts::bundled(SystemFonts::Forbidden);
        let twice = tui.render_view_with("twice", &options, &fonts)?;
        assert_eq!(sides(&twice), sides(&picture).map(|side| side * 2));
        Ok(())
    });
}

#[test]
fn different_screens_give_different_pictures() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        tui.launch_and_wait(sandbox.app("sh").env("PS1", "> "), ">")?;
        let before = fs::read(tui.render_view("before")?)?;
        assert_eq!(fs::read(tui.render_view("again")?)?, before);
        tui.submit("printf '\\033[31m%s\\033[m\\n' red")?;
        tui.wait_for_selector(Styled::default().fg(Color::Indexed(1)))?;
        assert_ne!(fs::read(tui.render_view("after")?)?, before);
        Ok(())
    });
}
