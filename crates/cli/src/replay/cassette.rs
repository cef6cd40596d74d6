//! The frames of a cassette, as they were kept.

use std::sync::Arc;
use std::time::Duration;

use screentest::core::formats::ansi;
use screentest::core::formats::cassette::{InputKind, InputLine};
use screentest::{Cassette, Moment, PlayError, Player};

use super::label;
use super::playable::{Frame, Mark, Playable};
use crate::plain::shown;

/// A cassette that is played.
#[derive(Debug)]
pub(super) struct Frames<'a> {
    player: Player<'a>,
    marks: Vec<Mark>,
    inputs: Vec<InputLine>,
    /// The number of the frame before the one that is shown.
    before: u64,
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
            before: 0,
        })
    }

    fn seq(&self) -> u64 {
        self.player.shown().map_or(0, |shown| shown.seq)
    }

    /// Looks which frame is before the one that is shown, having come there from elsewhere.
    fn look_back(&mut self) -> Result<(), PlayError> {
        self.before = 0;
        if self.player.back()?.is_some() {
            self.before = self.seq();
            self.player.forward()?;
        }
        Ok(())
    }

    /// What was given since the frame before, or if nothing was, what was given last.
    fn label(&self) -> Option<Arc<str>> {
        let given = |seq: u64| self.inputs.partition_point(|input| input.seq < seq);
        let (start, end) = (given(self.before), given(self.seq()));
        // Numbers and places that go down, which only a forged cassette has, leave nothing between them.
        let since = self.inputs.get(start..end).unwrap_or_default();
        let since = label::of_inputs(kinds(since));
        let words = since.or_else(|| self.last(start))?;
        Some(shown(&words).into())
    }

    /// What was given last among the first so many: all between which the program wrote nothing.
    fn last(&self, count: usize) -> Option<String> {
        let inputs = &self.inputs[..count];
        let told = |input: &InputLine| label::of_input(&input.kind).is_some();
        let last = inputs.iter().rposition(told)?;
        let first = inputs.partition_point(|input| input.at < inputs[last].at);
        label::of_inputs(kinds(inputs.get(first..=last).unwrap_or_default()))
    }
}

fn kinds(inputs: &[InputLine]) -> impl Iterator<Item = &InputKind> {
    inputs.iter().map(|input| &input.kind)
}

impl Playable for Frames<'_> {
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
        let before = self.seq();
        if self.player.forward()?.is_some() {
            self.before = before;
        }
        Ok(())
    }

    fn back(&mut self) -> anyhow::Result<()> {
        self.player.back()?;
        Ok(self.look_back()?)
    }

    fn seek(&mut self, time: Duration) -> anyhow::Result<()> {
        match self.player.seek(&Moment::Time(time)) {
            Err(PlayError::NothingShown { .. }) => self.player.seek(&Moment::Start)?,
            sought => sought?,
        };
        Ok(self.look_back()?)
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
