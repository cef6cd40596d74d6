//! The last row: position, speed, and keys.

use std::time::Duration;

use screentest::core::Size;

use super::playable::ReplayMark;
use super::player::ReplayPlayer;

/// Keys, shown while paused, the most useful ones first.
const KEYS: &str = "Space play  q quit  ←→ step  ↑↓ skip 5  [] mark  +- speed  r redraw";

/// Width of the time bar if the text leaves little room.
const MIN_BAR_WIDTH: usize = 16;

/// Returns the row, at most `cols` wide. `cut` is the size of a screen that does not fit.
pub(super) fn row(
    player: &ReplayPlayer<'_>,
    now: Duration,
    cut: Option<Size>,
    cols: usize,
) -> String {
    let moment = player.moment(now);
    let duration = player.played.duration();
    let mut left = if player.is_paused() {
        " paused ".to_owned()
    } else {
        " ".to_owned()
    };
    if let Some((at, count)) = player.played.place() {
        left.push_str(&format!("{at}/{count} "));
    }
    left.push_str(&format!("{} of {} ", clock(moment), clock(duration)));
    let mut right = format!(" {}", player.speed());
    if let Some(mark) = player.mark(now) {
        right.push_str(&format!("  ◆ {}", mark.name));
    }
    if let Some(size) = cut {
        right.push_str(&format!("  cut from {}x{}", size.cols, size.rows));
    }
    if player.is_paused() {
        right.push_str(&format!("  {KEYS}"));
    }
    let room = cols.saturating_sub(left.chars().count());
    let wide = room
        .saturating_sub(right.chars().count())
        .max(MIN_BAR_WIDTH);
    let bar = bar(moment, duration, player.played.marks(), wide.min(room));
    format!("{left}{bar}{right}").chars().take(cols).collect()
}

/// Draws the elapsed part of the duration as a line, with marks.
fn bar(moment: Duration, duration: Duration, marks: &[ReplayMark], cols: usize) -> String {
    let column = |time: Duration| {
        if duration.is_zero() {
            0
        } else {
            // A part of the bar is never longer than the bar.
            (time.as_secs_f64() / duration.as_secs_f64() * cols as f64) as usize
        }
    };
    let filled = if duration.is_zero() {
        cols
    } else {
        column(moment)
    };
    let line = |at: usize| if at < filled { '━' } else { '─' };
    let mut bar: Vec<char> = (0..cols).map(line).collect();
    for mark in marks {
        let at = column(mark.time).min(cols.saturating_sub(1));
        if let Some(place) = bar.get_mut(at) {
            *place = '◆';
        }
    }
    bar.into_iter().collect()
}

/// Formats a time with tenths of a second.
fn clock(time: Duration) -> String {
    let tenths = time.as_millis() / 100;
    let (seconds, tenths) = (tenths / 10, tenths % 10);
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    match minutes / 60 {
        0 => format!("{minutes}:{seconds:02}.{tenths}"),
        hours => format!("{hours}:{:02}:{seconds:02}.{tenths}", minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bar_is_filled_up_to_the_moment() {
        let secs = Duration::from_secs;
        let marks = [ReplayMark {
            name: "half".to_owned(),
            time: secs(5),
        }];
        assert_eq!(bar(secs(0), secs(10), &[], 10), "──────────");
        assert_eq!(bar(secs(3), secs(10), &marks, 10), "━━━──◆────");
        assert_eq!(bar(secs(10), secs(10), &marks, 10), "━━━━━◆━━━━");
        assert_eq!(bar(secs(0), secs(0), &marks, 4), "◆━━━");
        assert_eq!(bar(secs(1), secs(2), &marks, 0), "");
    }

    #[test]
    fn times_are_formatted_like_a_clock() {
        for (millis, text) in [
            (0, "0:00.0"),
            (61_999, "1:01.9"),
            (3_600_000, "1:00:00.0"),
            (90_061_500, "25:01:01.5"),
        ] {
            assert_eq!(clock(Duration::from_millis(millis)), text);
        }
    }
}
