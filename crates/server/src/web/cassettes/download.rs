//! A cassette as one file, however large it is: the folder as `.tar.gz`, or an asciicast.
//!
//! A thread writes while the client reads, and no faster. What goes wrong before the first piece is an answer; what goes wrong later ends the
//! connection, so that half a file is not taken for a whole one.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use screentest::Cassette;
use screentest::core::Secrets;
use screentest::core::formats::cassette::{MANIFEST, NAMES};
use screentest::recording::cassette::CastOptions;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::timeout;

use super::shelf;
use crate::web::Web;
use crate::web::refusal::Refusal;
use crate::web::sessions::encode;
use crate::wire::{ErrorCode, RpcError};

/// How much is sent at once, and how many such pieces may wait.
const PIECE: usize = 64 << 10;
const MOST_WAITING: usize = 4;

/// How long a reader may take nothing.
const STALLED: Duration = Duration::from_secs(20);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    TarGz,
    Cast,
}

impl Format {
    fn read(pairs: &[(String, String)]) -> Result<Format, Refusal> {
        let mut format = Format::TarGz;
        for (name, value) in pairs {
            format = match (name.as_str(), value.as_str()) {
                ("format", "tar.gz") => Format::TarGz,
                ("format", "cast") => Format::Cast,
                ("format", other) => {
                    return Err(Refusal::bad(format!(
                        "format: expected tar.gz or cast, not `{}`",
                        other.escape_debug()
                    )));
                }
                (other, _) => {
                    return Err(Refusal::bad(format!(
                        "`{}` is not asked here: format is",
                        other.escape_debug()
                    )));
                }
            };
        }
        Ok(format)
    }

    fn kind(self) -> &'static str {
        match self {
            Format::TarGz => "application/gzip",
            Format::Cast => "application/x-asciicast",
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Format::TarGz => "tar.gz",
            Format::Cast => "cast",
        }
    }
}

/// Answers with a cassette.
pub(crate) async fn download(
    State(web): State<Arc<Web>>,
    Path(name): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Result<Response, Refusal> {
    let format = Format::read(&pairs)?;
    let asked = name.clone();
    let cassette = web.do_blocking(move |service| {
        let cassette = shelf::open(service, &asked)?;
        check_secrets(&cassette, &service.secrets())?;
        Ok(cassette)
    });
    let cassette = cassette.await?;
    let Ok(permit) = Arc::clone(&web.downloads).try_acquire_owned() else {
        return Err(Refusal::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too many files are under way: wait for one of them",
        ));
    };
    let file = format!("{}.{}", encode(&name), format.ending());
    let (sender, mut pieces) = channel(MOST_WAITING);
    let is_whole = Arc::new(AtomicBool::new(false));
    let whole = Arc::clone(&is_whole);
    tokio::task::spawn_blocking(move || {
        let _permit = permit;
        let mut out = Pieces {
            sender: sender.clone(),
            waiting: Vec::with_capacity(PIECE),
        };
        let written = match format {
            Format::TarGz => write_tar(&cassette, &name, &mut out),
            Format::Cast => cassette
                .write_cast(CastOptions::default(), &mut out)
                .map(drop)
                .map_err(io::Error::other),
        };
        match written.and_then(|()| out.flush()) {
            Ok(()) => whole.store(true, Ordering::SeqCst),
            // Who went away does not want to know; who reads meets the end before it should come.
            Err(error) => drop(sender.try_send(Err(error))),
        }
    });
    let first = match pieces.recv().await {
        Some(Ok(first)) => first,
        Some(Err(error)) => {
            let words = format!("could not read the cassette: {error}");
            return Err(Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, words));
        }
        None => Bytes::new(),
    };
    let headers = [
        (CONTENT_TYPE, format.kind().to_owned()),
        (
            CONTENT_DISPOSITION,
            format!("attachment; filename*=UTF-8''{file}"),
        ),
    ];
    Ok((headers, body(first, pieces, is_whole)).into_response())
}

/// Whether it shows nothing that must not be shown: somebody may have recorded it who did not know of that.
fn check_secrets(cassette: &Cassette, secrets: &Secrets) -> Result<(), RpcError> {
    for name in secrets.names() {
        let value = secrets.value(name).unwrap_or_default().as_bytes();
        for file in NAMES.iter().copied().chain([MANIFEST]) {
            let opened = cassette
                .file(file)
                .map_err(|error| RpcError::with_cause("cassette", &error))?;
            let has_it =
                has(opened, value).map_err(|error| RpcError::with_cause("cassette", &error))?;
            if has_it {
                return Err(RpcError::new(
                    ErrorCode::Forbidden,
                    format!(
                        "it shows the secret `{name}`: `screentest cassette scrub` makes one that does not"
                    ),
                ));
            }
        }
    }
    Ok(())
}

/// Whether a file has these bytes somewhere.
fn has(mut file: impl Read, bytes: &[u8]) -> io::Result<bool> {
    let (mut kept, mut piece) = (Vec::new(), vec![0; PIECE]);
    loop {
        let count = file.read(&mut piece)?;
        if count == 0 || bytes.is_empty() {
            return Ok(false);
        }
        kept.extend_from_slice(&piece[..count]);
        if kept.windows(bytes.len()).any(|window| window == bytes) {
            return Ok(true);
        }
        // It may begin at the end of one piece.
        let rest = kept.len().saturating_sub(bytes.len() - 1);
        kept.drain(..rest);
    }
}

/// What is sent, piece by piece. An end that comes before all was written is a failure.
fn body(first: Bytes, pieces: Receiver<io::Result<Bytes>>, is_whole: Arc<AtomicBool>) -> Body {
    let rest = futures_util::stream::unfold(
        (Some(Ok(first)), pieces, is_whole),
        |(first, mut pieces, is_whole)| async move {
            let piece = match first {
                Some(first) => first,
                None => match pieces.recv().await {
                    Some(piece) => piece,
                    None if is_whole.swap(true, Ordering::SeqCst) => return None,
                    None => Err(io::ErrorKind::UnexpectedEof.into()),
                },
            };
            Some((piece, (None, pieces, is_whole)))
        },
    );
    Body::from_stream(rest)
}

/// Where a thread writes what is sent.
struct Pieces {
    sender: Sender<io::Result<Bytes>>,
    waiting: Vec<u8>,
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(PIECE - self.waiting.len());
        self.waiting.extend_from_slice(&bytes[..taken]);
        if self.waiting.len() == PIECE {
            self.flush()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let piece = std::mem::replace(&mut self.waiting, Vec::with_capacity(PIECE));
        // Who takes nothing for so long is gone, and others want to read too.
        let sent = timeout(STALLED, self.sender.send(Ok(piece.into())));
        match Handle::current().block_on(sent) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}

/// The folder, with the files that belong to it and no other.
fn write_tar(cassette: &Cassette, name: &str, out: &mut Pieces) -> io::Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_across_two_pieces_is_found() {
        let mut file = vec![b'.'; PIECE - 3];
        file.extend(b"secret");
        assert!(has(file.as_slice(), b"secret").unwrap());
        assert!(!has(file.as_slice(), b"secrets").unwrap());
        assert!(!has(&b""[..], b"secret").unwrap());
    }
}
