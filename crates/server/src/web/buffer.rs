//! What a session shows, as a file: binary snapshot, State JSON, text or a picture.
//!
//! `viewportY` counts from the oldest row that is kept, so that any part of scrollback and viewport can be had. An answer names the revision it
//! shows; who has it already is told so instead.

use std::io::Write;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use screentest::Session;
use screentest::core::formats::state_json::{self, StateJson};
use screentest::core::formats::vt2;
use screentest::core::{Row, State as Shown};

use super::Web;
use super::refusal::Refusal;
use crate::picture::{Look, draw_png};
use crate::stage::Stage;
use crate::wire::Failure;

/// Below this, nothing is won by making it smaller.
const WORTH_IT: usize = 256;

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
    let coding = Coding::accepted(&headers);
    let known = headers.get(IF_NONE_MATCH).cloned();
    let asked = Arc::clone(&web);
    let made = web.do_blocking(move |service| {
        let stage = service.stage(Some(&id))?;
        stage.use_now();
        let program = stage.running("viewport sync")?;
        // The tag is not newer than what is shown: at worst, a client asks once more.
        let frame = program.session.frame();
        let tag = format!(
            "\"{}-{}-{}-{:?}-{}-{}-{coding:?}\"",
            asked.boot,
            stage.number(),
            program.revision(&frame),
            wish.format,
            number(wish.first),
            number(wish.lines),
        );
        if known.is_some_and(|known| has_tag(&known, &tag)) {
            return Ok((tag, None));
        }
        let (kind, bytes) = make(&asked, &stage, &program.session, wish)?;
        let (coding, bytes) = coding.apply(kind, bytes);
        Ok((tag, Some((kind, coding, bytes))))
    });
    let (tag, made) = made.await?;
    let mut response = match made {
        None => StatusCode::NOT_MODIFIED.into_response(),
        Some((kind, coding, bytes)) => {
            let mut response = ([(CONTENT_TYPE, kind)], Bytes::from(bytes)).into_response();
            if let Some(coding) = coding {
                response
                    .headers_mut()
                    .insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
            }
            response
        }
    };
    let headers = response.headers_mut();
    headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    Ok(response)
}

fn number(number: Option<usize>) -> String {
    number.map_or_else(|| "x".to_owned(), |number| number.to_string())
}

/// Whether a client has this already.
pub(super) fn has_tag(known: &HeaderValue, tag: &str) -> bool {
    let Ok(known) = known.to_str() else {
        return false;
    };
    let mut tags = known.split(',').map(str::trim);
    tags.any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}

fn make(
    web: &Web,
    stage: &Stage,
    session: &Session,
    wish: Wish,
) -> Result<(&'static str, Vec<u8>), Failure> {
    let part = Part::of(session, wish);
    Ok(match wish.format {
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
                crate::wire::message::value(&json).to_string().into_bytes(),
            )
        }
        Format::Png => {
            let look = Look {
                theme: stage.tui().theme(),
                font: None,
            };
            (
                "image/png",
                draw_png(&part.state.screen, &look, web.service.fonts()?)?,
            )
        }
    })
}

/// How an answer is made smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coding {
    Plain,
    Gzip,
    Brotli,
}

impl Coding {
    /// The best that a client takes.
    pub(super) fn accepted(headers: &HeaderMap) -> Coding {
        let lines = headers.get_all(ACCEPT_ENCODING).iter();
        let words = lines
            .filter_map(|line| line.to_str().ok())
            .flat_map(|line| line.split(','));
        let mut best = Coding::Plain;
        for word in words {
            let (name, rest) = word.split_once(';').unwrap_or((word, ""));
            let quality = rest.trim().strip_prefix("q=").map(str::parse::<f32>);
            if matches!(quality, Some(Ok(0.0) | Err(_))) {
                continue;
            }
            best = match (name.trim().to_ascii_lowercase().as_str(), best) {
                ("br", _) => Coding::Brotli,
                ("gzip", Coding::Plain) => Coding::Gzip,
                (_, best) => best,
            };
        }
        best
    }

    pub(super) fn apply(self, kind: &str, bytes: Vec<u8>) -> (Option<&'static str>, Vec<u8>) {
        // A picture is small already.
        if bytes.len() < WORTH_IT || kind.starts_with("image/") {
            return (None, bytes);
        }
        let smaller = match self {
            Coding::Plain => None,
            Coding::Gzip => gzip(&bytes).map(|smaller| ("gzip", smaller)),
            Coding::Brotli => brotli(&bytes).map(|smaller| ("br", smaller)),
        };
        match smaller {
            Some((name, smaller)) if smaller.len() < bytes.len() => (Some(name), smaller),
            _ => (None, bytes),
        }
    }
}

fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

fn brotli(bytes: &[u8]) -> Option<Vec<u8>> {
    // Quality 4 takes about as long as gzip does.
    let mut encoder = brotli::CompressorWriter::new(Vec::new(), 4096, 4, 18);
    encoder.write_all(bytes).ok()?;
    encoder.flush().ok()?;
    Some(encoder.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_that_a_client_takes_is_taken() {
        let accepted = |line: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(line));
            Coding::accepted(&headers)
        };
        assert_eq!(accepted("gzip, deflate, br"), Coding::Brotli);
        assert_eq!(accepted("gzip"), Coding::Gzip);
        assert_eq!(accepted("br;q=0, GZIP;q=0.5"), Coding::Gzip);
        assert_eq!(accepted("gzip;q=0"), Coding::Plain);
        assert_eq!(accepted("identity"), Coding::Plain);
        assert_eq!(Coding::accepted(&HeaderMap::new()), Coding::Plain);
    }

    #[test]
    fn a_tag_is_known_among_others() {
        let known = HeaderValue::from_static("\"a\", W/\"b\"");
        assert!(has_tag(&known, "\"b\""));
        assert!(!has_tag(&known, "\"c\""));
        assert!(has_tag(&HeaderValue::from_static("*"), "\"c\""));
    }
}
