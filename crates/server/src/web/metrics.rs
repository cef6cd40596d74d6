//! What a server has done, for who watches over it: in the text format of Prometheus.

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

use super::Web;

/// The counts.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Answers, by the first digit of their status.
    answers: [AtomicU64; 6],
    /// Requests from a foreign Host or Origin.
    pub(crate) foreign: AtomicU64,
    /// Requests without a right token.
    pub(crate) unknown: AtomicU64,
    /// Connections that the system did not give us.
    pub(crate) not_accepted: AtomicU64,
    /// Sessions that were to be opened, of which some could not be.
    pub(crate) sessions_begun: AtomicU64,
    pub(crate) sessions_opened: AtomicU64,
    pub(crate) viewers: AtomicI64,
    /// Rung when one of them has left.
    pub(crate) left: Notify,
    pub(crate) keyframes: AtomicU64,
    pub(crate) deltas: AtomicU64,
    pub(crate) streamed_bytes: AtomicU64,
}

impl Metrics {
    pub(crate) fn answered(&self, status: StatusCode) {
        let class = usize::from(status.as_u16() / 100).min(self.answers.len() - 1);
        self.answers[class].fetch_add(1, Ordering::Relaxed);
    }

    fn text(&self, open: usize) -> String {
        let mut text = String::new();
        // Writing to memory cannot fail, here and below.
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
            "Sessions that are open.",
            &[("", open.to_string())],
        );
        line(
            "screentest_sessions_opened_total",
            "counter",
            "Sessions that were opened.",
            &[("", count(&self.sessions_opened))],
        );
        line(
            "screentest_viewers",
            "gauge",
            "Who looks at a session over a stream.",
            &[("", self.viewers.load(Ordering::Relaxed).to_string())],
        );
        line(
            "screentest_stream_messages_total",
            "counter",
            "Screens that were sent to viewers.",
            &[
                ("{kind=\"keyframe\"}", count(&self.keyframes)),
                ("{kind=\"delta\"}", count(&self.deltas)),
            ],
        );
        line(
            "screentest_stream_bytes_total",
            "counter",
            "Bytes of these.",
            &[("", count(&self.streamed_bytes))],
        );
        line(
            "screentest_http_answers_total",
            "counter",
            "Answers by the class of their status.",
            &[
                ("{class=\"1xx\"}", count(&self.answers[1])),
                ("{class=\"2xx\"}", count(&self.answers[2])),
                ("{class=\"3xx\"}", count(&self.answers[3])),
                ("{class=\"4xx\"}", count(&self.answers[4])),
                ("{class=\"5xx\"}", count(&self.answers[5])),
            ],
        );
        line(
            "screentest_refused_total",
            "counter",
            "Requests that were turned away before anything was done.",
            &[
                ("{why=\"foreign\"}", count(&self.foreign)),
                ("{why=\"token\"}", count(&self.unknown)),
            ],
        );
        line(
            "screentest_connections_not_accepted_total",
            "counter",
            "Connections that the system did not give.",
            &[("", count(&self.not_accepted))],
        );
        text
    }
}

/// Whether the server is there.
pub(crate) async fn health() -> Json<Value> {
    Json(json!({ "ok": true, "version": env!("CARGO_PKG_VERSION") }))
}

/// All counts.
pub(crate) async fn tell(State(web): State<Arc<Web>>) -> impl IntoResponse {
    let text = web.metrics.text(web.service.all_sessions().len());
    (
        [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")],
        text,
    )
}
