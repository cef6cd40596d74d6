//! Tests of resizes, signals and the end of a program.

use super::*;

#[test]
fn unexpected_resizes_and_signals_do_not_accumulate() {
    let scratch = record(|it| {
        it.print("$ ");
        it.session.signal(Signal::HUP).unwrap();
        it.end(ExitStatus::Signaled(Signal::HUP));
    });
    for options in [options_for(&scratch), options_for(&scratch).any_size()] {
        let mut replay = start(&options);
        for cols in 0..10_000 {
            let size = Size {
                cols: 40 + cols % 7,
                rows: 8,
            };
            replay
                .program
                .receive(FakeProgramEvent::Resize(size), replay.now);
            for signal in [Signal::WINCH, Signal::CONT, Signal::USR1, Signal::HUP] {
                replay
                    .program
                    .receive(FakeProgramEvent::Signal(signal), replay.now);
            }
        }
        let stored = replay.program.events.len();
        assert!(stored < 10, "{stored}");
    }
}

#[test]
fn resizes_and_signals_are_waited_for() {
    let other = Size { cols: 50, rows: 9 };
    let scratch = record(|it| {
        it.session.resize(other).unwrap();
        it.print("resized");
        it.session.signal(Signal::INT).unwrap();
        it.print("interrupted");
        it.session.type_text("q").unwrap();
        it.end(ExitStatus::Exited(0));
    });
    let mut replay = start(&options_for(&scratch));
    assert_eq!(replay.output(), (vec![], WAIT));
    assert_eq!(replay.send(FakeProgramEvent::Resize(other)).0, ["resized"]);
    assert_eq!(
        replay.send(FakeProgramEvent::Signal(Signal::CONT)).0,
        [""; 0]
    );
    assert_eq!(
        replay.send(FakeProgramEvent::Signal(Signal::INT)).0,
        ["interrupted"]
    );
    assert_eq!(
        replay.type_text("q").1,
        FakeProgramAction::Exit(ExitStatus::Exited(0))
    );
    // Events may arrive in another order than they were sent.
    let mut replay = start(&options_for(&scratch));
    replay.type_text("q");
    replay.send(FakeProgramEvent::Signal(Signal::INT));
    let (output, action) = replay.send(FakeProgramEvent::Resize(other));
    assert_eq!(output, ["resized", "interrupted"]);
    assert_eq!(action, FakeProgramAction::Exit(ExitStatus::Exited(0)));
}

#[test]
fn unexpected_resizes_signals_and_keys_are_reported() {
    let other = Size { cols: 50, rows: 9 };
    let scratch = record(|it| {
        it.session.resize(other).unwrap();
        it.session.signal(Signal::USR1).unwrap();
        it.end(ExitStatus::Exited(0));
    });
    let mismatch_report = |event: &[FakeProgramEvent]| {
        let mut replay = start(&options_for(&scratch));
        for event in event {
            replay.send(event.clone());
        }
        replay.mismatch_report()
    };
    let third = FakeProgramEvent::Resize(Size { cols: 60, rows: 9 });
    let report = mismatch_report(&[third]);
    assert!(
        report.contains("expected  a resize to 50x9\n  received  a resize to 60x9"),
        "{report}"
    );
    let report = mismatch_report(&[FakeProgramEvent::Bytes(b"x".to_vec())]);
    assert!(
        report.contains("expected  a resize to 50x9\n  received  \"x\""),
        "{report}"
    );
    let report = mismatch_report(&[
        FakeProgramEvent::Resize(other),
        FakeProgramEvent::Signal(Signal::USR2),
    ]);
    assert!(
        report.contains("expected  SIGUSR1\n  received  SIGUSR2"),
        "{report}"
    );
    let mut any = start(&options_for(&scratch).any_size());
    assert_eq!(
        any.send(FakeProgramEvent::Signal(Signal::USR1)).1,
        FakeProgramAction::Exit(ExitStatus::Exited(0))
    );
    // A resize while a key is expected.
    let scratch = greeting();
    let mut replay = start(&options_for(&scratch));
    replay.send(FakeProgramEvent::Resize(other));
    let report = replay.mismatch_report();
    assert!(
        report.contains("expected  \"Bob\"\n  received  a resize to 50x9"),
        "{report}"
    );
}

#[test]
fn two_resizes_received_as_one_satisfy_both_steps() {
    let [one, two] = [50, 60].map(|cols| Size { cols, rows: 9 });
    let scratch = record(|it| {
        it.session.resize(one).unwrap();
        it.print("one");
        it.session.resize(two).unwrap();
        it.print("two");
        it.end(ExitStatus::Exited(0));
    });
    let mut replay = start(&options_for(&scratch));
    assert_eq!(replay.send(FakeProgramEvent::Resize(two)).0, ["one", "two"]);
}

#[test]
fn signals_that_kill_do_so_unless_they_were_recorded() {
    let scratch = greeting();
    for signal in [Signal::HUP, Signal::TERM, Signal::KILL] {
        let mut replay = start(&options_for(&scratch));
        replay.output();
        let (_, action) = replay.send(FakeProgramEvent::Signal(signal));
        assert_eq!(
            action,
            FakeProgramAction::Exit(ExitStatus::Signaled(signal))
        );
    }
    let scratch = record(|it| {
        it.session.signal(Signal::TERM).unwrap();
        it.print("bye");
        it.end(ExitStatus::Exited(143));
    });
    let mut replay = start(&options_for(&scratch));
    assert_eq!(
        replay.send(FakeProgramEvent::Signal(Signal::TERM)),
        (
            vec!["bye".to_owned()],
            FakeProgramAction::Exit(ExitStatus::Exited(143))
        )
    );
}

#[test]
fn a_program_closed_from_outside_waits_for_the_signal() {
    let scratch = record(|it| {
        it.print("ready");
        it.session.close().unwrap();
    });
    let mut replay = start(&options_for(&scratch));
    assert_eq!(replay.output(), (vec!["ready".to_owned()], WAIT));
    assert_eq!(
        replay.send(FakeProgramEvent::Signal(Signal::HUP)).1,
        FakeProgramAction::Exit(ExitStatus::Signaled(Signal::HUP))
    );
    // If the end is unknown, the last screen stays.
    let scratch = record(|it| it.print("ready"));
    let mut replay = start(&options_for(&scratch));
    assert_eq!(replay.output(), (vec!["ready".to_owned()], WAIT));
    replay.type_text("x");
    let report = replay.mismatch_report();
    assert!(
        report.contains("after the last of 0 inputs:\n  expected  nothing more\n  received  \"x\""),
        "{report}"
    );
}

#[test]
fn a_program_that_killed_itself_does_so_again() {
    let scratch = record(|it| it.end(ExitStatus::Signaled(Signal::SEGV)));
    let mut replay = start(&options_for(&scratch));
    assert_eq!(
        replay.output().1,
        FakeProgramAction::Exit(ExitStatus::Signaled(Signal::SEGV))
    );
}

#[test]
fn an_early_end_of_input_is_reported() {
    let scratch = greeting();
    let mut replay = start(&options_for(&scratch));
    replay.type_text("Bo");
    replay.send(FakeProgramEvent::Closed);
    assert!(
        replay
            .mismatch_report()
            .contains("received  \"Bo\" and the end of the input")
    );
}
