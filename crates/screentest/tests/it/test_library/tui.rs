//! What the test library has besides the seed's: submitting, what was seen, what no cell shows, what is left behind.

use std::fs;
use std::time::Duration;

use screentest::{ExitCheck, Failure, Normaliser, Tui, TuiError, Update, WaitOptions};

use crate::harness::sandbox::Desk;

/// What a body's failure says.
fn told(ended: Result<(), TuiError>) -> String {
    format!("{:?}", ended.unwrap_err())
}

/// Short, for waits that are to fail.
fn briefly(tui: &Tui) -> Tui {
    tui.with(WaitOptions::timeout(Duration::from_millis(50)))
}

#[test]
fn submit_waits_for_the_echo_and_for_what_comes_of_it() {
    let desk = Desk::new();
    desk.run(|tui| {
        tui.launch_and_wait(desk.app("sh").env("PS1", "> "), ">")?;
        // The same line again: its first echo must not be taken for the second.
        for _ in 0..2 {
            tui.submit("echo $((6 * 7))")?;
            tui.wait_for_text(screentest::Selector::exact("> ").on_cursor_row())?;
        }
        let screen = tui.current_view()?;
        assert_eq!(
            screen.text(),
            "> echo $((6 * 7))\n42\n> echo $((6 * 7))\n42\n>\n"
        );
        Ok(())
    });
}

#[test]
fn submit_says_that_nothing_was_echoed() {
    let desk = Desk::new();
    desk.run(|tui| {
        tui.launch_and_wait(desk.sh("stty -echo; echo ready; read x"), "ready")?;
        let told = told(briefly(tui).submit("secret").map(drop));
        assert!(
            told.starts_with("the typed text \"secret\" was not shown"),
            "{told}"
        );
        assert!(told.contains("use `send_line`"), "{told}");
        Ok(())
    });
}

#[test]
fn submit_says_that_enter_changed_nothing() {
    let desk = Desk::new();
    desk.run(|tui| {
        // Shows what is typed, but is told of no line and moves nowhere.
        let script = "stty raw -echo; printf 'ready '; dd bs=1 count=3 2>/dev/null; dd bs=1 count=1 >/dev/null 2>&1; read x";
        tui.launch_and_wait(desk.sh(script), "ready")?;
        let told = told(briefly(tui).submit("abc").map(drop));
        assert!(told.starts_with("Enter after \"abc\" changed nothing"), "{told}");
        Ok(())
    });
}

#[test]
fn saw_and_never_look_back_and_explain_themselves() {
    let desk = Desk::new();
    desk.run(|tui| {
        tui.launch_and_wait(
            desk.sh("echo one; read x; printf '\\033[Htoast\\033[H\\033[Jtwo'; read x"),
            "one",
        )?;
        let mark = tui.mark()?;
        tui.never("toast", mark)?;
        tui.send_line("")?;
        tui.wait_for_text("two")?;
        assert!(tui.saw("toast", mark)?.screen.contains("toast"));
        let shown = told(tui.never("toast", mark));
        assert!(shown.starts_with("text \"toast\" was shown, "), "{shown}");
        assert!(shown.contains(" on this screen:\n  │ |toast"), "{shown}");
        let unseen = told(tui.saw("bread", mark).map(drop));
        assert!(
            unseen.starts_with("text \"bread\" was not shown since the mark\nthe last screen"),
            "{unseen}"
        );
        Ok(())
    });
}

#[test]
fn a_mark_of_a_program_that_was_replaced_is_older_than_all_that_the_next_one_shows() {
    let desk = Desk::new();
    desk.run(|tui| {
        tui.launch_and_wait(
            desk.sh("for i in 1 2 3 4 5; do echo line $i; done; read x"),
            "line 5",
        )?;
        let mark = tui.mark()?;
        tui.launch_and_wait(
            desk.sh("printf '\\007first'; read x; printf '\\033[H\\033[Jsecond'; read x"),
            "first",
        )?;
        tui.send_line("")?;
        tui.wait_for_text("second")?;
        assert!(tui.saw("first", mark)?.screen.contains("first"));
        assert!(matches!(
            tui.never("line 6", mark),
            Err(TuiError::Forgotten(_))
        ));
        assert_eq!(tui.counts_since(mark)?.bells, 1);
        Ok(())
    });
}

#[test]
fn what_no_cell_shows_is_waited_for_and_counted() {
    let desk = Desk::new();
    desk.run(|tui| {
        let script = "echo ready; read x; printf '\\007\\007\\033]52;c;aGVsbG8=\\007'; read x";
        tui.launch_and_wait(desk.sh(script), "ready")?;
        let mark = tui.mark()?;
        tui.send_line("")?;
        let notes = tui.wait_for_notes("a copy", |notes| notes.counts.copies > 0)?;
        assert_eq!(notes.clipboard(), Some("hello"));
        assert_eq!(tui.counts_since(mark)?.bells, 2);
        assert_eq!(tui.counts_since(mark)?.clears, 0);
        let told = told(
            briefly(tui)
                .wait_for_notes("a third bell", |notes| notes.counts.bells > 2)
                .map(drop),
        );
        assert!(
            told.starts_with("a third bell did not appear within 50ms"),
            "{told}"
        );
        Ok(())
    });
}

#[test]
fn unchanged_for_says_what_changed() {
    let desk = Desk::new();
    desk.run(|tui| {
        // One letter at a time, so that whenever one looks the next change is a letter more.
        let script = "stty -echo; echo still; read x; while :; do printf x; sleep 0.01; done";
        tui.launch_and_wait(desk.sh(script), "still")?;
        tui.unchanged_for(Duration::from_millis(30))?;
        tui.send_line("")?;
        let told = told(tui.unchanged_for(Duration::from_secs(20)));
        assert!(told.starts_with("the screen changed after"), "{told}");
        assert!(told.contains("\n  + x"), "{told}");
        Ok(())
    });
}

#[test]
fn a_program_that_leaves_the_terminal_in_disorder_is_told_of() {
    let desk = Desk::new();
    let untidy = desk.sh("printf '\\033[?1049h\\033[?25l\\033[?1000h\\033[?2004h'; stty -echo");
    desk.run(|tui| {
        tui.launch(&untidy)?;
        let told = told(tui.wait_for_exit().map(drop));
        for part in [
            "the program ended (exit code 0) and did not restore the terminal: ",
            "the alternate screen is still shown; ",
            "the cursor is hidden; ",
            "mouse tracking is on, for clicks; ",
            "bracketed paste is on; ",
            "the terminal's settings differ: ECHO is off",
            "hint: `RunOptions::exit_check(ExitCheck::Off)`",
        ] {
            assert!(told.contains(part), "{part} is missing:\n{told}");
        }
        // The next one begins anew, but what the last one left is not forgotten.
        assert!(matches!(
            tui.launch(desk.sh("exit")),
            Err(TuiError::LeftBehind { .. })
        ));
        tui.launch(desk.sh("exit"))?;
        tui.wait_for_exit()?;
        Ok(())
    });
    let off = desk.options().exit_check(ExitCheck::Off);
    desk.run_with(off, |tui| {
        tui.launch(&untidy)?;
        tui.wait_for_exit()?;
        Ok(())
    });
}

#[test]
fn a_hermetic_program_finds_an_empty_home_that_goes_with_it() {
    let desk = Desk::new();
    let home = desk.run(|tui| {
        tui.launch(
            desk.sh("ls -A ~ | wc -l; echo $TZ $SHELL; touch ~/left; echo \"<$HOME>\"; read x"),
        )?;
        let screen = tui.wait_for(">")?;
        assert!(screen.text().starts_with("0\nUTC /bin/sh\n"), "{screen}");
        let home = screen.captures(&screentest::core::query::selector::Regex::new("<(.*)>")?);
        let home = home[0].group(1).unwrap().text().to_owned();
        assert!(fs::exists(format!("{home}/left"))?);
        Ok(home)
    });
    assert!(!fs::exists(home).unwrap());
}

#[test]
fn what_may_vary_makes_no_difference_to_a_snapshot() {
    let desk = Desk::new();
    let at = |time: &str| {
        let app = desk.sh(&format!("echo 'it is {time}'; echo same; read x"));
        let options = desk
            .options()
            .normalise(Normaliser::clocks())
            .update_snapshots(Update::Missing);
        desk.run_with(options, |tui| {
            tui.launch_and_wait(app, "same")?;
            tui.expect_snapshot("clock")?;
            Ok(())
        });
    };
    at("12:34");
    at("23:59");
    // What is kept is what was seen.
    let kept = desk.path().join("artifacts/snapshots/desk/clock.ansi.txt");
    assert!(fs::read_to_string(kept).unwrap().contains("12:34"));
}

#[test]
fn a_panic_in_a_session_leaves_its_bundle_and_goes_on() {
    let desk = Desk::new();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        desk.run(|tui| -> Result<(), Failure> {
            tui.launch_and_wait(desk.sh("echo here; read x"), "here")?;
            panic!("on purpose")
        });
    }));
    let panicked = panicked.unwrap_err();
    assert_eq!(panicked.downcast_ref::<&str>(), Some(&"on purpose"));
    let bundle = desk
        .path()
        .join("artifacts/sessions/desk/failure-bundles/failure.txt");
    let told = fs::read_to_string(bundle).unwrap();
    assert!(told.contains("it panicked: on purpose"), "{told}");
    assert!(told.contains("│ here"), "{told}");
}
