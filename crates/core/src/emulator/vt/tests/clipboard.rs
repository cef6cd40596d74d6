//! Tests of the recorded clipboard changes and their limits.

use super::fed;
use crate::emulator::Emulator;

/// Checks the copies, as `selection=text` or as `selection` alone if it was emptied, and the final
/// clipboard.
#[track_caller]
fn check(bytes: &str, copies: &[&str], clipboard: Option<&str>) {
    let emulator = fed(bytes);
    let notes = emulator.notes();
    let listed: Vec<String> = notes
        .copies()
        .map(|copied| match &copied.text {
            Some(text) => format!("{}={text}", copied.selection),
            None => copied.selection.clone(),
        })
        .collect();
    assert_eq!(listed, copies, "{bytes:?}");
    assert_eq!(notes.counts.copies, copies.len() as u64, "{bytes:?}");
    assert_eq!(notes.clipboard(), clipboard, "{bytes:?}");
}

#[test]
fn every_copy_is_listed_with_its_selection() {
    check("x", &[], None);
    check("\x1b]52;c;aMOpbGxv\x07", &["c=héllo"], Some("héllo"));
    check(
        "\x1b]52;c;YQ==\x07\x1b]52;ps;Yg==\x1b\\",
        &["c=a", "ps=b"],
        Some("b"),
    );
    // Without padding, to the selection without a name.
    check("\x1b]52;;YQ\x07", &["=a"], Some("a"));
}

#[test]
fn empty_or_invalid_data_empties_the_clipboard() {
    check("\x1b]52;c;YQ==\x07\x1b]52;c;\x07", &["c=a", "c"], None);
    check("\x1b]52;c;YQ==\x07\x1b]52;c;!\x07", &["c=a", "c"], None);
}

#[test]
fn queries_and_binary_data_are_not_copies() {
    check("\x1b]52;c;YQ==\x07\x1b]52;c;?\x07", &["c=a"], Some("a"));
    check("\x1b]52;c;/w==\x07", &[], None);
    let (name, _) = fed("\x1b]52;c;/w==\x07")
        .notes()
        .unknown()
        .next()
        .map(|(name, count)| (name.to_owned(), count))
        .expect("one is listed");
    assert_eq!(name, "OSC 52;c;/w==");
}

#[test]
fn the_last_64_are_kept_and_all_are_counted() {
    let emulator = fed(&"\x1b]52;c;YQ==\x07".repeat(1000));
    assert_eq!(emulator.notes().copies().len(), 64);
    assert_eq!(emulator.notes().counts.copies, 1000);
}

#[test]
fn large_copies_displace_older_ones() {
    let large = |letters: &str| format!("\x1b]52;c;{}\x07", letters.repeat(200_000));
    let emulator = fed(&["\x1b]52;c;YQ==\x07", &large("YWFh"), &large("YmJi")].concat());
    let copies = emulator.notes().copies();
    let lengths: Vec<usize> = copies
        .map(|copied| copied.text.as_ref().map_or(0, |text| text.len()))
        .collect();
    assert_eq!(lengths, [600_000]);
    assert!(
        emulator
            .notes()
            .clipboard()
            .is_some_and(|text| text.starts_with("bbb"))
    );
}
