//! The tool in a terminal, where a person reads it. Seen with its own eyes.

use std::time::Duration;

use screentest::core::{Attributes, Color, Position, Screen};
use screentest::{App, Options, Session};

use crate::tool::TOOL;

/// Long enough for any machine; a test that waits this long has failed.
const PATIENCE: Duration = Duration::from_secs(20);

/// What stands in a terminal in which the tool was run.
fn show(app: &App) -> Screen {
    let session = Session::start(app, Options::default()).unwrap();
    session.wait_for_exit(PATIENCE).unwrap();
    session.screen()
}

#[test]
fn binary_is_not_written_to_a_terminal() {
    for format in ["vt2", "png", "gif", "mp4"] {
        let app = App::new(TOOL).args(["snap", "--format", format, "--", "echo", "hi"]);
        assert_eq!(
            show(&app).text(),
            format!(
                "\
error: {format} is binary, and stdout is a terminal
hint: `-o FILE` writes it to a file; a pipe takes it too
"
            )
        );
    }
}

#[test]
fn json_ends_with_its_line() {
    let app = App::new(TOOL).args(["snap", "--format", "json", "--", "true"]);
    let screen = show(&app);
    let end = screen.text();
    assert!(end.ends_with("\n}\n"), "{end}");
    assert_eq!(screen.cursor.position.col, 0);
}

/// The colour and weight of the first letter of an error.
fn error_style(app: App) -> (Color, bool) {
    let screen = show(&app.args(["convert", "/nosuch"]));
    assert!(
        screen.contains("error: could not read `/nosuch`"),
        "{screen}"
    );
    let style = *screen.cell(Position::default()).style;
    (style.fg, style.is(Attributes::BOLD))
}

#[test]
fn errors_are_red_unless_colour_is_unwanted() {
    let red = (Color::Indexed(1), true);
    let plain = (Color::Default, false);
    assert_eq!(error_style(App::new(TOOL)), red);
    assert_eq!(error_style(App::new(TOOL).env("NO_COLOR", "1")), plain);
    // CI systems show colours whatever kind of terminal they name.
    let dumb = App::new(TOOL).env("TERM", "dumb").unset_env("CI");
    assert_eq!(error_style(dumb), plain);
}
