//! Checks Host, Origin, credentials and rate limits of every request from the network before its
//! handler runs. Requests over the Unix socket need none of them.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, REFERRER_POLICY, UPGRADE,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::service::client::Role;
use crate::web::Web;
use crate::web::auth::hosts::Origin;
use crate::web::blocking::ROLE;
use crate::web::http::error::{HttpError, text_errors_as_json};
use crate::web::http::{body, unsent_body};

/// The transport that a request arrived on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    /// TCP, including loopback.
    Network,
    /// A Unix socket that only its owner can open.
    Socket,
}

/// The access rights of a request, which handlers read from its extensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Access {
    pub(crate) role: Role,
}

/// Content security policy: the page may load and connect to this server only, and may not be
/// framed.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Middleware: passes authorized requests on and adds the security headers to every response.
pub(crate) async fn check(
    State(web): State<Arc<Web>>,
    mut request: Request,
    next: Next,
) -> Response {
    let answered = match authorize(&web, &request) {
        Ok(access) => {
            if let Some(access) = access {
                request.extensions_mut().insert(access);
            }
            let role = access.map_or(Role::ReadOnly, |access| access.role);
            answer(&web, role, request, next).await
        }
        Err(error) => Err(error),
    };
    let mut response = answered.unwrap_or_else(IntoResponse::into_response);
    web.metrics.count_response(response.status());
    add_headers(response.headers_mut());
    response
}

/// Passes an authorized request on. The response holds the place of the request until it is sent.
async fn answer(
    web: &Web,
    role: Role,
    request: Request,
    next: Next,
) -> Result<Response, HttpError> {
    let place = web.unanswered.take(role);
    let place = place.map_err(|message| HttpError::new(StatusCode::TOO_MANY_REQUESTS, message))?;
    let request = body::read(request, role).await?;
    let response = ROLE.scope(role, next.run(request)).await;
    let response = text_errors_as_json(response).await;
    let memory = web.service.answer_memory.reservation(role);
    unsent_body::hold(response, place, memory)
}

/// Whether a path needs no credentials: the health check and the login.
fn is_public(path: &str) -> bool {
    matches!(path, "/healthz" | "/login")
}

fn authorize(web: &Web, request: &Request) -> Result<Option<Access>, HttpError> {
    let headers = request.headers();
    if request.extensions().get() == Some(&Transport::Socket) {
        // Only the owner can open the Unix socket, and browsers cannot use it.
        return Ok(Some(Access {
            role: web.auth.max_role(),
        }));
    }
    let Some(host) = web.hosts.host(headers) else {
        web.metrics.foreign.fetch_add(1, Ordering::Relaxed);
        return Err(HttpError::unknown_host());
    };
    if !is_addressed_to(host, request.uri()) {
        web.metrics.foreign.fetch_add(1, Ordering::Relaxed);
        return Err(HttpError::unknown_host());
    }
    let origin = web.hosts.origin(host, headers);
    if origin == Origin::Foreign {
        web.metrics.foreign.fetch_add(1, Ordering::Relaxed);
        return Err(HttpError::foreign_origin());
    }
    if is_public(request.uri().path()) {
        return if web.public_rate_limit.allow() {
            Ok(None)
        } else {
            Err(HttpError::rate_limited())
        };
    }
    let Some((role, source)) = credentials(web, headers) else {
        web.metrics.unauthorized.fetch_add(1, Ordering::Relaxed);
        // Requests without credentials do not count as failed logins.
        let is_guess = headers.contains_key(AUTHORIZATION) || headers.contains_key(COOKIE);
        return Err(if is_guess && !web.failed_login_limit.allow() {
            HttpError::rate_limited()
        } else {
            HttpError::unauthorized(accepts_html(headers))
        });
    };
    // Browsers also send the cookie with requests from pages of other ports of this host: SameSite
    // ignores the port. So requests that may change something must come from the server's own page.
    let is_read =
        matches!(*request.method(), Method::GET | Method::HEAD) && !headers.contains_key(UPGRADE);
    if source == CredentialSource::Cookie && !is_read && origin != Origin::Own {
        web.metrics.foreign.fetch_add(1, Ordering::Relaxed);
        return Err(HttpError::foreign_origin());
    }
    let limit = match role {
        Role::Full => &web.rate_limit,
        Role::ReadOnly => &web.read_only_rate_limit,
    };
    if !limit.allow() {
        return Err(HttpError::rate_limited());
    }
    Ok(Some(Access { role }))
}

/// Whether the target of a request is a path, or an address on the host that the request names.
fn is_addressed_to(host: &str, target: &Uri) -> bool {
    let authority = target.authority();
    authority.is_none_or(|authority| authority.as_str().eq_ignore_ascii_case(host))
}

/// How a client authenticated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CredentialSource {
    Header,
    Cookie,
}

pub(crate) fn credentials(web: &Web, headers: &HeaderMap) -> Option<(Role, CredentialSource)> {
    if let Some(value) = headers.get(AUTHORIZATION) {
        // An Authorization header takes precedence: with an invalid token, the cookie does not
        // count.
        let token = value.to_str().ok()?.split_once(' ')?;
        return if token.0.eq_ignore_ascii_case("bearer") {
            let role = web.auth.role_of_token(token.1.trim())?;
            Some((role, CredentialSource::Header))
        } else {
            None
        };
    }
    let name = web.cookie_name();
    let cookies = headers.get_all(COOKIE).iter();
    let values = cookies
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(key, _)| *key == name);
    // Another program on this host may have set a cookie of the same name, before or after ours.
    let role = values
        .filter_map(|(_, value)| web.auth.role_of_cookie(value))
        .max()?;
    Some((role, CredentialSource::Cookie))
}

/// Whether the client is a browser that shows the response as a page.
pub(crate) fn accepts_html(headers: &HeaderMap) -> bool {
    let accept = headers.get(axum::http::header::ACCEPT);
    accept.is_some_and(|accept| {
        accept
            .to_str()
            .is_ok_and(|accept| accept.contains("text/html"))
    })
}

/// Adds the headers that all responses have in common.
fn add_headers(headers: &mut HeaderMap) {
    let fixed: [(HeaderName, &'static str); 6] = [
        (CONTENT_SECURITY_POLICY, CONTENT_POLICY),
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
