//! Tests of the kitty graphics protocol, without a terminal around it.

use std::sync::Arc;

use super::super::Graphics;
use super::super::cells::CellImages;
use super::*;
use crate::screen::geometry::Position;
use crate::screen::image::ImagePlacement;
use crate::screen::row::Row;

mod answers;
mod data;
mod delete;
mod placeholders;
mod places;

const SIZE: Size = Size { cols: 20, rows: 10 };

/// A white pixel, as `f=24` data.
const PIXEL: &str = "////";

/// The images of a terminal, and its cursor.
#[derive(Default)]
struct Session {
    graphics: Graphics,
    cursor: Position,
    rows: Vec<Arc<Row>>,
}

impl Session {
    /// Performs a command without cutting it.
    fn outcome(&mut self, command: &str) -> Option<KittyOutcome> {
        let mut reader = KittyReader::default();
        reader.put(command.as_bytes());
        let context = KittyContext {
            row: self.cursor.row,
            col: self.cursor.col,
            size: SIZE,
        };
        self.graphics.kitty(reader, false, context)
    }

    /// Performs a command and returns its answer without the frame; empty if there is none.
    #[track_caller]
    fn answer(&mut self, command: &str) -> String {
        let Some(outcome) = self.outcome(command) else {
            return "malformed".to_owned();
        };
        let answer = outcome.answer.unwrap_or_default();
        let framed = answer
            .strip_prefix("\x1b_G")
            .and_then(|a| a.strip_suffix("\x1b\\"));
        framed.unwrap_or_default().to_owned()
    }

    fn images(&self) -> Arc<[ImagePlacement]> {
        self.graphics
            .visible(false, SIZE, &self.rows, CellImages::default())
    }

    /// Lists the visible images: `cols x rows @ row,col`, and `z` unless it is 0.
    fn shown(&self) -> String {
        let images = self.images();
        let listed: Vec<String> = images.iter().map(place).collect();
        listed.join(" ")
    }
}

fn place(image: &ImagePlacement) -> String {
    let ImagePlacement {
        cols,
        rows,
        row,
        col,
        ..
    } = image;
    let visible: Vec<String> = image
        .visible
        .iter()
        .map(|rect| format!("{},{}:{}x{}", rect.row, rect.col, rect.cols, rect.rows))
        .collect();
    let whole = format!("{row},{col}:{cols}x{rows}");
    let mut text = format!("{cols}x{rows}@{row},{col}");
    if visible != [whole] {
        text.push_str(&format!("[{}]", visible.join("+")));
    }
    if image.z != 0 {
        text.push_str(&format!("z{}", image.z));
    }
    text
}

/// Performs commands and checks the answer to the last one.
#[track_caller]
fn check(commands: &[&str], answer: &str) {
    let mut session = Session::default();
    let mut last = String::new();
    for command in commands {
        last = session.answer(command);
    }
    assert_eq!(last, answer, "{commands:?}");
}

/// Performs commands with the cursor at 2,3 and checks which images are visible then.
#[track_caller]
fn check_shown(commands: &[&str], shown: &str) {
    let mut session = Session {
        cursor: Position { row: 2, col: 3 },
        ..Session::default()
    };
    for command in commands {
        session.outcome(command);
    }
    assert_eq!(session.shown(), shown, "{commands:?}");
}
