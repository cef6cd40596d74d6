//! Pictures that a test takes of what it sees.

use std::fs;
use std::path::Path;

use screentest::render::{Fonts, RenderOptions, Scale, SystemFonts};
use screentest::{Color, Styled};

use crate::desk::Desk;

/// How wide and how high a PNG says it is.
fn sides(path: &Path) -> [u32; 2] {
    let bytes = fs::read(path).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{path:?}");
    [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()))
}

#[test]
fn a_picture_stands_beside_the_text_it_shows() {
    let desk = Desk::new();
    desk.run(|tui| {
        tui.launch_and_wait(desk.app("sh").env("PS1", "ready> "), "ready>")?;
        let picture = tui.render_view("the prompt")?;
        assert!(picture.ends_with("snapshots/the-prompt.png"), "{picture:?}");
        let text = fs::read_to_string(picture.with_extension("ansi.txt"))?;
        assert!(text.starts_with("ready>"), "{text:?}");

        // The same with twice the pixels each way.
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
fn what_differs_on_the_screen_differs_in_the_picture() {
    let desk = Desk::new();
    desk.run(|tui| {
        tui.launch_and_wait(desk.app("sh").env("PS1", "> "), ">")?;
        let before = fs::read(tui.render_view("before")?)?;
        assert_eq!(fs::read(tui.render_view("again")?)?, before);
        tui.submit("printf '\\033[31m%s\\033[m\\n' red")?;
        tui.wait_for_selector(Styled::default().fg(Color::Indexed(1)))?;
        assert_ne!(fs::read(tui.render_view("after")?)?, before);
        Ok(())
    });
}
