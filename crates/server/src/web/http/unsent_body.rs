//! The body of a response until it is sent.
//!
//! It holds the place of its request and the memory of its bytes. It passes its bytes on in small
//! chunks: the connection buffers whole chunks, so it would take a large body at once, and the
//! memory would be released before the bytes are sent.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};

use crate::limits::UNRESERVED_BYTES;
use crate::service::Reservation;
use crate::web::http::error::HttpError;
use crate::web::http::limits::Place;

/// The largest chunk that is passed on at once.
const CHUNK: usize = 64 << 10;

/// A body that has not been sent completely.
struct UnsentBody {
    body: Body,
    /// The rest of a chunk.
    rest: Bytes,
    _place: Place,
    _memory: Reservation,
}

/// Makes a response hold a place and its memory until it is sent. Fails if the unsent responses of
/// the role use all of their memory.
pub(crate) fn hold(
    response: Response,
    place: Place,
    mut memory: Reservation,
) -> Result<Response, HttpError> {
    let length = response.body().size_hint().exact().unwrap_or(0);
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    if length > UNRESERVED_BYTES {
        memory.try_grow(length)?;
    }
    Ok(response.map(|body| {
        Body::new(UnsentBody {
            body,
            rest: Bytes::new(),
            _place: place,
            _memory: memory,
        })
    }))
}

impl HttpBody for UnsentBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            match Pin::new(&mut self.body).poll_frame(context) {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(bytes) => self.rest = bytes,
                    Err(frame) => return Poll::Ready(Some(Ok(frame))),
                },
                other => return other,
            }
        }
        let length = self.rest.len().min(CHUNK);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.len() as u64;
        let inner = self.body.size_hint();
        let mut hint = SizeHint::new();
        hint.set_lower(inner.lower() + rest);
        if let Some(upper) = inner.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}
