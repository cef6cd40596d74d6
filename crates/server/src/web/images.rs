//! Endpoints that return an image of a screen as PNG, by the hash of its content. The live stream
//! and the frames of a cassette name images by their hashes.
//!
//! A hash names the same content forever, so that browsers need not request it again.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use screentest::core::{ImageHash, Screen};
use screentest::recording::{Moment, Player};
use screentest::render::image_png;

use crate::service::Service;
use crate::service::client::Role;
use crate::web::Web;
use crate::web::auth::middleware::Access;
use crate::web::cassettes::open;
use crate::web::http::error::HttpError;
use crate::web::http::response::{ConditionalRequest, Content};
use crate::wire::{ErrorCode, RpcError};

/// Returns an image of the current screen of a session.
pub(crate) async fn of_session(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    Path((id, hash)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let hash = parse(&hash)?;
    let request = ConditionalRequest::from_headers(&headers);
    let response = web.run_blocking(move |service| {
        let stage = service.session(Some(&id))?;
        let program = stage.program_or_error("images")?;
        let frame = program.session.shown();
        request.respond(&hash.to_hex(), || {
            encode(service, access.role, &frame.screen, hash)
        })
    });
    Ok(cached(response.await?))
}

/// Returns an image of a cassette. `at` is a time at which it is shown, in milliseconds.
pub(crate) async fn of_cassette(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    Path((name, hash)): Path<(String, String)>,
    Query(pairs): Query<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let hash = parse(&hash)?;
    let at = moment(&pairs)?;
    let request = ConditionalRequest::from_headers(&headers);
    let response = web.run_blocking(move |service| {
        let cassette = open(service, &name)?;
        request.respond(&hash.to_hex(), || {
            let failed = |error| RpcError::with_cause("cassette", &error);
            let mut player = Player::of_any_emulator(&cassette).map_err(failed)?;
            player.seek(&Moment::Time(at)).map_err(failed)?;
            let screen = player.screen_with_images();
            let screen = screen.ok_or_else(|| not_found(hash))?;
            encode(service, access.role, &screen, hash)
        })
    });
    Ok(cached(response.await?))
}

fn parse(hash: &str) -> Result<ImageHash, HttpError> {
    ImageHash::from_hex(hash).ok_or_else(|| {
        HttpError::bad_request(format!(
            "`{}` is not the hash of an image: expected 64 hexadecimal digits",
            hash.escape_debug()
        ))
    })
}

fn moment(pairs: &[(String, String)]) -> Result<Duration, HttpError> {
    match pairs {
        [(name, value)] if name == "at" => {
            let ms: Option<u32> = value.parse().ok();
            let ms = ms.ok_or_else(|| {
                HttpError::bad_request(format!(
                    "at: expected milliseconds, not `{}`",
                    value.escape_debug()
                ))
            })?;
            Ok(Duration::from_millis(ms.into()))
        }
        _ => Err(HttpError::bad_request(
            "expected the parameter `at`, a time in milliseconds",
        )),
    }
}

fn encode(
    service: &Service,
    role: Role,
    screen: &Screen,
    hash: ImageHash,
) -> Result<Content, RpcError> {
    let mut images = screen.images.iter();
    let found = images.find(|placed| placed.image.hash() == hash);
    let image = &found.ok_or_else(|| not_found(hash))?.image;
    let mut memory = service.answer_memory.reservation(role);
    // The decoded pixels, and the file, which is not larger.
    memory.grow(image.size().pixels() as usize * 8)?;
    let bytes = image_png(image).ok_or_else(|| {
        RpcError::new(
            ErrorCode::NoSession,
            format!("the image {hash} cannot be decoded"),
        )
    })?;
    Ok(Content {
        content_type: "image/png",
        bytes,
    })
}

fn not_found(hash: ImageHash) -> RpcError {
    RpcError::new(
        ErrorCode::NoSession,
        format!("the screen has no image {hash}"),
    )
}

fn cached(response: impl IntoResponse) -> Response {
    let mut response = response.into_response();
    let forever = HeaderValue::from_static("private, max-age=31536000, immutable");
    response.headers_mut().insert(CACHE_CONTROL, forever);
    response
}
