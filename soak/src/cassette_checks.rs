//! Checks recordings against the session: they are verified, played, cut and converted.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use screentest::core::Backend;
use screentest::recording::cassette::CastOptions;
use screentest::recording::{Cassette, Moment, Player};
use screentest::session::SessionOptions;
use screentest::{App, Screen, Session};
use screentest_fixtures::random::Random;

use crate::counters::Counters;
use crate::session_run::TIMEOUT;

/// Verifies every digest and derives every frame again.
pub(crate) fn verify(cassette: &Cassette, counters: &mut Counters) -> Result<()> {
    let verified = cassette.verify()?;
    counters.one("cassettes verified");
    counters.add("frames derived again", verified.frames as u64);
    counters.add("bytes of output recorded", verified.output);
    Ok(())
}

/// Checks that the cassette's last screen is the session's last screen.
pub(crate) fn ends_with(cassette: &Cassette, last: &Screen) -> Result<()> {
    let stored = cassette.ending().screen()?;
    if stored.text() != last.text() || stored.cursor != last.cursor {
        let [stored, last] =
            [&stored, last].map(|screen| format!("{:?}\n{}", screen.cursor, screen.text()));
        bail!("the cassette ends with {stored}\nbut the session ended with {last}");
    }
    Ok(())
}

/// Plays the cassette in one of several ways.
pub(crate) fn play(
    cassette: &Cassette,
    backend: Backend,
    random: &mut Random,
    counters: &mut Counters,
) -> Result<()> {
    match random.below(4) {
        0 => seek(cassette, random, counters),
        1 => cut(cassette, counters),
        2 => {
            let mut cast = Vec::new();
            cassette.write_cast(CastOptions::default(), &mut cast)?;
            counters.one("cassettes converted to asciicasts");
            Ok(())
        }
        _ => replay_as_program(cassette, backend, counters),
    }
}

fn seek(cassette: &Cassette, random: &mut Random, counters: &mut Counters) -> Result<()> {
    let mut player = Player::new(cassette)?;
    let last = player.seek(&Moment::End)?.text();
    let length = player.time();
    for _ in 0..4 {
        let time = Duration::from_millis(random.below(length.as_millis() as usize + 1) as u64);
        // Before the first output there may be no screen.
        let _ = player.seek(&Moment::Time(time));
    }
    if player.seek(&Moment::End)?.text() != last {
        bail!("the second seek to the end shows another screen");
    }
    counters.one("cassettes played");
    Ok(())
}

fn cut(cassette: &Cassette, counters: &mut Counters) -> Result<()> {
    let target = cassette.path().with_extension("part.cassette");
    let path = cassette.cut(&Moment::Start, &Moment::End, &target)?;
    let part = Cassette::open(&path)?;
    part.verify().context("a cut cassette")?;
    drop(part);
    std::fs::remove_dir_all(path)?;
    counters.one("cassettes cut");
    Ok(())
}

/// Plays a recording without inputs as a fake program. It needs no driver.
fn replay_as_program(cassette: &Cassette, backend: Backend, counters: &mut Counters) -> Result<()> {
    if !cassette.inputs()?.is_empty() || !cassette.ending().ended() {
        return Ok(());
    }
    let options = SessionOptions {
        size: cassette.manifest().terminal.size()?,
        backend,
        ..SessionOptions::default()
    };
    let session = Session::start(&App::cassette(cassette.path()), options)?;
    session.wait_for_exit(TIMEOUT)?;
    counters.one("cassettes run as fake programs");
    Ok(())
}
