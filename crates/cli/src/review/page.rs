//! How a review looks: a head that says where one stands, what is looked at, a foot that teaches the keys.
//!
//! Everything can be told without colour: bars and marks are drawn with reverse video and characters.

use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Wrap};
use screentest::core::Screen;

use super::comparison::Shown;
use super::keys::{FOOT, FOOT_DECIDED, FOOT_END, HELP};
use super::list::reason;
use super::pane::{BORDER, Pane, Sides};
use super::queue::{Decision, Walk};
use super::state::Desk;
use super::viewport::{Extent, Sight, Target, View};

/// The least lines of each screen that make it worth showing one above the other.
const WORTH: u16 = 3;

/// Draws everything.
pub(crate) fn draw(frame: &mut Frame<'_>, desk: &mut Desk) {
    let [head, state, body, foot] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    draw_head(frame, head, desk);
    draw_foot(frame, foot, desk);
    if desk.helps() {
        return draw_help(frame, body);
    }
    let said = desk.said();
    if desk.current().is_none() {
        return draw_decided(frame, body, desk);
    }
    let (shown, sight) = desk.shown();
    let mut views = Line::default();
    let described = match shown {
        Some(Ok(shown)) => {
            draw_shown(frame, body, shown, sight);
            views = names(sight);
            describe(shown, sight)
        }
        Some(Err(error)) => {
            let text = Text::from(vec![
                Line::default(),
                Line::from(format!(" {}", reason(error))),
                Line::default(),
                Line::from(" A new run of the test writes its files again.").dim(),
            ]);
            frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: false }), body);
            "broken: it can be rejected or skipped".to_owned()
        }
        None => return,
    };
    let line = match said {
        Some(said) => Line::from(format!(" {said}")).bold(),
        None => Line::from(format!(" {described}")),
    };
    let fits = line.width() + views.width() <= usize::from(state.width);
    frame.render_widget(Paragraph::new(line), state);
    if fits {
        draw_at_end(frame, state, views);
    }
}

fn draw_head(frame: &mut Frame<'_>, area: Rect, desk: &Desk) {
    let walk = desk.walk();
    let left = match (walk.place(), desk.current()) {
        (Some(place), Some(current)) => Line::from(vec![
            Span::from(format!(" {} of {}  ", place + 1, walk.total())),
            Span::from(format!("{} / {}", current.slug(), current.name())).bold(),
        ]),
        _ => Line::from(format!(" all {} decided", walk.total())),
    };
    let bar = Style::new().reversed();
    let used = left.width();
    frame.render_widget(Paragraph::new(left).style(bar), area);
    let right = tally(walk);
    if used + right.width() < usize::from(area.width) {
        draw_at_end(frame, area, right);
    }
}

fn tally(walk: &Walk) -> Line<'static> {
    let tally = walk.tally();
    Line::from(format!(
        "accept {}  reject {}  skip {} ",
        tally.accepted, tally.rejected, tally.skipped
    ))
}

fn draw_foot(frame: &mut Frame<'_>, area: Rect, desk: &Desk) {
    let width = usize::from(area.width);
    let (keys, end) = match desk.current() {
        Some(_) => (&FOOT[..], taught(&FOOT_END, width)),
        None => (&FOOT_DECIDED[..], Line::default()),
    };
    let keys = taught(keys, width.saturating_sub(end.width()));
    frame.render_widget(Paragraph::new(keys), area);
    draw_at_end(frame, area, end);
}

/// As many keys as there is room for.
fn taught(keys: &[(&'static str, &'static str)], width: usize) -> Line<'static> {
    let mut line = Line::default();
    for (key, name) in keys {
        let piece = [
            Span::from(format!(" {key} ")).bold(),
            Span::from(format!("{name} ")).dim(),
        ];
        if line.width() + piece.iter().map(Span::width).sum::<usize>() <= width {
            line.spans.extend(piece);
        }
    }
    line
}

/// The names of the views, with the one that is drawn.
fn names(sight: &Sight) -> Line<'static> {
    let mut line = Line::default();
    for view in View::ALL {
        let name = Span::from(format!(" {} ", view.name()));
        line.spans.push(match view == sight.drawn {
            true => name.reversed(),
            false => name.dim(),
        });
    }
    line.spans.push(Span::from(" "));
    line
}

fn draw_at_end(frame: &mut Frame<'_>, area: Rect, line: Line<'_>) {
    frame.render_widget(Paragraph::new(line).alignment(Alignment::Right), area);
}

/// What differs at the place that `d` has reached, and what else does.
fn describe(shown: &Shown, sight: &Sight) -> String {
    if shown.comparison.old.is_none() {
        return "there is no baseline yet".to_owned();
    }
    let count = shown.differences.len();
    let cells = shown.differences.get(sight.difference).map(|difference| {
        let number = sight.difference + 1;
        format!("difference {number} of {count}: {}", difference.describe())
    });
    let all: Vec<String> = cells.into_iter().chain(shown.others()).collect();
    match all.is_empty() {
        true => "no cell differs; the words say more".to_owned(),
        false => all.join("; "),
    }
}

fn draw_shown(frame: &mut Frame<'_>, area: Rect, shown: &Shown, sight: &mut Sight) {
    if sight.view == View::Words {
        sight.drawn = View::Words;
        return draw_words(frame, area, shown, sight);
    }
    let new = &shown.comparison.new;
    // Without a baseline there is only one to look at.
    let old = shown.comparison.old.as_ref();
    let size = shown.comparison.size();
    let lines = u16::try_from(shown.lines.len()).unwrap_or(u16::MAX);
    let height = lines.saturating_add(BORDER);
    let boxed = size.cols + BORDER;
    // A screen as wide as the terminal is seen whole where its box has no sides.
    let beside = [(boxed, Sides::Drawn, 0), (size.cols, Sides::Open, 1)]
        .into_iter()
        .find(|(width, _, gap)| width * 2 + gap <= area.width);
    let above = area.height / 2 >= WORTH + BORDER;
    let (drawn, screens): (View, Vec<(&str, &Screen)>) = match (sight.view, old) {
        (_, None) => (View::New, vec![("new", new)]),
        (View::Old, Some(old)) => (View::Old, vec![("old", old)]),
        (View::Both, Some(old)) if beside.is_some() || above => {
            (View::Both, vec![("old", old), ("new", new)])
        }
        _ => (View::New, vec![("new", new)]),
    };
    sight.drawn = drawn;
    let alone = match boxed <= area.width {
        true => (boxed, Sides::Drawn, 0),
        false => (size.cols.min(area.width), Sides::Open, 0),
    };
    let two = screens.len() == 2;
    let (width, sides, gap) = beside.filter(|_| two).unwrap_or(alone);
    let down = if two && beside.is_none() { 2 } else { 1 };
    let first = Rect {
        width,
        height: height.min(area.height / down),
        ..area
    };
    let window = Extent {
        lines: first.height.saturating_sub(BORDER).into(),
        cols: sides.inside(width).into(),
    };
    let whole = Extent {
        lines: shown.lines.len(),
        cols: size.cols.into(),
    };
    let target = shown.line_of(sight.difference).map(|line| Target {
        line,
        cols: shown.differences[sight.difference].cols.clone(),
    });
    let start = sight.fit(whole, window, target);
    for (index, (title, screen)) in (0..).zip(screens) {
        let pane = Pane {
            title,
            screen,
            shown,
            difference: sight.difference,
            start,
            sides,
        };
        let place = match down {
            2 => Rect {
                y: first.y + index * first.height,
                ..first
            },
            _ => Rect {
                x: first.x + index * (first.width + gap),
                ..first
            },
        };
        frame.render_widget(&pane, place);
    }
}

fn draw_words(frame: &mut Frame<'_>, area: Rect, shown: &Shown, sight: &mut Sight) {
    let cols = shown.words.iter().map(|line| Span::raw(line).width());
    let (line, col) = sight.fit(
        Extent {
            lines: shown.words.len(),
            // With the blank at the left.
            cols: cols.max().unwrap_or(0) + 1,
        },
        extent(area),
        None,
    );
    let seen = shown.words.iter().skip(line).take(area.height.into());
    let text: Vec<Line<'_>> = seen.map(|line| word_line(line)).collect();
    let text = Paragraph::new(text).scroll((0, u16::try_from(col).unwrap_or(u16::MAX)));
    frame.render_widget(text, area);
}

fn word_line(line: &str) -> Line<'static> {
    let shown = Line::from(format!(" {line}"));
    match line.trim_start().chars().next() {
        Some('-') => shown.fg(Color::Red),
        Some('+') => shown.fg(Color::Green),
        Some('^' | '~') => shown.fg(Color::Yellow).bold(),
        _ => shown,
    }
}

fn draw_help(frame: &mut Frame<'_>, area: Rect) {
    let mut text = vec![
        Line::from(" Marks stand below what differs: ^ text, ~ only its look."),
        Line::from(" Nothing is changed before the review is left. Any key goes back."),
        Line::default(),
    ];
    text.extend(HELP.iter().map(|(key, meaning)| {
        Line::from(vec![
            Span::from(format!("  {key:<12}  ")).bold(),
            Span::from(*meaning),
        ])
    }));
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: false }), area);
}

/// What will be done, once everything is decided.
fn draw_decided(frame: &mut Frame<'_>, area: Rect, desk: &mut Desk) {
    let lines: Vec<Line<'static>> = desk
        .decided()
        .map(|(pending, decision)| {
            let (word, color) = match decision {
                Decision::Accept(_) => ("accept", Color::Green),
                Decision::Reject => ("reject", Color::Red),
                Decision::Skip => ("skip", Color::Yellow),
            };
            let name = format!("{} / {}", pending.slug(), pending.name());
            Line::from(vec![
                Span::from(format!("  {word:<8}")).fg(color).bold(),
                Span::from(name),
            ])
        })
        .collect();
    let whole = Extent {
        lines: lines.len(),
        cols: 0,
    };
    let (line, _) = desk.sight.fit(whole, extent(area), None);
    let seen: Vec<_> = lines.into_iter().skip(line).collect();
    frame.render_widget(Paragraph::new(seen), area);
}

fn extent(area: Rect) -> Extent {
    Extent {
        lines: area.height.into(),
        cols: area.width.into(),
    }
}
