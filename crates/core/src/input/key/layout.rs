//! The keyboard layout: which characters share a key.
//!
//! The layout is always that of a US keyboard: `$` is Shift+4. A program cannot see the layout of
//! the real keyboard, and a test must not depend on it. Letters of every script pair with their
//! upper case if the pair is one to one.

/// Keys that are not letters, with their character without and with Shift.
const SYMBOLS: [(char, char); 21] = [
    ('`', '~'),
    ('1', '!'),
    ('2', '@'),
    ('3', '#'),
    ('4', '$'),
    ('5', '%'),
    ('6', '^'),
    ('7', '&'),
    ('8', '*'),
    ('9', '('),
    ('0', ')'),
    ('-', '_'),
    ('=', '+'),
    ('[', '{'),
    (']', '}'),
    ('\\', '|'),
    (';', ':'),
    ('\'', '"'),
    (',', '<'),
    ('.', '>'),
    ('/', '?'),
];

/// Returns the character that the key of `c` types with Shift; `None` if no key types `c` without
/// Shift.
pub(crate) fn shifted(c: char) -> Option<char> {
    SYMBOLS
        .iter()
        .find_map(|(plain, shifted)| (*plain == c).then_some(*shifted))
        .or_else(|| capital(c))
}

/// Returns the unshifted character of the key that types `c` with Shift; `None` if `c` needs no
/// Shift.
pub(crate) fn unshifted(c: char) -> Option<char> {
    SYMBOLS
        .iter()
        .find_map(|(plain, shifted)| (*shifted == c).then_some(*plain))
        .or_else(|| small(c))
}

/// Returns the upper case of a lower-case letter.
pub(crate) fn capital(c: char) -> Option<char> {
    let upper = single(c.to_uppercase()).filter(|upper| *upper != c)?;
    (single(upper.to_lowercase()) == Some(c)).then_some(upper)
}

/// Returns the lower case of an upper-case letter.
pub(crate) fn small(c: char) -> Option<char> {
    let lower = single(c.to_lowercase())?;
    (capital(lower) == Some(c)).then_some(lower)
}

/// Returns the only item. `ß` has no single upper-case letter, and the two letters `SS` are not on
/// its key.
fn single(mut chars: impl Iterator<Item = char>) -> Option<char> {
    let first = chars.next();
    chars.next().is_none().then_some(first)?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifted_and_unshifted_are_inverse() {
        for (plain, with_shift) in [('a', 'A'), ('4', '$'), ('=', '+'), ('é', 'É'), ('я', 'Я')]
        {
            assert_eq!(shifted(plain), Some(with_shift));
            assert_eq!(unshifted(with_shift), Some(plain));
            assert_eq!((shifted(with_shift), unshifted(plain)), (None, None));
        }
        for alone in ['ß', '界', 'ǅ', '\u{212a}', ' '] {
            assert_eq!((shifted(alone), unshifted(alone)), (None, None), "{alone}");
        }
    }
}
