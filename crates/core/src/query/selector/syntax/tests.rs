//! Tests that the written form parses to the same selector, and that errors have the right place.

use crate::query::selector::{Relation, Styled};
use crate::random::{Random, rounds};
use crate::{Attributes, Color, Position, Rect, Rgb, Selector, Underline};

#[track_caller]
fn check(text: &str, selector: impl Into<Selector>, canonical: &str) {
    let selector = selector.into();
    assert_eq!(text.parse(), Ok(selector.clone()), "{text}");
    assert_eq!(selector.syntax().to_string(), canonical);
    assert_eq!(canonical.parse(), Ok(selector), "{canonical}");
}

#[track_caller]
fn wrong(text: &str, marked: &str, message: &str, hint: Option<&str>) {
    let error = text.parse::<Selector>().unwrap_err();
    assert_eq!(text.get(error.range.clone()), Some(marked), "{error}");
    assert_eq!(error.message, message);
    assert_eq!(error.hint.as_deref(), hint);
}

#[test]
fn a_text_may_have_any_quotes() {
    check(r#""Save""#, "Save", r#""Save""#);
    check("  'a \"b\" \\n'  ", "a \"b\" \\n", r#""a \"b\" \\n""#);
    check("`it's`", "it's", r#""it's""#);
    check(
        r#""a\n\t\u{1b}界\0""#,
        "a\n\t\u{1b}界\0",
        r#""a\n\t\u{1b}界\0""#,
    );
    check(r#""""#, "", r#""""#);
}

#[test]
fn an_expression_is_written_between_slashes() {
    let regex = |source| Selector::regex(source).unwrap();
    check(r"/\d+ items/", regex(r"\d+ items"), r"/\d+ items/");
    check(r"/a\/b/", regex("a/b"), r"/a\/b/");
    check(r#"regex "a/b""#, regex("a/b"), r"/a\/b/");
    check(r#"regex "a\\/b""#, regex(r"a\/b"), r#"regex "a\\/b""#);
    check(r#"regex """#, regex(""), r#"regex """#);
}

#[test]
fn other_selectors_start_with_a_keyword() {
    check(
        r#"pattern "a|b""#,
        Selector::pattern("a|b"),
        r#"pattern "a|b""#,
    );
    let at = Selector::at(Position { row: 2, col: 4 });
    check("at 3,5", at.clone(), "at 3,5");
    check("at 3, 5", at, "at 3,5");
    check(r#"link "x""#, Selector::link("x"), r#"link "x""#);
    check(
        r#"link containing "x""#,
        Selector::link_containing("x"),
        r#"link containing "x""#,
    );
    check("nothing", Selector::Any(vec![]), "nothing");
    check("any ('a')", Selector::Any(vec!["a".into()]), r#"any ("a")"#);
}

#[test]
fn a_style_is_a_list_of_requirements() {
    let new = Styled::new;
    check("styled bold", new().bold(), "styled bold");
    check("styled anyhow", new(), "styled anyhow");
    check(
        "styled rapid-blink, not faint, underlined, fg red, bg #0A0b0c, underline-color default",
        new()
            .with(Attributes::RAPID_BLINK)
            .without(Attributes::FAINT)
            .underlined()
            .fg(Color::Indexed(1))
            .bg(Color::Rgb(Rgb::new(10, 11, 12)))
            .underline_color(Color::Default),
        "styled rapid-blink, not faint, underlined, fg 1, bg #0a0b0c, underline-color default",
    );
    let curly = new().underline(Underline::Curly);
    check("styled underlined curly", curly, "styled underlined curly");
    let none = new().underline(Underline::None);
    check("styled not underlined", none, "styled not underlined");
    let bright = new().fg(Color::Indexed(15));
    check("styled fg bright-white", bright, "styled fg 15");
}

#[test]
fn a_qualifier_applies_to_everything_before_it() {
    let a = || Selector::exact("a");
    check("'a' nth 2", a().nth(2), r#""a" nth 2"#);
    check(
        "'a' on cursor row",
        a().on_cursor_row(),
        r#""a" on cursor row"#,
    );
    check(
        "'a' right of 'b' nth 0 below 'c'",
        a().right_of("b").nth(0).below("c"),
        r#""a" right of "b" nth 0 below "c""#,
    );
    check(
        "'a' left of 'b' above 'c'",
        Selector::exact("a").left_of("b").above("c"),
        r#""a" left of "b" above "c""#,
    );
    check(
        "'a' right of ('b' below 'c')",
        a().right_of(Selector::exact("b").below("c")),
        r#""a" right of ("b" below "c")"#,
    );
    check(
        "'a' inside styled bold, fg 1 apart from /x/",
        a().and(Styled::new().bold().fg(Color::Indexed(1)))
            .and_not(Selector::regex("x").unwrap()),
        r#""a" inside styled bold, fg 1 apart from /x/"#,
    );
    check("'a' holding 'b'", a().holding("b"), r#""a" holding "b""#);
    check("'a' near 3 'b'", a().near(3, "b"), r#""a" near 3 "b""#);
}

#[test]
fn or_binds_least() {
    let [a, b, c] = ["a", "b", "c"].map(Selector::exact);
    check(
        "'a' or 'b' nth 1 or 'c'",
        Selector::Any(vec![a.clone(), b.clone().nth(1), c.clone()]),
        r#""a" or "b" nth 1 or "c""#,
    );
    let either = a.or(b);
    check(
        "('a' or 'b') nth 1",
        either.clone().nth(1),
        r#"("a" or "b") nth 1"#,
    );
    check(
        "('a' or 'b') or 'c'",
        Selector::Any(vec![either, c]),
        r#"("a" or "b") or "c""#,
    );
}

#[test]
fn a_rectangle_is_rows_columns_or_a_corner_and_a_size() {
    let a = |rect| Selector::exact("a").within(rect);
    let rows = Rect::across(1..4);
    check("'a' in rows 2-4", a(rows), r#""a" in rows 2-4"#);
    check("'a' in row 2", a(Rect::across(1..2)), r#""a" in rows 2-2"#);
    let cols = Rect {
        row: 0,
        rows: usize::MAX,
        col: 0,
        cols: 10,
    };
    check("'a' in columns 1-10", a(cols), r#""a" in columns 1-10"#);
    let block = Rect {
        row: 0,
        col: 2,
        rows: 3,
        cols: 10,
    };
    check("'a' in 1,3 10x3", a(block), r#""a" in 1,3 10x3"#);
}

#[test]
fn errors_have_the_place_and_a_hint() {
    wrong(
        "",
        "",
        "expected a selector",
        Some("write a text in quotes, or an expression such as `/re/`"),
    );
    wrong(
        "Save",
        "Save",
        "`Save` is not a selector",
        Some("put quotes around a text: `\"Save\"`"),
    );
    wrong(
        "patern 'a'",
        "patern",
        "`patern` is not a selector",
        Some("did you mean `pattern`?"),
    );
    wrong(
        "containing 'a'",
        "containing",
        "`containing` is not a selector",
        Some("did you mean `link containing`?"),
    );
    wrong(
        "'a' rigth of 'b'",
        "rigth",
        "`rigth` is not part of a selector",
        Some("did you mean `right`?"),
    );
    wrong(
        "'a' right 'b'",
        "'",
        "expected `of` after `right`",
        Some("write `right of`"),
    );
    wrong("'a' nth -1", "-1", "`-1` is not an index, from 0", None);
    wrong(
        "'a' in rows 4-2",
        "4-2",
        "`4-2` ends before it begins",
        Some("write the smaller number first"),
    );
    wrong(
        "at 0,1",
        "0",
        "`0` is not a row or column (they count from 1)",
        None,
    );
    wrong(
        "'a' in 1,1 10",
        "10",
        "`10` is not a size",
        Some("write columns and rows, as in `10x3`"),
    );
    wrong("'a' nth", "", "expected an index, from 0", None);
    wrong("'a' nth x", "x", "`x` is not an index, from 0", None);
    wrong("'abc", "'abc", "the text has no closing `'`", None);
    wrong(
        "/abc ",
        "/abc",
        "the expression has no closing `/`",
        Some(r"write a slash inside it as `\/`"),
    );
    wrong("('a' ", "", "expected `)`", None);
    wrong(
        "styled bld",
        "bld",
        "`bld` is not a style",
        Some("did you mean `bold`?"),
    );
    wrong(
        "styled fg purple",
        "purple",
        "`purple` is not a colour",
        Some("write `default`, a number from 0 to 255, `red`, `bright-red` or `#ff8800`"),
    );
    let error = "/a(/".parse::<Selector>().unwrap_err();
    assert_eq!(error.range, 0..4);
    assert!(error.message.starts_with("invalid regular expression `a(`"));
    let error = r#""a\qb""#.parse::<Selector>().unwrap_err();
    assert_eq!(
        (error.range, error.message.as_str()),
        (2..4, "unknown escape in a text")
    );
}

#[test]
fn too_deep_nesting_is_an_error_and_no_crash() {
    let brackets = "(".repeat(100_000);
    let chain = format!("'a'{}", " nth 0".repeat(100_000));
    for text in [brackets, chain] {
        let error = text.parse::<Selector>().unwrap_err();
        assert_eq!(error.message, "the selector has more than 256 parts");
    }
}

fn selector(random: &mut Random, depth: usize) -> Selector {
    let kinds = if depth == 0 { 6 } else { 12 };
    let text = |random: &mut Random| -> String {
        let letters = [
            'a', '"', '\'', '`', '\\', '/', '\n', '界', '\u{301}', '\0', ' ', '{', '#',
        ];
        (0..random.below(5))
            .map(|_| *random.pick(&letters))
            .collect()
    };
    let number = |random: &mut Random| *random.pick(&[0, 1, 7, usize::MAX - 1, usize::MAX]);
    let other = |random: &mut Random| selector(random, depth - 1);
    match random.below(kinds) {
        0 => Selector::Exact(text(random)),
        1 => Selector::pattern(text(random)),
        2 => {
            let sources = ["a/b", r"a\/b", r"\\/", r"\d", "/", "", "x\ny"];
            Selector::regex(random.pick::<&str>(&sources)).unwrap()
        }
        3 => Selector::at(Position {
            row: number(random),
            col: number(random),
        }),
        4 => {
            let colors = [
                Color::Default,
                Color::Indexed(200),
                Color::Rgb(Rgb::new(1, 2, 3)),
            ];
            let lines = [Underline::None, Underline::Dashed, Underline::Single];
            let mut style =
                Styled::new().with(Attributes::from_bits_truncate(random.next() as u16));
            style = style.without(Attributes::from_bits_truncate(random.next() as u16));
            if random.one_in(2) {
                style = style.fg(*random.pick(&colors));
            }
            if random.one_in(2) {
                style = style.bg(*random.pick(&colors));
            }
            if random.one_in(3) {
                style = style.underline(*random.pick(&lines));
            }
            if random.one_in(3) {
                style = style.underlined();
            }
            if random.one_in(3) {
                style = style.underline_color(*random.pick(&colors));
            }
            style.into()
        }
        5 => {
            if random.one_in(2) {
                Selector::link(text(random))
            } else {
                Selector::link_containing(text(random))
            }
        }
        6 => {
            let rect = Rect {
                row: number(random),
                col: number(random),
                rows: number(random),
                cols: number(random),
            };
            other(random).within(rect)
        }
        7 => {
            let index = number(random);
            other(random).nth(index)
        }
        8 => other(random).on_cursor_row(),
        9 | 10 => Selector::Any((0..random.below(4)).map(|_| other(random)).collect()),
        _ => {
            let cells = number(random);
            let relations = [
                Relation::Inside,
                Relation::Holding,
                Relation::Apart,
                Relation::RightOf,
                Relation::Below,
                Relation::Near(cells),
            ];
            let relation = *random.pick(&relations);
            other(random).related(relation, other(random))
        }
    }
}

#[test]
fn selector_notations_parse_to_the_same_selector() {
    for seed in 0..rounds() {
        let mut random = Random::new(seed);
        let selector = selector(&mut random, 4);
        let text = selector.syntax().to_string();
        assert_eq!(text.parse(), Ok(selector), "{text}");
        // Damaged text may be anything, but parsing it ends.
        let damaged = random.damage(text.as_bytes());
        let damaged = String::from_utf8_lossy(&damaged);
        if let Err(error) = damaged.parse::<Selector>() {
            assert!(
                damaged.get(error.range.clone()).is_some(),
                "{damaged:?}: {error:?}"
            );
        }
    }
}
