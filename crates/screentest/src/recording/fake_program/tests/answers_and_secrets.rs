//! Tests of terminal answers and of input that the recording does not have.

use super::*;

#[test]
fn terminal_answers_may_differ_and_come_at_any_time() {
    let scratch = record(|it| {
        it.print("\x1b[c\x1b[5n");
        it.print("> ");
        it.session.type_text("ls").unwrap();
        it.print("ok");
        it.end(ExitStatus::Exited(0));
    });
    for order in [
        ["\x1b[?6c\x1b[0n", "ls"],
        ["l\x1b[?1;2", "c\x1b[0ns"],
        ["ls\x1b]11;rgb:0/0/0\x07", "\x1b[3n"],
    ] {
        let mut replay = start(&options_for(&scratch));
        let (_, action) = replay.output();
        let until = replay.now + ARRIVAL_TIMEOUT;
        assert_eq!(action, FakeProgramAction::Wait { until: Some(until) });
        replay.type_text(order[0]);
        assert_eq!(
            replay.type_text(order[1]).1,
            FakeProgramAction::Exit(ExitStatus::Exited(0)),
            "{order:?}"
        );
    }
    // After a query without an answer, the replay does not wait for answers again.
    let mut mute = start(&options_for(&scratch));
    mute.output();
    mute.now += ARRIVAL_TIMEOUT;
    assert_eq!(mute.output(), (vec!["> ".to_owned()], WAIT));
    let mut ignored = start(&options_for(&scratch).without_replies());
    assert_eq!(ignored.output().1, WAIT);
}

#[test]
fn a_recorded_key_that_looks_like_an_answer_is_a_key() {
    let scratch = record(|it| {
        it.session.press("Shift+F3").unwrap();
        it.print("ok");
        it.end(ExitStatus::Exited(0));
    });
    let mut replay = start(&options_for(&scratch));
    assert_eq!(
        replay.type_text("\x1b[1;2R").1,
        FakeProgramAction::Exit(ExitStatus::Exited(0))
    );
}

#[test]
fn answers_recorded_as_input_count_as_answers() {
    let scratch = record(|it| {
        it.print("? ");
        it.session.send(b"\x1b[?62;4cl\x1b[1;").unwrap();
        it.session.send(b"1Rs").unwrap();
        it.print("ok");
        it.end(ExitStatus::Exited(0));
    });
    let mut replay = start(&options_for(&scratch));
    replay.type_text("\x1b[?6c");
    replay.type_text("l");
    assert_eq!(
        replay.type_text("\x1b[1;3Rs").1,
        FakeProgramAction::Exit(ExitStatus::Exited(0))
    );
}

#[test]
fn withheld_input_may_be_any_line() {
    let scratch = record(|it| {
        it.print("password: ");
        it.echo(false);
        it.session.type_text("sesame").unwrap();
        it.session.press("Enter").unwrap();
        it.echo(true);
        it.print("\r\nwelcome\r\n$ ");
        it.session.type_text("ls").unwrap();
        it.print("ls");
        it.echo(false);
        it.session.press("j").unwrap();
        it.print("down");
        it.session.press("q").unwrap();
        it.end(ExitStatus::Exited(0));
    });
    let mut replay = start(&options_for(&scratch));
    // Nothing is written before the line has ended.
    assert_eq!(replay.type_text("other").1, WAIT);
    assert_eq!(replay.type_text("\r").0, ["\r\nwelcome\r\n$ "]);
    assert_eq!(replay.type_text("ls").0, ["ls"]);
    assert_eq!(replay.type_text("k").0, ["down"]);
    assert_eq!(
        replay.type_text("x").1,
        FakeProgramAction::Exit(ExitStatus::Exited(0))
    );
}

#[test]
fn a_withheld_line_ends_before_the_next_input() {
    let scratch = record(|it| {
        it.echo(false);
        it.session.type_text("sesame\r").unwrap();
        it.echo(true);
        it.print("welcome");
        it.session.type_text("ls").unwrap();
        it.print("!");
        it.end(ExitStatus::Exited(0));
    });
    let mut replay = start(&options_for(&scratch));
    assert_eq!(replay.type_text("oth").0, ["welcome"]);
    assert_eq!(replay.type_text("er\r").1, WAIT);
    assert_eq!(
        replay.type_text("ls").1,
        FakeProgramAction::Exit(ExitStatus::Exited(0))
    );
}

#[test]
fn a_redacted_secret_may_be_anything() {
    let scratch = Scratch::new();
    let pty = ScriptedPty::new(SIZE);
    let record = RecordOptions::new(scratch.path().join("x.cassette"));
    let options = SessionOptions {
        size: SIZE,
        ..SessionOptions::default().record(record.secret_value("WORD", b"open sesame"))
    };
    let session = Session::over(Arc::new(pty.clone()), options).unwrap();
    session.type_text("login open sesame\r").unwrap();
    pty.print(b"ok");
    session.wait_for("ok", SOON).unwrap();
    pty.end(ExitStatus::Exited(0));
    session.wait_for_exit(SOON).unwrap();
    session.finish_recording().unwrap().unwrap();
    let mut replay = start(&options_for(&scratch));
    assert_eq!(
        replay.type_text("login dummy\r").1,
        FakeProgramAction::Exit(ExitStatus::Exited(0))
    );
}
