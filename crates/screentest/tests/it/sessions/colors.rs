//! Colours that the program changes: a change is a new frame, although no cell changes.

use std::time::Duration;

use screentest::core::{Condition, PaletteEntry, Rgb, Screen};
use screentest::session::SessionOptions;

use super::timeline::Timeline;
use super::{TIMEOUT, scripted};

fn background(screen: &Screen) -> Option<Rgb> {
    screen.palette.get(PaletteEntry::Background)
}

fn has_background(color: u32) -> Condition {
    Condition::new(format!("background {color:06x}"), move |screen| {
        background(screen) == Some(Rgb::hex(color))
    })
}

#[test]
fn a_changed_colour_wakes_a_wait() {
    let script = [(10, "text"), (20, "\x1b]11;#102040\x07"), (30, "more")];
    let timeline = Timeline::new(&script);
    let session = timeline.session(SessionOptions::default());
    timeline.drive();
    session
        .wait_for(has_background(0x0010_2040), TIMEOUT)
        .unwrap();
    assert_eq!(timeline.clock.now(), Duration::from_millis(20));
}

#[test]
fn a_changed_colour_is_a_new_frame() {
    let (pty, session) = scripted();
    pty.print(b"text");
    let before = session.mark();
    pty.print(b"\x1b]4;1;#aabbcc\x07");
    let after = session.mark();
    assert!(after.revision() > before.revision());
    // The same colour again changes nothing.
    pty.print(b"\x1b]4;1;#aabbcc\x07");
    assert_eq!(session.mark(), after);
}

#[test]
fn a_synchronized_update_changes_colours_at_its_end() {
    let (pty, session) = scripted();
    pty.print(b"text");
    let before = session.mark();
    pty.print(b"\x1b[?2026h\x1b]11;#102040\x07");
    assert_eq!(session.mark(), before);
    pty.print(b"\x1b]11;#304050\x07\x1b[?2026l");
    assert_eq!(background(&session.screen()), Some(Rgb::hex(0x0030_4050)));
    session
        .wait_for(has_background(0x0010_2040), Duration::ZERO)
        .unwrap_err();
}
