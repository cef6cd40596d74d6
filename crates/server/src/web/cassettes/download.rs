//! Endpoint that returns a cassette of any size as one file: the directory as `.tar.gz`, or an
//! asciicast.
//!
//! A thread writes the file as fast as the client reads. An error before the first chunk is an HTTP
//! error. A later one aborts the connection, so that a truncated file is not mistaken for a
//! complete one.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use screentest::core::Secrets;
use screentest::core::formats::cassette::{MANIFEST, NAMES};
use screentest::recording::Cassette;
use screentest::recording::cassette::CastOptions;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::timeout;

use super::index;
use crate::service::request_thread::run_on_thread;
use crate::web::Web;
use crate::web::auth::middleware::Access;
use crate::web::http::error::HttpError;
use crate::web::sessions::percent_encode;
use crate::wire::{ErrorCode, RpcError};

/// Size of a chunk, and how many chunks may wait for the client.
const CHUNK: usize = 64 << 10;
const MAX_PENDING_CHUNKS: usize = 4;

/// How long a client may read nothing before the download is aborted.
const STALL_TIMEOUT: Duration = Duration::from_secs(20);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DownloadFormat {
    TarGz,
    Cast,
}

impl DownloadFormat {
    fn parse(pairs: &[(String, String)]) -> Result<DownloadFormat, HttpError> {
        let mut format = DownloadFormat::TarGz;
        for (name, value) in pairs {
            format = match (name.as_str(), value.as_str()) {
                ("format", "tar.gz") => DownloadFormat::TarGz,
                ("format", "cast") => DownloadFormat::Cast,
                ("format", other) => {
                    return Err(HttpError::bad_request(format!(
                        "format: expected tar.gz or cast, not `{}`",
                        other.escape_debug()
                    )));
                }
                (other, _) => {
                    return Err(HttpError::bad_request(format!(
                        "unknown parameter `{}`: expected format",
                        other.escape_debug()
                    )));
                }
            };
        }
        Ok(format)
    }

    fn content_type(self) -> &'static str {
        match self {
            DownloadFormat::TarGz => "application/gzip",
            DownloadFormat::Cast => "application/x-asciicast",
        }
    }

    fn extension(self) -> &'static str {
        match self {
            DownloadFormat::TarGz => "tar.gz",
            DownloadFormat::Cast => "cast",
        }
    }
}

/// Returns a cassette as a file.
pub(crate) async fn download(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    Path(name): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Result<Response, HttpError> {
    let format = DownloadFormat::parse(&pairs)?;
    let requested = name.clone();
    let place = web.downloads.take(access.role);
    let place = place.map_err(|message| HttpError::new(StatusCode::TOO_MANY_REQUESTS, message))?;
    // The closure reads the whole cassette, so it holds the place, too, even if the client
    // disconnects.
    let cassette = web.run_blocking(move |service| {
        let cassette = index::open(service, &requested)?;
        check_secrets(&cassette, &service.secrets())?;
        Ok((cassette, place))
    });
    let (cassette, place) = cassette.await?;
    let file = format!("{}.{}", percent_encode(&name), format.extension());
    let (sender, mut chunks) = channel(MAX_PENDING_CHUNKS);
    let is_complete = Arc::new(AtomicBool::new(false));
    let complete = Arc::clone(&is_complete);
    // If no thread can be started, the channel is closed and the response ends too early.
    tokio::spawn(run_on_thread(access.role, move || {
        let _place = place;
        let mut out = ChunkWriter {
            sender: sender.clone(),
            buffer: Vec::with_capacity(CHUNK),
        };
        let written = match format {
            DownloadFormat::TarGz => write_tar(&cassette, &name, &mut out),
            DownloadFormat::Cast => cassette
                .write_cast(CastOptions::default(), &mut out)
                .map(drop)
                .map_err(io::Error::other),
        };
        match written.and_then(|()| out.flush()) {
            Ok(()) => complete.store(true, Ordering::SeqCst),
            // A client that is gone needs no error; one that reads gets a premature end.
            Err(error) => drop(sender.try_send(Err(error))),
        }
    }));
    let first = match chunks.recv().await {
        Some(Ok(first)) => first,
        Some(Err(error)) => {
            let message = format!("could not read the cassette: {error}");
            return Err(HttpError::new(StatusCode::UNPROCESSABLE_ENTITY, message));
        }
        None => Bytes::new(),
    };
    let headers = [
        (CONTENT_TYPE, format.content_type().to_owned()),
        (
            CONTENT_DISPOSITION,
            format!("attachment; filename*=UTF-8''{file}"),
        ),
    ];
    Ok((headers, body(first, chunks, is_complete)).into_response())
}

/// Fails if the cassette contains a secret of this server, in any form that a recording would
/// redact. The recorder may not have known it.
fn check_secrets(cassette: &Cassette, secrets: &Secrets) -> Result<(), RpcError> {
    if secrets.is_empty() {
        return Ok(());
    }
    let found = cassette
        .find_secret(secrets.rules())
        .map_err(|error| RpcError::with_cause("cassette", &error))?;
    match found {
        Some(found) => Err(RpcError::new(
            ErrorCode::Forbidden,
            format!(
                "the cassette contains the secret `{}`: make a redacted copy with `screentest cassette scrub`",
                found.rule
            ),
        )),
        None => Ok(()),
    }
}

/// Returns a streaming body. It fails if the chunks end before the file is complete.
fn body(first: Bytes, chunks: Receiver<io::Result<Bytes>>, is_complete: Arc<AtomicBool>) -> Body {
    let rest = futures_util::stream::unfold(
        (Some(Ok(first)), chunks, is_complete),
        |(first, mut chunks, is_complete)| async move {
            let chunk = match first {
                Some(first) => first,
                None => match chunks.recv().await {
                    Some(chunk) => chunk,
                    None if is_complete.swap(true, Ordering::SeqCst) => return None,
                    None => Err(io::ErrorKind::UnexpectedEof.into()),
                },
            };
            Some((chunk, (None, chunks, is_complete)))
        },
    );
    Body::from_stream(rest)
}

/// Writer that sends chunks to the body.
struct ChunkWriter {
    sender: Sender<io::Result<Bytes>>,
    buffer: Vec<u8>,
}

impl Write for ChunkWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(CHUNK - self.buffer.len());
        self.buffer.extend_from_slice(&bytes[..taken]);
        if self.buffer.len() == CHUNK {
            self.flush()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let chunk = std::mem::replace(&mut self.buffer, Vec::with_capacity(CHUNK));
        // Without the timeout, a client that reads nothing would occupy a download slot forever.
        let sent = timeout(STALL_TIMEOUT, self.sender.send(Ok(chunk.into())));
        match Handle::current().block_on(sent) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}

/// Writes the directory with the files of the format, and no others.
fn write_tar(cassette: &Cassette, name: &str, out: &mut ChunkWriter) -> io::Result<()> {
    let mut tar = tar::Builder::new(GzEncoder::new(out, Compression::fast()));
    for file in NAMES.iter().copied().chain([MANIFEST]) {
        let opened = cassette.file(file).map_err(io::Error::other)?;
        let length = opened.metadata()?.len();
        let mut header = tar::Header::new_gnu();
        header.set_size(length);
        header.set_mode(0o644);
        header.set_mtime(cassette.manifest().provenance.recorded_at.unwrap_or(0));
        header.set_cksum();
        tar.append_data(&mut header, format!("{name}/{file}"), opened.take(length))?;
    }
    tar.into_inner()?.finish()?;
    Ok(())
}
