//! The frames of a cassette, as they were kept.

use std::sync::Arc;
use std::time::Duration;

use screentest::core::formats::ansi;
use screentest::core::formats::cassette::InputLine;
use screentest::{Cassette, Moment, PlayError, Player};

use super::label;
use super::reel::{Frame, Mark, Reel};
use crate::plain::shown;

/// A cassette that is played.
#[derive(Debug)]
pub(super) struct Frames<'a> {
    player: Player<'a>,
    marks: Vec<Mark>,
    inputs: Vec<InputLine>,
}

impl<'a> Frames<'a> {
    /// Stands at the first frame. Frames that an emulator derived which is not here are played where `any_emulator` says so.
    pub(super) fn of(cassette: &'a Cassette, any_emulator: bool) -> Result<Frames<'a>, PlayError> {
        let mut player = match any_emulator {
            true => Player::of_any_emulator(cassette)?,
            false => Player::new(cassette)?,
        };
        player.seek(&Moment::Start)?;
        let marks = player.marks().map(|(name, time)| Mark {
            name: shown(name),
            time,
        });
        Ok(Frames {
            marks: marks.collect(),
            inputs: cassette.inputs()?,
            player,
        })
    }

    /// What was given last before the frame that is shown.
    fn label(&self) -> Option<Arc<str>> {
        let seq = self.player.shown()?.seq;
        let before = self.inputs.partition_point(|input| input.seq < seq);
        let mut before = self.inputs[..before].iter().rev();
        let words = before.find_map(|input| label::of_input(&input.kind))?;
        Some(shown(&words).into())
    }
}

impl Reel for Frames<'_> {
    fn frame(&self) -> Frame {
        let Some(screen) = self.player.screen() else {
            return Frame::default();
        };
        let cursor = &screen.cursor;
        Frame {
            lines: ansi::write(screen).lines().map(Arc::from).collect(),
            size: Some(screen.size),
            cursor: cursor.visible.then_some(cursor.position),
            label: self.label(),
        }
    }

    fn time(&self) -> Duration {
        self.player.time()
    }

    fn next_time(&mut self) -> anyhow::Result<Option<Duration>> {
        Ok(self.player.next_time()?)
    }

    fn forward(&mut self) -> anyhow::Result<()> {
        self.player.forward()?;
        Ok(())
    }

    fn back(&mut self) -> anyhow::Result<()> {
        self.player.back()?;
        Ok(())
    }

    fn seek(&mut self, time: Duration) -> anyhow::Result<()> {
        match self.player.seek(&Moment::Time(time)) {
            Err(PlayError::Nothing { .. }) => self.player.seek(&Moment::Start)?,
            sought => sought?,
        };
        Ok(())
    }

    fn duration(&self) -> Duration {
        self.player.cassette().manifest().timing.duration_ms.time()
    }

    fn marks(&self) -> &[Mark] {
        &self.marks
    }

    fn place(&self) -> Option<(usize, usize)> {
        None
    }
}
