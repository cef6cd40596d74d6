//! Which characters share a key.
//!
//! The keyboard is a US one, as a program cannot see the layout and a test must not depend on it: `$` is Shift+4. Letters
//! of every script pair with their capitals where the pair is one to one.

/// The keys that are no letters, and what each gives with Shift.
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

/// What the key of `c` gives with Shift; `None` where `c` is no key's plain character.
pub(crate) fn shifted(c: char) -> Option<char> {
    SYMBOLS
        .iter()
        .find_map(|(plain, shifted)| (*plain == c).then_some(*shifted))
        .or_else(|| capital(c))
}

/// The plain character of the key that gives `c` with Shift; `None` where `c` needs no Shift.
pub(crate) fn unshifted(c: char) -> Option<char> {
    SYMBOLS
        .iter()
        .find_map(|(plain, shifted)| (*shifted == c).then_some(*plain))
        .or_else(|| small(c))
}

/// The capital of a small letter.
pub(crate) fn capital(c: char) -> Option<char> {
    let upper = single(c.to_uppercase()).filter(|upper| *upper != c)?;
    (single(upper.to_lowercase()) == Some(c)).then_some(upper)
}

/// The small letter of a capital.
pub(crate) fn small(c: char) -> Option<char> {
    let lower = single(c.to_lowercase())?;
    (capital(lower) == Some(c)).then_some(lower)
}

/// The only item, where there is one: `ß` has no capital of its own, and its two letters are not on its key.
fn single(mut chars: impl Iterator<Item = char>) -> Option<char> {
    let first = chars.next();
    chars.next().is_none().then_some(first)?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shift_goes_there_and_back() {
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
