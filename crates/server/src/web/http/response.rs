//! A file in answer to a question: with a name of its own, and as small as whoever asks can take it.
//!
//! The name is of what the file shows, so that nothing is made or sent that the asker has already.

use std::io::Write;

use axum::body::Bytes;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Below this, nothing is won by making it smaller.
const WORTH_IT: usize = 256;

/// What is answered with.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) kind: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// Whoever asks.
#[derive(Debug)]
pub(crate) struct Asker {
    coding: Coding,
    /// What they have already.
    known: Option<HeaderValue>,
}

impl Asker {
    pub(crate) fn of(headers: &HeaderMap) -> Asker {
        Asker {
            coding: Coding::accepted(headers),
            known: headers.get(IF_NONE_MATCH).cloned(),
        }
    }

    /// Makes the file of that name, unless it is there already.
    pub(crate) fn answer<E>(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<File, E>,
    ) -> Result<Answer, E> {
        let tag = format!("\"{name}-{:?}\"", self.coding);
        let is_known = self
            .known
            .as_ref()
            .is_some_and(|known| has_tag(known, &tag));
        let file = match is_known {
            true => None,
            false => Some(make()?),
        };
        let smaller = file.as_ref().and_then(|file| self.coding.apply(file));
        Ok(Answer { tag, file, smaller })
    }
}

/// A file, or that it has not changed.
#[derive(Debug)]
pub(crate) struct Answer {
    tag: String,
    file: Option<File>,
    /// The file's bytes, smaller, and how that was done.
    smaller: Option<(&'static str, Vec<u8>)>,
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = match self.file {
            None => StatusCode::NOT_MODIFIED.into_response(),
            Some(file) => {
                let (coding, bytes) = self.smaller.unzip();
                let bytes = Bytes::from(bytes.unwrap_or(file.bytes));
                let mut response = ([(CONTENT_TYPE, file.kind)], bytes).into_response();
                if let Some(coding) = coding {
                    let coding = HeaderValue::from_static(coding);
                    response.headers_mut().insert(CONTENT_ENCODING, coding);
                }
                response
            }
        };
        let headers = response.headers_mut();
        headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        if let Ok(tag) = HeaderValue::from_str(&self.tag) {
            headers.insert(ETAG, tag);
        }
        response
    }
}

/// Whether a client has this already.
fn has_tag(known: &HeaderValue, tag: &str) -> bool {
    let Ok(known) = known.to_str() else {
        return false;
    };
    let mut tags = known.split(',').map(str::trim);
    tags.any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}

/// How an answer is made smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coding {
    Plain,
    Gzip,
    Brotli,
}

impl Coding {
    /// The best that a client takes.
    fn accepted(headers: &HeaderMap) -> Coding {
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

    /// A file's bytes made smaller, with the name of how, where that is worth it.
    fn apply(self, file: &File) -> Option<(&'static str, Vec<u8>)> {
        // A picture is small already.
        if file.bytes.len() < WORTH_IT || file.kind.starts_with("image/") {
            return None;
        }
        let (name, smaller) = match self {
            Coding::Plain => return None,
            Coding::Gzip => ("gzip", gzip(&file.bytes)?),
            Coding::Brotli => ("br", brotli(&file.bytes)?),
        };
        (smaller.len() < file.bytes.len()).then_some((name, smaller))
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
