//! What a session shows, as a file: binary snapshot, State JSON, text or a picture.
//!
//! `viewportY` counts from the oldest row that is kept, so that any part of scrollback and viewport can be had. An answer is named by the revision
//! it shows.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use screentest::Session;
use screentest::core::formats::state_json::{self, StateJson};
use screentest::core::formats::vt2;
use screentest::core::{Row, State as Shown};

use super::Web;
use super::answer::{Asker, File};
use super::refusal::Refusal;
use crate::session::NamedSession;
use crate::session::screenshot::{ScreenshotOptions, draw_png};
use crate::wire::RpcError;

/// What was asked for.
#[derive(Debug, Clone, Copy)]
struct Wish {
    format: Format,
    first: Option<usize>,
    lines: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Vt2,
    Json,
    Text,
    Png,
}

impl Wish {
    fn read(pairs: &[(String, String)]) -> Result<Wish, Refusal> {
        let mut wish = Wish {
            format: Format::Vt2,
            first: None,
            lines: None,
        };
        for (name, value) in pairs {
            let number = || {
                value
                    .parse::<u32>()
                    .map(|number| number as usize)
                    .map_err(|_| {
                        Refusal::bad(format!(
                            "{name}: expected a whole number from 0 to {}, not `{}`",
                            u32::MAX,
                            value.escape_debug()
                        ))
                    })
            };
            match name.as_str() {
                "viewportY" => wish.first = Some(number()?),
                "lines" => wish.lines = Some(number()?),
                "format" => {
                    wish.format = match value.as_str() {
                        "vt2" => Format::Vt2,
                        "json" => Format::Json,
                        "text" => Format::Text,
                        "png" => Format::Png,
                        other => {
                            return Err(Refusal::bad(format!(
                                "format: expected one of vt2, json, text, png, not `{}`",
                                other.escape_debug()
                            )));
                        }
                    }
                }
                other => {
                    return Err(Refusal::bad(format!(
                        "`{}` is not asked here: viewportY, lines and format are",
                        other.escape_debug()
                    )));
                }
            }
        }
        wish.check()
    }

    /// Whether the format can show it.
    fn check(self) -> Result<Wish, Refusal> {
        match (self.format, self.first, self.lines) {
            (Format::Json | Format::Png, Some(_), _) => Err(Refusal::bad(
                "viewportY: json and png show the viewport; vt2 and text show any part",
            )),
            (Format::Png, None, Some(_)) => Err(Refusal::bad(
                "lines: png shows the viewport; json takes the rows above it too, vt2 and text show any part",
            )),
            _ => Ok(self),
        }
    }
}

/// A part of what is kept.
struct Part {
    state: Shown,
    /// Its first row, counted from the oldest that is kept.
    first: usize,
    rows: Vec<Arc<Row>>,
}

impl Part {
    fn of(session: &Session, wish: Wish) -> Part {
        let mut state = session.state(0);
        let whole = match wish.format {
            // These show a terminal: what is above the viewport belongs to it, or is not there.
            Format::Json | Format::Png => false,
            Format::Vt2 | Format::Text => true,
        };
        let reaches_up = wish
            .first
            .is_some_and(|first| first < state.screen.scrollback_rows)
            || wish
                .lines
                .is_some_and(|lines| wish.first.is_none() && lines > state.screen.rows.len());
        if whole && reaches_up {
            state = session.state(usize::MAX);
        }
        // What has scrolled out and is not here has been forgotten meanwhile.
        let above = state.screen.scrollback_rows;
        let total = above + state.screen.rows.len();
        let lines = wish.lines.unwrap_or(state.screen.rows.len());
        let first = wish
            .first
            .unwrap_or_else(|| total.saturating_sub(lines))
            .min(total);
        let kept = state.scrollback.iter().chain(&state.screen.rows);
        let skipped = first.saturating_sub(above - state.scrollback.len());
        let rows = kept.skip(skipped).take(lines).cloned().collect();
        Part { state, first, rows }
    }
}

/// Answers with a part of what is kept.
pub(crate) async fn read(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let wish = Wish::read(&pairs)?;
    let asker = Asker::of(&headers);
    let asked = Arc::clone(&web);
    let answer = web.do_blocking(move |service| {
        let stage = service.session(Some(&id))?;
        stage.mark_used();
        let program = stage.program_or_error("viewport sync")?;
        // The name is not newer than what is shown: at worst, a client asks once more.
        let frame = program.session.frame();
        let name = format!(
            "{}-{}-{}-{:?}-{}-{}",
            asked.boot,
            stage.unique_id(),
            program.revision(&frame),
            wish.format,
            number(wish.first),
            number(wish.lines),
        );
        asker.answer(&name, || make(&asked, &stage, &program.session, wish))
    });
    Ok(answer.await?.into_response())
}

fn number(number: Option<usize>) -> String {
    number.map_or_else(|| "x".to_owned(), |number| number.to_string())
}

fn make(web: &Web, stage: &NamedSession, session: &Session, wish: Wish) -> Result<File, RpcError> {
    let part = Part::of(session, wish);
    let (kind, bytes) = match wish.format {
        Format::Vt2 => {
            let window = vt2::Window::of(&part.state.screen, part.first);
            let encoded = vt2::encode_rows(&part.rows, window, vt2::Header::default());
            ("application/octet-stream", encoded.bytes)
        }
        Format::Text => {
            let lines: Vec<&str> = part.rows.iter().map(|row| row.text()).collect();
            (
                "text/plain; charset=utf-8",
                format!("{}\n", lines.join("\n")).into_bytes(),
            )
        }
        Format::Json => {
            let scrollback = wish
                .lines
                .unwrap_or(0)
                .saturating_sub(part.state.screen.rows.len());
            let scrollback = scrollback.min(state_json::MAX_SCROLLBACK);
            let options = state_json::Options {
                theme: stage.tui().theme(),
                scrollback,
            };
            let json = StateJson::from_state(&session.state(scrollback), &options);
            (
                "application/json",
                crate::wire::message::to_value(&json)
                    .to_string()
                    .into_bytes(),
            )
        }
        Format::Png => {
            let look = ScreenshotOptions {
                theme: stage.tui().theme(),
                font: None,
            };
            (
                "image/png",
                draw_png(&part.state.screen, &look, web.service.fonts()?)?,
            )
        }
    };
    Ok(File { kind, bytes })
}
