//! Endpoint that returns the screen and the scrollback of a session as binary snapshot, State JSON,
//! text or PNG.
//!
//! `viewportY` counts from the oldest row of the scrollback, so any range of rows can be requested.
//! The ETag contains the revision.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use screentest::Session;
use screentest::core::formats::{state_json, vt2};
use screentest::core::{Row, Secrets, State as TerminalState};

use crate::limits::MAX_ANSWER_BYTES;
use crate::method::StateResponse;
use crate::service::client::Role;
use crate::service::{Reservation, Service};
use crate::session::NamedSession;
use crate::session::screenshot::ScreenshotOptions;
use crate::web::Web;
use crate::web::auth::middleware::Access;
use crate::web::http::error::HttpError;
use crate::web::http::response::{ConditionalRequest, Content};
use crate::wire::answer::too_large;
use crate::wire::{Answer, RpcError};

/// The query of a request.
#[derive(Debug, Clone, Copy)]
struct BufferQuery {
    format: BufferFormat,
    first: Option<usize>,
    lines: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BufferFormat {
    Vt2,
    Json,
    Text,
    Png,
}

impl BufferQuery {
    fn parse(pairs: &[(String, String)]) -> Result<BufferQuery, HttpError> {
        let mut query = BufferQuery {
            format: BufferFormat::Vt2,
            first: None,
            lines: None,
        };
        for (name, value) in pairs {
            let number = || {
                value
                    .parse::<u32>()
                    .map(|number| number as usize)
                    .map_err(|_| {
                        HttpError::bad_request(format!(
                            "{name}: expected an integer from 0 to {}, not `{}`",
                            u32::MAX,
                            value.escape_debug()
                        ))
                    })
            };
            match name.as_str() {
                "viewportY" => query.first = Some(number()?),
                "lines" => query.lines = Some(number()?),
                "format" => {
                    query.format = match value.as_str() {
                        "vt2" => BufferFormat::Vt2,
                        "json" => BufferFormat::Json,
                        "text" => BufferFormat::Text,
                        "png" => BufferFormat::Png,
                        other => {
                            return Err(HttpError::bad_request(format!(
                                "format: expected one of vt2, json, text, png, not `{}`",
                                other.escape_debug()
                            )));
                        }
                    }
                }
                other => {
                    return Err(HttpError::bad_request(format!(
                        "unknown parameter `{}`: expected viewportY, lines or format",
                        other.escape_debug()
                    )));
                }
            }
        }
        query.check()
    }

    /// Fails for combinations that the format does not support.
    fn check(self) -> Result<BufferQuery, HttpError> {
        match (self.format, self.first, self.lines) {
            (BufferFormat::Json | BufferFormat::Png, Some(_), _) => Err(HttpError::bad_request(
                "viewportY: json and png contain only the viewport; use vt2 or text",
            )),
            (BufferFormat::Png, None, Some(_)) => Err(HttpError::bad_request(
                "lines: png contains only the viewport; use json, vt2 or text",
            )),
            _ => Ok(self),
        }
    }
}

/// A range of rows of scrollback and viewport.
struct RowRange {
    state: TerminalState,
    /// The index of the first row, counted from the oldest row of the scrollback.
    first: usize,
    rows: Vec<Arc<Row>>,
    memory: Reservation,
}

impl RowRange {
    fn read(
        service: &Service,
        role: Role,
        session: &Session,
        query: BufferQuery,
    ) -> Result<RowRange, RpcError> {
        let (mut state, mut memory) = service.state(role, session, 0)?;
        let whole = match query.format {
            // These formats show the viewport; JSON takes its scrollback separately.
            BufferFormat::Json | BufferFormat::Png => false,
            BufferFormat::Vt2 | BufferFormat::Text => true,
        };
        let reaches_up = query
            .first
            .is_some_and(|first| first < state.screen.scrollback_rows)
            || query
                .lines
                .is_some_and(|lines| query.first.is_none() && lines > state.screen.rows.len());
        if whole && reaches_up {
            (state, memory) = service.state(role, session, usize::MAX)?;
        }
        // Rows that are missing at the top were dropped from the scrollback meanwhile.
        let above = state.screen.scrollback_rows;
        let total = above + state.screen.rows.len();
        let lines = query.lines.unwrap_or(state.screen.rows.len());
        let first = query
            .first
            .unwrap_or_else(|| total.saturating_sub(lines))
            .min(total);
        let all = state.scrollback.iter().chain(&state.screen.rows);
        let skipped = first.saturating_sub(above - state.scrollback.len());
        let rows = all.skip(skipped).take(lines).cloned().collect();
        Ok(RowRange {
            state,
            first,
            rows,
            memory,
        })
    }
}

/// Returns a range of rows in the requested format.
pub(crate) async fn buffer(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    Path(id): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let query = BufferQuery::parse(&pairs)?;
    let request = ConditionalRequest::from_headers(&headers);
    let shared = Arc::clone(&web);
    let response = web.run_blocking(move |service| {
        let named = service.session(Some(&id))?;
        named.mark_used();
        let program = named.program_or_error("viewport sync")?;
        // The revision is read first, so the content may be newer than its ETag but not older. In
        // that case, the client requests it once more.
        let frame = program.session.frame();
        let version = format!(
            "{}-{}-{}-{:?}-{}-{}",
            shared.boot_id,
            named.unique_id(),
            program.revision(&frame),
            query.format,
            or_x(query.first),
            or_x(query.lines),
        );
        request.respond(&version, || {
            let range = RowRange::read(service, access.role, &program.session, query)?;
            encode(service, access.role, &named, &program.session, query, range)
        })
    });
    Ok(response.await?.into_response())
}

fn or_x(number: Option<usize>) -> String {
    number.map_or_else(|| "x".to_owned(), |number| number.to_string())
}

fn encode(
    service: &Service,
    role: Role,
    named: &NamedSession,
    session: &Session,
    query: BufferQuery,
    mut range: RowRange,
) -> Result<Content, RpcError> {
    // A cell has at least one byte as text. A snapshot takes less if neighbouring cells are equal,
    // but readers of snapshots accept no more cells either. Compressed content is a copy.
    let least: usize = range.rows.iter().map(|row| row.len()).sum();
    if least > MAX_ANSWER_BYTES {
        return Err(too_large());
    }
    range.memory.grow(4 * least)?;
    let (content_type, bytes) = match query.format {
        BufferFormat::Vt2 => {
            let palette = &range.state.screen.palette;
            let window = vt2::SnapshotWindow::of(&range.state.screen, range.first);
            let encoded =
                vt2::encode_rows(&range.rows, palette, window, vt2::HeaderLength::default());
            ("application/octet-stream", encoded.bytes)
        }
        BufferFormat::Text => {
            let lines: Vec<&str> = range.rows.iter().map(|row| row.text()).collect();
            (
                "text/plain; charset=utf-8",
                format!("{}\n", lines.join("\n")).into_bytes(),
            )
        }
        BufferFormat::Json => {
            let scrollback = query
                .lines
                .unwrap_or(0)
                .saturating_sub(range.state.screen.rows.len());
            let scrollback = scrollback.min(state_json::MAX_SCROLLBACK);
            drop(range);
            let (state, memory) = service.state(role, session, scrollback)?;
            let theme = named.tui().theme();
            let response = StateResponse::new(&state, memory, theme, scrollback)?;
            let memory = service.answer_memory.reservation(role);
            let answer = Answer::new(&response, &Secrets::default(), memory)?;
            ("application/json", answer.text().as_bytes().to_vec())
        }
        BufferFormat::Png => {
            let look = ScreenshotOptions {
                theme: named.tui().theme(),
                font: None,
            };
            ("image/png", service.draw(role, &range.state.screen, &look)?)
        }
    };
    if bytes.len() > MAX_ANSWER_BYTES {
        return Err(too_large());
    }
    Ok(Content {
        content_type,
        bytes,
    })
}
