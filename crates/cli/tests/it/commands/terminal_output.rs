//! Output of the tool in a terminal.

use std::time::Duration;

use screentest::core::{Attributes, Color, Position, Rgb, Screen};
use screentest::session::SessionOptions;
use screentest::{App, Session};

use crate::harness::cli::TOOL;

/// Timeout of one wait. Long enough for a slow machine.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Runs a program in a terminal and returns the last screen.
fn screen_of(app: &App) -> Screen {
    let session = Session::start(app, SessionOptions::default()).unwrap();
    session.wait_for_exit(TIMEOUT).unwrap();
    session.screen()
}

#[test]
fn binary_formats_are_not_written_to_a_terminal() {
    for format in ["vt2", "png", "gif", "mp4"] {
        let app = App::new(TOOL).args(["snap", "--format", format, "--", "echo", "hi"]);
        assert_eq!(
            screen_of(&app).text(),
            format!(
                "\
error: {format} is binary, and stdout is a terminal
hint: write it to a file with `-o FILE`, or pipe it
"
            )
        );
    }
}

#[test]
fn json_ends_with_a_newline() {
    let app = App::new(TOOL).args(["snap", "--format", "json", "--", "true"]);
    let screen = screen_of(&app);
    let end = screen.text();
    assert!(end.ends_with("\n}\n"), "{end}");
    assert_eq!(screen.cursor.position.col, 0);
}

/// Returns the colour of the first character of an error, and whether it is bold.
fn error_style(app: App) -> (Color, bool) {
    let screen = screen_of(&app.args(["convert", "/nosuch"]));
    assert!(
        screen.contains("error: could not read `/nosuch`"),
        "{screen}"
    );
    let style = *screen.cell(Position::default()).style;
    (style.fg, style.is(Attributes::BOLD))
}

#[test]
fn errors_are_red_unless_colour_is_disabled() {
    let red = (Color::Indexed(1), true);
    let plain = (Color::Default, false);
    assert_eq!(error_style(App::new(TOOL)), red);
    assert_eq!(error_style(App::new(TOOL).env("NO_COLOR", "1")), plain);
    // In CI, colours are on whatever `TERM` is.
    let dumb = App::new(TOOL).env("TERM", "dumb").unset_env("CI");
    assert_eq!(error_style(dumb), plain);
}

#[test]
fn a_screen_is_printed_without_changing_the_colours_of_the_terminal() {
    let script = r"printf '\033]11;#102040\033\\\033]4;1;#aabbcc\033\\\033[31mred'";
    let app = App::new(TOOL).args([
        "snap", "--format", "ansi", "--cols", "10", "--", "sh", "-c", script,
    ]);
    let screen = screen_of(&app);
    assert_eq!(screen.text(), "red\n");
    assert!(screen.palette.is_empty());
    let style = |col| *screen.cell(Position { row: 0, col }).style;
    assert_eq!(style(0).fg, Color::Rgb(Rgb::hex(0x00aa_bbcc)));
    let blue = Color::Rgb(Rgb::hex(0x0010_2040));
    assert_eq!(
        [style(0).bg, style(9).bg, style(10).bg],
        [blue, blue, Color::Default]
    );
}
