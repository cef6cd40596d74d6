//! less: a pager that shows hits inverse and gives the shell's text back.

use screentest::Session;
use screentest::core::Condition;

use super::{Home, SOON, inverse, line};

/// A home with a text of a hundred lines.
fn library() -> Home {
    let lines: Vec<String> = (1..=100)
        .map(|n| format!("line {n} of a hundred\n"))
        .collect();
    Home::new().with("text", &lines.concat())
}

/// less, called from a shell that has said something before; fully drawn.
fn less(home: &Home) -> Session {
    let script = "echo before; less text; echo after; read end";
    let session = home.start(&home.app("sh").args(["-c", script]), "less");
    // The name of the file is what it draws last.
    session
        .wait_for("line 23 of a hundred\ntext", SOON)
        .unwrap();
    session
}

#[test]
fn the_first_and_the_last_page_are_shown() {
    let home = library();
    let session = less(&home);
    let screen = session.screen();
    assert!(screen.modes.alternate_screen);
    assert_eq!(line(&screen, 0), "line 1 of a hundred");
    assert_eq!(inverse(&screen, 23), "####", "{screen}");

    session.type_text("G").unwrap();
    let screen = session
        .wait_for("line 100 of a hundred\n(END)", SOON)
        .unwrap();
    assert_eq!(line(&screen, 0), "line 78 of a hundred");
    assert_eq!(inverse(&screen, 23), "#####", "{screen}");
}

#[test]
fn a_hit_is_inverse_and_nothing_else_is() {
    let home = library();
    let session = less(&home);
    session.type_text("/7 of\n").unwrap();
    // The first hit, line 7, becomes the first row; 17 and 27 are below it.
    let found = Condition::new("the hit in the first row", |screen| {
        line(screen, 0) == "line 7 of a hundred" && line(screen, 23) == ":"
    });
    let screen = session.wait_for(found, SOON).unwrap();
    for row in 0..23 {
        let hits = match line(&screen, row) {
            "line 7 of a hundred" => ".....####",
            "line 17 of a hundred" | "line 27 of a hundred" => "......####",
            _ => "",
        };
        assert_eq!(inverse(&screen, row), hits, "row {row}:\n{screen}");
    }
}

#[test]
fn leaving_brings_the_shells_text_back() {
    let home = library();
    let session = less(&home);
    assert!(!session.screen().contains("before"));
    session.type_text("q").unwrap();
    let screen = session.wait_for("after", SOON).unwrap();
    assert!(!screen.modes.alternate_screen);
    assert_eq!(screen.text(), "before\nafter\n");
}

#[test]
fn leaving_gives_the_terminal_back_as_it_was() {
    let home = library();
    let session = home.start(&home.app("less").arg("text"), "less");
    session
        .wait_for("line 23 of a hundred\ntext", SOON)
        .unwrap();
    assert!(!session.leftovers().is_empty());
    session.type_text("q").unwrap();
    session.wait_exit(SOON).unwrap();
    assert_eq!(session.leftovers(), []);
}
