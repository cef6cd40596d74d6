//! chafa and timg: pictures as sixels, with the kitty protocol, and as inline files of iTerm2.

use std::path::Path;

use screentest::core::query::selector::ImageSelector;
use screentest::core::{ImageKind, Key, Position, Screen};
use screentest::{Failure, Terminal};

use super::{line, program};
use crate::harness::sandbox::Sandbox;

/// A picture of 48x32 pixels, which is 6x2 cells.
const PICTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/tests/images/ball.png");

/// Runs a command in a shell, with the picture as its last argument, and waits until it ends.
#[track_caller]
fn shown(name: &str, arguments: &str, body: impl FnOnce(&Terminal, Screen) -> Result<(), Failure>) {
    assert!(Path::new(PICTURE).is_file());
    let sandbox = Sandbox::new();
    program(&sandbox, name, name);
    let command = format!("echo before; {name} {arguments} '{PICTURE}'; echo after; read end");
    sandbox.run(|tui| {
        tui.launch(sandbox.sh(&command))?;
        let screen = tui.wait_for("after")?;
        body(tui, screen)
    });
}

/// Checks the only image on the screen: its protocol, cells and pixels. The shell continues in the
/// row `after`, and nothing else was printed.
#[track_caller]
fn check(name: &str, arguments: &str, kind: ImageKind, pixels: (u32, u32), after: usize) {
    shown(name, arguments, |tui, screen| {
        let image = ImageSelector::new()
            .kind(kind)
            .at(Position { row: 1, col: 0 })
            .cells(6, 2)
            .pixels(pixels.0, pixels.1);
        tui.expect(image)?;
        assert_eq!(screen.images.len(), 1, "{arguments}");
        let rows = (0..screen.rows.len()).map(|row| line(&screen, row));
        let text: Vec<(usize, &str)> = rows.enumerate().filter(|row| !row.1.is_empty()).collect();
        assert_eq!(text, [(0, "before"), (after, "after")], "{arguments}");
        Ok(())
    });
}

#[test]
fn chafa_shows_a_picture_with_each_protocol() {
    let check = |format, kind, pixels, after| {
        let arguments = format!("-f {format} -s 6x2 --animate off");
        check("chafa", &arguments, kind, pixels, after);
    };
    // This version prints no line end after sixels, so that the shell continues in the last row of
    // the picture, as in xterm.
    check("sixels", ImageKind::Sixel, (48, 30), 2);
    check("kitty", ImageKind::Kitty, (48, 32), 3);
    check("iterm", ImageKind::Iterm, (48, 32), 3);
}

#[test]
fn timg_shows_a_picture_with_each_protocol() {
    let check = |format, kind| {
        let arguments = format!("-p {format} -g 6x2");
        check("timg", &arguments, kind, (48, 32), 3);
    };
    check("k", ImageKind::Kitty);
    check("i", ImageKind::Iterm);
}

#[test]
fn clearing_the_screen_erases_a_picture() {
    program(&Sandbox::new(), "chafa", "chafa");
    let sandbox = Sandbox::new();
    let command =
        format!("chafa -f sixels -s 6x2 '{PICTURE}'; read key; clear; echo cleared; read end");
    sandbox.run(|tui| {
        tui.launch(sandbox.sh(&command))?;
        tui.expect(ImageSelector::new())?;
        tui.press(Key::Enter)?;
        tui.wait_for("cleared")?;
        tui.expect_gone(ImageSelector::new())?;
        Ok(())
    });
}
