//! What is done to a program while it lives.

use std::time::Duration;

use anyhow::{Result, bail};
use screentest::core::input::mouse::{MouseEvent, MouseKind};
use screentest::session::MouseError;
use screentest::{
    Button, Focus, InputError, InputOptions, Modifiers, Position, Session, Signal, WaitError, Wheel,
};
use screentest_fixtures::random::Random;

use crate::life::{self, SOON};
use crate::program::{Nature, Part, Program};
use crate::tally::Tally;

/// How long a wait takes that is meant to fail.
const IN_VAIN: Duration = Duration::from_millis(5);

/// How long a person waits for a program to take in its new size. Not all of them ever come to rest.
const FOR_A_PICTURE: Duration = Duration::from_millis(500);

/// Does something, and makes sure that it went as it should.
pub(crate) fn any(
    session: &Session,
    program: &Program,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<()> {
    match random.below(12) {
        0..=3 => say_something(session, program, random, tally),
        4 => {
            let keys = program.keys;
            (0..1 + random.below(5)).try_for_each(|_| {
                if keys.is_empty() {
                    Ok(())
                } else {
                    press(session, program, random.pick(keys))
                }
            })
        }
        5 => resize(session, program, random, tally),
        6 => wait_in_vain(session, tally),
        7 => look(session, random, tally),
        8 => point(session, random),
        9 => taken(
            session.focus(random.pick(&[Focus::Gained, Focus::Lost])),
            program,
        ),
        10 => {
            session.record_mark(random.pick(&["here", "there"]));
            Ok(())
        }
        _ => peculiarity(session, program, tally),
    }
}

/// Types what makes a program show a number, and waits for it.
fn say_something(
    session: &Session,
    program: &Program,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<()> {
    let Some((parts, shown)) = program.says else {
        return look(session, random, tally);
    };
    let number = (100 + random.below(900)).to_string();
    give(session, program, parts, &number)?;
    session.wait_for(shown.replace("{}", &number), SOON)?;
    tally.one("waits that were met");
    Ok(())
}

/// Gives a program what was written down for it.
pub(crate) fn give(
    session: &Session,
    program: &Program,
    parts: &[Part],
    number: &str,
) -> Result<()> {
    parts.iter().try_for_each(|part| match part {
        Part::Key(key) => press(session, program, key),
        Part::Text(text) => {
            rest(session, program);
            taken(session.type_text(&text.replace("{}", number)), program)
        }
    })
}

fn press(session: &Session, program: &Program, key: &str) -> Result<()> {
    rest(session, program);
    taken(session.press(key), program)
}

/// Waits for a program that would forget what it is given too soon.
fn rest(session: &Session, program: &Program) {
    if program.paced {
        session.wait_rest(FOR_A_PICTURE);
    }
}

/// Input is taken, unless there is nobody to take it.
fn taken(given: Result<(), InputError>, program: &Program) -> Result<()> {
    match given {
        Ok(()) | Err(InputError::Ended(_)) => Ok(()),
        Err(InputError::NotRead { .. }) if program.nature == Nature::Deaf => Ok(()),
        Err(error) => bail!(error),
    }
}

fn resize(
    session: &Session,
    program: &Program,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<()> {
    if !program.resizes {
        return Ok(());
    }
    let size = life::size(random, program.smallest);
    rest(session, program);
    session.resize(size)?;
    if session.screen().size != size {
        bail!("resized to {size:?}, and it is {:?}", session.screen().size);
    }
    rest(session, program);
    tally.one("resizes");
    Ok(())
}

fn wait_in_vain(session: &Session, tally: &mut Tally) -> Result<()> {
    match session.wait_for("what nothing ever shows", IN_VAIN) {
        Err(WaitError::TimedOut { report, .. } | WaitError::Ended { report, .. }) => {
            // Whatever is there, it can be told.
            let told = report.to_string();
            tally.add("characters of reports", told.chars().count() as u64);
            tally.one("waits that were not met");
            Ok(())
        }
        Err(error) => bail!(error),
        Ok(screen) => bail!("found what is not there:\n{}", screen.text()),
    }
}

fn look(session: &Session, random: &mut Random, tally: &mut Tally) -> Result<()> {
    let screen = session.screen();
    if screen.rows.len() != usize::from(screen.size.rows) {
        bail!("{} rows in {:?}", screen.rows.len(), screen.size);
    }
    let state = session.state(random.below(2000));
    if state.screen.size != screen.size {
        bail!("{:?} became {:?}", screen.size, state.screen.size);
    }
    tally.one("looks");
    Ok(())
}

fn point(session: &Session, random: &mut Random) -> Result<()> {
    let kind = random.pick(&[
        MouseKind::Press(Button::Left),
        MouseKind::Release(Button::Left),
        MouseKind::Move(None),
        MouseKind::Wheel(Wheel::Down),
    ]);
    let position = Position {
        row: random.below(10),
        col: random.below(40),
    };
    let modifiers = Modifiers::empty();
    match session.mouse(MouseEvent {
        kind,
        position,
        modifiers,
    }) {
        Ok(()) | Err(MouseError::NotReported(_) | MouseError::Input(InputError::Ended(_))) => {
            Ok(())
        }
        Err(error) => bail!(error),
    }
}

/// What only this kind of program is good for.
fn peculiarity(session: &Session, program: &Program, tally: &mut Tally) -> Result<()> {
    match program.nature {
        Nature::Tame | Nature::Pages => Ok(()),
        Nature::Endless => {
            session.wait_for(program.ready, SOON)?;
            tally.one("waits that were met");
            Ok(())
        }
        Nature::Deaf => {
            // It is refused before it takes all memory.
            let paste = "not read ".repeat(100_000);
            let input = session.input_with(InputOptions::AT_ONCE);
            for _ in 0..100 {
                if let Err(InputError::NotRead { .. }) = input.type_text(&paste) {
                    tally.one("input that was refused");
                    return Ok(());
                }
            }
            bail!("90 MB of input that nobody reads were taken");
        }
        Nature::Stops => {
            session.signal(Signal::CONT)?;
            Ok(())
        }
    }
}
