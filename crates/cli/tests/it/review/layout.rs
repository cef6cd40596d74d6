//! Layout of a review in terminals of all sizes.

use screentest::App;
use screentest::core::{Attributes, Color, Condition, Position, Size};

use super::artifact_dir::{ArtifactDir, Review};
use crate::harness::cli::{TOOL, project_file};

#[test]
fn wide_terminal_shows_both_screens_with_marks_below_differences() {
    let artifacts = ArtifactDir::new();
    artifacts.changed(
        "a",
        "Hello world\r\n\x1b[32mgreen\x1b[m",
        "Hello there\r\n\x1b[31mgreen\x1b[m",
    );
    let screen = artifacts.review(60, 9).shows("1 of 1");
    assert_eq!(
        format!("\n{screen}"),
        "
 1 of 1  login / a               accept 0  reject 0  skip 0
 difference 1 of 2: row 1, columns 7 to 11: text
┌ old 20x3 ──────────┐┌ new 20x3 ──────────┐
│Hello world         ││Hello there         │
│      ^^^^^         ││      ^^^^^         │
│green               ││green               │
│~~~~~               ││~~~~~               │
└ rows 1 to 2 of 3 ──┘└ rows 1 to 2 of 3 ──┘
 a accept  r reject  s skip  u undo  v view  ? help  q quit
"
    );
    let style = |row, col| *screen.cell(Position { row, col }).style;
    assert_eq!(style(5, 1).fg, Color::Indexed(2));
    assert_eq!(style(5, 23).fg, Color::Indexed(1));
    // The current difference is highlighted.
    assert!(style(4, 7).is(Attributes::INVERSE));
    assert!(!style(6, 1).is(Attributes::INVERSE));
}

#[test]
fn marks_are_visible_without_colour() {
    let artifacts = ArtifactDir::new();
    artifacts.changed("a", "old", "new");
    let app = App::new(TOOL)
        .args(["review", "--artifact-dir", &artifacts.as_argument()])
        .env("NO_COLOR", "1");
    let screen = Review::start(&app, 80, 24).shows("^^^");
    let colored = screen
        .rows
        .iter()
        .flat_map(|row| row.cells())
        .filter(|cell| cell.style.fg != Color::Default || cell.style.bg != Color::Default);
    assert_eq!(colored.count(), 0);
}

#[test]
fn narrow_terminal_shows_screens_one_above_the_other() {
    let artifacts = ArtifactDir::new();
    artifacts.changed("a", "old", "new");
    let screen = artifacts.review(30, 15).shows("1 of 1");
    assert_eq!(
        format!("\n{screen}"),
        "
 1 of 1  login / a
 difference 1 of 1: row 1, col
┌ old 20x3 ──────────┐
│old                 │
│^^^                 │
│                    │
│                    │
└────────────────────┘
┌ new 20x3 ──────────┐
│new                 │
│^^^                 │
│                    │
│                    │
└────────────────────┘
 a accept      ? help  q quit
"
    );
}

#[test]
fn small_terminal_shows_one_screen_at_a_time() {
    let artifacts = ArtifactDir::new();
    artifacts.changed("a", "old text", "new text");
    let review = artifacts.review(30, 8);
    assert!(!review.shows("new text").contains("old text"));
    review.press("Tab");
    assert!(!review.shows("old text").contains("new text"));
    review.press("Tab");
    review.shows("new text");
}

#[test]
fn resize_changes_the_layout() {
    let artifacts = ArtifactDir::new();
    artifacts.changed("a", "old text", "new text");
    let review = artifacts.review(30, 8);
    review.shows("new text");
    review.0.resize(Size { cols: 60, rows: 8 }).unwrap();
    assert!(review.shows("old text").contains("new text"));
    review.0.resize(Size { cols: 30, rows: 20 }).unwrap();
    review.shows("└────────────────────┘\n┌ new 20x3");
}

#[test]
fn smallest_terminals_do_not_panic() {
    let artifacts = ArtifactDir::new();
    artifacts.changed("a", "日本 old", "日木 new");
    let review = artifacts.review(80, 24);
    review.shows("1 of 1");
    for (cols, rows) in [(2, 1), (3, 2), (5, 3), (7, 4), (9, 6), (21, 12), (2, 40)] {
        review.0.resize(Size { cols, rows }).unwrap();
        review.press("v Tab d PageDown Left ? ?");
    }
    review.0.resize(Size { cols: 80, rows: 24 }).unwrap();
    review.shows("1 of 1  login / a");
    review.press("q");
    review.end();
}

#[test]
fn larger_snapshots_are_scrolled() {
    let artifacts = ArtifactDir::new();
    let size = Size {
        cols: 100,
        rows: 50,
    };
    let rows: String = (1..=50)
        .map(|row| format!("row-{row}\x1b[90Gend-{row}\r\n"))
        .collect();
    let old = rows.trim_end();
    let new = old
        .replace("end-40", "END-40")
        .replace("row-3\x1b", "ROW-3\x1b");
    artifacts.sized("a", size, Some(old), &new);
    let review = artifacts.review(80, 12);
    review.shows("ROW-3");
    review.press("d");
    let screen = review.shows("END-40");
    assert!(screen.contains("difference 2 of 2: row 40, columns 90 to 92: text"));
    review.press("Tab");
    review.shows("end-40");
    review.press("d");
    review.shows("row-3");
    review.press("G");
    review.shows("row-50");
    review.press("g PageDown");
    review.shows("rows 6 to 12 of 50, columns 1 to 80 of 100");
    review.press("D");
    review.shows("end-40");
}

#[test]
fn view_key_cycles_through_the_views() {
    let artifacts = ArtifactDir::new();
    artifacts.changed("a", "old text", "new text");
    let review = artifacts.review(80, 24);
    review.shows("old text");
    review.press("v v");
    review.shows(Condition::new("only new", |screen| {
        screen.contains("new text") && !screen.contains("old text")
    }));
    review.press("v");
    review.shows("in words");
    review.press("v");
    review.shows("old text");
}

#[test]
fn help_page_lists_every_key() {
    let artifacts = ArtifactDir::new();
    artifacts.changed("a", "old", "new");
    let review = artifacts.review(100, 24);
    review.shows("? help");
    review.press("?");
    let screen = review.shows("undo the last decision");
    assert!(
        screen.contains("Ctrl+C        abort without changes"),
        "{screen}"
    );
    // A decision key only closes the help.
    review.press("a");
    review.shows("accept 0");
    review.shows("old 20x3");
}

#[test]
fn readme_shows_the_real_layout() {
    let artifacts = ArtifactDir::new();
    let size = Size { cols: 30, rows: 4 };
    let page = |word: &str, color: u8| format!("{word}\r\n\n\x1b[{color}m[ OK ]\x1b[m  [ Cancel ]");
    artifacts.sized(
        "welcome",
        size,
        Some(&page("Log in", 32)),
        &page("Log on", 31),
    );
    artifacts.unknown("wrong", "x");
    let shown = artifacts.review(70, 11).shows("1 of 2");
    let readme = project_file("README.md");
    assert!(
        readme.contains(&format!("\n```text\n{shown}```\n")),
        "{shown}"
    );
}
