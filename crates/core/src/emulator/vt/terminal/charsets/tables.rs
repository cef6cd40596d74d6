//! Characters of the sets that differ from ASCII.

/// DEC Special Graphics, from 5F to 7E.
pub(super) const LINE_DRAWING: [char; 32] = [
    ' ', '◆', '▒', '␉', '␌', '␍', '␊', '°', '±', '␤', '␋', '┘', '┐', '┌', '└', '┼', '⎺', '⎻', '─',
    '⎼', '⎽', '├', '┤', '┴', '┬', '│', '≤', '≥', 'π', '≠', '£', '·',
];

/// DEC Technical, from 21 to 7E. Unassigned positions are U+FFFD.
pub(super) const TECHNICAL: [char; 94] = [
    '⎷', '┌', '─', '⌠', '⌡', '│', '⎡', '⎣', '⎤', '⎦', '⎛', '⎝', '⎞', '⎠', '⎨', '⎬', '�', '�', '╲',
    '╱', '�', '�', '�', '�', '�', '�', '�', '≤', '≠', '≥', '∫', '∴', '∝', '∞', '÷', 'Δ', '∇', 'Φ',
    'Γ', '∼', '≃', 'Θ', '×', 'Λ', '⇔', '⇒', '≡', 'Π', 'Ψ', '�', 'Σ', '�', '�', '√', 'Ω', 'Ξ', 'Υ',
    '⊂', '⊃', '∩', '∪', '∧', '∨', '¬', 'α', 'β', 'χ', 'δ', 'ε', 'φ', 'γ', 'η', 'ι', 'θ', 'κ', 'λ',
    '�', 'ν', '∂', 'π', 'ψ', 'ρ', 'σ', 'τ', '�', 'ƒ', 'ω', 'ξ', 'υ', 'ζ', '←', '↑', '→', '↓',
];

/// Returns a character of a national replacement set; others are as in ASCII.
pub(super) fn national(name: &[u8], byte: u8) -> char {
    // In the order of the positions: # @ [ \ ] ^ _ ` { | } ~
    const POSITIONS: &[u8; 12] = b"#@[\\]^_`{|}~";
    let replaced = match name {
        b"A" => "£@[\\]^_`{|}~",
        b"4" => "£¾ĳ½|^_`¨ƒ¼´",
        b"C" | b"5" => "#@ÄÖÅÜ_éäöåü",
        b"R" | b"f" => "£à°ç§^_`éùè¨",
        b"Q" | b"9" => "#àâçêî_ôéùèû",
        b"K" => "#§ÄÖÜ^_`äöüß",
        b"Y" => "£§°çé^_ùàòèì",
        b"`" => "#@ÆØÅ^_`æøå~",
        b"E" | b"6" => "#ÄÆØÅÜ_äæøåü",
        b"%6" => "#@ÃÇÕ^_`ãçõ~",
        b"Z" => "£§¡Ñ¿^_`°ñç~",
        b"H" | b"7" => "#ÉÄÖÅÜ_éäöåü",
        b"=" => "ùàéçêîèôäöüû",
        _ => return char::from(byte),
    };
    POSITIONS
        .iter()
        .position(|position| *position == byte)
        .and_then(|index| replaced.chars().nth(index))
        .unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn national_sets_replace_twelve_characters() {
        let drawn = |name: &[u8]| -> String {
            b"#@[\\]^_`{|}~"
                .iter()
                .map(|byte| national(name, *byte))
                .collect()
        };
        assert_eq!(drawn(b"K"), "#§ÄÖÜ^_`äöüß");
        assert_eq!(national(b"K", b'a'), 'a');
        for name in [
            "A", "4", "C", "R", "Q", "K", "Y", "`", "E", "%6", "Z", "H", "=",
        ] {
            assert_eq!(drawn(name.as_bytes()).chars().count(), 12, "{name}");
        }
    }
}
