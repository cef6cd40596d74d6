//! Letting a person in: a link that works once becomes a cookie.

use std::sync::Arc;

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::header::{CONTENT_TYPE, SET_COOKIE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Web;
use super::ask::check_touch;
use super::guard::{Pass, credentials, wants_page};
use super::refusal::Refusal;
use crate::service::client::Role;

impl Web {
    /// Cookies of one machine are sent to all its ports: each server has its own.
    pub(crate) fn cookie_name(&self) -> String {
        let port = self.hosts.first().and_then(|host| host.rsplit_once(':'));
        format!("screentest-{}", port.map_or("socket", |(_, port)| port))
    }

    /// A link that works once.
    pub(crate) fn login_link(&self, role: Role) -> std::io::Result<Option<String>> {
        let Some(host) = self.hosts.first() else {
            return Ok(None);
        };
        let code = self.gate.link(role)?;
        Ok(Some(format!("http://{host}/login?code={code}")))
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Entry {
    code: String,
}

/// The page behind which the cookie is there: a redirection would still count as coming from elsewhere, and bring no cookie.
const ENTERED: &str = "<!doctype html><meta charset=utf-8><title>screentest</title>\
    <meta http-equiv=refresh content=\"0;url=/\"><a href=\"/\">screentest</a>";

const PAGE: &str = "text/html; charset=utf-8";

/// Takes the code of a link.
pub(crate) async fn enter(
    State(web): State<Arc<Web>>,
    headers: HeaderMap,
    entry: Result<Query<Entry>, QueryRejection>,
) -> Result<Response, Refusal> {
    let Query(entry) = entry.map_err(|_| {
        Refusal::bad("this link has no code: open the one that the server printed, as it is")
    })?;
    // Who has the right code comes in, however many others guess.
    let entered = match web.gate.enter(&entry.code) {
        Some(entered) => entered,
        None if credentials(&web, &headers).is_some() => {
            // Who is in already goes on, as when they load the page of a link again.
            return Ok(([(CONTENT_TYPE, PAGE)], ENTERED).into_response());
        }
        None if !web.guesses.take() => return Err(Refusal::too_often()),
        None => {
            let words = "this link was used already, or is too old: Enter in the server's terminal gives another, \
                `screentest sessions --link` one of the shell's sessions";
            let refusal = Refusal::new(StatusCode::UNAUTHORIZED, words);
            return Err(refusal.on_page(wants_page(&headers)));
        }
    };
    let (value, _) = entered.map_err(|error| Refusal::fault(error.to_string()))?;
    let cookie = format!(
        "{}={value}; Path=/; HttpOnly; SameSite=Strict",
        web.cookie_name()
    );
    let headers = [(SET_COOKIE, cookie.as_str()), (CONTENT_TYPE, PAGE)];
    Ok((headers, ENTERED).into_response())
}

/// What whoever asks may do.
pub(crate) async fn me(Extension(pass): Extension<Pass>) -> Json<Value> {
    let role = match pass.role {
        Role::Full => "touch",
        Role::ReadOnly => "look",
    };
    Json(json!({ "role": role }))
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Wanted {
    read_only: Option<bool>,
}

/// Makes another link, for who may do as much.
pub(crate) async fn link(
    State(web): State<Arc<Web>>,
    Extension(pass): Extension<Pass>,
    wanted: Result<Option<Json<Wanted>>, JsonRejection>,
) -> Result<Json<Value>, Refusal> {
    // Links make room for each other: who may only look is not to use up those of who may touch.
    check_touch(pass.role)?;
    let wanted = wanted?.map(|Json(wanted)| wanted).unwrap_or_default();
    let role = match wanted.read_only {
        Some(true) => Role::ReadOnly,
        _ => pass.role,
    };
    let link = web
        .login_link(role)
        .map_err(|error| Refusal::fault(error.to_string()))?;
    let link = link.ok_or_else(|| {
        Refusal::new(
            StatusCode::CONFLICT,
            "this server does not listen on the network, so that no link leads to it",
        )
    })?;
    Ok(Json(json!({ "link": link })))
}
