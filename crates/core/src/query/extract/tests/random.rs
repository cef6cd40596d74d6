//! Properties that hold for every screen.

use crate::query::selector::{Regex, Styled};
use crate::random::{Random, rounds};
use crate::{Match, Position, Rect, Screen, Selector, Width};

/// Characters that make lines, tables and choices likely.
const LIKELY: [&str; 19] = [
    "1. a", "> 2) b", "[3] ", " ", "  ", "   ", "|", "│", "─", "---", "+", "1", ">", ")", ":", "a",
    "世", "e\u{301}", "└",
];

fn screen(random: &mut Random) -> Screen {
    if random.one_in(2) {
        return random.screen();
    }
    let size = random.size();
    let mut bytes = String::new();
    for _ in 0..random.below(200) {
        match random.below(12) {
            0 => bytes += "\r\n",
            1 => bytes += *random.pick(&["\x1b[7m", "\x1b[44m", "\x1b[m", "\x1b[47m"]),
            _ => bytes += *random.pick(&LIKELY),
        }
    }
    super::screens::state(size.cols, size.rows, &bytes).screen
}

fn rect(random: &mut Random, screen: &Screen) -> Rect {
    let mut below = |end: u16| match random.below(9) {
        0 => usize::MAX,
        _ => random.below(usize::from(end) + 2),
    };
    Rect {
        row: below(screen.size.rows),
        col: below(screen.size.cols),
        rows: below(screen.size.rows),
        cols: below(screen.size.cols),
    }
}

/// Checks that a match is inside the rectangle, has whole characters, and begins and ends with
/// text.
#[track_caller]
fn check(screen: &Screen, rect: Rect, found: &Match) {
    assert!(found.cells().count() > 0, "{found:?}");
    let inside = |at| screen.size.rect().contains(at) && rect.contains(at);
    assert!(found.cells().all(inside), "{found:?} in {rect}\n{screen}");
    assert_eq!(found.text().trim(), found.text(), "{found:?}\n{screen}");
    for span in found.spans() {
        let is_cut = |col| screen.cell(Position { row: span.row, col }).width == Width::Spacer;
        let cut = is_cut(span.cols.start) || is_cut(span.cols.end);
        assert!(!cut, "{found:?} has half of a wide character\n{screen}");
    }
}

#[test]
fn every_result_is_text_on_the_screen() {
    let mut seen = [0; 4];
    for seed in 0..rounds() {
        let random = &mut Random::new(seed);
        let screen = screen(random);
        let whole = screen.size.rect();
        let part = rect(random, &screen);
        for rect in [whole, part] {
            for found in screen.highlighted_in(rect) {
                check(&screen, rect, &found);
                seen[0] += 1;
            }
            for choice in screen.choices_in(rect) {
                check(&screen, rect, &choice.label);
                seen[1] += 1;
            }
            screen.text_in(rect);
        }
        if let Some(found) = screen.highlighted_row() {
            check(&screen, whole, &found);
        }
        let words = Selector::styled(Styled::new());
        for label in [words.clone(), words.nth(1), Selector::exact("a")] {
            if let Some(found) = screen.value_of(&label) {
                check(&screen, whole, &found);
                seen[2] += 1;
            }
            let tables = [screen.table_under(&label), screen.table(["a"])];
            for table in tables.iter().flatten() {
                for row in &table.rows {
                    assert_eq!(row.cells().len(), table.columns.len());
                    for found in row.cells().iter().flatten() {
                        check(&screen, whole, found);
                        seen[3] += 1;
                    }
                }
            }
        }
    }
    assert!(
        seen.iter().all(|count| *count > 100),
        "{seen:?}: too few to be significant"
    );
}

#[test]
fn every_group_is_inside_its_match() {
    let regexes = [
        r"(\S)(\s*)(\S?)",
        "(a)|(?<b> +)",
        "((.)(.))*",
        r"(\u{301})?(.)",
    ];
    let regexes = regexes.map(|pattern| Regex::new(pattern).unwrap());
    let mut seen = 0;
    for seed in 0..rounds() {
        let random = &mut Random::new(seed);
        let screen = screen(random);
        let rect = rect(random, &screen);
        let regex = random.pick(&regexes);
        let found = screen.captures_in(rect, regex);
        let matches = Selector::Regex(regex.clone()).within(rect).matches(&screen);
        assert!(found.iter().map(|captures| captures.whole()).eq(&matches));
        for captures in &found {
            for group in captures.groups().iter().flatten() {
                let whole = captures.whole();
                assert!(
                    group.cells().all(|cell| whole.contains(cell)),
                    "seed {seed}"
                );
                seen += 1;
            }
        }
    }
    assert!(
        seen > 1_000,
        "only {seen} groups: too few to be significant"
    );
}

#[test]
fn commands_can_be_read_from_every_state() {
    let mut seen = 0;
    for seed in 0..rounds() {
        let state = Random::new(seed).state();
        seen += state.commands().len();
        assert_eq!(state.last_output(), state.last_command().map(|c| c.output));
    }
    assert!(
        seen > 1_000,
        "only {seen} commands: too few to be significant"
    );
}
