//! less: a pager that shows matches inverse and restores the shell's screen.

use screentest::core::{Condition, Key};
use screentest::{ExitStatus, Failure, Terminal};

use super::{inverse, line, program};
use crate::harness::sandbox::Sandbox;

/// Runs less on a text of a hundred lines, from a shell that has printed something before; waits
/// until it is completely drawn.
#[track_caller]
fn less(body: impl FnOnce(&Terminal) -> Result<(), Failure>) {
    let lines: Vec<String> = (1..=100)
        .map(|n| format!("line {n} of a hundred\n"))
        .collect();
    let sandbox = Sandbox::new().with("text", &lines.concat());
    program(&sandbox, "less", "less");
    sandbox.run(|tui| {
        tui.launch(sandbox.sh("echo before; less text; echo after; read end"))?;
        // less draws the file name last.
        tui.wait_for("line 23 of a hundred\ntext")?;
        body(tui)
    });
}

/// Holds if this line is in the first row and less is ready for a command.
fn at_top(n: usize) -> Condition {
    let top = format!("line {n} of a hundred");
    Condition::new(format!("{top:?} in the first row"), move |screen| {
        line(screen, 0) == top && line(screen, 23) == ":" && screen.cursor.position.col == 1
    })
}

#[test]
fn the_first_and_the_last_page_are_shown() {
    less(|tui| {
        let screen = tui.current_view()?;
        assert!(screen.modes.alternate_screen);
        assert_eq!(line(&screen, 0), "line 1 of a hundred");
        assert_eq!(inverse(&screen, 23), "####", "{screen}");

        tui.type_text("G")?;
        let screen = tui.wait_for("line 100 of a hundred\n(END)")?;
        assert_eq!(line(&screen, 0), "line 78 of a hundred");
        assert_eq!(inverse(&screen, 23), "#####", "{screen}");
        Ok(())
    });
}

#[test]
fn scrolling_by_lines_and_by_pages() {
    less(|tui| {
        tui.press(Key::Down)?;
        let screen = tui.wait_for(at_top(2))?;
        assert_eq!(line(&screen, 22), "line 24 of a hundred");
        tui.press('j')?;
        tui.wait_for(at_top(3))?;
        tui.press(Key::Up)?;
        tui.wait_for(at_top(2))?;
        tui.press(Key::Space)?;
        let screen = tui.wait_for(at_top(25))?;
        assert_eq!(line(&screen, 22), "line 47 of a hundred");
        tui.press(Key::PageUp)?;
        tui.wait_for(at_top(2))?;
        Ok(())
    });
}

#[test]
fn only_matches_are_inverse() {
    less(|tui| {
        tui.send_line("/7 of")?;
        // The first match, line 7, becomes the first row; 17 and 27 are below it.
        let screen = tui.wait_for(at_top(7))?;
        for row in 0..23 {
            let hits = match line(&screen, row) {
                "line 7 of a hundred" => ".....####",
                "line 17 of a hundred" | "line 27 of a hundred" => "......####",
                _ => "",
            };
            assert_eq!(inverse(&screen, row), hits, "row {row}:\n{screen}");
        }
        tui.press('n')?;
        tui.wait_for(at_top(17))?;
        tui.press('N')?;
        tui.wait_for(at_top(7))?;
        Ok(())
    });
}

#[test]
fn a_failed_search_reports_it_and_does_not_scroll() {
    less(|tui| {
        tui.send_line("/no such text")?;
        let screen = tui.wait_for("Pattern not found  (press RETURN)")?;
        assert_eq!(line(&screen, 0), "line 1 of a hundred");
        tui.press(Key::Enter)?;
        tui.expect_not_visible("Pattern not found")?;
        Ok(())
    });
}

#[test]
fn quitting_restores_the_primary_screen() {
    less(|tui| {
        tui.expect_not_visible("before")?;
        tui.type_text("q")?;
        tui.wait_for_text("after")?;
        let screen = tui.current_view()?;
        assert!(!screen.modes.alternate_screen);
        assert_eq!(screen.text(), "before\nafter\n");
        tui.press(Key::Enter)?;
        assert_eq!(tui.wait_for_exit()?, ExitStatus::Exited(0));
        Ok(())
    });
}
