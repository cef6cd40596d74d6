//! What a cassette shows, from one moment to another, as messages of the live stream with their times.
//!
//! An answer stands for itself: it begins with a whole screen, what was shown at its beginning. One that would be too large ends before, and says
//! from where to go on.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderName};
use axum::response::{IntoResponse, Response};
use screentest::core::Secrets;
use screentest::core::formats::stream::{self, MAX_NUMBER, Seen};
use screentest::{Cassette, Moment, PlayError, Player};

use super::shelf;
use crate::web::Web;
use crate::web::answer::{Asker, File};
use crate::web::refusal::Refusal;
use crate::wire::RpcError;

/// Where an answer ends that would be too large.
#[derive(Debug, Clone, Copy)]
struct Most {
    bytes: usize,
    frames: u64,
}

/// Some seconds of a program that draws as fast as it can.
const MOST: Most = Most {
    bytes: 4 << 20,
    frames: 5000,
};

const NEXT_FROM: HeaderName = HeaderName::from_static("x-next-from");

/// From when to when, in milliseconds.
#[derive(Debug, Clone, Copy)]
struct Span {
    from: u64,
    to: u64,
}

impl Span {
    fn read(pairs: &[(String, String)]) -> Result<Span, Refusal> {
        let mut span = Span {
            from: 0,
            to: MAX_NUMBER,
        };
        for (name, value) in pairs {
            let number = value.parse::<u64>().ok().filter(|ms| *ms <= MAX_NUMBER);
            let number = number.ok_or_else(|| {
                Refusal::bad(format!(
                    "{name}: expected whole milliseconds from 0 to {MAX_NUMBER}, not `{}`",
                    value.escape_debug()
                ))
            });
            match name.as_str() {
                "from" => span.from = number?,
                "to" => span.to = number?,
                other => {
                    return Err(Refusal::bad(format!(
                        "`{}` is not asked here: from and to are",
                        other.escape_debug()
                    )));
                }
            }
        }
        match span.from <= span.to {
            true => Ok(span),
            false => Err(Refusal::bad(format!(
                "from: {} is behind {}, where it should end",
                span.from, span.to
            ))),
        }
    }
}

/// Answers with what was shown.
pub(crate) async fn frames(
    State(web): State<Arc<Web>>,
    Path(name): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let span = Span::read(&pairs)?;
    let asker = Asker::of(&headers);
    let made = web.do_blocking(move |service| {
        let cassette = shelf::open(service, &name)?;
        let id = cassette.manifest().id.escape_default();
        let mut next = None;
        let answer = asker.answer(&format!("{id}-{}-{}", span.from, span.to), || {
            let part = Part::of(&cassette, span, &service.secrets(), MOST)
                .map_err(|error| RpcError::with_cause("cassette", &error))?;
            next = part.next;
            Ok(File {
                kind: "application/octet-stream",
                bytes: part.bytes,
            })
        })?;
        Ok((answer, next))
    });
    let (answer, next) = made.await?;
    let mut response = answer.into_response();
    if let Some(next) = next {
        response.headers_mut().insert(NEXT_FROM, next.into());
    }
    Ok(response)
}

/// How many times the most an answer has at the very most.
const TIMES_TOO_MUCH: usize = 4;

/// A part of what was shown.
struct Part {
    bytes: Vec<u8>,
    /// From where to go on.
    next: Option<u64>,
}

impl Part {
    fn of(
        cassette: &Cassette,
        span: Span,
        secrets: &Secrets,
        most: Most,
    ) -> Result<Part, PlayError> {
        let mut player = Player::of_any_emulator(cassette)?;
        match player.seek(&Moment::Time(Duration::from_millis(span.from))) {
            // What is shown first has been there from the start.
            Err(PlayError::NothingShown { .. }) => player.seek(&Moment::Start)?,
            shown => shown?,
        };
        let mut part = Part {
            bytes: Vec::new(),
            next: None,
        };
        let mut before: Option<Seen> = None;
        let mut revision = 0;
        while let Some(screen) = player.screen() {
            // Somebody else may have recorded it, who did not know of them.
            let screen = match secrets.is_empty() {
                true => screen.clone(),
                false => secrets.screen(screen),
            };
            let seen = Seen::new(screen, 0);
            revision += 1;
            let message = match &before {
                Some(before) if before.screen().size == seen.screen().size => {
                    stream::delta(0, revision, revision - 1, before, &seen)
                }
                _ => stream::keyframe(0, revision, &seen),
            };
            put(&mut part.bytes, millis(player.time()).max(span.from));
            put(&mut part.bytes, message.len() as u64);
            part.bytes.extend_from_slice(&message);
            before = Some(seen);
            let Some(next) = player.next_time()?.map(millis) else {
                break;
            };
            if next > span.to {
                break;
            }
            let full = part.bytes.len() >= most.bytes || revision >= most.frames;
            // It goes on from a whole millisecond, and so it must have come to another.
            if full && next > span.from {
                part.next = Some(next);
                break;
            }
            // More than so much within one millisecond no program shows; somebody made it up.
            if part.bytes.len() >= TIMES_TOO_MUCH * most.bytes {
                break;
            }
            player.forward()?;
        }
        Ok(part)
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(MAX_NUMBER)
}

/// A number as the stream writes them.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use screentest::core::Size;
    use screentest::core::formats::stream::{View, apply, decode};
    use screentest::pty::scripted::ScriptedPty;
    use screentest::{Clock, Options, RecordOptions, Session};
    use screentest_fixtures::scratch::Scratch;

    use super::*;

    /// A number as the stream writes them, and what follows.
    fn number(bytes: &[u8]) -> (u64, &[u8]) {
        let end = bytes.iter().position(|byte| byte & 0x80 == 0).unwrap();
        let digits = bytes[..=end].iter().rev();
        let number = digits.fold(0, |number, byte| number << 7 | u64::from(byte & 0x7f));
        (number, &bytes[end + 1..])
    }

    /// What is shown, and when.
    fn shown(part: &Part) -> Vec<(u64, String)> {
        let mut view = View::new(0);
        let mut shown = Vec::new();
        let mut rest = part.bytes.as_slice();
        while !rest.is_empty() {
            let (time, after) = number(rest);
            let (length, after) = number(after);
            let (message, after) = after.split_at(length as usize);
            apply(&mut view, decode(message).unwrap()).unwrap();
            shown.push((time, view.seen().unwrap().screen().text()));
            rest = after;
        }
        shown
    }

    #[test]
    fn parts_of_any_size_show_what_the_whole_shows() {
        let scratch = Scratch::new();
        let clock = Clock::manual();
        let options = Options {
            size: Size { cols: 20, rows: 3 },
            clock: clock.clone(),
            record: Some(RecordOptions::new(scratch.path().join("x.cassette"))),
            ..Options::default()
        };
        let pty = ScriptedPty::new(options.size);
        let session = Session::over(Arc::new(pty.clone()), options).unwrap();
        for count in 0..40 {
            pty.print(format!("\r{count}").as_bytes());
            session.screen();
            if count == 20 {
                session.resize(Size { cols: 30, rows: 4 }).unwrap();
            }
            // Several within a millisecond, and some further apart.
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
            let span = Span {
                from,
                to: MAX_NUMBER,
            };
            let part = Part::of(&cassette, span, &none, MOST).unwrap();
            assert_eq!(part.next, None);
            shown(&part)
        };
        let whole = all(0);
        assert_eq!(whole.last().unwrap().1, "39\n");
        assert!(whole.len() >= 40, "{whole:?}");
        for frames in 1..6 {
            let most = Most { frames, ..MOST };
            let mut from = 0;
            let mut seen = Vec::new();
            loop {
                let span = Span {
                    from,
                    to: MAX_NUMBER,
                };
                let part = Part::of(&cassette, span, &none, most).unwrap();
                let some = shown(&part);
                // It begins with what was shown by then, and goes on as the whole does.
                assert!(all(from).starts_with(&some), "{frames} from {from}");
                seen.extend(some);
                match part.next {
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
