//! Screens that are gone before anybody could look, on a machine that has other things to do.

use screentest::TuiError;

use crate::harness::cpu_load::Busy;
use crate::harness::sandbox::Desk;
use crate::harness::rounds::rounds;

/// How many toasts a program shows in one go.
const TOASTS: usize = 5;

/// Every toast that a program showed was seen, and one that it did not show was not.
#[track_caller]
fn check(toast: &str) {
    let desk = Desk::new();
    let _busy = Busy::start();
    desk.run(|tui| {
        tui.launch(desk.sh(&format!(
            "stty -echo; printf ready; while read round; do n=0; \
             while [ $n -lt {TOASTS} ]; do n=$((n+1)); {toast}; done; printf \"\\r\\033[Kfinished $round.\"; done"
        )))?;
        tui.wait_for_text("ready")?;
        for round in rounds(20, 100) {
            let mark = tui.mark()?;
            tui.send_line(&round.to_string())?;
            tui.wait_for_text(format!("finished {round}."))?;
            for n in 1..=TOASTS {
                let toast = format!("toast {round}-{n}.");
                let frame = tui.saw(toast.as_str(), mark)?;
                assert!(frame.revision > mark.revision());
                // A wait that begins at the mark finds it too, and one that begins now does not.
                tui.wait_since(toast.as_str(), mark)?;
                tui.never(toast.as_str(), tui.mark()?)?;
            }
            assert_eq!(tui.current_view()?.text(), format!("finished {round}.\n"));
            let missed = tui.saw(format!("toast {round}-0."), mark).unwrap_err();
            assert!(matches!(missed, TuiError::NotSeen { .. }), "{missed:?}");
        }
        Ok(())
    });
}

#[test]
fn a_toast_of_five_milliseconds_is_seen_every_time() {
    check("printf \"\\r\\033[Ktoast $round-$n.\"; sleep 0.005; printf '\\r\\033[K'");
}

#[test]
fn a_toast_that_is_erased_by_the_write_that_shows_it_is_seen_every_time() {
    check("printf \"\\r\\033[Ktoast $round-$n.\\r\\033[K\"");
}

#[test]
fn toasts_that_one_read_brings_all_at_once_are_seen_every_time() {
    // Kept back until all are there, so that the terminal is written to once.
    check("kept=\"$kept\\rtoast $round-$n.\\r\\033[K\"; [ $n = 5 ] && printf \"$kept\" && kept=");
}
