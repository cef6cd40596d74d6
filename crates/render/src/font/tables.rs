//! Whether a font file is whole.
//!
//! The reader of fonts trusts what it reads: it counts on tables being there and being as long as they say. A file that
//! was cut off must be refused before.

/// The tables without which no text can be set.
const NEEDED: [&[u8; 4]; 5] = [b"head", b"hhea", b"hmtx", b"maxp", b"cmap"];

/// Whether every table of a face lies within the file, and those that are needed are there.
pub(super) fn whole(bytes: &[u8], index: u32) -> bool {
    whole_face(bytes, index).unwrap_or(false)
}

fn whole_face(bytes: &[u8], index: u32) -> Option<bool> {
    let start = match bytes.get(..4)? {
        // A collection: a list of faces after its version and their number.
        b"ttcf" => number(bytes, 12 + 4 * index as usize)?,
        _ => 0,
    };
    let count = short(bytes, start + 4)?;
    let mut found = [None; NEEDED.len()];
    for record in (0..count).map(|table| start + 12 + 16 * table) {
        let tag = bytes.get(record..record + 4)?;
        let (offset, length) = (number(bytes, record + 8)?, number(bytes, record + 12)?);
        let table = bytes.get(offset..offset.checked_add(length)?)?;
        if let Some(place) = NEEDED.iter().position(|needed| needed[..] == *tag) {
            found[place] = Some(table);
        }
    }
    let [Some(_), Some(heading), Some(widths), Some(_), Some(_)] = found else {
        return None;
    };
    // The number of widths stands at the end of the heading; each takes four bytes.
    let count = short(heading, 34)?;
    Some(count > 0 && widths.len() >= 4 * count)
}

fn short(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at + 2)?;
    Some(usize::from(u16::from_be_bytes(bytes.try_into().ok()?)))
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at + 4)?;
    usize::try_from(u32::from_be_bytes(bytes.try_into().ok()?)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_file_is_whole() {
        let font = dejavu::sans_mono::regular();
        assert!(whole(font, 0));
        for cut in [0, 3, 11, 100, 4000, font.len() / 2, font.len() - 8] {
            assert!(!whole(&font[..cut], 0), "{cut} bytes");
        }
        assert!(!whole(b"ttcf\0\0\0\0\0\0\0\x01\xff\xff\xff\xff", 0));
        assert!(!whole(b"ttcf", u32::MAX));
    }
}
