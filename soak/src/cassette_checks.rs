//! What was recorded is what happened: verified, played, cut and converted.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use screentest::cassette::CastOptions;
use screentest::core::Backend;
use screentest::{App, Cassette, Moment, Options, Player, Screen, Session};
use screentest_fixtures::random::Random;

use crate::counters::Counters;
use crate::session_run::TIMEOUT;

/// Every digest is right, and every frame is derived again.
pub(crate) fn verify(cassette: &Cassette, counters: &mut Counters) -> Result<()> {
    let verified = cassette.verify()?;
    counters.one("cassettes verified");
    counters.add("frames derived again", verified.frames as u64);
    counters.add("bytes of output recorded", verified.output);
    Ok(())
}

/// The last screen is the one that was shown.
pub(crate) fn ends_with(cassette: &Cassette, last: &Screen) -> Result<()> {
    let kept = cassette.ending().screen()?;
    if kept.text() != last.text() || kept.cursor != last.cursor {
        let [kept, last] =
            [&kept, last].map(|screen| format!("{:?}\n{}", screen.cursor, screen.text()));
        bail!("the cassette ends with {kept}\nand the session ended with {last}");
    }
    Ok(())
}

/// Plays it in one of the ways that there are.
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
            counters.one("cassettes made asciicasts");
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
        // Nothing may have been shown by then.
        let _ = player.seek(&Moment::Time(time));
    }
    if player.seek(&Moment::End)?.text() != last {
        bail!("the end of the cassette is another one the second time");
    }
    counters.one("cassettes played");
    Ok(())
}

fn cut(cassette: &Cassette, counters: &mut Counters) -> Result<()> {
    let target = cassette.path().with_extension("part.cassette");
    let path = cassette.cut(&Moment::Start, &Moment::End, &target)?;
    let part = Cassette::open(&path)?;
    part.verify().context("a part of it")?;
    drop(part);
    std::fs::remove_dir_all(path)?;
    counters.one("cassettes cut");
    Ok(())
}

/// Without a key that was pressed, the recording plays by itself.
fn replay_as_program(cassette: &Cassette, backend: Backend, counters: &mut Counters) -> Result<()> {
    if !cassette.inputs()?.is_empty() || !cassette.ending().ended() {
        return Ok(());
    }
    let options = Options {
        size: cassette.manifest().terminal.size()?,
        backend,
        ..Options::default()
    };
    let session = Session::start(&App::cassette(cassette.path()), options)?;
    session.wait_exit(TIMEOUT)?;
    counters.one("cassettes impersonated");
    Ok(())
}
