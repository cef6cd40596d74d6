//! However it ends, it ends as it was recorded, at once, and nothing is left.

use super::*;

#[test]
fn it_ends_as_the_program_did() {
    let scratch = Scratch::new();
    for (name, script, outcome) in [
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
            assert_eq!(session.wait_for_exit(SOON).unwrap(), outcome);
        });
        let session = play(App::cassette(&path));
        if name == "killed" {
            // Who was killed from outside waits for that.
            session.wait_for("last words", SOON).unwrap();
            session.kill().unwrap();
        } else {
            session.wait_for_exit(SOON).unwrap();
        }
        assert_eq!(session.outcome(), Some(outcome), "{name}");
        assert!(session.screen().contains("last words"), "{name}");
    }
}

#[test]
fn a_program_that_was_closed_says_its_last_words_when_it_is_closed() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let script =
        "trap '' TERM; trap 'echo hung up; exit 9' HUP; echo ready; while :; do read a; done";
    record(&sh(script), &path, |session| {
        session.wait_for("ready", SOON).unwrap();
    });
    let session = play(App::cassette(&path));
    session.wait_for("ready", SOON).unwrap();
    assert!(!session.screen().contains("hung up"));
    assert_eq!(session.outcome(), None);
    session.close().unwrap();
    assert_eq!(session.outcome(), Some(ExitStatus::Exited(9)));
    assert!(session.screen().contains("hung up"));
}

#[test]
fn a_signal_that_nobody_recorded_kills() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    record(&sh("read a"), &path, |session| {
        session.press("Enter").unwrap();
        session.wait_for_exit(SOON).unwrap();
    });
    let session = play(App::cassette(&path));
    session.signal(Signal::TERM).unwrap();
    assert_eq!(
        session.wait_for_exit(SOON).unwrap(),
        ExitStatus::Signaled(Signal::TERM)
    );
}

/// Threads of this process that play.
fn playing() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let names =
        tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok());
    names
        .filter(|name| name.starts_with("screentest-doub"))
        .count()
}

#[test]
fn dropping_it_at_any_moment_leaves_nothing() {
    alone(|| {
        let scratch = Scratch::new();
        let path = scratch.path().join("x.cassette");
        record(&sh("seq 1 20000; read a; seq 1 20000"), &path, |session| {
            session.wait_for("20000", SOON).unwrap();
            session.press("Enter").unwrap();
            session.wait_for_exit(SOON).unwrap();
        });
        let open = || std::fs::read_dir("/proc/self/fd").unwrap().count();
        let before = open();
        for round in rounds(40, 400) {
            let chunks = Chunks::Random(round as u64);
            let session = play(Impersonation::of(&path).chunks(chunks));
            match round % 4 {
                0 => {}
                1 => {
                    session.wait_for("123", SOON).unwrap();
                    assert_eq!(playing(), 1);
                }
                2 => session.kill().unwrap(),
                _ => session.press("Enter").unwrap(),
            }
            drop(session);
            assert_eq!(playing(), 0, "round {round}");
        }
        assert_eq!(open(), before);
    });
}

#[test]
fn a_flood_comes_whole_and_in_order() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    record(&sh("seq 1 100000"), &path, |session| {
        session.wait_for_exit(SOON).unwrap();
    });
    let raw = std::fs::read(path.join("output.raw")).unwrap();
    for chunks in [Chunks::Original, Chunks::Coalesced, Chunks::Random(1)] {
        let session = play(Impersonation::of(&path).chunks(chunks));
        let heard = session.listen();
        session.wait_for_exit(SOON).unwrap();
        session.close().unwrap();
        let heard: Vec<u8> = heard.into_iter().flatten().collect();
        assert!(heard == raw, "{} of {} bytes", heard.len(), raw.len());
    }
}

#[test]
fn no_read_joins_two_pieces() {
    use screentest::pty::{self, Interest, Read};
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    record(&sh("printf 'one two three'"), &path, |session| {
        session.wait_for_exit(SOON).unwrap();
    });
    let how = Impersonation::of(&path).chunks(Chunks::EveryByte);
    let pty = pty::spawn(&App::from(how), SIZE).unwrap();
    let mut read = Vec::new();
    loop {
        pty.wait(Interest::Read, Some(SOON)).unwrap();
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
fn a_pace_follows_the_clock_of_the_test() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let script = "echo ready; read a; echo soon; sleep 1; echo late; read b";
    record(&sh(script), &path, |session| {
        session.wait_for("ready", SOON).unwrap();
        session.press("Enter").unwrap();
        session.wait_for("late", SOON).unwrap();
        session.press("Enter").unwrap();
        session.wait_for_exit(SOON).unwrap();
    });
    let clock = Clock::manual();
    let timed = Options {
        clock: clock.clone(),
        ..options()
    };
    let how = Impersonation::of(&path).pace(Pace::Real);
    let session = Session::start(&App::from(how), timed).unwrap();
    // Waits for a text while the test moves the time.
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
fn what_cannot_be_played_is_told_before_anything_is() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    record(&sh("echo hello"), &path, |session| {
        session.wait_for_exit(SOON).unwrap();
    });
    let refused =
        |how: Impersonation, options: Options| match Session::start(&App::from(how), options)
            .unwrap_err()
        {
            SpawnError::Impersonate(error) => error.to_string(),
            other => panic!("{other}"),
        };
    let told = refused(Impersonation::of(scratch.path().join("no")), options());
    assert!(
        told.contains("is not a cassette: there is no such directory"),
        "{told}"
    );
    let large = Size { cols: 80, rows: 24 };
    let told = refused(
        Impersonation::of(&path),
        Options {
            size: large,
            ..options()
        },
    );
    assert!(
        told.contains("was recorded at 60x12, but this terminal has 80x24"),
        "{told}"
    );
    let avt = Options {
        backend: screentest::core::Backend::Avt,
        ..options()
    };
    let told = refused(Impersonation::of(&path), avt.clone());
    assert!(
        told.contains("was recorded with the emulator `alacritty_terminal"),
        "{told}"
    );
    assert!(told.contains("but this one is `avt"), "{told}");
    let any = Impersonation::of(&path).any_emulator();
    let session = Session::start(&App::from(any), avt).unwrap();
    session.wait_for("hello", SOON).unwrap();
    let raw = path.join("output.raw");
    std::fs::write(&raw, std::fs::read(&raw).unwrap().to_ascii_uppercase()).unwrap();
    let told = refused(Impersonation::of(&path), options());
    assert!(told.contains("output.raw` was changed"), "{told}");
}
