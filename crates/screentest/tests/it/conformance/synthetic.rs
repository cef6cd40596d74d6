//! Feeds every fixture to every emulator, directly and through a real program in a terminal.
//!
//! `table.txt` lists what each emulator lacks, so that nothing is skipped silently and a change is
//! noticed.

use std::fmt::{Debug, Write as _};

use screentest::core::emulator::{Counts, Emulator, EmulatorOptions, TransientScreens};
use screentest::core::{Backend, Capabilities, Condition, Position, Size, State, Zone};
use screentest::{ExitCheck, ExitStatus, Failure, Mark};

use super::fixtures::{FIXTURES, Fact, Fixture, Step};
use crate::harness::sandbox::Sandbox;

const SIZE: Size = Size { cols: 10, rows: 5 };

/// Screens, counts and replies of a terminal for a fixture.
struct Observed {
    state: State,
    counts: Counts,
    replies: Vec<u8>,
    /// The texts of all screens, however brief.
    texts: Vec<String>,
}

impl Fact {
    /// Returns a description of the difference if the fact is false.
    fn mismatch(&self, observed: &Observed) -> Option<String> {
        let screen = &observed.state.screen;
        let cell = |row: usize, col: usize| screen.cell(Position { row, col });
        let shown = |text: &str| observed.texts.iter().any(|shown| shown.contains(text));
        match self {
            Fact::Picture(picture) => difference(*picture, screen.picture().as_str()),
            Fact::Style(row, col, style) => difference(style, cell(*row, *col).style),
            Fact::Link(row, col, uri) => {
                let link = cell(*row, *col).link;
                difference(uri, &link.map(|link| link.uri.as_ref()))
            }
            Fact::Zone(row, col, zone) => difference(zone, &zone_of(observed, *row, *col)),
            Fact::ScrolledOut(rows) => {
                let out: Vec<&str> = observed
                    .state
                    .scrollback
                    .iter()
                    .map(|row| row.text())
                    .collect();
                difference(*rows, out.as_slice())
            }
            Fact::Colors(colors) => {
                let changed: Vec<_> = screen.palette.iter().collect();
                difference(*colors, changed.as_slice())
            }
            Fact::Title(title) => difference(*title, &*screen.title),
            Fact::WorkingDirectory(path) => difference(*path, &*screen.working_directory),
            Fact::AlternateScreen(on) => difference(on, &screen.modes.alternate_screen),
            Fact::CursorVisible(visible) => difference(visible, &screen.cursor.visible),
            Fact::CursorShape(shape) => difference(shape, &screen.cursor.shape),
            Fact::Mouse(tracking, encoding) => {
                let modes = &screen.modes;
                difference(
                    &(*tracking, *encoding),
                    &(modes.mouse, modes.mouse_encoding),
                )
            }
            Fact::BracketedPaste(on) => difference(on, &screen.modes.bracketed_paste),
            Fact::Replies(bytes) => {
                let text = |bytes: &[u8]| bytes.escape_ascii().to_string();
                difference(&text(bytes), &text(&observed.replies))
            }
            Fact::Noted(bells, clears, images) => {
                let counts = &observed.counts;
                difference(
                    &(*bells, *clears, *images),
                    &(counts.bells, counts.clears, counts.images),
                )
            }
            Fact::Shown(text) => (!shown(text)).then(|| format!("{text:?} was not shown")),
            Fact::NeverShown(text) => shown(text).then(|| format!("{text:?} was shown")),
        }
    }
}

fn difference<T: Debug + PartialEq + ?Sized>(expected: &T, actual: &T) -> Option<String> {
    (expected != actual).then(|| format!("expected {expected:?}, got {actual:?}"))
}

fn zone_of(observed: &Observed, row: usize, col: usize) -> Zone {
    let zones = observed.state.screen.rows[row].zones();
    let before = zones.iter().rfind(|start| usize::from(start.col) <= col);
    before.map_or(Zone::None, |start| start.zone)
}

/// Returns the first fact of a fixture that is false, as an error.
fn check(fixture: &Fixture, observed: &Observed) -> Result<(), String> {
    let mismatch = fixture
        .facts
        .iter()
        .find_map(|fact| fact.mismatch(observed));
    mismatch.map_or(Ok(()), Err)
}

/// An emulator and everything it has shown.
struct FedEmulator {
    emulator: Box<dyn Emulator>,
    replies: Vec<u8>,
    texts: Vec<String>,
}

impl FedEmulator {
    fn new(backend: Backend) -> FedEmulator {
        let options = EmulatorOptions {
            transient_screens: TransientScreens::Keep,
            ..EmulatorOptions::default()
        };
        FedEmulator {
            emulator: backend.emulator(SIZE, options),
            replies: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// Feeds the bytes of one read.
    fn feed(&mut self, bytes: &[u8]) {
        self.emulator.feed(bytes);
        self.replies.extend(self.emulator.take_replies());
        let passed = self.emulator.take_transient_screens();
        self.texts
            .extend(passed.iter().map(|passed| passed.screen.text()));
        self.texts.push(self.emulator.screen().text());
    }

    fn observed(mut self) -> Observed {
        Observed {
            state: self.emulator.state(100),
            counts: self.emulator.notes().counts,
            replies: self.replies,
            texts: self.texts,
        }
    }
}

/// Where reads end, and when a racing resize happens.
#[derive(Debug, Clone, Copy)]
struct Cut {
    /// After every N bytes.
    every: usize,
    /// Once, after this many bytes in total.
    at: usize,
    /// After this many bytes of the write that races with the resize.
    race: usize,
}

impl Cut {
    const WHOLE: Cut = Cut {
        every: usize::MAX,
        at: 0,
        race: 0,
    };

    /// Returns every cut in two, some cuts into many, and every moment for the racing resize.
    fn all(fixture: &Fixture) -> Vec<Cut> {
        let written = |step: &Step| match step {
            Step::Write(bytes) => bytes.len(),
            Step::Resize(_) | Step::Race(_) => 0,
        };
        let length: usize = fixture.steps.iter().map(written).sum();
        let is_race = |step: &Step| matches!(step, Step::Race(_));
        let raced = fixture.steps.iter().skip_while(|step| !is_race(step));
        let races = raced.skip(1).map(written).next().unwrap_or(0);
        let whole = Cut::WHOLE;
        let in_two = (1..length).map(|at| Cut { at, ..whole });
        let in_many = [1, 2, 3, 5].map(|every| Cut { every, ..whole });
        let racing = (0..=races).map(|race| Cut { race, ..whole });
        in_two.chain(in_many).chain(racing).collect()
    }
}

/// Feeds steps of a fixture to a new emulator.
fn feed(backend: Backend, steps: &[Step], cut: Cut) -> FedEmulator {
    let mut fed = FedEmulator::new(backend);
    let mut total = 0;
    let mut race = None;
    for step in steps {
        let bytes = match step {
            Step::Write(bytes) => *bytes,
            Step::Resize(size) => {
                fed.emulator.resize(*size);
                continue;
            }
            Step::Race(size) => {
                race = Some(*size);
                continue;
            }
        };
        let race = race.take();
        let mut start = 0;
        for end in 0..=bytes.len() {
            let is_race = race.is_some() && end == cut.race.min(bytes.len());
            let is_cut = end > start && (end - start == cut.every || total + end == cut.at);
            if is_race || is_cut || end == bytes.len() {
                fed.feed(&bytes[start..end]);
                start = end;
            }
            if let (Some(size), true) = (race, is_race) {
                fed.emulator.resize(size);
            }
        }
        total += bytes.len();
    }
    fed
}

/// Feeds a fixture with every cut.
fn check_fed(backend: Backend, fixture: &Fixture) -> Result<(), String> {
    Cut::all(fixture).into_iter().try_for_each(|cut| {
        let observed = feed(backend, fixture.steps, cut).observed();
        check(fixture, &observed).map_err(|mismatch| format!("{mismatch} ({cut:?})"))
    })
}

/// Runs a program that writes a fixture to its terminal in blocks of this size.
fn show_in_terminal(
    backend: Backend,
    fixture: &Fixture,
    block: usize,
) -> Result<Observed, Failure> {
    let sandbox = Sandbox::new();
    let mut script = "stty raw -echo".to_owned();
    let writes = fixture.steps.iter().filter_map(|step| match step {
        Step::Write(bytes) => Some(bytes),
        Step::Resize(_) | Step::Race(_) => None,
    });
    for (index, bytes) in writes.enumerate() {
        std::fs::write(sandbox.path().join(index.to_string()), bytes)?;
        if index > 0 {
            // The program waits for a key before it continues.
            script.push_str("; head -c 1 > key");
        }
        write!(script, "; dd if={index} bs={block} 2> log")?;
    }
    let replies = fixture.facts.iter().find_map(|fact| match fact {
        Fact::Replies(bytes) => Some(bytes.len()),
        _ => None,
    });
    write!(script, "; head -c {} > replies", replies.unwrap_or(0))?;
    let options = sandbox
        .options()
        .size(SIZE.cols, SIZE.rows)
        .backend(backend);
    // The fixtures leave the terminal in arbitrary states.
    let options = options.exit_check(ExitCheck::Off);
    let mut texts = Vec::new();
    let (state, counts) = sandbox.run_with(options, |tui| {
        tui.launch(sandbox.sh(&script))?;
        let mut race = None;
        for (index, step) in fixture.steps.iter().enumerate() {
            match step {
                Step::Write(_) if index > 0 => {
                    tui.press(' ')?;
                    if let Some(size) = race.take() {
                        tui.resize(size)?;
                    }
                }
                Step::Write(_) => {}
                Step::Resize(_) | Step::Race(_) => {
                    let before = &fixture.steps[..index];
                    let mut before = feed(backend, before, Cut::WHOLE).emulator;
                    let picture = before.screen().picture();
                    let all = format!("everything written so far, {picture:?}");
                    tui.wait_for(Condition::new(all, move |screen| {
                        screen.picture() == picture
                    }))?;
                    match step {
                        Step::Race(size) => race = Some(*size),
                        Step::Resize(size) => tui.resize(*size)?,
                        Step::Write(_) => {}
                    }
                }
            }
        }
        assert_eq!(tui.wait_for_exit()?, ExitStatus::Exited(0));
        for fact in fixture.facts {
            if let Fact::Shown(text) | Fact::NeverShown(text) = fact
                && let Some(frame) = tui.session()?.saw(*text, Mark::START)?
            {
                texts.push(frame.screen.text());
            }
        }
        let session = tui.session()?;
        Ok((session.state(100), session.counts()))
    });
    Ok(Observed {
        state,
        counts,
        replies: std::fs::read(sandbox.path().join("replies"))?,
        texts,
    })
}

/// Checks a fixture that a program shows, with blocks of this size.
fn check_program(backend: Backend, fixture: &Fixture, block: usize) -> Result<(), String> {
    let observed =
        show_in_terminal(backend, fixture, block).map_err(|failure| format!("{failure:?}"))?;
    check(fixture, &observed)
}

/// Returns the table of all fixtures and emulators.
fn table(run: impl Fn(Backend, &Fixture) -> Result<(), String>) -> String {
    let emulators = Backend::ALL.map(|backend| FedEmulator::new(backend).emulator);
    let names = emulators
        .each_ref()
        .map(|emulator| emulator.identity().name);
    let mut table = format!("{:41}{:20}{}\n", "", names[0], names[1]);
    for fixture in FIXTURES {
        let cells = [0, 1].map(|index| {
            let backend = Backend::ALL[index];
            let lacks = fixture.needs - emulators[index].capabilities();
            match run_or_lack(&run, backend, fixture, lacks) {
                Ok(cell) => cell,
                Err(mismatch) => {
                    say(&format!("{}, {}: {mismatch}", fixture.name, names[index]));
                    "FAILS".to_owned()
                }
            }
        });
        let row = format!("{:41}{:20}{}", fixture.name, cells[0], cells[1]);
        table.push_str(row.trim_end());
        table.push('\n');
    }
    table
}

fn run_or_lack(
    run: impl Fn(Backend, &Fixture) -> Result<(), String>,
    backend: Backend,
    fixture: &Fixture,
    lacks: Capabilities,
) -> Result<String, String> {
    if lacks.is_empty() {
        return run(backend, fixture).map(|()| "ok".to_owned());
    }
    let names: Vec<&str> = lacks.iter_names().map(|(name, _)| name).collect();
    let names = names.join(" ");
    // If the fixture passes without the capability, the emulator should declare the capability, or
    // the fixture does not need it.
    Ok(match check_fed(backend, fixture) {
        Ok(()) => format!("ok without {names}"),
        Err(_) => format!("lacks {names}"),
    })
}

#[expect(
    clippy::print_stdout,
    reason = "the test harness shows the table for failed tests"
)]
fn say(text: &str) {
    println!("{text}");
}

#[track_caller]
fn check_table(run: impl Fn(Backend, &Fixture) -> Result<(), String>) {
    let table = table(run);
    say(&table);
    assert_eq!(table, include_str!("table.txt"));
}

#[test]
fn every_emulator_shows_every_fixture_or_lacks_a_capability() {
    check_table(check_fed);
}

#[test]
fn a_program_shows_every_fixture_with_every_emulator() {
    check_table(|backend, fixture| check_program(backend, fixture, 4096));
}

#[test]
fn writing_byte_by_byte_shows_the_same() {
    check_table(|backend, fixture| {
        // A synchronized update is shown unfinished after 150 ms; byte by byte it can take longer
        // on a busy machine.
        let is_timed = fixture.needs.contains(Capabilities::SYNCHRONIZED);
        check_program(backend, fixture, if is_timed { 4096 } else { 1 })
    });
}

#[test]
fn every_capability_has_a_fixture() {
    let needed = FIXTURES.iter().map(|fixture| fixture.needs);
    let needed = needed.fold(Capabilities::empty(), Capabilities::union);
    assert_eq!(needed, Capabilities::all());
}
