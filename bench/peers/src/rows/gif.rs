//! A GIF of half a minute of a terminal: 100 frames of 80x24 cells. Each contender uses its own
//! window, sizes and fonts, except that Pillow uses our fonts.

use screentest::core::State;
use screentest::core::formats::ansi;
use screentest::core::formats::state_json::{self, StateJson};

use crate::bench::Bench;
use crate::measure::{Better, Measure, Samples, median};
use crate::painting::{bundled_fonts, frames};

pub(super) fn run(bench: &Bench) -> Vec<Measure> {
    let states = bench.path("states.jsonl");
    let folder = bench.path("frames");
    write(&states, &folder);
    let [regular, bold] = bundled_fonts(&bench.scratch);
    let contenders = ["screentest", "tui-test-rs", "Pillow"].map(|name| bench.named(name));
    let (mut taken, mut sizes) = (Samples::default(), Samples::default());
    let out = bench.path("frames.gif");
    bench.turns(
        "gif",
        &contenders,
        |contender| match contender.name {
            "Pillow" => contender.turn(&["gif", &states, &regular, &bold, &out]),
            "tui-test-rs" => contender.turn(&["gif", &folder, &out]),
            _ => contender.turn(&["gif", &out]),
        },
        |contender, turn| {
            let bytes = std::fs::metadata(&out).map_or(f64::NAN, |file| file.len() as f64);
            taken.add(contender, vec![turn.figures[0] / 1e6]);
            sizes.add(contender, vec![bytes / 1e3]);
        },
    );
    vec![
        taken.measure("GIF of 100 frames", "ms", Better::Less, median),
        sizes.measure("its size", "KB", Better::Less, median),
    ]
}

/// Writes the frames for the contenders that cannot read our types: as State JSON, one per line,
/// and as text that draws them, one file each.
fn write(states: &str, folder: &str) {
    std::fs::create_dir_all(folder).expect("the temporary folder has room");
    let mut lines = Vec::new();
    for (number, frame) in frames().into_iter().enumerate() {
        let drawn = ansi::write(&frame.screen).replace('\n', "\r\n");
        let file = format!("{folder}/{number:03}");
        std::fs::write(file, format!("\x1b[H\x1b[2J{}", drawn.trim_end())).expect("there is room");
        let state = State {
            screen: frame.screen,
            scrollback: Vec::new(),
        };
        let json =
            StateJson::from_state(&state, &state_json::StateJsonOptions::default()).to_string();
        lines.push(json.replace('\n', " "));
    }
    std::fs::write(states, lines.join("\n")).expect("there is room");
}
