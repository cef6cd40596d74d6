//! Counters of a server, in the text format of Prometheus.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::web::Web;

/// The counters.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Responses, by the first digit of their status.
    responses: [AtomicU64; 6],
    /// Requests with a foreign Host or Origin, and socket connections of other users.
    pub(crate) foreign: AtomicU64,
    /// Requests without valid credentials.
    pub(crate) unauthorized: AtomicU64,
    /// Connections that could not be accepted.
    pub(crate) failed_accepts: AtomicU64,
    /// Attempts to open a session, including failed ones.
    pub(crate) session_attempts: AtomicU64,
    pub(crate) sessions_opened: AtomicU64,
    pub(crate) viewers: AtomicI64,
    /// Notified when a viewer has left.
    pub(crate) viewer_left: Notify,
    pub(crate) keyframes: AtomicU64,
    pub(crate) deltas: AtomicU64,
    pub(crate) streamed_bytes: AtomicU64,
}

impl Metrics {
    pub(crate) fn count_response(&self, status: StatusCode) {
        let class = usize::from(status.as_u16() / 100).min(self.responses.len() - 1);
        self.responses[class].fetch_add(1, Ordering::Relaxed);
    }

    fn text(&self, open: usize) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail, here and below.
        let mut line = |name: &str, kind: &str, help: &str, values: &[(&str, String)]| {
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
            for (labels, value) in values {
                let _ = writeln!(text, "{name}{labels} {value}");
            }
        };
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed).to_string();
        line(
            "screentest_sessions",
            "gauge",
            "Open sessions.",
            &[("", open.to_string())],
        );
        line(
            "screentest_sessions_opened_total",
            "counter",
            "Sessions opened with POST /api/sessions since the start.",
            &[("", count(&self.sessions_opened))],
        );
        line(
            "screentest_viewers",
            "gauge",
            "Connected viewers of live streams.",
            &[("", self.viewers.load(Ordering::Relaxed).to_string())],
        );
        line(
            "screentest_stream_messages_total",
            "counter",
            "Screens sent to viewers.",
            &[
                ("{kind=\"keyframe\"}", count(&self.keyframes)),
                ("{kind=\"delta\"}", count(&self.deltas)),
            ],
        );
        line(
            "screentest_stream_bytes_total",
            "counter",
            "Bytes of screens sent to viewers.",
            &[("", count(&self.streamed_bytes))],
        );
        line(
            "screentest_http_answers_total",
            "counter",
            "HTTP responses by status class.",
            &[
                ("{class=\"1xx\"}", count(&self.responses[1])),
                ("{class=\"2xx\"}", count(&self.responses[2])),
                ("{class=\"3xx\"}", count(&self.responses[3])),
                ("{class=\"4xx\"}", count(&self.responses[4])),
                ("{class=\"5xx\"}", count(&self.responses[5])),
            ],
        );
        line(
            "screentest_refused_total",
            "counter",
            "Requests rejected before their handler ran.",
            &[
                ("{why=\"foreign\"}", count(&self.foreign)),
                ("{why=\"token\"}", count(&self.unauthorized)),
            ],
        );
        line(
            "screentest_connections_not_accepted_total",
            "counter",
            "Connections that could not be accepted.",
            &[("", count(&self.failed_accepts))],
        );
        text
    }
}

/// Health check.
pub(crate) async fn health() -> Json<Value> {
    Json(json!({ "ok": true, "version": env!("CARGO_PKG_VERSION") }))
}

/// Returns all counters.
pub(crate) async fn metrics(State(web): State<Arc<Web>>) -> impl IntoResponse {
    let text = web.metrics.text(web.service.all_sessions().len());
    (
        [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")],
        text,
    )
}
