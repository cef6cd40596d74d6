//! Responses with an ETag and compression.
//!
//! The ETag is built from the version of the content, so that nothing is generated or sent that the
//! client already has.

use std::io::Write;

use axum::body::Bytes;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Smaller contents are not compressed.
const MIN_COMPRESSED: usize = 256;

/// The content of a response.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) content_type: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// The headers of a request that determine how content is sent.
#[derive(Debug)]
pub(crate) struct ConditionalRequest {
    coding: ContentCoding,
    /// If-None-Match: the ETags that the client already has.
    known: Option<HeaderValue>,
}

impl ConditionalRequest {
    pub(crate) fn from_headers(headers: &HeaderMap) -> ConditionalRequest {
        ConditionalRequest {
            coding: ContentCoding::accepted(headers),
            known: headers.get(IF_NONE_MATCH).cloned(),
        }
    }

    /// Generates the content, unless the client already has this version.
    pub(crate) fn respond<E>(
        &self,
        version: &str,
        generate: impl FnOnce() -> Result<Content, E>,
    ) -> Result<ContentResponse, E> {
        let tag = format!("\"{version}-{:?}\"", self.coding);
        let is_known = self
            .known
            .as_ref()
            .is_some_and(|known| has_tag(known, &tag));
        let content = if is_known { None } else { Some(generate()?) };
        let compressed = content
            .as_ref()
            .and_then(|content| self.coding.compress(content));
        Ok(ContentResponse {
            tag,
            content,
            compressed,
        })
    }
}

/// Content, or 304 Not Modified.
#[derive(Debug)]
pub(crate) struct ContentResponse {
    tag: String,
    content: Option<Content>,
    /// Name of the content coding and the compressed content, if compressed.
    compressed: Option<(&'static str, Vec<u8>)>,
}

impl IntoResponse for ContentResponse {
    fn into_response(self) -> Response {
        let mut response = match self.content {
            None => StatusCode::NOT_MODIFIED.into_response(),
            Some(content) => {
                let (coding, bytes) = self.compressed.unzip();
                let bytes = Bytes::from(bytes.unwrap_or(content.bytes));
                let mut response = ([(CONTENT_TYPE, content.content_type)], bytes).into_response();
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

/// Whether an If-None-Match header contains a tag.
fn has_tag(known: &HeaderValue, tag: &str) -> bool {
    let Ok(known) = known.to_str() else {
        return false;
    };
    let mut tags = known.split(',').map(str::trim);
    tags.any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}

/// A content coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContentCoding {
    Plain,
    Gzip,
    Brotli,
}

impl ContentCoding {
    /// Returns the best coding that a client accepts.
    fn accepted(headers: &HeaderMap) -> ContentCoding {
        let lines = headers.get_all(ACCEPT_ENCODING).iter();
        let words = lines
            .filter_map(|line| line.to_str().ok())
            .flat_map(|line| line.split(','));
        let mut best = ContentCoding::Plain;
        for word in words {
            let (name, rest) = word.split_once(';').unwrap_or((word, ""));
            let quality = rest.trim().strip_prefix("q=").map(str::parse::<f32>);
            if matches!(quality, Some(Ok(0.0) | Err(_))) {
                continue;
            }
            best = match (name.trim().to_ascii_lowercase().as_str(), best) {
                ("br", _) => ContentCoding::Brotli,
                ("gzip", ContentCoding::Plain) => ContentCoding::Gzip,
                (_, best) => best,
            };
        }
        best
    }

    /// Compresses content. Returns the name of the coding, or `None` if it would save nothing.
    fn compress(self, content: &Content) -> Option<(&'static str, Vec<u8>)> {
        // Images are already compressed.
        if content.bytes.len() < MIN_COMPRESSED || content.content_type.starts_with("image/") {
            return None;
        }
        let (name, compressed) = match self {
            ContentCoding::Plain => return None,
            ContentCoding::Gzip => ("gzip", gzip(&content.bytes)?),
            ContentCoding::Brotli => ("br", brotli(&content.bytes)?),
        };
        (compressed.len() < content.bytes.len()).then_some((name, compressed))
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
    fn best_accepted_coding_is_chosen() {
        let accepted = |line: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(line));
            ContentCoding::accepted(&headers)
        };
        assert_eq!(accepted("gzip, deflate, br"), ContentCoding::Brotli);
        assert_eq!(accepted("gzip"), ContentCoding::Gzip);
        assert_eq!(accepted("br;q=0, GZIP;q=0.5"), ContentCoding::Gzip);
        assert_eq!(accepted("gzip;q=0"), ContentCoding::Plain);
        assert_eq!(accepted("identity"), ContentCoding::Plain);
        assert_eq!(
            ContentCoding::accepted(&HeaderMap::new()),
            ContentCoding::Plain
        );
    }

    #[test]
    fn tag_is_found_in_a_list_of_tags() {
        let known = HeaderValue::from_static("\"a\", W/\"b\"");
        assert!(has_tag(&known, "\"b\""));
        assert!(!has_tag(&known, "\"c\""));
        assert!(has_tag(&HeaderValue::from_static("*"), "\"c\""));
    }
}
