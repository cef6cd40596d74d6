//! Plays the stored frames of a cassette.

use std::sync::Arc;
use std::time::Duration;

use screentest::core::formats::cassette::{InputLine, InputLineKind};
use screentest::recording::{Cassette, Moment, PlayError, Player};

use super::input_label;
use super::playable::{Playable, ReplayMark, ShownFrame};
use crate::output::sanitize::replace_controls;

/// A cassette and the current frame.
#[derive(Debug)]
pub(super) struct CassetteFrames<'a> {
    player: Player<'a>,
    marks: Vec<ReplayMark>,
    inputs: Vec<InputLine>,
    /// The number of the frame before the current one.
    previous: u64,
}

impl<'a> CassetteFrames<'a> {
    /// Starts at the first frame. With `any_emulator`, also plays frames of an emulator that is not
    /// available.
    pub(super) fn new(
        cassette: &'a Cassette,
        any_emulator: bool,
    ) -> Result<CassetteFrames<'a>, PlayError> {
        let mut player = if any_emulator {
            Player::of_any_emulator(cassette)?
        } else {
            Player::new(cassette)?
        };
        player.seek(&Moment::Start)?;
        let marks = player.marks().map(|(name, time)| ReplayMark {
            name: replace_controls(name),
            time,
        });
        Ok(CassetteFrames {
            marks: marks.collect(),
            inputs: cassette.inputs()?,
            player,
            previous: 0,
        })
    }

    fn seq(&self) -> u64 {
        self.player.shown().map_or(0, |shown| shown.seq)
    }

    /// Finds the number of the previous frame, after a jump.
    fn find_previous(&mut self) -> Result<(), PlayError> {
        self.previous = 0;
        if self.player.back()?.is_some() {
            self.previous = self.seq();
            self.player.forward()?;
        }
        Ok(())
    }

    /// Returns the input since the previous frame; if there was none, the last input.
    fn label(&self) -> Option<Arc<str>> {
        let given = |seq: u64| self.inputs.partition_point(|input| input.seq < seq);
        let (start, end) = (given(self.previous), given(self.seq()));
        // Numbers that are out of order, which only a forged cassette has, give an empty range.
        let since = self.inputs.get(start..end).unwrap_or_default();
        let since = input_label::of_inputs(kinds(since));
        let text = since.or_else(|| self.last_before(start))?;
        Some(replace_controls(&text).into())
    }

    /// Returns the label of the last input among the first `count`, combined with the inputs before
    /// it that followed the same output.
    fn last_before(&self, count: usize) -> Option<String> {
        let inputs = &self.inputs[..count];
        let has_label = |input: &InputLine| input_label::of_input(&input.kind).is_some();
        let last = inputs.iter().rposition(has_label)?;
        let first = inputs.partition_point(|input| input.at < inputs[last].at);
        input_label::of_inputs(kinds(inputs.get(first..=last).unwrap_or_default()))
    }
}

fn kinds(inputs: &[InputLine]) -> impl Iterator<Item = &InputLineKind> {
    inputs.iter().map(|input| &input.kind)
}

impl Playable for CassetteFrames<'_> {
    fn frame(&self) -> ShownFrame {
        let Some(screen) = self.player.screen() else {
            return ShownFrame::default();
        };
        let cursor = &screen.cursor;
        // Rows below the last text are empty, unless the program has changed the background.
        let mut lines: Vec<Arc<str>> = (0..screen.rows.len())
            .map(|row| screen.painted_row(row).into())
            .collect();
        let end = lines.iter().rposition(|line| !line.is_empty());
        lines.truncate(end.map_or(0, |last| last + 1));
        ShownFrame {
            lines,
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
        let previous = self.seq();
        if self.player.forward()?.is_some() {
            self.previous = previous;
        }
        Ok(())
    }

    fn back(&mut self) -> anyhow::Result<()> {
        self.player.back()?;
        Ok(self.find_previous()?)
    }

    fn seek(&mut self, time: Duration) -> anyhow::Result<()> {
        match self.player.seek(&Moment::Time(time)) {
            Err(PlayError::NothingShown { .. }) => self.player.seek(&Moment::Start)?,
            sought => sought?,
        };
        Ok(self.find_previous()?)
    }

    fn duration(&self) -> Duration {
        self.player.cassette().manifest().timing.duration_ms.time()
    }

    fn marks(&self) -> &[ReplayMark] {
        &self.marks
    }

    fn place(&self) -> Option<(usize, usize)> {
        None
    }
}
