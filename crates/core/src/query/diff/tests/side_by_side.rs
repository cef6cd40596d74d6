//! Tests of the side-by-side view.

use super::*;
use crate::Paint;
use crate::random::{Random, rounds};

/// Checks a view. `shown` starts with a line end, so that its first line can begin with spaces.
#[track_caller]
fn check(before: &[&str], after: &[&str], width: usize, paint: Paint, shown: &str) {
    let (before, after) = (screen(before), screen(after));
    let diff = Diff::between(&before, &after);
    let view = diff
        .side_by_side(&before, &after)
        .labels("expected", "actual")
        .width(width)
        .context(1)
        .paint(paint);
    assert_eq!(format!("\n{view}"), shown);
}

#[test]
fn differences_are_marked_in_both() {
    check(
        &["same", "hello world"],
        &["same", "hello there"],
        80,
        Paint::Plain,
        "
  ┌ expected ──┐ ┌ actual ────┐
1 │same        │ │same        │
2 │hello world │ │hello there │
  │      ^^^^^ │ │      ^^^^^ │
  └────────────┘ └────────────┘
",
    );
    check(&["a"], &["a"], 80, Paint::Plain, "\nno difference\n");
}

#[test]
fn a_wide_character_keeps_its_columns() {
    check(
        &["0123456789界"],
        &["0界3456789界"],
        80,
        Paint::Plain,
        "
  ┌ expected ──┐ ┌ actual ────┐
1 │0123456789界│ │0界3456789界│
  │ ^^         │ │ ^^         │
  └────────────┘ └────────────┘
",
    );
}

#[test]
fn style_differences_are_described_below() {
    check(
        &["abc"],
        &["a*bc"],
        80,
        Paint::Plain,
        "
  ┌ expected ──┐ ┌ actual ────┐
1 │abc         │ │abc         │
  │ ~          │ │ ~          │
  └────────────┘ └────────────┘
row 1, column 2: foreground default → 1, +bold
",
    );
}

#[test]
fn equal_rows_far_from_differences_are_left_out() {
    let mut before = vec!["x"; 12];
    let after = before.clone();
    before[5] = "y";
    before[11] = "z";
    check(
        &before,
        &after,
        80,
        Paint::Plain,
        "
   ┌ expected ──┐ ┌ actual ────┐
 ⋮ ┆            ┆ ┆            ┆
 5 │x           │ │x           │
 6 │y           │ │x           │
   │^           │ │^           │
 7 │x           │ │x           │
 ⋮ ┆            ┆ ┆            ┆
11 │x           │ │x           │
12 │z           │ │x           │
   │^           │ │^           │
   └────────────┘ └────────────┘
",
    );
}

#[test]
fn screens_that_do_not_fit_are_printed_one_above_the_other() {
    let above = "
  ┌ expected ┐
1 │a         │
  │^         │
  └──────────┘
  ┌ actual ──┐
1 │b         │
  │^         │
  └──────────┘
";
    check(&["a"], &["b"], 26, Paint::Plain, above);
    check(&["a"], &["b"], 0, Paint::Plain, above);
    // In a narrower view, empty columns at the right are left out first.
    let narrow = "
  ┌ expected ┐ ┌ actual ──┐
1 │a         │ │b         │
  │^         │ │^         │
  └──────────┘ └──────────┘
";
    check(&["a"], &["b"], 27, Paint::Plain, narrow);
    check(&["a"], &["b"], 30, Paint::Plain, narrow);
    let beside = "
  ┌ expected ──┐ ┌ actual ────┐
1 │a           │ │b           │
  │^           │ │^           │
  └────────────┘ └────────────┘
";
    check(&["a"], &["b"], 31, Paint::Plain, beside);
}

#[test]
fn a_screen_with_fewer_rows_ends_earlier() {
    check(
        &["a"],
        &["a", "b", "c"],
        80,
        Paint::Plain,
        "
size: 12x1 is now 12x3
  ┌ expected ──┐ ┌ actual ────┐
1 │a           │ │a           │
2 └────────────┘ │b           │
                 │^           │
3                │c           │
                 │^           │
                 └────────────┘
",
    );
    check(
        &["a", "b"],
        &["a"],
        80,
        Paint::Plain,
        "
size: 12x2 is now 12x1
  ┌ expected ──┐ ┌ actual ────┐
1 │a           │ │a           │
2 │b           │ └────────────┘
  │^           │
  └────────────┘
",
    );
}

#[test]
fn painted_cells_keep_their_style_unless_their_text_differs() {
    check(
        &["*ab_c"],
        &["*axc"],
        80,
        Paint::Ansi,
        "
  ┌ \x1b[0;31mexpected\x1b[0m ──┐ ┌ \x1b[0;32mactual\x1b[0m ────┐
1 │\x1b[0;1;31ma\x1b[0;7;31mb\x1b[0mc         │ │\x1b[0;1;31ma\x1b[0;7;32mx\x1b[0mc         │
  │\x1b[0;31m ^~\x1b[0m         │ │\x1b[0;32m ^~\x1b[0m         │
  └────────────┘ └────────────┘
row 1, column 3: link `https://example.org` → none
",
    );
}

#[test]
fn a_label_is_truncated_to_its_frame() {
    let (before, after) = (screen(&["a"]), screen(&["b"]));
    let diff = Diff::between(&before, &after);
    let view = diff.side_by_side(&before, &after);
    let top = |view: &SideBySide<'_>| view.to_string().lines().next().map(str::to_owned);
    let labelled = view.clone().labels("a very long label", "界界界界界界");
    assert_eq!(top(&labelled).unwrap(), "  ┌ a very lon ┐ ┌ 界界界界界 ┐");
    let labelled = view.labels("", "a\x1bb");
    assert_eq!(top(&labelled).unwrap(), "  ┌────────────┐ ┌ ab ────────┐");
}

#[test]
fn every_line_is_as_wide_as_the_frames() {
    for seed in 0..rounds() {
        let random = &mut Random::new(seed);
        let (before, after) = (random.screen(), random.screen());
        let diff = Diff::between(&before, &after);
        let view = diff.side_by_side(&before, &after).width(usize::MAX);
        let _ = view.clone().paint(Paint::Ansi).context(0).to_string();
        let _ = view.clone().width(0).context(usize::MAX).to_string();
        let shown = view.to_string();
        let width = |line: &str| -> usize {
            let mut emulator = crate::Backend::Vt.emulator(
                crate::Size {
                    cols: 4000,
                    rows: 1,
                },
                crate::emulator::EmulatorOptions::default(),
            );
            emulator.feed(line.as_bytes());
            emulator.screen().cursor.position.col
        };
        let Some(top) = shown.lines().find(|line| line.contains('┌')) else {
            continue;
        };
        let full = shown.lines().filter(|line| line.ends_with(['│', '┆', '┐']));
        for line in full.filter(|line| line.matches(['│', '┆']).count() == 4) {
            assert_eq!(width(line), width(top), "seed {seed}\n{shown}");
        }
    }
}
