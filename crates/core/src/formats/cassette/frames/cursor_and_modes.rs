//! Cursor and modes of a screen in `frames.jsonl`; default values are omitted.

use serde::{Deserialize, Serialize};

use crate::{Cursor, CursorShape, KittyKeyboard, Modes, MouseEncoding, MouseTracking, Position};

/// The cursor, counted from 0, with the field names of State JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct FrameCursorJson {
    x: u16,
    y: u16,
    #[serde(default, skip_serializing_if = "is_false")]
    hidden: bool,
    #[serde(default, skip_serializing_if = "ShapeJson::is_block")]
    shape: ShapeJson,
    #[serde(default, skip_serializing_if = "is_false")]
    blinking: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pending_wrap: bool,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ShapeJson {
    #[default]
    Block,
    Underline,
    Bar,
}

impl ShapeJson {
    fn is_block(&self) -> bool {
        matches!(self, ShapeJson::Block)
    }
}

impl FrameCursorJson {
    pub(super) fn of(cursor: &Cursor) -> FrameCursorJson {
        FrameCursorJson {
            // Positions fit: `Size` allows far fewer than 65,536 rows and columns.
            x: cursor.position.col as u16,
            y: cursor.position.row as u16,
            hidden: !cursor.visible,
            shape: match cursor.shape {
                CursorShape::Block => ShapeJson::Block,
                CursorShape::Underline => ShapeJson::Underline,
                CursorShape::Bar => ShapeJson::Bar,
            },
            blinking: cursor.blinking,
            pending_wrap: cursor.pending_wrap,
        }
    }

    pub(super) fn cursor(&self) -> Cursor {
        Cursor {
            position: Position {
                row: self.y.into(),
                col: self.x.into(),
            },
            visible: !self.hidden,
            shape: match self.shape {
                ShapeJson::Block => CursorShape::Block,
                ShapeJson::Underline => CursorShape::Underline,
                ShapeJson::Bar => CursorShape::Bar,
            },
            blinking: self.blinking,
            pending_wrap: self.pending_wrap,
        }
    }
}

/// The modes that differ from those of a new terminal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct FrameModesJson {
    #[serde(skip_serializing_if = "is_false")]
    alternate_screen: bool,
    #[serde(skip_serializing_if = "is_false")]
    application_cursor: bool,
    #[serde(skip_serializing_if = "is_false")]
    application_keypad: bool,
    #[serde(skip_serializing_if = "is_false")]
    bracketed_paste: bool,
    #[serde(skip_serializing_if = "is_false")]
    focus_events: bool,
    #[serde(skip_serializing_if = "MouseJson::is_off")]
    mouse: MouseJson,
    #[serde(skip_serializing_if = "EncodingJson::is_default")]
    mouse_encoding: EncodingJson,
    #[serde(skip_serializing_if = "is_true")]
    alternate_scroll: bool,
    #[serde(skip_serializing_if = "is_zero")]
    kitty_keyboard: u8,
    #[serde(skip_serializing_if = "is_true")]
    autowrap: bool,
    #[serde(skip_serializing_if = "is_false")]
    origin: bool,
    #[serde(skip_serializing_if = "is_false")]
    insert: bool,
    #[serde(skip_serializing_if = "is_false")]
    newline: bool,
    #[serde(skip_serializing_if = "is_false")]
    synchronized: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum MouseJson {
    Off,
    Clicks,
    Drags,
    Motion,
}

impl MouseJson {
    fn is_off(&self) -> bool {
        *self == MouseJson::Off
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum EncodingJson {
    Default,
    Utf8,
    Sgr,
}

impl EncodingJson {
    fn is_default(&self) -> bool {
        *self == EncodingJson::Default
    }
}

impl Default for FrameModesJson {
    fn default() -> FrameModesJson {
        FrameModesJson::of(&Modes::default())
    }
}

impl FrameModesJson {
    pub(super) fn of(modes: &Modes) -> FrameModesJson {
        FrameModesJson {
            alternate_screen: modes.alternate_screen,
            application_cursor: modes.application_cursor,
            application_keypad: modes.application_keypad,
            bracketed_paste: modes.bracketed_paste,
            focus_events: modes.focus_events,
            mouse: match modes.mouse {
                MouseTracking::Off => MouseJson::Off,
                MouseTracking::Clicks => MouseJson::Clicks,
                MouseTracking::Drags => MouseJson::Drags,
                MouseTracking::Motion => MouseJson::Motion,
            },
            mouse_encoding: match modes.mouse_encoding {
                MouseEncoding::Default => EncodingJson::Default,
                MouseEncoding::Utf8 => EncodingJson::Utf8,
                MouseEncoding::Sgr => EncodingJson::Sgr,
            },
            alternate_scroll: modes.alternate_scroll,
            kitty_keyboard: modes.kitty_keyboard.bits(),
            autowrap: modes.autowrap,
            origin: modes.origin,
            insert: modes.insert,
            newline: modes.newline,
            synchronized: modes.synchronized,
        }
    }

    pub(super) fn modes(&self) -> Modes {
        Modes {
            alternate_screen: self.alternate_screen,
            application_cursor: self.application_cursor,
            application_keypad: self.application_keypad,
            bracketed_paste: self.bracketed_paste,
            focus_events: self.focus_events,
            mouse: match self.mouse {
                MouseJson::Off => MouseTracking::Off,
                MouseJson::Clicks => MouseTracking::Clicks,
                MouseJson::Drags => MouseTracking::Drags,
                MouseJson::Motion => MouseTracking::Motion,
            },
            mouse_encoding: match self.mouse_encoding {
                EncodingJson::Default => MouseEncoding::Default,
                EncodingJson::Utf8 => MouseEncoding::Utf8,
                EncodingJson::Sgr => MouseEncoding::Sgr,
            },
            alternate_scroll: self.alternate_scroll,
            kitty_keyboard: KittyKeyboard::from_bits_truncate(self.kitty_keyboard),
            autowrap: self.autowrap,
            origin: self.origin,
            insert: self.insert,
            newline: self.newline,
            synchronized: self.synchronized,
        }
    }
}

// Serde passes a reference.
fn is_false(value: &bool) -> bool {
    !value
}

fn is_true(value: &bool) -> bool {
    *value
}

fn is_zero(value: &u8) -> bool {
    *value == 0
}
