use std::sync::Arc;

use super::*;
use crate::random::{Random, rounds};
use crate::screen::row::{LinkId, StyleId};
use crate::{
    Attributes, Color, CursorShape, Hyperlink, KittyKeyboard, Modes, MouseEncoding, MouseTracking,
    Palette, PaletteEntry, Position, Rgb, RowBuilder, Screen, Style, Underline, Width, Zone,
};

mod bounds;
mod bytes;
mod garbage;
mod page;
mod real;

/// Parses hexadecimal digits; `|` and spaces are separators for readability.
fn hex(text: &str) -> Vec<u8> {
    let digits: String = text.chars().filter(char::is_ascii_hexdigit).collect();
    digits
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn plain(text: &str) -> Arc<Row> {
    styled(&[(text, Style::default())])
}

fn styled(pieces: &[(&str, Style)]) -> Arc<Row> {
    let mut builder = RowBuilder::new();
    for (text, style) in pieces {
        let id = builder.style(style);
        for c in text.chars() {
            builder.push(c, id, LinkId::NONE);
        }
    }
    Arc::new(builder.finish())
}

fn screen(cols: u16, rows: Vec<Arc<Row>>) -> Screen {
    let size = Size {
        cols,
        rows: rows.len() as u16,
    };
    Screen {
        rows,
        ..Screen::blank(size)
    }
}

fn seen(cols: u16, rows: &[&str]) -> WireScreen {
    WireScreen::new(screen(cols, rows.iter().map(|row| plain(row)).collect()), 0)
}

/// Returns a viewer of channel 7 that has received this screen.
#[track_caller]
fn shown(seen: &WireScreen) -> Viewer {
    let mut view = Viewer::new(7);
    apply(&mut view, decode(&keyframe(7, 1, seen)).unwrap()).unwrap();
    assert_eq!(view.seen(), Some(seen));
    view
}

/// Checks that a delta turns one screen into the other, and returns its bytes.
#[track_caller]
fn check_delta(before: &WireScreen, after: &WireScreen) -> Vec<u8> {
    let mut view = shown(before);
    let bytes = delta(7, 2, 1, before, after);
    apply(&mut view, decode(&bytes).unwrap()).unwrap();
    assert_eq!(view.seen(), Some(after));
    assert_eq!(view.revision(), Some(2));
    bytes
}

/// Returns a random successor of a screen.
fn following(random: &mut Random, before: &Screen) -> Screen {
    let mut screen = before.clone();
    let (rows, cols) = (screen.rows.len(), screen.size.cols);
    for _ in 0..=random.below(3) {
        let at = random.below(rows);
        match random.below(9) {
            0 => screen.rows[at] = Arc::new(random.row(cols)),
            1 | 2 => {
                let from = random.below(cols.into());
                let width = 1 + random.below(4) as u16;
                let over = random.row(width);
                let row = screen.rows[at].overlaid(from, &over, cols.into());
                screen.rows[at] = Arc::new(row);
            }
            3 => {
                screen.rows.rotate_left(at);
                screen.rows[rows - 1] = Arc::new(random.row(cols));
            }
            4 => screen.rows.rotate_right(at),
            // An equal row that is not shared.
            5 => screen.rows[at] = Arc::new(Row::clone(&screen.rows[at])),
            6 => screen.rows[at] = Arc::default(),
            7 => screen = random.with_images(screen),
            _ => {
                let size = screen.size;
                let other = random.screen_of(size);
                screen = Screen {
                    rows: screen.rows,
                    modes: modes(random),
                    ..other
                };
            }
        }
    }
    screen
}

fn modes(random: &mut Random) -> Modes {
    Modes {
        alternate_screen: random.one_in(2),
        application_cursor: random.one_in(2),
        application_keypad: random.one_in(2),
        bracketed_paste: random.one_in(2),
        focus_events: random.one_in(2),
        mouse: *random.pick(&[
            MouseTracking::Off,
            MouseTracking::Clicks,
            MouseTracking::Drags,
            MouseTracking::Motion,
        ]),
        mouse_encoding: *random.pick(&[
            MouseEncoding::Default,
            MouseEncoding::Utf8,
            MouseEncoding::Sgr,
        ]),
        alternate_scroll: random.one_in(2),
        kitty_keyboard: KittyKeyboard::from_bits_truncate(random.next() as u8),
        autowrap: random.one_in(2),
        origin: random.one_in(2),
        insert: random.one_in(2),
        newline: random.one_in(2),
        synchronized: random.one_in(2),
    }
}

#[test]
fn every_screen_round_trips() {
    for seed in 0..rounds() {
        let mut random = Random::new(seed);
        let mut screen = random.screen();
        let mut before = WireScreen::new(screen.clone(), 0);
        // An ordinary screen is represented without loss.
        assert_eq!(*before.screen(), screen, "seed {seed}");
        let mut view = shown(&before);
        for revision in 2..6 {
            screen = following(&mut random, &screen);
            let after = WireScreen::new(screen.clone(), random.below(300) as u64);
            let bytes = delta(7, revision, revision - 1, &before, &after);
            assert_eq!(bytes, delta(7, revision, revision - 1, &before, &after));
            let message = decode(&bytes).unwrap();
            assert!(matches!(message.body, StreamBody::Delta { .. }));
            apply(&mut view, message).unwrap();
            assert_eq!(view.seen(), Some(&after), "seed {seed}");
            before = after;
        }
    }
}

#[test]
fn shared_and_equal_rows_give_the_same_bytes() {
    for seed in 0..rounds() / 4 {
        let mut random = Random::new(seed);
        let before = random.screen();
        let after = following(&mut random, &before);
        let mut copied = after.clone();
        for row in &mut copied.rows {
            *row = Arc::new(Row::clone(row));
        }
        let [before, after, copied] =
            [before, after, copied].map(|screen| WireScreen::new(screen, 0));
        assert_eq!(
            delta(1, 9, 3, &before, &after),
            delta(1, 9, 3, &before, &copied)
        );
    }
}

#[test]
fn a_delta_for_another_revision_is_refused_without_effect() {
    let [one, two] = [seen(9, &["a"]), seen(9, &["b"])];
    let bytes = delta(7, 5, 4, &one, &two);
    let mut nothing = Viewer::new(7);
    let error = apply(&mut nothing, decode(&bytes).unwrap()).unwrap_err();
    assert_eq!(error, ApplyError::NoKeyframe { base: 4 });
    let mut view = shown(&one);
    let error = apply(&mut view, decode(&bytes).unwrap()).unwrap_err();
    assert_eq!(error, ApplyError::Base { base: 4, shown: 1 });
    assert_eq!(
        error.to_string(),
        "the delta is based on revision `4`, but the view is at `1`; ask for a keyframe"
    );
    assert_eq!(view, shown(&one));
    // A keyframe is accepted at any revision.
    apply(&mut view, decode(&keyframe(7, 5, &two)).unwrap()).unwrap();
    assert_eq!((view.revision(), view.seen()), (Some(5), Some(&two)));
}

#[test]
fn a_message_for_another_channel_is_refused() {
    let mut view = Viewer::new(7);
    let error = apply(&mut view, decode(&closed(8, 1)).unwrap()).unwrap_err();
    assert_eq!(error, ApplyError::Channel { channel: 8, own: 7 });
}

#[test]
fn a_delta_is_a_keyframe_after_a_resize_or_without_an_older_base() {
    let [small, large] = [seen(9, &["a"]), seen(9, &["a", "b"])];
    assert_eq!(delta(7, 5, 4, &small, &large), keyframe(7, 5, &large));
    assert_eq!(delta(7, 5, 5, &small, &small), keyframe(7, 5, &small));
}

#[test]
fn exit_codes_and_signals_round_trip() {
    let signal = ProgramExit::Signaled(Arc::from("SIGTERM"));
    let codes = [0, 1, -1, 255, i32::MAX, i32::MIN].map(ProgramExit::Exited);
    for how in codes.into_iter().chain([ProgramExit::Unknown, signal]) {
        let one = seen(9, &["a"]);
        let mut view = shown(&one);
        apply(&mut view, decode(&ended(7, 1, &how)).unwrap()).unwrap();
        assert_eq!(view.ended(), Some(&how));
        assert_eq!((view.seen(), view.closed()), (Some(&one), false));
        apply(&mut view, decode(&closed(7, 1)).unwrap()).unwrap();
        assert!(view.closed());
    }
}

#[test]
fn images_are_sent_with_their_hashes_in_version_3() {
    let blank = Screen::blank(Size { cols: 9, rows: 4 });
    let mut with_image = blank.clone();
    let images = Random::new(7).with_images(blank.clone()).images;
    with_image.images = images.iter().take(1).cloned().collect();
    let [before, after] = [blank, with_image].map(|screen| WireScreen::new(screen, 0));
    assert_eq!(keyframe(7, 1, &before)[0], 1);
    let bytes = check_delta(&before, &after);
    let hash = digits(&after.screen().images[0].image.hash().0);
    // Version 3; no other changes; one image: kind, hash, size, place, cells, source, drawn, z, and
    // one rectangle.
    let expected = format!(
        "03 02 07 02 01 | 00 00 00 00 00 | 02 01 {hash} | 01 01 03 03 0A 04 | 00 00 01 01 | \
         00 02 AC 02 5B | 00 | 01 00 00 02 08"
    );
    assert_eq!(digits(&bytes), digits(&hex(&expected)));
    // Unchanged images take one byte, and so does their removal.
    assert_eq!(
        digits(&check_delta(&after, &after)),
        "0302070201000000000000"
    );
    assert_eq!(
        digits(&check_delta(&after, &before)),
        "0302070201000000000001"
    );
    shown(&after);
}

#[test]
fn images_beyond_the_limit_are_dropped() {
    let mut screen = Screen::blank(Size { cols: 9, rows: 4 });
    let image = Random::new(7).with_images(screen.clone()).images[0].clone();
    screen.images = vec![image; 1000].into();
    let seen = WireScreen::new(screen, 0);
    let kept = seen.screen().images.len();
    assert_eq!(kept, 300);
    shown(&seen);
    // Rectangles outside the screen cannot be represented.
    let mut screen = Screen::blank(Size { cols: 9, rows: 4 });
    let mut image = seen.screen().images[0].clone();
    image.visible = Arc::new([crate::Rect::across(3..5)]);
    screen.images = Arc::new([image]);
    assert!(WireScreen::new(screen, 0).screen().images.is_empty());
}

#[test]
fn scrolling_by_one_line_sends_only_the_new_line() {
    let lines: Vec<String> = (0..25)
        .map(|n| format!("line {n} of a log, and what it says"))
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let bytes = check_delta(&seen(80, &lines[..24]), &seen(80, &lines[1..]));
    assert!(bytes.len() < 60, "{} bytes", bytes.len());
}

#[test]
fn a_change_within_a_long_row_sends_only_the_changed_cells() {
    let before = "let x = 1; ".repeat(7);
    let after = before.replacen("x = 1", "y = 1", 1);
    let bytes = check_delta(&seen(80, &[&before]), &seen(80, &[&after]));
    // Version, kind, channel, revision, distance to the base; no metadata, moves, links or styles;
    // one row, the first, and one piece with the changed cell.
    assert_eq!(
        digits(&bytes),
        digits(&hex(
            "01 02 07 02 01 | 00 00 00 00 | 01 00 1C 04 | 00 01 79"
        ))
    );
}

#[test]
fn deltas_never_split_a_wide_character() {
    let row = |chars: &[char]| {
        let mut builder = RowBuilder::new();
        for c in chars {
            // A second half whose first half was overwritten.
            if *c == '<' {
                builder.push_spacer(StyleId::PLAIN, LinkId::NONE);
            } else if c.is_ascii() {
                builder.push(*c, StyleId::PLAIN, LinkId::NONE);
            } else {
                builder.push_wide(*c, StyleId::PLAIN, LinkId::NONE);
            }
        }
        WireScreen::new(screen(12, vec![Arc::new(builder.finish())]), 0)
    };
    // Shifted by one column, with the same characters at both ends.
    let rows = [
        row(&['a', 'b', '界', '界', 'c', '日', '日']),
        row(&['a', 'b', 'c', '界', '界', '日', '日']),
        row(&['a', 'b', '日', '界', 'c', '日', '日']),
        row(&['a', 'b', 'x', 'x', '界', 'c', '日', '日']),
        row(&['a', 'b', 'x', '<', '界', 'c', '日', '日']),
    ];
    for before in &rows {
        for after in &rows {
            check_delta(before, after);
        }
    }
}
