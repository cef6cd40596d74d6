//! Tests that bytes from outside never panic, never hang and never exhaust memory.

use screentest_fixtures::random::Random;
use screentest_fixtures::stream;

use super::full;
use crate::emulator::{Backend, Emulator, EmulatorOptions, TransientScreens};
use crate::screen::geometry::Size;

const SCROLLBACK: usize = 100;

/// The kind of random input.
#[derive(Debug, Clone, Copy)]
enum Source {
    Noise,
    Grammar,
    Mutated,
}

fn bytes(random: &mut Random, source: Source, length: usize) -> Vec<u8> {
    match source {
        Source::Noise => (0..length).map(|_| random.bits() as u8).collect(),
        Source::Grammar => stream::grammar(random, length),
        Source::Mutated => {
            let stream = stream::grammar(random, length);
            stream::mutate(random, &stream)
        }
    }
}

/// Returns mostly usual sizes, sometimes extreme ones.
fn size(random: &mut Random) -> Size {
    match random.below(20) {
        0 => Size { cols: 2, rows: 1 },
        1 => Size {
            cols: 2000,
            rows: 2,
        },
        2 => Size { cols: 3, rows: 300 },
        _ => Size {
            cols: 2 + random.below(120) as u16,
            rows: 1 + random.below(50) as u16,
        },
    }
}

#[track_caller]
fn check(emulator: &mut dyn Emulator, size: Size) {
    let state = emulator.state(usize::MAX);
    let screen = &state.screen;
    assert_eq!(screen.size, size);
    assert_eq!(screen.rows.len(), usize::from(size.rows));
    assert!(screen.cursor.position.row < usize::from(size.rows));
    assert!(screen.cursor.position.col < usize::from(size.cols));
    assert!(state.scrollback.len() <= SCROLLBACK + usize::from(size.rows));
    for row in screen.rows.iter().chain(&state.scrollback) {
        assert!(row.len() <= usize::from(size.cols));
        assert!(row.text().chars().count() <= 17 * row.len());
        // Readers of cassettes and of State JSON refuse a row with a control character.
        assert!(!row.text().contains(char::is_control), "{:?}", row.text());
    }
    let notes = emulator.notes();
    assert!(notes.unknown().count() <= 64);
    assert!(notes.unanswered().len() <= 64);
    assert!(notes.copies().len() <= 64);
    assert!(notes.images().len() <= 64);
    assert!(notes.unknown().all(|(name, _)| name.len() <= 1000));
    assert!(notes.unanswered().iter().all(|name| name.len() <= 1000));
}

fn survive(backend: Backend, source: Source, seed: u64) {
    // Three sources per backend: 64 MB together, or 2 MB.
    let total = if full() { 64 << 20 } else { 2 << 20 } / 3;
    let mut random = Random::new(seed);
    let mut fed = 0;
    while fed < total {
        let options = EmulatorOptions {
            scrollback: SCROLLBACK,
            transient_screens: random.pick(&[TransientScreens::Keep, TransientScreens::Drop]),
            ..EmulatorOptions::default()
        };
        let mut now = size(&mut random);
        let mut emulator = backend.emulator(now, options);
        let stream = bytes(&mut random, source, 64 << 10);
        let mut rest = stream.as_slice();
        while !rest.is_empty() {
            let cut = match random.below(3) {
                0 => 1,
                1 => 1 + random.below(100),
                _ => 1 + random.below(8192),
            };
            let (chunk, tail) = rest.split_at(cut.min(rest.len()));
            rest = tail;
            emulator.feed(chunk);
            match random.below(60) {
                0 => {
                    now = size(&mut random);
                    emulator.resize(now);
                }
                1 => drop(emulator.take_replies()),
                2 => assert!(emulator.take_transient_screens().len() <= 1024),
                3 => emulator.end_synchronized(),
                4 => check(&mut *emulator, now),
                5 => drop(emulator.dump(SCROLLBACK)),
                _ => {}
            }
        }
        emulator.end_synchronized();
        check(&mut *emulator, now);
        // A reset always restores a working terminal.
        emulator.feed(b"\x18\x1b\\\x1bcok");
        assert_eq!(emulator.screen().picture(), "ok|\n");
        fed += stream.len();
    }
    assert_peak();
}

/// Checks the peak memory use of this process, if the system reports it. A screen of 2,000 columns
/// with a hundred scrollback rows takes 5 MB, a thousand transient screens of the usual size 100
/// MB.
fn assert_peak() {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else {
        return;
    };
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
    if let Some(peak) = peak {
        assert!(peak < 512 << 10, "{peak} kB");
    }
}

#[test]
fn vt_survives_noise() {
    survive(Backend::Vt, Source::Noise, 11);
}

#[test]
fn vt_survives_hostile_sequences() {
    survive(Backend::Vt, Source::Grammar, 12);
}

#[test]
fn vt_survives_broken_sequences() {
    survive(Backend::Vt, Source::Mutated, 13);
}

#[test]
fn avt_survives_noise() {
    survive(Backend::Avt, Source::Noise, 21);
}

#[test]
fn avt_survives_hostile_sequences() {
    survive(Backend::Avt, Source::Grammar, 22);
}

#[test]
fn avt_survives_broken_sequences() {
    survive(Backend::Avt, Source::Mutated, 23);
}

#[test]
fn a_string_without_end_is_bounded_and_leaves_a_working_terminal() {
    for backend in Backend::ALL {
        for whole in [true, false] {
            let size = Size { cols: 20, rows: 5 };
            let mut emulator = backend.emulator(size, EmulatorOptions::default());
            let endless = [b"\x1b]2;", [b'x'; 8 << 20].as_slice()].concat();
            if whole {
                emulator.feed(&endless);
            } else {
                endless.chunks(4096).for_each(|chunk| emulator.feed(chunk));
            }
            emulator.feed(b"\x1b\\shown");
            assert_eq!(emulator.screen().text(), "shown\n", "{backend:?}");
        }
    }
    assert_peak();
}
