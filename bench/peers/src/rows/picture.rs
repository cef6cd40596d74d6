//! A PNG of a screen with a page of source code, 134x40 cells: from the live screen to the bytes of
//! the file, with warm caches.

use screentest::core::emulator::EmulatorOptions;
use screentest::core::formats::state_json::{self, StateJson};
use screentest::core::{Backend, Size, State};
use screentest_fixtures::code;

use crate::bench::Bench;
use crate::measure::{Better, Measure, median};
use crate::painting::{SIZE, bundled_fonts};

pub(super) fn run(bench: &Bench) -> Vec<Measure> {
    let page = bench.path("page");
    std::fs::write(&page, code::page(SIZE.rows)).expect("the temporary folder has room");
    // Pillow has no terminal: it receives the contents of the screen.
    let state = bench.path("page.json");
    std::fs::write(&state, shown()).expect("the temporary folder has room");
    let [regular, bold] = bundled_fonts(&bench.scratch);
    let contenders = ["screentest", "termwright", "Pillow"].map(|name| bench.named(name));
    let mut samples = crate::measure::Samples::default();
    bench.turns(
        "picture",
        &contenders,
        |contender| match contender.name {
            "Pillow" => contender.turn(&["png", "5", &state, &regular, &bold]),
            _ => contender.turn(&["png", "5", &page]),
        },
        |contender, turn| {
            let figures = turn.figures.iter().map(|ns| ns / 1e6);
            samples.add(contender, figures.collect());
        },
    );
    vec![samples.measure("PNG of 134x40", "ms", Better::Less, median)]
}

fn shown() -> String {
    let size = Size {
        cols: SIZE.cols,
        rows: SIZE.rows,
    };
    let mut emulator = Backend::default().emulator(size, EmulatorOptions::default());
    emulator.feed(&code::page(SIZE.rows));
    let state = State {
        screen: emulator.screen(),
        scrollback: Vec::new(),
    };
    StateJson::from_state(&state, &state_json::StateJsonOptions::default()).to_string()
}
