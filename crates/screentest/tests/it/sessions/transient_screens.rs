//! Transient screens, under load: text that is erased before any thread could look at the screen.

use screentest::TuiError;

use crate::harness::sandbox::Sandbox;
use screentest_fixtures::cpu_load::CpuLoad;
use screentest_fixtures::random::quick_or_full;

/// The number of toasts that a program shows in a row.
const TOASTS: usize = 5;

/// Checks that every shown toast is found, and that another one is not.
#[track_caller]
fn check(toast: &str) {
    let sandbox = Sandbox::new();
    let _load = CpuLoad::start();
    sandbox.run(|tui| {
        tui.launch(sandbox.sh(&format!(
            "stty -echo; printf ready; while read round; do n=0; \
             while [ $n -lt {TOASTS} ]; do n=$((n+1)); {toast}; done; printf \"\\r\\033[Kfinished $round.\"; done"
        )))?;
        tui.wait_for_text("ready")?;
        for round in quick_or_full(20, 100) {
            let mark = tui.mark()?;
            tui.send_line(&round.to_string())?;
            tui.wait_for_text(format!("finished {round}."))?;
            for n in 1..=TOASTS {
                let toast = format!("toast {round}-{n}.");
                let frame = tui.saw(toast.as_str(), mark)?;
                assert!(frame.revision > mark.revision());
                // A wait since the mark finds it, too. A search since a mark set now does not.
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
fn a_toast_of_five_milliseconds_is_always_found() {
    check("printf \"\\r\\033[Ktoast $round-$n.\"; sleep 0.005; printf '\\r\\033[K'");
}

#[test]
fn a_toast_erased_by_the_same_write_is_always_found() {
    check("printf \"\\r\\033[Ktoast $round-$n.\\r\\033[K\"");
}

#[test]
fn toasts_in_a_single_read_are_always_found() {
    // The script collects the toasts and writes them to the terminal at once.
    check("kept=\"$kept\\rtoast $round-$n.\\r\\033[K\"; [ $n = 5 ] && printf \"$kept\" && kept=");
}
