//! Capabilities of terminfo, for XTGETTCAP.

use crate::input::encode_key;
use crate::input::key::Key;
use crate::screen::modes::Modes;

/// Returns the value of a capability whose name is in hexadecimal digits: `None` for an unknown
/// name, `Some(None)` for a boolean capability that is set.
pub(super) fn value(hex_name: &[u8], modes: &Modes) -> Option<Option<String>> {
    let name: Option<Vec<u8>> = hex_name
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect();
    let name = name?;
    if let Some(key) = key(&name) {
        let bytes = encode_key::bytes(key.into(), modes);
        return Some(Some(String::from_utf8_lossy(&bytes).into_owned()));
    }
    Some(named(&name)?.map(str::to_owned))
}

/// Returns the key of a capability of terminfo or termcap.
fn key(name: &[u8]) -> Option<Key> {
    Some(match name {
        b"kcuu1" | b"ku" => Key::Up,
        b"kcud1" | b"kd" => Key::Down,
        b"kcub1" | b"kl" => Key::Left,
        b"kcuf1" | b"kr" => Key::Right,
        b"khome" | b"kh" => Key::Home,
        b"kend" | b"@7" => Key::End,
        b"kpp" | b"kP" => Key::PageUp,
        b"knp" | b"kN" => Key::PageDown,
        b"kich1" | b"kI" => Key::Insert,
        b"kdch1" | b"kD" => Key::Delete,
        b"kbs" | b"kb" => Key::Backspace,
        b"k;" => Key::F(10),
        [b'k', digit @ b'1'..=b'9'] => Key::F(digit - b'0'),
        [b'k', b'f', number @ ..] => {
            let number: u8 = std::str::from_utf8(number).ok()?.parse().ok()?;
            // Higher numbers are those with modifiers in terminfo.
            Key::F(Some(number).filter(|number| (1..=12).contains(number))?)
        }
        _ => return None,
    })
}

fn named(name: &[u8]) -> Option<Option<&'static str>> {
    Some(match name {
        b"TN" | b"name" => Some("xterm-256color"),
        b"Co" | b"colors" => Some("256"),
        b"RGB" => Some("8/8/8"),
        b"Tc" | b"Su" | b"AX" | b"XT" | b"am" | b"km" | b"bce" | b"mir" | b"msgr" | b"xenl" => None,
        b"Smulx" => Some("\x1b[4:%p1%dm"),
        b"Setulc" => Some("\x1b[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%dm"),
        b"setrgbf" => Some("\x1b[38:2:%p1%d:%p2%d:%p3%dm"),
        b"setrgbb" => Some("\x1b[48:2:%p1%d:%p2%d:%p3%dm"),
        b"Ms" => Some("\x1b]52;%p1%s;%p2%s\x07"),
        b"Ss" => Some("\x1b[%p1%d q"),
        b"Se" => Some("\x1b[2 q"),
        b"Cr" => Some("\x1b]112\x07"),
        b"Cs" => Some("\x1b]12;%p1%s\x07"),
        b"Smol" => Some("\x1b[53m"),
        b"Rmol" => Some("\x1b[55m"),
        b"smxx" => Some("\x1b[9m"),
        b"rmxx" => Some("\x1b[29m"),
        b"BE" => Some("\x1b[?2004h"),
        b"BD" => Some("\x1b[?2004l"),
        b"PS" => Some("\x1b[200~"),
        b"PE" => Some("\x1b[201~"),
        b"fe" => Some("\x1b[?1004h"),
        b"fd" => Some("\x1b[?1004l"),
        b"Sync" => Some("\x1b[?2026%?%p1%{1}%-%tl%eh%;"),
        b"rep" => Some("%p1%c\x1b[%p2%{1}%-%db"),
        b"ech" => Some("\x1b[%p1%dX"),
        b"smcup" => Some("\x1b[?1049h"),
        b"rmcup" => Some("\x1b[?1049l"),
        _ => return None,
    })
}
