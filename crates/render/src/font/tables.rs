//! Checks that a font file is complete.
//!
//! The font library trusts its input: it expects tables to exist and to have the stated length, and
//! spends minutes on shaping rules with damaged numbers. So a truncated file must be rejected
//! first, and damaged shaping rules must not be applied.

/// Tables that are required for drawing text.
const NEEDED: [&[u8; 4]; 5] = [b"head", b"hhea", b"hmtx", b"maxp", b"cmap"];

/// Tables with the rules for joining and positioning glyphs.
pub(super) const RULES: [&[u8; 4]; 5] = [b"GDEF", b"GPOS", b"GSUB", b"kerx", b"morx"];

/// The table with the layers and the paint graphs of coloured glyphs.
pub(super) const LAYERS: [&[u8; 4]; 1] = [b"COLR"];

/// Whether every table of a face is within the file and all required tables exist.
pub(super) fn is_complete(bytes: &[u8], index: u32) -> bool {
    check_face(bytes, index).unwrap_or(false)
}

fn check_face(bytes: &[u8], index: u32) -> Option<bool> {
    let mut found = [None; NEEDED.len()];
    for record in records(bytes, index)? {
        let TableRecord { tag, table, .. } = record?;
        if let Some(place) = NEEDED.iter().position(|needed| needed[..] == *tag) {
            found[place] = Some(table);
        }
    }
    let [Some(_), Some(heading), Some(widths), Some(_), Some(_)] = found else {
        return None;
    };
    // The number of advance widths is at the end of `hhea`; each takes four bytes.
    let count = short(heading, 34)?;
    Some(count > 0 && widths.len() >= 4 * count)
}

/// Whether these tables of a face, as far as it has them, match the checksums in the table
/// directory.
pub(super) fn are_whole(tags: &[&[u8; 4]], bytes: &[u8], index: u32) -> bool {
    let is_valid = |record: Option<TableRecord<'_>>| {
        record.is_some_and(|TableRecord { tag, sum, table }| {
            !tags.iter().any(|known| known[..] == *tag) || checksum(table) == sum
        })
    };
    records(bytes, index).is_some_and(|mut records| records.all(is_valid))
}

/// A table and its entry in the table directory.
struct TableRecord<'a> {
    tag: &'a [u8],
    sum: usize,
    table: &'a [u8],
}

/// Returns the tables of a face; `None` for a table that is not within the file.
fn records(bytes: &[u8], index: u32) -> Option<impl Iterator<Item = Option<TableRecord<'_>>>> {
    let start = match bytes.get(..4)? {
        // A collection: a list of faces after its version and their number.
        b"ttcf" => number(bytes, 12 + 4 * index as usize)?,
        _ => 0,
    };
    let count = short(bytes, start + 4)?;
    let starts = (0..count).map(move |table| start + 12 + 16 * table);
    Some(starts.map(|record| {
        let (offset, length) = (number(bytes, record + 8)?, number(bytes, record + 12)?);
        Some(TableRecord {
            tag: bytes.get(record..record + 4)?,
            sum: number(bytes, record + 4)?,
            table: bytes.get(offset..offset.checked_add(length)?)?,
        })
    }))
}

/// Returns the sum of a table's 32-bit numbers; the last is padded with zeros.
fn checksum(table: &[u8]) -> usize {
    let sum = table.chunks(4).fold(0_u32, |sum, bytes| {
        let mut padded = [0; 4];
        padded[..bytes.len()].copy_from_slice(bytes);
        sum.wrapping_add(u32::from_be_bytes(padded))
    });
    sum as usize
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
    fn changed_shaping_tables_fail_their_checksum() {
        let mut font = dejavu::sans_mono::regular().to_vec();
        assert!(are_whole(&RULES, &font, 0));
        let records = records(&font, 0).unwrap().flatten();
        let rules: Vec<usize> = records
            .filter(|record| record.tag == b"GSUB")
            .map(|record| record.table.as_ptr().addr() - font.as_ptr().addr())
            .collect();
        assert_eq!(rules.len(), 1);
        font[rules[0] + 20] ^= 1;
        assert!(!are_whole(&RULES, &font, 0));
        assert!(!are_whole(&RULES, b"", 0));
    }

    #[test]
    fn a_truncated_file_is_incomplete() {
        let font = dejavu::sans_mono::regular();
        assert!(is_complete(font, 0));
        for cut in [0, 3, 11, 100, 4000, font.len() / 2, font.len() - 8] {
            assert!(!is_complete(&font[..cut], 0), "{cut} bytes");
        }
        assert!(!is_complete(b"ttcf\0\0\0\0\0\0\0\x01\xff\xff\xff\xff", 0));
        assert!(!is_complete(b"ttcf", u32::MAX));
    }
}
