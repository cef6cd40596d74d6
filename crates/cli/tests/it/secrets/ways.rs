//! Ways in which a value is drawn: wrappers, encodings and styles, combined.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The secrets and the names of their variables. The first has punctuation, the second has quotes
/// and a backslash, and the third is short.
pub(crate) const SECRETS: [(&str, &str); 3] = [
    ("LONG", "kT9-w0rd/hunter22+Xq7"),
    ("QUOTED", "pa's\"w rd\\7 Zend9 q&x"),
    ("SHORT", "s3cr3tX"),
];

/// A way to draw a value.
pub(crate) struct Way {
    pub(crate) name: String,
    /// The bytes to write, on a blank screen with the cursor at its start.
    pub(crate) bytes: String,
}

type Encoding = (&'static str, fn(&str) -> String);
type Wrapper = (&'static str, fn(&str) -> String);
type Style = (&'static str, fn(&str) -> String);

fn codes(value: &str, separator: &str, code: fn(u8) -> String) -> String {
    let codes: Vec<String> = value.bytes().map(code).collect();
    codes.join(separator)
}

/// Returns the value in pieces that are quoted in different ways. A shell joins them.
fn shell_quoted(value: &str) -> String {
    let characters: Vec<char> = value.chars().collect();
    let words = characters.chunks(3).enumerate().map(|(index, word)| {
        let word: String = word.iter().collect();
        match index % 3 {
            0 => format!("'{}'", word.replace('\'', "'\\''")),
            1 => format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\"")),
            _ => word.chars().map(|c| format!("\\{c}")).collect(),
        }
    });
    words.collect()
}

pub(crate) const ENCODINGS: [Encoding; 14] = [
    ("plain", |value| value.to_owned()),
    ("backwards", |value| value.chars().rev().collect()),
    ("shell quotes", shell_quoted),
    ("single quotes", |value| {
        format!("'{}'", value.replace('\'', "'\\''"))
    }),
    ("JSON", |value| serde_json::to_string(value).unwrap()),
    ("JSON codes", |value| {
        codes(value, "", |byte| format!("\\u00{byte:02x}"))
    }),
    ("percent", |value| {
        codes(value, "", |byte| format!("%{byte:02X}"))
    }),
    ("base64", |value| STANDARD.encode(value)),
    ("base64 in a text", |value| {
        STANDARD.encode(format!("u:{value}:x"))
    }),
    ("hex", |value| {
        codes(value, "", |byte| format!("{byte:02x}"))
    }),
    ("hex with colons", |value| {
        codes(value, ":", |byte| format!("{byte:02X}"))
    }),
    ("hex escapes", |value| {
        codes(value, "", |byte| format!("\\x{byte:02x}"))
    }),
    ("hex list", |value| {
        codes(value, ", ", |byte| format!("0x{byte:02x}"))
    }),
    ("octal", |value| {
        codes(value, "", |byte| format!("\\{byte:03o}"))
    }),
];

/// Splits a text into lines of a width and puts something before and after each.
fn lines(text: &str, width: usize, frame: impl Fn(usize, &str) -> String) -> String {
    let characters: Vec<char> = text.chars().collect();
    let lines = characters.chunks(width).enumerate();
    let lines: Vec<String> = lines
        .map(|(number, line)| frame(number, &line.iter().collect::<String>()))
        .collect();
    lines.join("\r\n")
}

pub(crate) const WRAPPERS: [Wrapper; 18] = [
    ("in a line", |text| format!("the value is {text} now")),
    ("fold", |text| lines(text, 5, |_, line| line.to_owned())),
    ("indent", |text| {
        lines(text, 9, |_, line| format!("    {line}"))
    }),
    ("box", |text| {
        let inner = lines(text, 9, |_, line| format!("  │ {line:9} │"));
        format!("  ┌───────────┐\r\n{inner}\r\n  └───────────┘")
    }),
    ("ASCII box", |text| {
        let inner = lines(text, 7, |_, line| format!("| {line:7} |"));
        format!("+---------+\r\n{inner}\r\n+---------+")
    }),
    ("double box", |text| {
        let inner = lines(text, 6, |_, line| format!("║{line:6}║"));
        format!("╔══════╗\r\n{inner}\r\n╚══════╝")
    }),
    ("line numbers", |text| {
        lines(text, 6, |n, line| format!("{:6}  {line}", n + 1))
    }),
    ("grep", |text| {
        lines(text, 6, |n, line| format!("{}:{line}", n + 10))
    }),
    ("bat", |text| {
        lines(text, 6, |n, line| format!("{:4} │ {line}", n + 1))
    }),
    ("times", |text| {
        lines(text, 6, |n, line| format!("[12:00:{:02}] {line}", n + 1))
    }),
    ("panes", |text| {
        lines(text, 6, |n, line| {
            format!("file-{n}.txt    │ {line:6} │ more text {n}")
        })
    }),
    ("showbreak", |text| {
        lines(text, 7, |n, line| {
            if n == 0 {
                line.to_owned()
            } else {
                format!("↪ {line}")
            }
        })
    }),
    ("quotation", |text| {
        lines(text, 7, |_, line| format!(">> {line}"))
    }),
    ("prefix", |text| {
        lines(text, 6, |_, line| format!("app_one  | {line}"))
    }),
    ("label", |text| {
        lines(text, 6, |_, line| format!("log: {line}"))
    }),
    ("spaced", |text| {
        let letters: Vec<String> = text.chars().map(String::from).collect();
        letters.join(" ")
    }),
    ("zero width", |text| {
        text.chars().map(|c| format!("{c}\u{200b}")).collect()
    }),
    ("scrolling field", |text| {
        let characters: Vec<char> = text.chars().collect();
        let windows = characters.windows(characters.len().min(12));
        windows
            .map(|shown| format!("\rfield: [{}]", shown.iter().collect::<String>()))
            .collect()
    }),
];

const STYLES: [Style; 4] = [
    ("one colour", |text| format!("\x1b[7m{text}\x1b[0m")),
    ("a colour per letter", |text| {
        let letters = text.chars().enumerate().map(|(n, c)| match c {
            '\r' | '\n' => c.to_string(),
            c => format!("\x1b[38;5;{}m{c}", n % 200 + 1),
        });
        format!("{}\x1b[0m", letters.collect::<String>())
    }),
    ("from right to left", |text| {
        let mut bytes = String::new();
        for (row, line) in text.split("\r\n").enumerate() {
            let line = line.rsplit('\r').next().unwrap_or_default();
            let mut letters: Vec<(usize, String)> = Vec::new();
            for c in line.chars() {
                match letters.last_mut() {
                    Some((_, last)) if c == '\u{200b}' => last.push(c),
                    _ => letters.push((letters.len() + 1, c.to_string())),
                }
            }
            for (col, letter) in letters.iter().rev() {
                bytes.push_str(&format!("\x1b[{};{col}H{letter}", row + 1));
            }
        }
        bytes
    }),
    ("scrolled away", |text| {
        format!("{text}{}", "\r\nnext".repeat(30))
    }),
];

/// Returns 90 ways: every wrapper in two styles, every encoding except `plain` in four wrappers,
/// and two others.
pub(crate) fn drawn() -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::new();
    let mut add = |encoding: usize, wrapper: usize, style: usize| {
        let (secret, value) = SECRETS[ways.len() % SECRETS.len()];
        let ((encoded_as, encode), (wrapped_as, wrap), (styled_as, style)) =
            (ENCODINGS[encoding], WRAPPERS[wrapper], STYLES[style]);
        ways.push(Way {
            name: format!("{secret}: {encoded_as}, {wrapped_as}, {styled_as}"),
            bytes: style(&wrap(&encode(value))),
        });
    };
    for wrapper in 0..WRAPPERS.len() {
        add(0, wrapper, wrapper % 2);
        add(0, wrapper, 2 + wrapper % 2);
    }
    for encoding in 1..ENCODINGS.len() {
        for (index, wrapper) in [0, 2, 3, 6].into_iter().enumerate() {
            add(encoding, wrapper, (encoding + index) % 4);
        }
    }
    let shell = 2;
    add(shell, 10, 1);
    add(shell, 15, 2);
    assert_eq!(ways.len(), 90);
    ways
}
