//! Compares the page's decoder, `crates/server/page/protocol/stream.js`, with this one: both decode
//! the same valid and damaged messages, and must give the same result or fail at the same byte.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Map, Value, json};

use super::garbage::{FORBIDDEN, UNFIT, nine_by_two, unfit};
use super::*;
use crate::ImagePlacement;
use crate::screen::image::ImageRect;

/// Applies a message and returns it as a step of a case. The step also contains the viewer's state
/// after the message, the offset of the decoding error, or that the message does not fit the state.
fn step(view: &mut Viewer, bytes: &[u8]) -> Value {
    let hex = digits(bytes);
    match decode(bytes) {
        Err(error) => json!({ "hex": hex, "offset": error.offset() }),
        Ok(message) => match apply(view, message) {
            Err(_) => json!({ "hex": hex, "outside": true }),
            Ok(()) => json!({ "hex": hex, "told": view_json(view) }),
        },
    }
}

/// Converts a view to the page's representation.
fn view_json(view: &Viewer) -> Value {
    let ended = view.ended().map(|how| match how {
        ProgramExit::Unknown => json!({ "unknown": true }),
        ProgramExit::Exited(code) => json!({ "code": code }),
        ProgramExit::Signaled(name) => json!({ "signal": &**name }),
    });
    json!({
        "revision": view.revision(),
        "shown": view.seen().map(screen_json),
        "ended": ended,
        "closed": view.closed(),
    })
}

fn screen_json(seen: &WireScreen) -> Value {
    let screen = seen.screen();
    let (cursor, modes) = (screen.cursor, screen.modes);
    json!({
        "cols": screen.size.cols,
        "rows": screen.size.rows,
        "lines": screen.rows.iter().map(|row| row_json(row)).collect::<Vec<_>>(),
        "cursor": {
            "row": cursor.position.row,
            "col": cursor.position.col,
            "visible": cursor.visible,
            "blinking": cursor.blinking,
            "pendingWrap": cursor.pending_wrap,
            "shape": format!("{:?}", cursor.shape).to_lowercase(),
        },
        "title": &*screen.title,
        "workingDirectory": &*screen.working_directory,
        "modes": {
            "alternateScreen": modes.alternate_screen,
            "applicationCursor": modes.application_cursor,
            "applicationKeypad": modes.application_keypad,
            "bracketedPaste": modes.bracketed_paste,
            "focusEvents": modes.focus_events,
            "alternateScroll": modes.alternate_scroll,
            "autowrap": modes.autowrap,
            "origin": modes.origin,
            "insert": modes.insert,
            "newline": modes.newline,
            "synchronized": modes.synchronized,
            "mouse": format!("{:?}", modes.mouse).to_lowercase(),
            "mouseEncoding": format!("{:?}", modes.mouse_encoding).to_lowercase(),
            "kittyKeyboard": modes.kitty_keyboard.bits(),
        },
        "scrollbackRows": screen.scrollback_rows,
        "bells": seen.bells(),
        "palette": palette_json(&screen.palette),
        "images": screen.images.iter().map(image_json).collect::<Vec<_>>(),
    })
}

fn image_json(image: &ImagePlacement) -> Value {
    let size = image.image.size();
    let rect = |rect: ImageRect| json!({ "x": rect.x, "y": rect.y, "width": rect.width, "height": rect.height });
    let visible = image.visible.iter().map(
        |rect| json!({ "row": rect.row, "col": rect.col, "rows": rect.rows, "cols": rect.cols }),
    );
    json!({
        "kind": image.kind.name(),
        "hash": image.image.hash().to_hex(),
        "width": size.width,
        "height": size.height,
        "row": image.row,
        "col": image.col,
        "cols": image.cols,
        "rows": image.rows,
        "source": rect(image.source),
        "drawn": rect(image.drawn),
        "z": image.z,
        "visible": visible.collect::<Vec<_>>(),
    })
}

fn palette_json(palette: &Palette) -> Value {
    let names = ["fg", "bg", "cursor", "selection", "selection-fg"];
    let entry = |entry| match entry {
        PaletteEntry::Indexed(index) => format!("c{index}"),
        named => {
            let index = PaletteEntry::NAMED.iter().position(|known| *known == named);
            names[index.unwrap()].to_owned()
        }
    };
    let changed = palette.iter();
    let colors: Map<String, Value> = changed
        .map(|(changed, color)| (entry(changed), json!(color.to_string())))
        .collect();
    Value::Object(colors)
}

fn row_json(row: &Row) -> Value {
    let cells: Vec<Value> = row
        .cells()
        .map(|cell| {
            let mut text = String::new();
            cell.push_to(&mut text);
            json!([text, cell.width as u8, style_json(cell.style, cell.link)])
        })
        .collect();
    let zones: Vec<Value> = row
        .zones()
        .iter()
        .map(|start| json!([start.col, format!("{:?}", start.zone).to_lowercase()]))
        .collect();
    json!({ "cells": cells, "wrapped": row.wrapped(), "zones": zones })
}

fn style_json(style: &Style, link: Option<&Hyperlink>) -> Value {
    let mut look = Map::new();
    for (name, color) in [
        ("fg", style.fg),
        ("bg", style.bg),
        ("underlineColor", style.underline_color),
    ] {
        match color {
            Color::Default => None,
            Color::Indexed(index) => look.insert(name.into(), json!(index)),
            Color::Rgb(rgb) => look.insert(name.into(), json!(rgb.to_string())),
        };
    }
    if style.underline != Underline::None {
        let kind = format!("{:?}", style.underline).to_lowercase();
        look.insert("underline".into(), json!(kind));
    }
    for (name, attribute) in [
        ("bold", Attributes::BOLD),
        ("faint", Attributes::FAINT),
        ("italic", Attributes::ITALIC),
        ("blink", Attributes::BLINK),
        ("rapidBlink", Attributes::RAPID_BLINK),
        ("inverse", Attributes::INVERSE),
        ("invisible", Attributes::INVISIBLE),
        ("strikethrough", Attributes::STRIKETHROUGH),
        ("overline", Attributes::OVERLINE),
    ] {
        if style.is(attribute) {
            look.insert(name.into(), json!(true));
        }
    }
    if let Some(link) = link {
        let link = json!({ "uri": &*link.uri, "id": link.id.as_deref() });
        look.insert("link".into(), link);
    }
    Value::Object(look)
}

/// A random session: the messages that were sent, with damaged ones between them.
fn case(seed: u64) -> Value {
    let mut random = Random::new(seed);
    let mut view = Viewer::new(7);
    let mut screen = random.screen();
    let mut before = WireScreen::new(screen.clone(), random.next() >> random.below(64));
    let mut steps = vec![step(&mut view, &keyframe(7, 1, &before))];
    for revision in 2..6 {
        screen = following(&mut random, &screen);
        let after = WireScreen::new(screen.clone(), random.next() >> random.below(64));
        let bytes = delta(7, revision, revision - 1, &before, &after);
        for sent in [&bytes, &keyframe(7, revision, &after)] {
            let damaged = random.damage(sent);
            // On a copy of the view: a damaged message may still be valid, and the next one must
            // follow the original view.
            let refused = step(&mut view.clone(), &damaged);
            if refused.get("told").is_none() {
                steps.push(refused);
            }
        }
        steps.push(step(&mut view, &bytes));
        before = after;
    }
    let code = random.next() as i32 >> random.below(32);
    steps.push(step(&mut view, &ended(7, 6, &ProgramExit::Exited(code))));
    // This damaged message may still be valid and change the view. No delta follows it.
    let last = random.damage(&keyframe(7, 7, &before));
    steps.push(step(&mut view, &last));
    let signal = ProgramExit::Signaled(Arc::from("SIGHUP"));
    for bytes in [ended(7, 6, &signal), closed(7, 6), closed(8, 6)] {
        steps.push(step(&mut view, &bytes));
    }
    Value::Array(steps)
}

/// The invalid messages, each applied to the same screen.
fn refusals() -> Value {
    let mut view = Viewer::new(7);
    let mut steps = vec![step(&mut view, &keyframe(7, 1, &nine_by_two()))];
    for (begin, rest, _) in FORBIDDEN {
        steps.push(step(&mut view, &hex(&format!("{begin} {rest}"))));
    }
    for (rest, _) in UNFIT {
        steps.push(step(&mut view, &unfit(rest)));
    }
    Value::Array(steps)
}

#[test]
fn the_pages_decoder_agrees_with_this_one() {
    let sessions = (0..rounds() / 20).map(case);
    let cases: String = sessions
        .chain([refusals()])
        .map(|case| format!("{case}\n"))
        .collect();
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../server/page/tests/stream.test.mjs")
        .canonicalize()
        .unwrap();
    #[expect(
        clippy::disallowed_methods,
        reason = "a page's script is run by Node, which needs no terminal"
    )]
    let mut node = Command::new("node")
        .arg(&script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("`node` runs: install the package `nodejs`");
    // The write fails if the script exits early. The script's error is reported below.
    let _ = node.stdin.take().unwrap().write_all(cases.as_bytes());
    let output = node.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let counts: Value = serde_json::from_slice(&output.stdout).unwrap();
    // All messages were read, and many of the damaged ones were refused.
    let steps: usize = cases.matches("\"hex\":").count();
    assert_eq!(counts["messages"], steps);
    assert!(counts["refused"].as_u64().unwrap() > rounds() / 20);
}
