//! Draws the review: a header with the position in the queue, the comparison, and a footer with the
//! keys.
//!
//! Nothing depends on colour: bars and marks are drawn with reverse video and characters.

use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Wrap};
use screentest::core::Screen;

use super::comparison::ComparisonView;
use super::keys::{FOOT, FOOT_DECIDED, FOOT_END, HELP};
use super::list::reason;
use super::pane::{BORDER, Pane, Sides};
use super::queue::{Decision, ReviewQueue};
use super::state::ReviewState;
use super::viewport::{Target, ViewExtent, ViewMode, Viewport};

/// The minimum number of lines per screen for showing one above the other.
const MIN_PANE_LINES: u16 = 3;

/// Draws the whole page.
pub(crate) fn draw(frame: &mut Frame<'_>, review_state: &mut ReviewState) {
    let [head, state, body, foot] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    draw_head(frame, head, review_state);
    draw_foot(frame, foot, review_state);
    if review_state.shows_help() {
        return draw_help(frame, body);
    }
    let message = review_state.message();
    if review_state.current().is_none() {
        return draw_decided(frame, body, review_state);
    }
    let (view, viewport) = review_state.comparison_and_viewport();
    let mut views = Line::default();
    let described = match view {
        Some(Ok(view)) => {
            draw_comparison(frame, body, view, viewport);
            views = view_names(viewport);
            describe(view, viewport)
        }
        Some(Err(error)) => {
            let text = Text::from(vec![
                Line::default(),
                Line::from(format!(" {}", reason(error))),
                Line::default(),
                Line::from(" Run the test again to write its files.").dim(),
            ]);
            frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: false }), body);
            "broken: reject or skip it".to_owned()
        }
        None => return,
    };
    let line = match message {
        Some(message) => Line::from(format!(" {message}")).bold(),
        None => Line::from(format!(" {described}")),
    };
    let fits = line.width() + views.width() <= usize::from(state.width);
    frame.render_widget(Paragraph::new(line), state);
    if fits {
        draw_at_end(frame, state, views);
    }
}

fn draw_head(frame: &mut Frame<'_>, area: Rect, review_state: &ReviewState) {
    let queue = review_state.queue();
    let left = match (queue.current(), review_state.current()) {
        (Some(place), Some(current)) => Line::from(vec![
            Span::from(format!(" {} of {}  ", place + 1, queue.total())),
            Span::from(format!("{} / {}", current.slug(), current.name())).bold(),
        ]),
        _ => Line::from(format!(" all {} decided", queue.total())),
    };
    let bar = Style::new().reversed();
    let used = left.width();
    frame.render_widget(Paragraph::new(left).style(bar), area);
    let right = counts(queue);
    if used + right.width() < usize::from(area.width) {
        draw_at_end(frame, area, right);
    }
}

fn counts(queue: &ReviewQueue) -> Line<'static> {
    let counts = queue.counts();
    Line::from(format!(
        "accept {}  reject {}  skip {} ",
        counts.accepted, counts.rejected, counts.skipped
    ))
}

fn draw_foot(frame: &mut Frame<'_>, area: Rect, review_state: &ReviewState) {
    let width = usize::from(area.width);
    let (keys, end) = match review_state.current() {
        Some(_) => (&FOOT[..], key_hints(&FOOT_END, width)),
        None => (&FOOT_DECIDED[..], Line::default()),
    };
    let keys = key_hints(keys, width.saturating_sub(end.width()));
    frame.render_widget(Paragraph::new(keys), area);
    draw_at_end(frame, area, end);
}

/// Returns as many keys as fit.
fn key_hints(keys: &[(&'static str, &'static str)], width: usize) -> Line<'static> {
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

/// Returns the names of the views; the drawn one is highlighted.
fn view_names(viewport: &Viewport) -> Line<'static> {
    let mut line = Line::default();
    for view in ViewMode::ALL {
        let name = Span::from(format!(" {} ", view.name()));
        line.spans.push(if view == viewport.drawn {
            name.reversed()
        } else {
            name.dim()
        });
    }
    line.spans.push(Span::from(" "));
    line
}

fn draw_at_end(frame: &mut Frame<'_>, area: Rect, line: Line<'_>) {
    frame.render_widget(Paragraph::new(line).alignment(Alignment::Right), area);
}

/// Describes the selected difference, and differences outside of the cells.
fn describe(view: &ComparisonView, viewport: &Viewport) -> String {
    if view.comparison.old.is_none() {
        return "no baseline yet".to_owned();
    }
    let count = view.differences.len();
    let cells = view.differences.get(viewport.difference).map(|difference| {
        let number = viewport.difference + 1;
        format!("difference {number} of {count}: {}", difference.describe())
    });
    let all: Vec<String> = cells.into_iter().chain(view.others()).collect();
    if all.is_empty() {
        "no cells differ; see the view `words`".to_owned()
    } else {
        all.join("; ")
    }
}

fn draw_comparison(
    frame: &mut Frame<'_>,
    area: Rect,
    view: &ComparisonView,
    viewport: &mut Viewport,
) {
    if viewport.view == ViewMode::Words {
        viewport.drawn = ViewMode::Words;
        return draw_words(frame, area, view, viewport);
    }
    let new = &view.comparison.new;
    // Without a baseline there is only one screen.
    let old = view.comparison.old.as_ref();
    let size = view.comparison.size();
    let lines = u16::try_from(view.lines.len()).unwrap_or(u16::MAX);
    let height = lines.saturating_add(BORDER);
    let boxed = size.cols + BORDER;
    // Two boxes without sides need three columns less: no side borders, but a gap.
    let beside = [(boxed, Sides::Drawn, 0), (size.cols, Sides::Open, 1)]
        .into_iter()
        .find(|(width, _, gap)| width * 2 + gap <= area.width);
    let above = area.height / 2 >= MIN_PANE_LINES + BORDER;
    let (drawn, screens): (ViewMode, Vec<(&str, &Screen)>) = match (viewport.view, old) {
        (_, None) => (ViewMode::New, vec![("new", new)]),
        (ViewMode::Old, Some(old)) => (ViewMode::Old, vec![("old", old)]),
        (ViewMode::Both, Some(old)) if beside.is_some() || above => {
            (ViewMode::Both, vec![("old", old), ("new", new)])
        }
        _ => (ViewMode::New, vec![("new", new)]),
    };
    viewport.drawn = drawn;
    let alone = if boxed <= area.width {
        (boxed, Sides::Drawn, 0)
    } else {
        (size.cols.min(area.width), Sides::Open, 0)
    };
    let two = screens.len() == 2;
    let (width, sides, gap) = beside.filter(|_| two).unwrap_or(alone);
    let down = if two && beside.is_none() { 2 } else { 1 };
    let first = Rect {
        width,
        height: height.min(area.height / down),
        ..area
    };
    let window = ViewExtent {
        lines: first.height.saturating_sub(BORDER).into(),
        cols: sides.inside(width).into(),
    };
    let content = ViewExtent {
        lines: view.lines.len(),
        cols: size.cols.into(),
    };
    let target = view.line_of(viewport.difference).map(|line| Target {
        line,
        cols: view.differences[viewport.difference].cols.clone(),
    });
    let start = viewport.fit(content, window, target);
    for (index, (title, screen)) in (0..).zip(screens) {
        let pane = Pane {
            title,
            screen,
            view,
            difference: viewport.difference,
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

fn draw_words(frame: &mut Frame<'_>, area: Rect, view: &ComparisonView, viewport: &mut Viewport) {
    let cols = view.words.iter().map(|line| Span::raw(line).width());
    let (line, col) = viewport.fit(
        ViewExtent {
            lines: view.words.len(),
            // Including the leading space.
            cols: cols.max().unwrap_or(0) + 1,
        },
        extent(area),
        None,
    );
    let visible = view.words.iter().skip(line).take(area.height.into());
    let text: Vec<Line<'_>> = visible.map(|line| word_line(line)).collect();
    let text = Paragraph::new(text).scroll((0, u16::try_from(col).unwrap_or(u16::MAX)));
    frame.render_widget(text, area);
}

fn word_line(line: &str) -> Line<'static> {
    let text = Line::from(format!(" {line}"));
    match line.trim_start().chars().next() {
        Some('-') => text.fg(Color::Red),
        Some('+') => text.fg(Color::Green),
        Some('^' | '~') => text.fg(Color::Yellow).bold(),
        _ => text,
    }
}

fn draw_help(frame: &mut Frame<'_>, area: Rect) {
    let mut text = vec![
        Line::from(" Marks below the differences: ^ text, ~ style only."),
        Line::from(" Decisions are applied when you quit. Press any key to go back."),
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

/// Draws the list of decisions, once there is one for each snapshot.
fn draw_decided(frame: &mut Frame<'_>, area: Rect, review_state: &mut ReviewState) {
    let lines: Vec<Line<'static>> = review_state
        .decisions()
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
    let content = ViewExtent {
        lines: lines.len(),
        cols: 0,
    };
    let (line, _) = review_state.viewport.fit(content, extent(area), None);
    let visible: Vec<_> = lines.into_iter().skip(line).collect();
    frame.render_widget(Paragraph::new(visible), area);
}

fn extent(area: Rect) -> ViewExtent {
    ViewExtent {
        lines: area.height.into(),
        cols: area.width.into(),
    }
}
