//! A cassette as one file, however large it is: the folder as `.tar.gz`, or an asciicast.
//!
//! A thread writes while the client reads, and no faster. What goes wrong before the first piece is an answer; what goes wrong later ends the
//! connection, so that half a file is not taken for a whole one.

use std::io::{self, Read, Write};
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use screentest::Cassette;
use screentest::cassette::CastOptions;
use screentest::core::formats::cassette::{MANIFEST, NAMES};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::shelf;
use crate::web::Web;
use crate::web::refusal::Refusal;
use crate::web::sessions::encode;

/// How much is sent at once, and how many such pieces may wait.
const PIECE: usize = 64 << 10;
const MOST_WAITING: usize = 4;

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
    let cassette = web.do_blocking(move |service| shelf::open(service, &asked));
    let cassette = cassette.await?;
    let Ok(permit) = Arc::clone(&web.downloads).try_acquire_owned() else {
        return Err(Refusal::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too many files are under way: wait for one of them",
        ));
    };
    let file = format!("{}.{}", encode(&name), format.ending());
    let (sender, mut pieces) = channel(MOST_WAITING);
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
        if let Err(error) = written.and_then(|()| out.flush()) {
            // Who went away does not want to know.
            let _ = sender.blocking_send(Err(error));
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
    Ok((headers, body(first, pieces)).into_response())
}

/// What is sent, piece by piece.
fn body(first: Bytes, pieces: Receiver<io::Result<Bytes>>) -> Body {
    let rest = futures_util::stream::unfold(
        (Some(Ok(first)), pieces),
        |(first, mut pieces)| async move {
            let piece = match first {
                Some(first) => first,
                None => pieces.recv().await?,
            };
            Some((piece, (None, pieces)))
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
        let sent = self.sender.blocking_send(Ok(piece.into()));
        sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
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
