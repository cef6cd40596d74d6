//! Login of browsers: a link that works once sets a cookie.

use std::sync::Arc;

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::header::{CONTENT_TYPE, SET_COOKIE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::service::client::Role;
use crate::web::Web;
use crate::web::auth::middleware::{Access, accepts_html, credentials};
use crate::web::blocking::require_write_access;
use crate::web::http::error::HttpError;

impl Web {
    /// Returns the name of the login cookie. Browsers send cookies to all ports of a host, so each
    /// server has its own name.
    pub(crate) fn cookie_name(&self) -> String {
        let port = self.hosts.primary().and_then(|host| host.rsplit_once(':'));
        format!("screentest-{}", port.map_or("socket", |(_, port)| port))
    }

    /// Creates a login link. Returns `None` if the server does not listen on the network.
    pub(crate) fn create_login_link(&self, role: Role) -> std::io::Result<Option<String>> {
        let Some(host) = self.hosts.primary() else {
            return Ok(None);
        };
        let code = self.auth.create_link(role)?;
        Ok(Some(format!("http://{host}/login?code={code}")))
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct LoginQuery {
    code: String,
}

/// The page that sets the cookie. An HTTP redirect would still count as a cross-site navigation, on
/// which browsers do not send the cookie (SameSite=Strict).
const LOGGED_IN_PAGE: &str = "<!doctype html><meta charset=utf-8><title>screentest</title>\
    <meta http-equiv=refresh content=\"0;url=/\"><a href=\"/\">screentest</a>";

const HTML: &str = "text/html; charset=utf-8";

/// Redeems the code of a link and sets the cookie.
pub(crate) async fn login(
    State(web): State<Arc<Web>>,
    method: Method,
    headers: HeaderMap,
    query: Result<Query<LoginQuery>, QueryRejection>,
) -> Result<Response, HttpError> {
    let Query(query) = query.map_err(|_| {
        HttpError::bad_request(
            "this link has no code: open the complete link that the server printed",
        )
    })?;
    if method == Method::HEAD {
        // Programs that preview links send HEAD requests. These must not use up the code, nor say
        // whether it is valid.
        return Ok(([(CONTENT_TYPE, HTML)], LOGGED_IN_PAGE).into_response());
    }
    // A valid code works even while other clients exceed the limit of failed logins.
    let redeemed = match web.auth.redeem_link(&query.code) {
        Some(redeemed) => redeemed,
        None if credentials(&web, &headers).is_some() => {
            // A client that is logged in stays logged in, for example when it reloads the page of
            // its link.
            return Ok(([(CONTENT_TYPE, HTML)], LOGGED_IN_PAGE).into_response());
        }
        None if !web.failed_login_limit.allow() => return Err(HttpError::rate_limited()),
        None => {
            let message = "this link was used already or has expired: press Enter in the server's terminal for another, \
                or run `screentest sessions --link` for the sessions of the shell";
            let error = HttpError::new(StatusCode::UNAUTHORIZED, message);
            return Err(error.with_html(accepts_html(&headers)));
        }
    };
    let (value, _) = redeemed.map_err(|error| HttpError::internal(error.to_string()))?;
    let cookie = format!(
        "{}={value}; Path=/; HttpOnly; SameSite=Strict",
        web.cookie_name()
    );
    let headers = [(SET_COOKIE, cookie.as_str()), (CONTENT_TYPE, HTML)];
    Ok((headers, LOGGED_IN_PAGE).into_response())
}

/// Returns the role of the client.
pub(crate) async fn me(Extension(access): Extension<Access>) -> Json<Value> {
    let role = match access.role {
        Role::Full => "touch",
        Role::ReadOnly => "look",
    };
    Json(json!({ "role": role }))
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct LinkBody {
    read_only: Option<bool>,
}

/// Creates a login link with at most the role of the client.
pub(crate) async fn link(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    body: Result<Option<Json<LinkBody>>, JsonRejection>,
) -> Result<Json<Value>, HttpError> {
    // New links replace the oldest, so read-only clients could invalidate those of others.
    require_write_access(access.role)?;
    let body = body?.map(|Json(body)| body).unwrap_or_default();
    let role = match body.read_only {
        Some(true) => Role::ReadOnly,
        _ => access.role,
    };
    let link = web
        .create_login_link(role)
        .map_err(|error| HttpError::internal(error.to_string()))?;
    let link = link.ok_or_else(|| {
        HttpError::new(
            StatusCode::CONFLICT,
            "this server does not listen on the network, so it has no login links",
        )
    })?;
    Ok(Json(json!({ "link": link })))
}
