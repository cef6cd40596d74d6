//! Random actions on a running program, with checks of their results.

use std::time::Duration;

use anyhow::{Result, bail};
use screentest::core::input::mouse::{MouseEvent, MouseKind};
use screentest::session::MouseError;
use screentest::session::{InputError, InputOptions, WaitError};
use screentest::{Button, Focus, Modifiers, Position, Session, Signal, Wheel};
use screentest_fixtures::random::Random;

use crate::counters::Counters;
use crate::program::{Behaviour, InputStep, Program};
use crate::session_run::{self, TIMEOUT};

/// Timeout of a wait that is meant to fail.
const SHORT_WAIT: Duration = Duration::from_millis(5);

/// Maximum time to wait for a program to settle before input and around a resize. Some programs
/// never settle.
const SETTLE_LIMIT: Duration = Duration::from_millis(500);

/// Performs a random action and checks its result.
pub(crate) fn any(
    session: &Session,
    program: &Program,
    random: &mut Random,
    counters: &mut Counters,
) -> Result<()> {
    match random.below(12) {
        0..=3 => echo_number(session, program, random, counters),
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
        5 => resize(session, program, random, counters),
        6 => wait_without_match(session, counters),
        7 => read_screen(session, random, counters),
        8 => send_mouse(session, random),
        9 => check_accepted(
            session.focus(random.pick(&[Focus::Gained, Focus::Lost])),
            program,
        ),
        10 => {
            session.record_mark(random.pick(&["here", "there"]));
            Ok(())
        }
        _ => exercise_behaviour(session, program, counters),
    }
}

/// Types input that makes the program show a number, and waits for the number.
fn echo_number(
    session: &Session,
    program: &Program,
    random: &mut Random,
    counters: &mut Counters,
) -> Result<()> {
    let Some((parts, shown)) = program.echo else {
        return read_screen(session, random, counters);
    };
    let number = (100 + random.below(900)).to_string();
    send_steps(session, program, parts, &number)?;
    session.wait_for(shown.replace("{}", &number), TIMEOUT)?;
    counters.one("waits that matched");
    Ok(())
}

/// Sends a program a sequence of keys and text.
pub(crate) fn send_steps(
    session: &Session,
    program: &Program,
    parts: &[InputStep],
    number: &str,
) -> Result<()> {
    parts.iter().try_for_each(|part| match part {
        InputStep::Key(key) => press(session, program, key),
        InputStep::Text(text) => {
            settle(session, program);
            check_accepted(session.type_text(&text.replace("{}", number)), program)
        }
    })
}

fn press(session: &Session, program: &Program, key: &str) -> Result<()> {
    settle(session, program);
    check_accepted(session.press(key), program)
}

/// Waits for a program that would lose input sent too early.
fn settle(session: &Session, program: &Program) {
    if program.needs_settling {
        session.wait_until_idle(SETTLE_LIMIT);
    }
}

/// Checks that input was accepted, unless the program has ended or does not read.
fn check_accepted(given: Result<(), InputError>, program: &Program) -> Result<()> {
    match given {
        Ok(()) | Err(InputError::Ended(_)) => Ok(()),
        Err(InputError::NotRead { .. }) if program.behaviour == Behaviour::NotReading => Ok(()),
        Err(error) => bail!(error),
    }
}

fn resize(
    session: &Session,
    program: &Program,
    random: &mut Random,
    counters: &mut Counters,
) -> Result<()> {
    if !program.resizes {
        return Ok(());
    }
    let size = session_run::size(random, program.smallest);
    settle(session, program);
    session.resize(size)?;
    if session.screen().size != size {
        bail!(
            "resized to {size:?}, but the size is {:?}",
            session.screen().size
        );
    }
    settle(session, program);
    counters.one("resizes");
    Ok(())
}

fn wait_without_match(session: &Session, counters: &mut Counters) -> Result<()> {
    match session.wait_for("text that no program shows", SHORT_WAIT) {
        Err(WaitError::TimedOut { report, .. } | WaitError::Ended { report, .. }) => {
            // The report can be formatted for any screen.
            let text = report.to_string();
            counters.add("characters of reports", text.chars().count() as u64);
            counters.one("waits that failed as expected");
            Ok(())
        }
        Err(error) => bail!(error),
        Ok(screen) => bail!(
            "a wait matched text that no program shows:\n{}",
            screen.text()
        ),
    }
}

fn read_screen(session: &Session, random: &mut Random, counters: &mut Counters) -> Result<()> {
    let screen = session.screen();
    if screen.rows.len() != usize::from(screen.size.rows) {
        bail!("{} rows in {:?}", screen.rows.len(), screen.size);
    }
    let state = session.state(random.below(2000));
    if state.screen.size != screen.size {
        bail!(
            "the state of a {:?} screen is {:?}",
            screen.size,
            state.screen.size
        );
    }
    counters.one("screens read");
    Ok(())
}

fn send_mouse(session: &Session, random: &mut Random) -> Result<()> {
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

/// Exercises the program's special behaviour.
fn exercise_behaviour(session: &Session, program: &Program, counters: &mut Counters) -> Result<()> {
    match program.behaviour {
        Behaviour::Normal | Behaviour::Pages => Ok(()),
        Behaviour::Endless => {
            session.wait_for(program.ready, TIMEOUT)?;
            counters.one("waits that matched");
            Ok(())
        }
        Behaviour::NotReading => {
            // The input is refused before it takes all memory.
            let paste = "not read ".repeat(100_000);
            let input = session.input_with(InputOptions::AT_ONCE);
            for _ in 0..100 {
                if let Err(InputError::NotRead { .. }) = input.type_text(&paste) {
                    counters.one("input that was refused");
                    return Ok(());
                }
            }
            bail!("90 MB of unread input were accepted");
        }
        Behaviour::StopsItself => {
            session.signal(Signal::CONT)?;
            Ok(())
        }
    }
}
