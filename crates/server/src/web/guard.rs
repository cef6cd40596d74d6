//! From where a request comes, and who sends it, before anything is done for it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, REFERRER_POLICY, UPGRADE,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::ask::ROLE;
use super::hosts::Origin;
use super::refusal::{Refusal, in_our_words};
use super::{Web, body};
use crate::service::client::Role;

/// Over what a request came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    /// The network, loopback too.
    Network,
    /// A socket that only its owner can open.
    Socket,
}

/// What whoever sent a request may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pass {
    pub(crate) role: Role,
}

/// The page may load what we serve and talk to us, and nothing else; nobody may put it into a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Lets a request through, or not.
pub(crate) async fn check(
    State(web): State<Arc<Web>>,
    mut request: Request,
    next: Next,
) -> Response {
    let mut response = match admit(&web, &request) {
        Ok(pass) => {
            let role = pass.map_or(Role::ReadOnly, |pass| pass.role);
            if let Some(pass) = pass {
                request.extensions_mut().insert(pass);
            }
            match body::read(request).await {
                Ok(request) => in_our_words(ROLE.scope(role, next.run(request)).await).await,
                Err(refusal) => refusal.into_response(),
            }
        }
        Err(refusal) => refusal.into_response(),
    };
    web.metrics.answered(response.status());
    dress(response.headers_mut());
    response
}

/// What may be asked without a pass: whether the server is there, and to be let in.
fn is_open(path: &str) -> bool {
    matches!(path, "/healthz" | "/login")
}

fn admit(web: &Web, request: &Request) -> Result<Option<Pass>, Refusal> {
    let headers = request.headers();
    if request.extensions().get() == Some(&Line::Socket) {
        // The owner of the machine's account asks; but no browser comes this way.
        return Ok(Some(Pass {
            role: web.gate.most(),
        }));
    }
    if !web.hosts.is_ours(headers) {
        web.metrics.foreign.fetch_add(1, Ordering::Relaxed);
        return Err(Refusal::misdirected());
    }
    let origin = web.hosts.origin(headers);
    if origin == Origin::Foreign {
        web.metrics.foreign.fetch_add(1, Ordering::Relaxed);
        return Err(Refusal::foreign());
    }
    if is_open(request.uri().path()) {
        return match web.open_rate.take() {
            true => Ok(None),
            false => Err(Refusal::too_often()),
        };
    }
    let Some((role, how)) = credentials(web, headers) else {
        web.metrics.unknown.fetch_add(1, Ordering::Relaxed);
        // Who brings nothing does not guess.
        let guesses = headers.contains_key(AUTHORIZATION) || headers.contains_key(COOKIE);
        return Err(match guesses && !web.guesses.take() {
            true => Refusal::too_often(),
            false => Refusal::unknown(wants_page(headers)),
        });
    };
    // A browser sends a cookie for whatever page asks; only our own page may do more than look at pages with it.
    let is_plain =
        matches!(*request.method(), Method::GET | Method::HEAD) && !headers.contains_key(UPGRADE);
    if how == How::Cookie && !is_plain && origin != Origin::Ours {
        web.metrics.foreign.fetch_add(1, Ordering::Relaxed);
        return Err(Refusal::foreign());
    }
    let rate = match role {
        Role::Full => &web.rate,
        Role::ReadOnly => &web.look_rate,
    };
    if !rate.take() {
        return Err(Refusal::too_often());
    }
    Ok(Some(Pass { role }))
}

/// How somebody showed who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    Header,
    Cookie,
}

pub(super) fn credentials(web: &Web, headers: &HeaderMap) -> Option<(Role, How)> {
    if let Some(value) = headers.get(AUTHORIZATION) {
        // Who says who they are by a header is not somebody else by a cookie.
        let token = value.to_str().ok()?.split_once(' ')?;
        return match token.0.eq_ignore_ascii_case("bearer") {
            true => Some((web.gate.by_token(token.1.trim())?, How::Header)),
            false => None,
        };
    }
    let name = web.cookie_name();
    let cookies = headers.get_all(COOKIE).iter();
    let mut values = cookies
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    let (_, value) = values.find(|(key, _)| *key == name)?;
    Some((web.gate.by_cookie(value)?, How::Cookie))
}

/// Whether a person looks at the answer.
pub(super) fn wants_page(headers: &HeaderMap) -> bool {
    let accept = headers.get(axum::http::header::ACCEPT);
    accept.is_some_and(|accept| {
        accept
            .to_str()
            .is_ok_and(|accept| accept.contains("text/html"))
    })
}

/// What every answer says to a browser.
fn dress(headers: &mut HeaderMap) {
    let fixed: [(HeaderName, &'static str); 6] = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
}
