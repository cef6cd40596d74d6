//! Private modes of xterm that have no effect on a screen, on input or on replies.
//!
//! They are remembered, so that programs can ask for them (DECRQM), and save and restore them.

/// The modes, each with its value in a new xterm.
const TABLE: [(u16, bool); 25] = [
    // The cursor blinks, as the user chose it.
    (13, false),
    // Printing.
    (18, false),
    (19, false),
    // The scroll bar, and keys that change the font.
    (30, false),
    (35, true),
    // The margin bell.
    (44, false),
    // Placement and colours of sixel images.
    (80, false),
    (1070, true),
    (8452, false),
    // Scrolling of the user's view on output and on a key.
    (1010, true),
    (1011, false),
    // How the keyboard treats Num Lock, Delete and Alt.
    (1035, true),
    (1037, false),
    (1039, false),
    // The selection and the pop-up of the window.
    (1041, false),
    (1044, false),
    // Keyboards of other terminals.
    (1050, false),
    (1051, false),
    (1060, false),
    (1061, false),
    // What clicks and pastes do in Readline.
    (2001, false),
    (2002, false),
    (2003, false),
    (2005, false),
    (2006, false),
];

/// The remembered modes. The default is that of a new terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct RememberedModes {
    /// Bit `i` is set if mode `i` of the table is not as in a new terminal.
    changed: u32,
}

impl RememberedModes {
    fn index(number: u16) -> Option<usize> {
        TABLE.iter().position(|(known, _)| *known == number)
    }

    /// Returns whether a mode is on; `None` if it is not one of these.
    pub(crate) fn get(self, number: u16) -> Option<bool> {
        let index = RememberedModes::index(number)?;
        Some(TABLE[index].1 ^ (self.changed >> index & 1 == 1))
    }

    /// Sets a mode. Returns false if it is not one of these.
    pub(crate) fn set(&mut self, number: u16, on: bool) -> bool {
        let Some(index) = RememberedModes::index(number) else {
            return false;
        };
        self.changed &= !(1 << index);
        self.changed |= u32::from(TABLE[index].1 != on) << index;
        true
    }

    /// Returns the modes that are not as in a new terminal.
    pub(crate) fn changed(self) -> impl Iterator<Item = (u16, bool)> {
        let numbered = TABLE.into_iter().enumerate();
        numbered.filter_map(move |(index, (number, initial))| {
            (self.changed >> index & 1 == 1).then_some((number, !initial))
        })
    }
}
