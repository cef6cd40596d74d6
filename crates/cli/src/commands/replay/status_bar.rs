//! The last row: where one is, how fast it goes, and what keys there are.

use std::time::Duration;

use screentest::core::Size;

use super::playable::Mark;
use super::player::Player;

/// The words for one who has paused, from the most useful on.
const KEYS: &str = "Space play  q quit  ←→ step  ↑↓ skip 5  [] mark  +- speed  r redraw";

/// The widest that the bar is where words stand behind it.
const NARROW: usize = 16;

/// The row for a moment, at most `cols` wide. `cut` is the size of a screen that is not seen whole.
pub(super) fn row(player: &Player<'_>, now: Duration, cut: Option<Size>, cols: usize) -> String {
    let moment = player.moment(now);
    let duration = player.played.duration();
    let mut front = match player.is_paused() {
        true => " paused ".to_owned(),
        false => " ".to_owned(),
    };
    if let Some((at, count)) = player.played.place() {
        front.push_str(&format!("{at}/{count} "));
    }
    front.push_str(&format!("{} of {} ", clock(moment), clock(duration)));
    let mut back = format!(" {}", player.speed());
    if let Some(mark) = player.mark(now) {
        back.push_str(&format!("  ◆ {}", mark.name));
    }
    if let Some(size) = cut {
        back.push_str(&format!("  cut from {}x{}", size.cols, size.rows));
    }
    if player.is_paused() {
        back.push_str(&format!("  {KEYS}"));
    }
    let room = cols.saturating_sub(front.chars().count());
    let wide = room.saturating_sub(back.chars().count()).max(NARROW);
    let bar = bar(moment, duration, player.played.marks(), wide.min(room));
    format!("{front}{bar}{back}").chars().take(cols).collect()
}

/// So much of a time as a line, with its marks.
fn bar(moment: Duration, duration: Duration, marks: &[Mark], cols: usize) -> String {
    let column = |time: Duration| match duration.is_zero() {
        true => 0,
        // A share of the bar is never longer than it.
        false => (time.as_secs_f64() / duration.as_secs_f64() * cols as f64) as usize,
    };
    let done = match duration.is_zero() {
        true => cols,
        false => column(moment),
    };
    let line = |at: usize| if at < done { '━' } else { '─' };
    let mut bar: Vec<char> = (0..cols).map(line).collect();
    for mark in marks {
        let at = column(mark.time).min(cols.saturating_sub(1));
        if let Some(place) = bar.get_mut(at) {
            *place = '◆';
        }
    }
    bar.into_iter().collect()
}

/// A time as a clock shows it, with tenths.
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
    fn a_bar_is_as_full_as_the_time_that_passed() {
        let secs = Duration::from_secs;
        let marks = [Mark {
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
    fn times_read_as_on_a_clock() {
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
