//! Changed colours in JSON: an object with the index or the name of each changed colour and its
//! value, such as `{"1":"#aabbcc","background":"#102040"}`, the indexed colours first. Used by
//! State JSON and by cassettes.

use std::collections::BTreeMap;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Palette, PaletteEntry, Rgb};

/// The names of the colours that are not indexed.
const NAMES: [(&str, PaletteEntry); 5] = [
    ("foreground", PaletteEntry::Foreground),
    ("background", PaletteEntry::Background),
    ("cursor", PaletteEntry::Cursor),
    ("selection_background", PaletteEntry::SelectionBackground),
    ("selection_foreground", PaletteEntry::SelectionForeground),
];

/// Changed colours, to be written or read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaletteJson(pub(crate) Palette);

impl PaletteJson {
    /// Returns the changed colours; `None` if there are none.
    pub(crate) fn of(palette: &Palette) -> Option<PaletteJson> {
        (!palette.is_empty()).then(|| PaletteJson(palette.clone()))
    }
}

fn read(name: &str, color: &str) -> Result<(PaletteEntry, Rgb), String> {
    let entry = entry(name).ok_or_else(|| format!("`{name}` is not a colour of the terminal"))?;
    let color =
        Rgb::parse(color).ok_or_else(|| format!("`{color}` is not a colour (`#rrggbb`)"))?;
    Ok((entry, color))
}

fn name(entry: PaletteEntry) -> String {
    match entry {
        PaletteEntry::Indexed(index) => index.to_string(),
        named => {
            let known = NAMES.iter().find(|(_, known)| *known == named);
            known.map_or("", |(name, _)| name).to_owned()
        }
    }
}

/// Returns the colour of this name.
pub(crate) fn entry(name: &str) -> Option<PaletteEntry> {
    let known = NAMES.iter().find(|(known, _)| *known == name);
    if let Some((_, entry)) = known {
        return Some(*entry);
    }
    let index = name.parse().ok().map(PaletteEntry::Indexed)?;
    // Each index has one form, so `01` and `+1` are refused.
    (self::name(index) == name).then_some(index)
}

impl Serialize for PaletteJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let changed = self.0.iter();
        serializer.collect_map(changed.map(|(entry, color)| (name(entry), color.to_string())))
    }
}

impl<'de> Deserialize<'de> for PaletteJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PaletteJson, D::Error> {
        let colors = BTreeMap::<String, String>::deserialize(deserializer)?;
        let colors = colors.iter().map(|(name, color)| read(name, color));
        colors
            .collect::<Result<_, _>>()
            .map(PaletteJson)
            .map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_has_one_name() {
        let indexed = (0..=255).map(PaletteEntry::Indexed);
        for known in indexed.chain(PaletteEntry::NAMED) {
            assert_eq!(entry(&name(known)), Some(known));
        }
        for wrong in ["", "256", "-1", "+1", "01", "Cursor", "border"] {
            assert_eq!(entry(wrong), None, "{wrong}");
        }
    }
}
