use super::*;

const VALUE: &str = "kT9/w-hunter22+Xq";

/// Returns a text with the bytes of its stretches replaced by `#`.
fn covered(value: &str, text: &str) -> String {
    let mut index = StretchIndex::default();
    index.add(0, value.as_bytes());
    let mut bytes = text.as_bytes().to_vec();
    for piece in index
        .find(text.as_bytes())
        .iter()
        .flat_map(|found| &found.pieces)
    {
        bytes[piece.clone()].fill(b'#');
    }
    String::from_utf8(bytes).unwrap()
}

#[track_caller]
fn check(text: &str, shown: &str) {
    assert_eq!(covered(VALUE, text), shown);
}

#[test]
fn eight_characters_are_a_stretch() {
    check(
        "w-hunter22 w-hunter2 w-hunte",
        "########## ######### w-hunte",
    );
    check("in nu22retnuh-w now", "in nu########## now");
    assert_eq!(
        covered("hunter2", "hunter hunter 22 hunted"),
        "hunter ########2 hunted"
    );
    assert_eq!(StretchIndex::default().find(VALUE.as_bytes()), []);
}

#[test]
fn rows_are_joined_without_what_surrounds_them() {
    check(
        "    kT9/w-\r\n    hunter22+Xq",
        "    ######\r\n    ###########",
    );
    check(
        "│ kT9/w-h │\n│ unter22 │\n│ +Xq     │",
        "│ ####### │\n│ ####### │\n│ ###     │",
    );
    check(
        "   1 kT9/w\n   2 -hunte\n   3 r22+Xq",
        "   1 #####\n   2 ######\n   3 ######",
    );
    check(
        "[12:00:01] kT9/w\n[12:00:02] -hunter",
        "[12:00:01] #####\n[12:00:02] #######",
    );
    check("log: kT9/w\nlog: -hunter", "log: #####\nlog: #######");
    check(
        "left one  | kT9/w | more\nleft two  | -hunt | text",
        "left one  | ##### | more\nleft two  | ##### | text",
    );
}

#[test]
fn quotes_sequences_and_marks_are_skipped() {
    check(r"'kT9/'\''w-hunter'", "'################'");
    check("\"kT9/w-\"'hunter'", "\"##############'");
    check("k\u{200b}T\u{200b}9/w-hun", "###############");
    check(
        "\x1b[31mkT9/\x1b[32mw-hu\x1b[0m",
        "\x1b[31m####\x1b[32m####\x1b[0m",
    );
}

#[test]
fn codes_of_bytes_are_stretches() {
    let hex = |separator: &str| {
        let digits = VALUE.bytes().map(|byte| format!("{byte:02x}"));
        digits.collect::<Vec<_>>().join(separator)
    };
    let upper = |code: &dyn Fn(String) -> String| -> String {
        VALUE
            .bytes()
            .map(|byte| code(format!("{byte:02X}")))
            .collect()
    };
    for text in [
        hex(""),
        hex(" "),
        hex(":"),
        hex("\n"),
        format!("\\x{}", hex("\\x")),
        format!("0x{}", hex(", 0x")),
        format!("%{}", hex("%")),
        format!("\\u00{}", hex("\\u00")),
        format!("\\u{{{}}}", hex("}\\u{")),
        upper(&|digits| format!("\\x{digits}")),
        upper(&|digits| format!("\\u00{digits}")),
        upper(&|digits| format!("\\u{{{digits}}}")),
        upper(&|digits| format!("U+00{digits} ")),
    ] {
        let shown = covered(VALUE, &text);
        let digits = shown.bytes().filter(u8::is_ascii_hexdigit).count();
        assert!(digits < 16, "{text}: {shown}");
    }
}

#[test]
fn ordinary_text_is_shown() {
    for text in ["a hunter 2 of them", "hunter and hunted", "kT9/w-h"] {
        check(text, text);
    }
}

#[test]
fn long_texts_are_searched_in_blocks() {
    let line = format!("{}\n", "x".repeat(99));
    for before in [BLOCK - 105, BLOCK - 5, BLOCK + 10, 2 * BLOCK - OVERLAP] {
        let before = line.repeat(before / line.len()) + &".".repeat(before % line.len());
        let text = format!("{before}{VALUE}\n{line}");
        let mut index = StretchIndex::default();
        index.add(0, VALUE.as_bytes());
        let found = index.find(text.as_bytes());
        let [stretch] = found.as_slice() else {
            panic!("{found:?}");
        };
        let piece = before.len()..before.len() + VALUE.len();
        assert_eq!(stretch.pieces, std::slice::from_ref(&piece));
    }
}
