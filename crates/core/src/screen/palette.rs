//! Colours of the terminal that a program has changed.
//!
//! A program can redefine the 256 indexed colours and the default ones (OSC 4, 10, 11, 12, 17, 19).
//! A palette contains only the changes, so it does not depend on a theme. Together with a theme it
//! gives the colours that are shown.
//!
//! See also: `colors.rs` (theme and palette resolved), `emulator/colors.rs` (the sequences).

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::screen::style::{Color, Rgb, Style};

/// A colour of the terminal that a program can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PaletteEntry {
    /// One of the 256 indexed colours.
    Indexed(u8),
    /// The default text colour.
    Foreground,
    /// The default background.
    Background,
    /// The cursor.
    Cursor,
    /// The background of selected text.
    SelectionBackground,
    /// The text colour of selected text.
    SelectionForeground,
}

impl PaletteEntry {
    /// The entries that are not indexed colours.
    pub const NAMED: [PaletteEntry; 5] = [
        PaletteEntry::Foreground,
        PaletteEntry::Background,
        PaletteEntry::Cursor,
        PaletteEntry::SelectionBackground,
        PaletteEntry::SelectionForeground,
    ];
}

/// The colours that a program has changed. Cheap to clone and to compare; takes no memory on the
/// heap if there are none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Palette(Option<Arc<BTreeMap<PaletteEntry, Rgb>>>);

impl Palette {
    /// Returns whether no colour is changed.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns a colour if it is changed.
    pub fn get(&self, entry: PaletteEntry) -> Option<Rgb> {
        self.0.as_ref()?.get(&entry).copied()
    }

    /// Changes a colour.
    pub fn set(&mut self, entry: PaletteEntry, color: Rgb) {
        if self.get(entry) != Some(color) {
            Arc::make_mut(self.0.get_or_insert_default()).insert(entry, color);
        }
    }

    /// Removes the change of a colour.
    pub fn reset(&mut self, entry: PaletteEntry) {
        if self.get(entry).is_some() {
            self.retain(|known| known != entry);
        }
    }

    /// Removes the changes of all indexed colours.
    pub fn reset_indexed(&mut self) {
        self.retain(|entry| !matches!(entry, PaletteEntry::Indexed(_)));
    }

    fn retain(&mut self, mut keep: impl FnMut(PaletteEntry) -> bool) {
        let Some(changed) = &mut self.0 else { return };
        if changed.keys().all(|entry| keep(*entry)) {
            return;
        }
        let changed = Arc::make_mut(changed);
        changed.retain(|entry, _| keep(*entry));
        if changed.is_empty() {
            self.0 = None;
        }
    }

    /// Returns the changed colours, the indexed ones first.
    pub fn iter(&self) -> impl Iterator<Item = (PaletteEntry, Rgb)> {
        let changed = self.0.iter().flat_map(|changed| changed.iter());
        changed.map(|(entry, color)| (*entry, *color))
    }

    /// Returns a style with its changed colours as RGB, so that it looks the same on a terminal
    /// without the changes.
    pub fn resolve(&self, style: &Style) -> Style {
        if self.is_empty() {
            return *style;
        }
        let exact = |color: Color, default: Option<PaletteEntry>| {
            let changed = match color {
                Color::Default => default.and_then(|entry| self.get(entry)),
                Color::Indexed(index) => self.get(PaletteEntry::Indexed(index)),
                Color::Rgb(_) => None,
            };
            changed.map_or(color, Color::Rgb)
        };
        Style {
            fg: exact(style.fg, Some(PaletteEntry::Foreground)),
            bg: exact(style.bg, Some(PaletteEntry::Background)),
            // The default is the colour of the text.
            underline_color: exact(style.underline_color, None),
            ..*style
        }
    }

    /// Returns the memory that the palette takes beyond one that shares it.
    pub fn unshared_bytes(&self, other: Option<&Palette>) -> usize {
        let is_shared = |other: &Palette| match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        };
        match &self.0 {
            Some(changed) if !other.is_some_and(is_shared) => {
                // A node of the tree has room for nearly twice as many entries as it needs.
                changed.len() * 2 * size_of::<(PaletteEntry, Rgb)>()
            }
            _ => 0,
        }
    }
}

impl FromIterator<(PaletteEntry, Rgb)> for Palette {
    fn from_iter<T: IntoIterator<Item = (PaletteEntry, Rgb)>>(entries: T) -> Palette {
        let changed: BTreeMap<_, _> = entries.into_iter().collect();
        Palette((!changed.is_empty()).then(|| Arc::new(changed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Rgb = Rgb::hex(0xff0000);

    #[test]
    fn a_palette_without_changes_equals_a_new_one() {
        let mut palette = Palette::default();
        palette.set(PaletteEntry::Indexed(1), RED);
        palette.set(PaletteEntry::Background, RED);
        assert_ne!(palette, Palette::default());
        palette.reset_indexed();
        assert_eq!(palette.get(PaletteEntry::Indexed(1)), None);
        assert_eq!(palette.get(PaletteEntry::Background), Some(RED));
        palette.reset(PaletteEntry::Cursor);
        palette.reset(PaletteEntry::Background);
        assert_eq!(palette, Palette::default());
        assert!(palette.is_empty());
    }

    #[test]
    fn a_clone_keeps_its_colours() {
        let mut palette = Palette::from_iter([(PaletteEntry::Indexed(1), RED)]);
        let kept = palette.clone();
        palette.set(PaletteEntry::Indexed(1), Rgb::hex(1));
        assert_eq!(kept.get(PaletteEntry::Indexed(1)), Some(RED));
    }

    #[test]
    fn only_changed_colours_of_a_style_become_rgb() {
        let palette = Palette::from_iter([
            (PaletteEntry::Indexed(1), RED),
            (PaletteEntry::Background, Rgb::hex(0x102040)),
        ]);
        let resolved = palette.resolve(&Style {
            fg: Color::Indexed(1),
            ..Style::default()
        });
        let expected = Style {
            fg: Color::Rgb(RED),
            bg: Color::Rgb(Rgb::hex(0x102040)),
            ..Style::default()
        };
        assert_eq!(resolved, expected);
        let unchanged = Style {
            fg: Color::Indexed(2),
            bg: Color::Rgb(RED),
            underline_color: Color::Indexed(3),
            ..Style::default()
        };
        assert_eq!(palette.resolve(&unchanged), unchanged);
    }
}
