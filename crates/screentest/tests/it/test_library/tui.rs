//! Features of the test library that tuispec lacks: submit, saw and never, notes, and leaks.

use std::fs;
use std::time::Duration;

use screentest::{ExitCheck, Failure, Normaliser, Terminal, TuiError, Update, WaitOptions};

use crate::harness::sandbox::Sandbox;

/// Returns the message of a failure.
fn error_text(ended: Result<(), TuiError>) -> String {
    format!("{:?}", ended.unwrap_err())
}

/// Returns the terminal with a short timeout, for waits that are expected to fail.
fn with_short_timeout(tui: &Terminal) -> Terminal {
    tui.with(WaitOptions::timeout(Duration::from_millis(50)))
}

#[test]
fn submit_waits_for_the_echo_and_the_reaction() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        tui.launch_and_wait(sandbox.app("sh").env("PS1", "> "), ">")?;
        // The line is sent twice: its first echo must not be taken for the second.
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
fn submit_reports_a_missing_echo() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        tui.launch_and_wait(sandbox.sh("stty -echo; echo ready; read x"), "ready")?;
        let error_text = error_text(with_short_timeout(tui).submit("secret").map(drop));
        assert!(
            error_text.starts_with("the typed text \"secret\" was not shown"),
            "{error_text}"
        );
        assert!(error_text.contains("use `send_line`"), "{error_text}");
        Ok(())
    });
}

#[test]
fn submit_reports_that_enter_changed_nothing() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        // Echoes the text but ignores Enter.
        let script = "stty raw -echo; printf 'ready '; dd bs=1 count=3 2>/dev/null; dd bs=1 count=1 >/dev/null 2>&1; read x";
        tui.launch_and_wait(sandbox.sh(script), "ready")?;
        let error_text = error_text(with_short_timeout(tui).submit("abc").map(drop));
        assert!(error_text.starts_with("Enter after \"abc\" changed nothing"), "{error_text}");
        Ok(())
    });
}

#[test]
fn saw_and_never_search_past_screens() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        tui.launch_and_wait(
            sandbox.sh("echo one; read x; printf '\\033[Htoast\\033[H\\033[Jtwo'; read x"),
            "one",
        )?;
        let mark = tui.mark()?;
        tui.never("toast", mark)?;
        tui.send_line("")?;
        tui.wait_for_text("two")?;
        assert!(tui.saw("toast", mark)?.screen.contains("toast"));
        let shown = error_text(tui.never("toast", mark));
        assert!(shown.starts_with("text \"toast\" was shown, "), "{shown}");
        assert!(shown.contains(" on this screen:\n  │ |toast"), "{shown}");
        let unseen = error_text(tui.saw("bread", mark).map(drop));
        assert!(
            unseen.starts_with("text \"bread\" was not shown since the mark\nthe last screen"),
            "{unseen}"
        );
        Ok(())
    });
}

#[test]
fn a_mark_of_a_replaced_program_precedes_all_screens_of_the_next() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        tui.launch_and_wait(
            sandbox.sh("for i in 1 2 3 4 5; do echo line $i; done; read x"),
            "line 5",
        )?;
        let mark = tui.mark()?;
        tui.launch_and_wait(
            sandbox.sh("printf '\\007first'; read x; printf '\\033[H\\033[Jsecond'; read x"),
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
fn notes_are_waited_for_and_counted() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        let script = "echo ready; read x; printf '\\007\\007\\033]52;c;aGVsbG8=\\007'; read x";
        tui.launch_and_wait(sandbox.sh(script), "ready")?;
        let mark = tui.mark()?;
        tui.send_line("")?;
        let notes = tui.wait_for_notes("a copy", |notes| notes.counts.copies > 0)?;
        assert_eq!(notes.clipboard(), Some("hello"));
        assert_eq!(tui.counts_since(mark)?.bells, 2);
        assert_eq!(tui.counts_since(mark)?.clears, 0);
        let error_text = error_text(
            with_short_timeout(tui)
                .wait_for_notes("a third bell", |notes| notes.counts.bells > 2)
                .map(drop),
        );
        assert!(
            error_text.starts_with("a third bell did not appear within 50ms"),
            "{error_text}"
        );
        Ok(())
    });
}

#[test]
fn unchanged_for_reports_the_change() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        // One letter at a time, so that at any moment the next change is one more letter.
        let script = "stty -echo; echo still; read x; while :; do printf x; sleep 0.01; done";
        tui.launch_and_wait(sandbox.sh(script), "still")?;
        tui.unchanged_for(Duration::from_millis(30))?;
        tui.send_line("")?;
        let error_text = error_text(tui.unchanged_for(Duration::from_secs(20)));
        assert!(
            error_text.starts_with("the screen changed after"),
            "{error_text}"
        );
        assert!(error_text.contains("\n  + x"), "{error_text}");
        Ok(())
    });
}

#[test]
fn terminal_leaks_are_reported() {
    let sandbox = Sandbox::new();
    let untidy = sandbox.sh("printf '\\033[?1049h\\033[?25l\\033[?1000h\\033[?2004h'; stty -echo");
    sandbox.run(|tui| {
        tui.launch(&untidy)?;
        let error_text = error_text(tui.wait_for_exit().map(drop));
        for part in [
            "the program ended (exit code 0) and did not restore the terminal: ",
            "the alternate screen is still shown; ",
            "the cursor is hidden; ",
            "mouse tracking is on, for clicks; ",
            "bracketed paste is on; ",
            "the terminal's settings differ: ECHO is off",
            "hint: if the program does so on purpose, set `RunOptions::exit_check(ExitCheck::Off)`",
        ] {
            assert!(
                error_text.contains(part),
                "{part} is missing:\n{error_text}"
            );
        }
        // The next program starts anew, but the leaks of the last one are still reported.
        assert!(matches!(
            tui.launch(sandbox.sh("exit")),
            Err(TuiError::LeftBehind { .. })
        ));
        tui.launch(sandbox.sh("exit"))?;
        tui.wait_for_exit()?;
        Ok(())
    });
    let off = sandbox.options().exit_check(ExitCheck::Off);
    sandbox.run_with(off, |tui| {
        tui.launch(&untidy)?;
        tui.wait_for_exit()?;
        Ok(())
    });
}

#[test]
fn a_hermetic_program_has_an_empty_home_that_is_removed() {
    let sandbox = Sandbox::new();
    let home = sandbox.run(|tui| {
        tui.launch(
            sandbox.sh("ls -A ~ | wc -l; echo $TZ $SHELL; touch ~/left; echo \"<$HOME>\"; read x"),
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
fn normalised_text_does_not_affect_snapshots() {
    let sandbox = Sandbox::new();
    let at = |time: &str| {
        let app = sandbox.sh(&format!("echo 'it is {time}'; echo same; read x"));
        let options = sandbox
            .options()
            .normalise(Normaliser::clocks())
            .update_snapshots(Update::Missing);
        sandbox.run_with(options, |tui| {
            tui.launch_and_wait(app, "same")?;
            tui.expect_snapshot("clock")?;
            Ok(())
        });
    };
    at("12:34");
    at("23:59");
    // The stored snapshot is not normalised.
    let stored = sandbox
        .path()
        .join("artifacts/snapshots/sandbox/clock.ansi.txt");
    assert!(fs::read_to_string(stored).unwrap().contains("12:34"));
}

#[test]
fn a_running_program_that_draws_nothing_can_have_a_baseline() {
    let sandbox = Sandbox::new();
    let options = sandbox.options().update_snapshots(Update::Missing);
    sandbox.run_with(options, |tui| {
        tui.launch(sandbox.sh("read x"))?;
        let brief = WaitOptions::timeout(Duration::from_millis(300));
        tui.with(brief).expect_snapshot("empty")?;
        Ok(())
    });
    let stored = sandbox
        .path()
        .join("artifacts/snapshots/sandbox/empty.ansi.txt");
    assert_eq!(fs::read_to_string(stored).unwrap().trim(), "");
}

#[test]
fn a_panic_writes_a_failure_bundle_and_propagates() {
    let sandbox = Sandbox::new();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        sandbox.run(|tui| -> Result<(), Failure> {
            tui.launch_and_wait(sandbox.sh("echo here; read x"), "here")?;
            panic!("on purpose")
        });
    }));
    let panicked = panicked.unwrap_err();
    assert_eq!(panicked.downcast_ref::<&str>(), Some(&"on purpose"));
    let bundle = sandbox
        .path()
        .join("artifacts/sessions/sandbox/failure-bundles/failure.txt");
    let error_text = fs::read_to_string(bundle).unwrap();
    assert!(
        error_text.contains("it panicked: on purpose"),
        "{error_text}"
    );
    assert!(error_text.contains("│ here"), "{error_text}");
}

#[test]
fn a_snapshot_compares_the_colours_that_the_program_changed() {
    let sandbox = Sandbox::new();
    let shown = |colors: &str, update: Update| {
        let app = sandbox.sh(&format!("printf '{colors}same'; read x"));
        let options = sandbox.options().update_snapshots(update);
        let mut error = String::new();
        sandbox.run_with(options, |tui| {
            tui.launch_and_wait(app, "same")?;
            let compared = match update {
                Update::None => with_short_timeout(tui).expect_snapshot("colours"),
                _ => tui.expect_snapshot("colours"),
            };
            if let Err(different) = compared {
                error = format!("{different:?}");
            }
            Ok(())
        });
        error
    };
    let blue = r"\033]11;#102040\033\\";
    assert_eq!(shown(blue, Update::Missing), "");
    assert_eq!(shown(blue, Update::None), "");
    let error = shown("", Update::None);
    assert!(
        error.contains("colours: background #102040 → default"),
        "{error}"
    );
}
