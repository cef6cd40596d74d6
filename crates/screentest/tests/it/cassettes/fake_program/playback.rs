//! Exit, output and pace of a fake program are as recorded, and no thread or descriptor is left.

use super::*;

#[test]
fn the_exit_status_is_the_recorded_one() {
    let scratch = Scratch::new();
    for (name, script, exit_status) in [
        ("code", "echo last words; exit 42", ExitStatus::Exited(42)),
        (
            "signal",
            "echo last words; kill -USR2 $$",
            ExitStatus::Signaled(Signal::USR2),
        ),
        (
            "killed",
            "echo last words; kill -KILL $$",
            ExitStatus::Signaled(Signal::KILL),
        ),
    ] {
        let path = scratch.path().join(name);
        record(&sh(script), &path, |session| {
            assert_eq!(session.wait_for_exit(TIMEOUT).unwrap(), exit_status);
        });
        let session = play(App::cassette(&path));
        if name == "killed" {
            // A recorded SIGKILL came from outside, so the fake program waits for one.
            session.wait_for("last words", TIMEOUT).unwrap();
            session.kill().unwrap();
        } else {
            session.wait_for_exit(TIMEOUT).unwrap();
        }
        assert_eq!(session.exit_status(), Some(exit_status), "{name}");
        assert!(session.screen().contains("last words"), "{name}");
    }
}

#[test]
fn output_after_the_recorded_close_comes_when_it_is_closed() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let script =
        "trap '' TERM; trap 'echo hung up; exit 9' HUP; echo ready; while :; do read a; done";
    record(&sh(script), &path, |session| {
        session.wait_for("ready", TIMEOUT).unwrap();
    });
    let session = play(App::cassette(&path));
    session.wait_for("ready", TIMEOUT).unwrap();
    assert!(!session.screen().contains("hung up"));
    assert_eq!(session.exit_status(), None);
    session.close().unwrap();
    assert_eq!(session.exit_status(), Some(ExitStatus::Exited(9)));
    assert!(session.screen().contains("hung up"));
}

#[test]
fn an_unrecorded_signal_kills() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    record(&sh("read a"), &path, |session| {
        session.press("Enter").unwrap();
        session.wait_for_exit(TIMEOUT).unwrap();
    });
    let session = play(App::cassette(&path));
    session.signal(Signal::TERM).unwrap();
    assert_eq!(
        session.wait_for_exit(TIMEOUT).unwrap(),
        ExitStatus::Signaled(Signal::TERM)
    );
}

/// Counts the threads of this process that play a recording.
fn player_threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let names =
        tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok());
    names
        .filter(|name| name.starts_with("screentest-repl"))
        .count()
}

#[test]
fn dropping_at_any_moment_leaves_no_thread_or_descriptor() {
    in_own_process(|| {
        let scratch = Scratch::new();
        let path = scratch.path().join("x.cassette");
        record(&sh("seq 1 20000; read a; seq 1 20000"), &path, |session| {
            session.wait_for("20000", TIMEOUT).unwrap();
            session.press("Enter").unwrap();
            session.wait_for_exit(TIMEOUT).unwrap();
        });
        let open = || std::fs::read_dir("/proc/self/fd").unwrap().count();
        let before = open();
        for round in quick_or_full(40, 400) {
            let chunks = Chunks::Random(round as u64);
            let session = play(FakeProgramOptions::of(&path).chunks(chunks));
            match round % 4 {
                0 => {}
                1 => {
                    session.wait_for("123", TIMEOUT).unwrap();
                    assert_eq!(player_threads(), 1);
                }
                2 => session.kill().unwrap(),
                _ => session.press("Enter").unwrap(),
            }
            drop(session);
            assert_eq!(player_threads(), 0, "round {round}");
        }
        assert_eq!(open(), before);
    });
}

#[test]
fn a_flood_arrives_completely_and_in_order() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    record(&sh("seq 1 100000"), &path, |session| {
        session.wait_for_exit(TIMEOUT).unwrap();
    });
    let raw = std::fs::read(path.join("output.raw")).unwrap();
    for chunks in [Chunks::Original, Chunks::Coalesced, Chunks::Random(1)] {
        let session = play(FakeProgramOptions::of(&path).chunks(chunks));
        let output = session.listen();
        session.wait_for_exit(TIMEOUT).unwrap();
        session.close().unwrap();
        let output: Vec<u8> = output.into_iter().flatten().collect();
        assert!(output == raw, "{} of {} bytes", output.len(), raw.len());
    }
}

#[test]
fn a_read_never_joins_two_chunks() {
    use screentest::pty::{self, Interest, Read};
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    record(&sh("printf 'one two three'"), &path, |session| {
        session.wait_for_exit(TIMEOUT).unwrap();
    });
    let how = FakeProgramOptions::of(&path).chunks(Chunks::EveryByte);
    let pty = pty::spawn(&App::from(how), SIZE).unwrap();
    let mut read = Vec::new();
    loop {
        pty.wait(Interest::Read, Some(TIMEOUT)).unwrap();
        let mut buffer = [0; 64];
        match pty.read(&mut buffer).unwrap() {
            Read::Bytes(count) => {
                assert_eq!(count, 1);
                read.push(buffer[0]);
            }
            Read::Nothing => {}
            Read::End => break,
        }
    }
    assert_eq!(read, b"one two three");
}

#[test]
fn a_real_pace_follows_the_clock_of_the_session() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let script = "echo ready; read a; echo soon; sleep 1; echo late; read b";
    record(&sh(script), &path, |session| {
        session.wait_for("ready", TIMEOUT).unwrap();
        session.press("Enter").unwrap();
        session.wait_for("late", TIMEOUT).unwrap();
        session.press("Enter").unwrap();
        session.wait_for_exit(TIMEOUT).unwrap();
    });
    let clock = Clock::manual();
    let timed = SessionOptions {
        clock: clock.clone(),
        ..options()
    };
    let how = FakeProgramOptions::of(&path).pace(Pace::Real);
    let session = Session::start(&App::from(how), timed).unwrap();
    // Waits for a text while the test advances the clock.
    let passing = |text: &str| {
        std::thread::scope(|scope| {
            let shown = scope.spawn(|| session.wait_for(text, Duration::from_secs(1000)));
            while !shown.is_finished() {
                clock.advance(Duration::from_millis(1));
                std::thread::yield_now();
            }
            shown.join().unwrap().unwrap()
        })
    };
    passing("ready");
    let before = clock.now();
    session.press("Enter").unwrap();
    passing("late");
    let passed = clock.now() - before;
    assert!(passed >= Duration::from_secs(1), "{passed:?}");
}

#[test]
fn an_unplayable_cassette_is_refused_at_start() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    record(&sh("echo hello"), &path, |session| {
        session.wait_for_exit(TIMEOUT).unwrap();
    });
    let refused = |how: FakeProgramOptions, options: SessionOptions| match Session::start(
        &App::from(how),
        options,
    )
    .unwrap_err()
    {
        SpawnError::Substitute(error) => error.to_string(),
        other => panic!("{other}"),
    };
    let message = refused(FakeProgramOptions::of(scratch.path().join("no")), options());
    assert!(
        message.contains("is not a cassette: there is no such directory"),
        "{message}"
    );
    let large = Size { cols: 80, rows: 24 };
    let message = refused(
        FakeProgramOptions::of(&path),
        SessionOptions {
            size: large,
            ..options()
        },
    );
    assert!(
        message.contains("was recorded at 60x12, but this terminal has 80x24"),
        "{message}"
    );
    let avt = SessionOptions {
        backend: screentest::core::Backend::Avt,
        ..options()
    };
    let message = refused(FakeProgramOptions::of(&path), avt.clone());
    assert!(
        message.contains("was recorded with the emulator `screentest-vt"),
        "{message}"
    );
    assert!(message.contains("but this one is `avt"), "{message}");
    let any = FakeProgramOptions::of(&path).any_emulator();
    let session = Session::start(&App::from(any), avt).unwrap();
    session.wait_for("hello", TIMEOUT).unwrap();
    let raw = path.join("output.raw");
    std::fs::write(&raw, std::fs::read(&raw).unwrap().to_ascii_uppercase()).unwrap();
    let message = refused(FakeProgramOptions::of(&path), options());
    assert!(message.contains("output.raw` was changed"), "{message}");
}
