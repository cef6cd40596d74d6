//! Frames depend only on the bytes, the resizes and the emulator.

use screentest_fixtures::random::Random as Numbers;
use screentest_fixtures::stream;

use super::*;

/// Derives frames from a stream that is split at the given offsets.
fn frames(bytes: &[u8], cuts: &[usize]) -> Vec<u8> {
    let size = Size { cols: 40, rows: 8 };
    let mut deriver = Deriver::pinned(&terminal(size)).unwrap();
    let mut writer = FrameWriter::new();
    let mut file = Vec::new();
    let mut from = 0;
    for cut in cuts.iter().copied().chain([bytes.len()]) {
        deriver.feed(&bytes[from..cut]);
        from = cut;
        // Take frames only at multiples of 1000 bytes, however the bytes are split.
        if cut % 1000 == 0 {
            let screen = deriver.screen();
            file.extend(writer.line(shown(cut as u64), &screen).unwrap_or_default());
        }
    }
    file
}

#[test]
fn frames_do_not_depend_on_how_reads_split_the_bytes() {
    for seed in 0..8 {
        let mut random = Numbers::new(seed);
        let mut bytes = stream::grammar(&mut random, 8000);
        bytes.truncate(8000);
        let whole: Vec<usize> = (1..8).map(|n| n * 1000).collect();
        let single: Vec<usize> = (1..8000).collect();
        assert_eq!(frames(&bytes, &whole), frames(&bytes, &single), "{seed}");
    }
}

#[test]
fn another_emulator_is_an_error_that_names_both() {
    let mut terminal = terminal(Size { cols: 40, rows: 8 });
    terminal.emulator.revision = 99;
    let message = Deriver::pinned(&terminal).unwrap_err().to_string();
    let pinned = &terminal.emulator;
    assert!(
        message.starts_with(&format!(
            "the frames were derived by `{pinned}`, and this build has `screentest-vt "
        )),
        "{message}"
    );
    assert!(message.contains("` and `avt "), "{message}");
    Deriver::with(&terminal, Backend::Avt).unwrap();
}

#[test]
fn every_backend_is_found_by_its_pin() {
    for backend in Backend::ALL {
        let emulator = backend.emulator(
            Size { cols: 4, rows: 4 },
            crate::emulator::EmulatorOptions::default(),
        );
        let pin = PinnedEmulator::of(emulator.identity());
        assert_eq!(derive::pinned(&pin), Ok(backend));
    }
}
