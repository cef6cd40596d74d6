//! Playback: any moment of a recording can be shown, and waits work as in a session.

use screentest::core::Screen;
use screentest::{Moment, Pace, PlayError, Player, Selector};

use super::*;

/// Records many screens, 100 ms apart, with a mark at every tenth.
fn recording(scratch: &Scratch, pictures: usize) -> (Cassette, Vec<(Duration, Screen)>) {
    let (clock, pty, session) = timed(&scratch.path().join("x.cassette"));
    let mut shown = Vec::new();
    for n in 0..pictures {
        clock.advance(Duration::from_millis(100));
        let all: String = (0..7)
            .map(|row| format!("{n} {row} {}\r\n", "x".repeat(n % 30)))
            .collect();
        pty.print(format!("\x1b[H\x1b[2J\x1b[3{}m{all}picture {n}!", n % 8).as_bytes());
        let screen = session
            .wait_for(format!("picture {n}!").as_str(), TIMEOUT)
            .unwrap();
        shown.push((clock.now(), screen));
        if n % 10 == 0 {
            session.record_mark(&format!("at {n}"));
        }
    }
    (finish(&pty, &session, ExitStatus::Exited(0)), shown)
}

#[test]
fn seeking_finds_every_moment_from_anywhere() {
    let scratch = Scratch::new();
    let (cassette, shown) = recording(&scratch, 300);
    let mut player = Player::new(&cassette).unwrap();
    let mut random = screentest_fixtures::random::Random::new(1);
    for _ in 0..400 {
        let (time, screen) = &shown[random.below(shown.len())];
        let late = Duration::from_millis(random.below(100) as u64);
        let found = player.seek(&Moment::Time(*time + late)).unwrap();
        assert_eq!(found, screen);
        assert_eq!(player.time(), *time);
    }
    assert_eq!(player.seek(&Moment::End).unwrap(), &shown[299].1);
    assert!(player.forward().unwrap().is_none());
    assert_eq!(player.seek(&Moment::Start).unwrap().text(), "");
    let keys = fs::read_to_string(cassette.path().join("frames.jsonl")).unwrap();
    assert!(keys.matches("{\"key\":true").count() > 3);
}

#[test]
fn marks_lead_to_their_screens() {
    let scratch = Scratch::new();
    let (cassette, shown) = recording(&scratch, 40);
    let mut player = Player::new(&cassette).unwrap();
    assert_eq!(
        player.seek(&Moment::Mark("at 20".to_owned())).unwrap(),
        &shown[20].1
    );
    let marks: Vec<_> = player.marks().map(|(name, _)| name.to_owned()).collect();
    assert_eq!(marks, ["at 0", "at 10", "at 20", "at 30"]);
    let message = player
        .seek(&Moment::Mark("at 7".to_owned()))
        .unwrap_err()
        .to_string();
    assert_eq!(
        message,
        "the cassette has no mark `at 7`; it has `at 0`, `at 10`, `at 20`, `at 30`"
    );
}

#[test]
fn a_wait_advances_the_time_of_the_recording() {
    let scratch = Scratch::new();
    let (cassette, shown) = recording(&scratch, 40);
    let mut player = Player::new(&cassette).unwrap();
    let found = player
        .wait_for("picture 30!", Duration::from_secs(4))
        .unwrap();
    assert_eq!(found, &shown[30].1);
    assert_eq!(
        Selector::exact("30 6")
            .matches(player.screen().unwrap())
            .len(),
        1
    );
    let message = player
        .wait_for("picture 35!", Duration::from_millis(400))
        .unwrap_err();
    let PlayError::NotShown { from, last, .. } = &message else {
        panic!("{message}");
    };
    assert_eq!(*from, shown[30].0);
    assert!(last.contains("picture 34!"), "{message}");
}

#[test]
fn play_follows_the_clock() {
    let scratch = Scratch::new();
    let (cassette, shown) = recording(&scratch, 20);
    let mut player = Player::new(&cassette).unwrap();
    let mut count = 0;
    // With a clock that does not advance, only a collapsed pace reaches the end.
    let clock = Clock::manual();
    player
        .play(Pace::Collapsed, &clock, |_, _| count += 1)
        .unwrap();
    assert!(count >= 20);
    for (pace, factor) in [(Pace::Real, 1), (Pace::Scaled(2.0), 2)] {
        let clock = Clock::manual();
        let mut player = Player::new(&cassette).unwrap();
        let times = std::sync::Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            let playing = scope.spawn(|| {
                player.play(pace, &clock, |shown, _| {
                    let due = shown.time.time() / factor;
                    assert!(clock.now() >= due, "{:?} before {due:?}", clock.now());
                    times.lock().unwrap().push(shown.time.time());
                })
            });
            while !playing.is_finished() {
                clock.advance(Duration::from_millis(10));
                std::thread::yield_now();
            }
            playing.join().unwrap().unwrap();
        });
        assert_eq!(times.lock().unwrap().last(), Some(&shown[19].0));
    }
}

#[test]
fn frames_of_another_emulator_are_played_only_on_request() {
    use screentest::core::formats::cassette::Manifest;
    let scratch = Scratch::new();
    let (cassette, _) = recording(&scratch, 3);
    let file = cassette.path().join("manifest.json");
    let mut manifest = Manifest::parse(&fs::read(&file).unwrap()).unwrap();
    manifest.terminal.emulator.name = "other".to_owned();
    fs::write(&file, manifest.to_file()).unwrap();
    let cassette = Cassette::open(cassette.path()).unwrap();
    let message = Player::new(&cassette).unwrap_err().to_string();
    assert!(
        message.starts_with("the frames were derived by `other"),
        "{message}"
    );
    let mut player = Player::of_any_emulator(&cassette).unwrap();
    assert!(player.seek(&Moment::End).unwrap().contains("picture 2!"));
}
