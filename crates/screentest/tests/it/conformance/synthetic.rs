//! Every fixture with every emulator: fed to it as it is, and shown by a real program in a terminal.
//!
//! What an emulator lacks stands in a table (`table.txt`), so that nothing is left out in silence and a change is seen.

use std::fmt::{Debug, Write as _};

use screentest::core::emulator::{Counts, Emulator, Options, Passed};
use screentest::core::{Backend, Capabilities, Condition, Position, Size, State, Zone};
use screentest::{ExitCheck, ExitStatus, Failure, Mark};

use super::fixtures::{FIXTURES, Fact, Fixture, Step};
use crate::desk::Desk;

const SIZE: Size = Size { cols: 10, rows: 5 };

/// What a terminal made of a fixture.
struct Seen {
    state: State,
    counts: Counts,
    replies: Vec<u8>,
    /// The texts of all that was shown, however briefly.
    texts: Vec<String>,
}

impl Fact {
    /// What is so instead; nothing where it is true.
    fn denied(&self, seen: &Seen) -> Option<String> {
        let screen = &seen.state.screen;
        let cell = |row: usize, col: usize| screen.cell(Position { row, col });
        let shown = |text: &str| seen.texts.iter().any(|shown| shown.contains(text));
        match self {
            Fact::Picture(picture) => differs(*picture, screen.picture().as_str()),
            Fact::Style(row, col, style) => differs(style, cell(*row, *col).style),
            Fact::Link(row, col, uri) => {
                let link = cell(*row, *col).link;
                differs(uri, &link.map(|link| link.uri.as_ref()))
            }
            Fact::Zone(row, col, zone) => differs(zone, &zone_of(seen, *row, *col)),
            Fact::ScrolledOut(rows) => {
                let out: Vec<&str> = seen.state.scrollback.iter().map(|row| row.text()).collect();
                differs(*rows, out.as_slice())
            }
            Fact::Title(title) => differs(*title, &*screen.title),
            Fact::WorkingDirectory(path) => differs(*path, &*screen.working_directory),
            Fact::AlternateScreen(on) => differs(on, &screen.modes.alternate_screen),
            Fact::CursorVisible(visible) => differs(visible, &screen.cursor.visible),
            Fact::CursorShape(shape) => differs(shape, &screen.cursor.shape),
            Fact::Mouse(tracking, encoding) => {
                let modes = &screen.modes;
                differs(
                    &(*tracking, *encoding),
                    &(modes.mouse, modes.mouse_encoding),
                )
            }
            Fact::BracketedPaste(on) => differs(on, &screen.modes.bracketed_paste),
            Fact::Replies(bytes) => {
                let text = |bytes: &[u8]| bytes.escape_ascii().to_string();
                differs(&text(bytes), &text(&seen.replies))
            }
            Fact::Noted(bells, clears, images) => {
                let counts = &seen.counts;
                differs(
                    &(*bells, *clears, *images),
                    &(counts.bells, counts.clears, counts.images),
                )
            }
            Fact::Shown(text) => (!shown(text)).then(|| format!("{text:?} was not shown")),
            Fact::NeverShown(text) => shown(text).then(|| format!("{text:?} was shown")),
        }
    }
}

fn differs<T: Debug + PartialEq + ?Sized>(expected: &T, is: &T) -> Option<String> {
    (expected != is).then(|| format!("expected {expected:?}, is {is:?}"))
}

fn zone_of(seen: &Seen, row: usize, col: usize) -> Zone {
    let zones = seen.state.screen.rows[row].zones();
    let before = zones.iter().rfind(|start| usize::from(start.col) <= col);
    before.map_or(Zone::None, |start| start.zone)
}

/// Whether all facts of a fixture are true; if not, which is not.
fn check(fixture: &Fixture, seen: &Seen) -> Result<(), String> {
    let denied = fixture.facts.iter().find_map(|fact| fact.denied(seen));
    denied.map_or(Ok(()), Err)
}

/// An emulator, and what it has shown.
struct Fed {
    emulator: Box<dyn Emulator>,
    replies: Vec<u8>,
    texts: Vec<String>,
}

impl Fed {
    fn new(backend: Backend) -> Fed {
        let options = Options {
            passed: Passed::Kept,
            ..Options::default()
        };
        Fed {
            emulator: backend.emulator(SIZE, options),
            replies: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// Feeds what one read brings.
    fn feed(&mut self, bytes: &[u8]) {
        self.emulator.feed(bytes);
        self.replies.extend(self.emulator.take_replies());
        let passed = self.emulator.take_passed();
        self.texts
            .extend(passed.iter().map(|passed| passed.screen.text()));
        self.texts.push(self.emulator.screen().text());
    }

    fn seen(mut self) -> Seen {
        Seen {
            state: self.emulator.state(100),
            counts: self.emulator.notes().counts,
            replies: self.replies,
            texts: self.texts,
        }
    }
}

/// Where reads end, and where a size changes that changes at any moment.
#[derive(Debug, Clone, Copy)]
struct Cut {
    /// After so many bytes, again and again.
    every: usize,
    /// After so many bytes of the whole, once.
    at: usize,
    /// After so many bytes of what is written meanwhile.
    race: usize,
}

impl Cut {
    const WHOLE: Cut = Cut {
        every: usize::MAX,
        at: 0,
        race: 0,
    };

    /// Every way to cut a fixture in two, some to cut it into many, and every moment for its race.
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

/// Feeds the first steps of a fixture.
fn feed(backend: Backend, steps: &[Step], cut: Cut) -> Fed {
    let mut fed = Fed::new(backend);
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

/// Feeds a fixture, cut in all ways.
fn fed(backend: Backend, fixture: &Fixture) -> Result<(), String> {
    Cut::all(fixture).into_iter().try_for_each(|cut| {
        let seen = feed(backend, fixture.steps, cut).seen();
        check(fixture, &seen).map_err(|denied| format!("{denied} ({cut:?})"))
    })
}

/// What a program in a terminal shows for a fixture that it writes so many bytes at a time.
fn shown(backend: Backend, fixture: &Fixture, block: usize) -> Result<Seen, Failure> {
    let desk = Desk::new();
    let mut script = "stty raw -echo".to_owned();
    let writes = fixture.steps.iter().filter_map(|step| match step {
        Step::Write(bytes) => Some(bytes),
        Step::Resize(_) | Step::Race(_) => None,
    });
    for (index, bytes) in writes.enumerate() {
        std::fs::write(desk.path().join(index.to_string()), bytes)?;
        if index > 0 {
            // A key says when to go on.
            script.push_str("; head -c 1 > key");
        }
        write!(script, "; dd if={index} bs={block} 2> log")?;
    }
    let replies = fixture.facts.iter().find_map(|fact| match fact {
        Fact::Replies(bytes) => Some(bytes.len()),
        _ => None,
    });
    write!(script, "; head -c {} > replies", replies.unwrap_or(0))?;
    let options = desk.options().size(SIZE).backend(backend);
    // The fixtures leave the terminal as they please.
    let options = options.exit_check(ExitCheck::Off);
    let mut texts = Vec::new();
    let (state, counts) = desk.run_with(options, |tui| {
        tui.launch(desk.sh(&script))?;
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
    Ok(Seen {
        state,
        counts,
        replies: std::fs::read(desk.path().join("replies"))?,
        texts,
    })
}

/// Has a program show a fixture, in writes of so many bytes.
fn played(backend: Backend, fixture: &Fixture, block: usize) -> Result<(), String> {
    let seen = shown(backend, fixture, block).map_err(|failure| format!("{failure:?}"))?;
    check(fixture, &seen)
}

/// The table of what every emulator makes of every fixture.
fn table(run: impl Fn(Backend, &Fixture) -> Result<(), String>) -> String {
    let emulators = Backend::ALL.map(|backend| Fed::new(backend).emulator);
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
                Err(denied) => {
                    say(&format!("{}, {}: {denied}", fixture.name, names[index]));
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
    // An emulator that does it all the same should say so, or the fixture does not ask for what it names.
    Ok(match fed(backend, fixture) {
        Ok(()) => format!("ok without {names}"),
        Err(_) => format!("lacks {names}"),
    })
}

#[expect(
    clippy::print_stdout,
    reason = "the table is for who runs the tests, through the harness"
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
fn every_emulator_shows_every_fixture_or_says_what_it_lacks_however_the_bytes_are_cut() {
    check_table(fed);
}

#[test]
fn a_program_in_a_terminal_shows_every_fixture_with_every_emulator() {
    check_table(|backend, fixture| played(backend, fixture, 4096));
}

#[test]
fn a_program_that_writes_byte_by_byte_shows_the_same() {
    check_table(|backend, fixture| {
        // An update that takes 150 ms is shown half done, and in single bytes it can take that on a busy machine.
        let is_timed = fixture.needs.contains(Capabilities::SYNCHRONIZED);
        played(backend, fixture, if is_timed { 4096 } else { 1 })
    });
}

#[test]
fn every_capability_has_a_fixture() {
    let needed = FIXTURES.iter().map(|fixture| fixture.needs);
    let needed = needed.fold(Capabilities::empty(), Capabilities::union);
    assert_eq!(needed, Capabilities::all());
}
