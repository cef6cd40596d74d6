//! Endpoint that returns the screens of a cassette in a time range, as messages of the live stream
//! with their times.
//!
//! Each response starts with a keyframe, the screen at the start of the range. A response that
//! would be too large ends early and names the time to continue from.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderName};
use axum::response::{IntoResponse, Response};
use screentest::core::Secrets;
use screentest::core::formats::stream::{self, MAX_NUMBER, WireScreen};
use screentest::recording::{Cassette, Moment, PlayError, Player};

use super::index;
use crate::web::Web;
use crate::web::auth::middleware::Access;
use crate::web::http::error::HttpError;
use crate::web::http::response::{ConditionalRequest, Content};
use crate::wire::RpcError;

/// Size at which a response ends early.
#[derive(Debug, Clone, Copy)]
struct ResponseLimit {
    bytes: usize,
    frames: u64,
}

/// Enough for a few seconds of a program that draws as fast as it can.
const LIMIT: ResponseLimit = ResponseLimit {
    bytes: 4 << 20,
    frames: 5000,
};

const NEXT_FROM: HeaderName = HeaderName::from_static("x-next-from");

/// A time range, in milliseconds.
#[derive(Debug, Clone, Copy)]
struct TimeRange {
    from: u64,
    to: u64,
}

impl TimeRange {
    fn parse(pairs: &[(String, String)]) -> Result<TimeRange, HttpError> {
        let mut range = TimeRange {
            from: 0,
            to: MAX_NUMBER,
        };
        for (name, value) in pairs {
            let number = value.parse::<u64>().ok().filter(|ms| *ms <= MAX_NUMBER);
            let number = number.ok_or_else(|| {
                HttpError::bad_request(format!(
                    "{name}: expected milliseconds from 0 to {MAX_NUMBER}, not `{}`",
                    value.escape_debug()
                ))
            });
            match name.as_str() {
                "from" => range.from = number?,
                "to" => range.to = number?,
                other => {
                    return Err(HttpError::bad_request(format!(
                        "unknown parameter `{}`: expected from or to",
                        other.escape_debug()
                    )));
                }
            }
        }
        if range.from <= range.to {
            Ok(range)
        } else {
            Err(HttpError::bad_request(format!(
                "from: {} is after `to`, {}",
                range.from, range.to
            )))
        }
    }
}

/// Returns the frames of a time range.
pub(crate) async fn frames(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    Path(name): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let range = TimeRange::parse(&pairs)?;
    let request = ConditionalRequest::from_headers(&headers);
    let response = web.run_blocking(move |service| {
        let cassette = index::open(service, &name)?;
        let id = cassette.manifest().id.escape_default();
        let mut next = None;
        let response = request.respond(&format!("{id}-{}-{}", range.from, range.to), || {
            let mut memory = service.answer_memory.reservation(access.role);
            memory.grow(LIMIT.bytes)?;
            let batch = FrameBatch::read(&cassette, range, &service.secrets(), LIMIT)
                .map_err(|error| RpcError::with_cause("cassette", &error))?;
            next = batch.next;
            Ok(Content {
                content_type: "application/octet-stream",
                bytes: batch.bytes,
            })
        })?;
        Ok((response, next))
    });
    let (response, next) = response.await?;
    let mut response = response.into_response();
    if let Some(next) = next {
        response.headers_mut().insert(NEXT_FROM, next.into());
    }
    Ok(response)
}

/// Factor of the response limit that frames of a single millisecond may reach.
const MAX_OVERRUN: usize = 4;

/// Encoded frames of a part of a cassette.
struct FrameBatch {
    bytes: Vec<u8>,
    /// The time to continue from.
    next: Option<u64>,
}

impl FrameBatch {
    fn read(
        cassette: &Cassette,
        range: TimeRange,
        secrets: &Secrets,
        limit: ResponseLimit,
    ) -> Result<FrameBatch, PlayError> {
        let mut player = Player::of_any_emulator(cassette)?;
        match player.seek(&Moment::Time(Duration::from_millis(range.from))) {
            // At a time before the first frame, the screen of the first frame counts as shown.
            Err(PlayError::NothingShown { .. }) => player.seek(&Moment::Start)?,
            shown => shown?,
        };
        let mut batch = FrameBatch {
            bytes: Vec::new(),
            next: None,
        };
        let mut before: Option<WireScreen> = None;
        let mut revision = 0;
        while let Some(screen) = player.screen() {
            // The cassette may come from a recorder without these secrets.
            let screen = if secrets.is_empty() {
                screen.clone()
            } else {
                secrets.screen(screen)
            };
            let seen = WireScreen::new(screen, 0);
            revision += 1;
            let message = match &before {
                Some(before) if before.screen().size == seen.screen().size => {
                    stream::delta(0, revision, revision - 1, before, &seen)
                }
                _ => stream::keyframe(0, revision, &seen),
            };
            push_varint(&mut batch.bytes, millis(player.time()).max(range.from));
            push_varint(&mut batch.bytes, message.len() as u64);
            batch.bytes.extend_from_slice(&message);
            before = Some(seen);
            let Some(next) = player.next_time()?.map(millis) else {
                break;
            };
            if next > range.to {
                break;
            }
            let full = batch.bytes.len() >= limit.bytes || revision >= limit.frames;
            // The next response starts at a whole millisecond, so this one must have advanced by at
            // least one.
            if full && next > range.from {
                batch.next = Some(next);
                break;
            }
            // No real program shows this much within one millisecond; the cassette is forged.
            if batch.bytes.len() >= MAX_OVERRUN * limit.bytes {
                break;
            }
            player.forward()?;
        }
        Ok(batch)
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(MAX_NUMBER)
}

/// Appends a varint, as in the stream.
fn push_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use screentest::Session;
    use screentest::clock::Clock;
    use screentest::core::Size;
    use screentest::core::formats::stream::{Viewer, apply, decode};
    use screentest::pty::scripted::ScriptedPty;
    use screentest::recording::RecordOptions;
    use screentest::session::SessionOptions;
    use screentest_fixtures::scratch::Scratch;

    use super::*;

    /// Reads a varint. Returns it with the remaining bytes.
    fn read_varint(bytes: &[u8]) -> (u64, &[u8]) {
        let end = bytes.iter().position(|byte| byte & 0x80 == 0).unwrap();
        let digits = bytes[..=end].iter().rev();
        let number = digits.fold(0, |number, byte| number << 7 | u64::from(byte & 0x7f));
        (number, &bytes[end + 1..])
    }

    /// Decodes the screens with their times.
    fn shown(batch: &FrameBatch) -> Vec<(u64, String)> {
        let mut view = Viewer::new(0);
        let mut shown = Vec::new();
        let mut rest = batch.bytes.as_slice();
        while !rest.is_empty() {
            let (time, after) = read_varint(rest);
            let (length, after) = read_varint(after);
            let (message, after) = after.split_at(length as usize);
            apply(&mut view, decode(message).unwrap()).unwrap();
            shown.push((time, view.seen().unwrap().screen().text()));
            rest = after;
        }
        shown
    }

    #[test]
    fn responses_of_any_size_show_the_same_frames() {
        let scratch = Scratch::new();
        let clock = Clock::manual();
        let options = SessionOptions {
            size: Size { cols: 20, rows: 3 },
            clock: clock.clone(),
            ..SessionOptions::default()
                .record(RecordOptions::new(scratch.path().join("x.cassette")))
        };
        let pty = ScriptedPty::new(options.size);
        let session = Session::over(Arc::new(pty.clone()), options).unwrap();
        for count in 0..40 {
            pty.print(format!("\r{count}").as_bytes());
            session.screen();
            if count == 20 {
                session.resize(Size { cols: 30, rows: 4 }).unwrap();
            }
            // Several frames within one millisecond, and some further apart.
            clock.advance(Duration::from_micros(if count % 4 == 0 {
                30_000
            } else {
                300
            }));
            session.record_mark("shown");
        }
        let path = session.finish_recording().unwrap().unwrap();
        let cassette = Cassette::open(&path).unwrap();
        let none = Secrets::default();
        let all = |from| {
            let range = TimeRange {
                from,
                to: MAX_NUMBER,
            };
            let batch = FrameBatch::read(&cassette, range, &none, LIMIT).unwrap();
            assert_eq!(batch.next, None);
            shown(&batch)
        };
        let whole = all(0);
        assert_eq!(whole.last().unwrap().1, "39\n");
        assert!(whole.len() >= 40, "{whole:?}");
        for frames in 1..6 {
            let limit = ResponseLimit { frames, ..LIMIT };
            let mut from = 0;
            let mut seen = Vec::new();
            loop {
                let range = TimeRange {
                    from,
                    to: MAX_NUMBER,
                };
                let batch = FrameBatch::read(&cassette, range, &none, limit).unwrap();
                let some = shown(&batch);
                // Starts with the screen of that time and continues like the complete response.
                assert!(all(from).starts_with(&some), "{frames} from {from}");
                seen.extend(some);
                match batch.next {
                    Some(next) => {
                        assert!(next > from);
                        from = next;
                    }
                    None => break,
                }
            }
            assert!(whole.iter().all(|frame| seen.contains(frame)), "{frames}");
            assert_eq!(seen.last(), whole.last());
        }
    }
}
