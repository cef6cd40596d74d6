//! Properties that hold for every selector on every screen.

use crate::query::match_::MatchSpan;
use crate::query::selector::{Pattern, Regex, Relation, Styled};
use crate::random::{Random, rounds};
use crate::{Match, NearMiss, Position, Rect, Screen, Selector, Width};

/// Returns a piece of the screen's text, from one or two rows.
fn piece(random: &mut Random, screen: &Screen) -> String {
    let row = random.below(screen.rows.len());
    let mut text = screen.rows[row].text().to_owned();
    if let Some(next) = screen.row(row + 1)
        && random.one_in(3)
    {
        if screen.wraps_at(row).is_none() {
            text.push('\n');
        }
        text.push_str(next.text());
    }
    let skipped = random.below(text.chars().count() + 1);
    let taken = random.below(6);
    text.chars().skip(skipped).take(taken).collect()
}

fn rect(random: &mut Random, screen: &Screen) -> Rect {
    let mut below = |end: u16| random.below(usize::from(end) + 2);
    Rect {
        row: below(screen.size.rows),
        col: below(screen.size.cols),
        rows: below(screen.size.rows),
        cols: below(screen.size.cols),
    }
}

fn position(random: &mut Random, screen: &Screen) -> Position {
    Position {
        row: random.below(screen.size.rows.into()),
        col: random.below(screen.size.cols.into()),
    }
}

fn selector(random: &mut Random, screen: &Screen, regexes: &[Regex], depth: usize) -> Selector {
    let kinds = if depth == 0 { 6 } else { 11 };
    let other = |random: &mut Random| selector(random, screen, regexes, depth - 1);
    match random.below(kinds) {
        0 => Selector::Exact(piece(random, screen)),
        1 => Selector::At(position(random, screen)),
        2 => {
            let (one, two) = (piece(random, screen), piece(random, screen));
            let between = random.pick(&["", "|", ".*", "a|.*"]);
            Selector::Pattern(Pattern::new(one + between + &two))
        }
        3 => Selector::Regex(random.pick(regexes).clone()),
        4 => {
            let style = *screen.cell(position(random, screen)).style;
            let any = Styled::new();
            let styled = [
                any,
                any.fg(style.fg),
                any.bg(style.bg).with(style.attributes),
                any.without(style.attributes),
                any.underlined(),
            ];
            Selector::Styled(*random.pick(&styled))
        }
        5 => Selector::link_containing(*random.pick(&["", "example", "tmp"])),
        6 => other(random).within(rect(random, screen)),
        7 => {
            let index = random.below(3);
            other(random).nth(index)
        }
        8 => other(random).on_cursor_row(),
        9 => other(random).or(other(random)),
        _ => {
            let relation = *random.pick(&[
                Relation::Inside,
                Relation::Holding,
                Relation::Apart,
                Relation::RightOf,
                Relation::Below,
                Relation::Near(2),
            ]);
            other(random).related(relation, other(random))
        }
    }
}

fn regexes() -> Vec<Regex> {
    [
        r"\S+", ".", "a", r"[ab ]+", "(?s)b.*a", r"^.*$", r"\w*", "\u{301}",
    ]
    .map(|pattern| Regex::new(pattern).unwrap())
    .to_vec()
}

/// Returns whether matches may share cells because a simple pattern found them.
fn has_pattern(selector: &Selector) -> bool {
    match selector {
        Selector::Pattern(_) => true,
        Selector::Within(_, inner) | Selector::Nth(_, inner) | Selector::OnCursorRow(inner) => {
            has_pattern(inner)
        }
        Selector::Related(inner, ..) => has_pattern(inner),
        _ => false,
    }
}

fn check(screen: &Screen, found: &Match) {
    let whole = screen.size.rect();
    assert!(whole.contains(found.position()), "{found:?}");
    assert!(whole.contains(found.centre()), "{found:?}");
    assert!(found.cells().all(|cell| whole.contains(cell)), "{found:?}");
    let rows: Vec<usize> = found.spans().iter().map(|span| span.row).collect();
    let first = found.spans()[0].row;
    assert_eq!(rows, (first..first + rows.len()).collect::<Vec<_>>());
    let mut text = String::new();
    for MatchSpan { row, cols } in found.spans() {
        let is_cut = |col| screen.cell(Position { row: *row, col }).width == Width::Spacer;
        let cut = !cols.is_empty() && (is_cut(cols.start) || is_cut(cols.end));
        assert!(!cut, "{found:?} has half of a wide character");
        for col in cols.clone() {
            screen.cell(Position { row: *row, col }).push_to(&mut text);
        }
    }
    assert_eq!(found.text().replace('\n', ""), text);
}

#[test]
fn every_match_is_inside_the_screen_and_has_the_text_of_its_cells() {
    let regexes = regexes();
    let mut total = 0;
    for seed in 0..rounds() {
        let random = &mut Random::new(seed);
        let screen = random.screen();
        for _ in 0..8 {
            let selector = selector(random, &screen, &regexes, 2);
            let matches = selector.matches(&screen);
            let shown = || format!("seed {seed}: {selector:?} on\n{screen}{matches:#?}");
            matches.iter().for_each(|found| check(&screen, found));
            assert!(
                matches.is_sorted_by_key(Match::position),
                "{} is out of order",
                shown()
            );
            if !has_pattern(&selector) {
                let mut cells: Vec<_> = matches.iter().flat_map(Match::cells).collect();
                let all = cells.len();
                cells.sort();
                cells.dedup();
                assert_eq!(cells.len(), all, "{} share cells", shown());
            }
            total += matches.len();
        }
    }
    assert!(
        total > 10_000,
        "only {total} matches: too few to be significant"
    );
}

#[test]
fn every_text_on_a_screen_is_found() {
    for seed in 0..rounds() {
        let random = &mut Random::new(seed);
        let screen = random.screen();
        let text = piece(random, &screen);
        let matches = Selector::exact(&*text).matches(&screen);
        if screen.contains(&text) {
            assert!(!matches.is_empty(), "seed {seed}: {text:?} on\n{screen}");
        }
        for found in &matches {
            // Combining marks may make the match longer than the text, and a line end may be the
            // end of a wrapped row.
            let (found, text) = (found.text().replace('\n', ""), text.replace('\n', ""));
            assert!(found.contains(&text), "seed {seed}: {found:?}, {text:?}");
        }
    }
}

#[test]
fn every_near_miss_has_a_description_and_a_position_on_the_screen() {
    let regexes = regexes();
    let mut total = 0;
    for seed in 0..rounds() {
        let random = &mut Random::new(seed);
        let (screen, other) = (random.screen(), random.screen());
        // Text of another screen in capitals: often similar, rarely equal.
        let text = Selector::exact(piece(random, &other).to_uppercase());
        for selector in [text, selector(random, &other, &regexes, 2)] {
            if selector.is_visible(&screen) {
                continue;
            }
            for miss in selector.near_misses(&screen, &other.rows) {
                let said = miss.to_string();
                assert!(!said.is_empty(), "seed {seed}: {selector:?}");
                if let NearMiss::OtherCase(found)
                | NearMiss::OtherSpacing(found)
                | NearMiss::OverRows(found)
                | NearMiss::Similar(found) = &miss
                {
                    check(&screen, found);
                }
                total += 1;
            }
        }
    }
    assert!(
        total > 1000,
        "only {total} near misses: too few to be significant"
    );
}

#[test]
fn every_match_within_a_rectangle_is_inside_it() {
    let regexes = regexes();
    for seed in 0..rounds() {
        let random = &mut Random::new(seed);
        let screen = random.screen();
        let rect = rect(random, &screen);
        let selector = selector(random, &screen, &regexes, 1);
        for found in selector.clone().within(rect).matches(&screen) {
            let inside = found.cells().all(|cell| rect.contains(cell));
            let placed = rect.contains(found.position());
            assert!(inside && placed, "seed {seed}: {selector:?} in {rect}");
        }
    }
}
