//! Checks the Host and Origin headers of requests.
//!
//! A foreign site may resolve its own name to this machine (DNS rebinding), and browsers then treat
//! this server's responses as that site's own. Requests with an unknown Host, and requests from
//! pages of another origin, are therefore rejected.

use std::net::SocketAddr;

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

/// The host names, with port, that the server accepts.
#[derive(Debug)]
pub(crate) struct AllowedHosts(Vec<String>);

impl AllowedHosts {
    pub(crate) fn new(address: Option<SocketAddr>, more: Vec<String>) -> AllowedHosts {
        let Some(address) = address else {
            return AllowedHosts(more);
        };
        let port = address.port();
        let mut names = vec![address.to_string()];
        if address.ip().is_unspecified() {
            // Links cannot point to the unspecified address.
            names = vec![format!("127.0.0.1:{port}")];
        }
        if address.ip().is_loopback() || address.ip().is_unspecified() {
            names.extend(["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{port}")));
        }
        if port == 80 {
            // Browsers omit the default port.
            let plain = names.iter().filter_map(|name| name.strip_suffix(":80"));
            let plain: Vec<String> = plain.map(str::to_owned).collect();
            names.extend(plain);
        }
        for name in more {
            names.push(format!("{name}:{port}"));
            names.push(name);
        }
        AllowedHosts(names)
    }

    /// Returns the name that links use.
    pub(crate) fn primary(&self) -> Option<&str> {
        self.0.first().map(String::as_str)
    }

    /// Whether a request has exactly one Host header and it names this server.
    pub(crate) fn allows(&self, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(HOST).iter();
        match (hosts.next().map(|host| host.to_str()), hosts.next()) {
            (Some(Ok(host)), None) => self.contains(host),
            _ => false,
        }
    }

    /// Classifies the Origin header of a request.
    pub(crate) fn origin(&self, headers: &HeaderMap) -> Origin {
        let mut origins = headers.get_all(ORIGIN).iter();
        match (origins.next(), origins.next()) {
            (None, _) => Origin::Absent,
            (Some(origin), None) => {
                let host = origin.to_str().ok();
                let host = host.and_then(|origin| {
                    let rest = origin.strip_prefix("http://");
                    rest.or_else(|| origin.strip_prefix("https://"))
                });
                if host.is_some_and(|host| self.contains(host)) {
                    Origin::Own
                } else {
                    Origin::Foreign
                }
            }
            (Some(_), Some(_)) => Origin::Foreign,
        }
    }

    fn contains(&self, host: &str) -> bool {
        self.0.iter().any(|name| name.eq_ignore_ascii_case(host))
    }
}

/// The origin of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The request has no Origin header, so it was not sent by a page's script.
    Absent,
    /// The server's own page.
    Own,
    /// A page of another site.
    Foreign,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts() -> AllowedHosts {
        AllowedHosts::new(
            Some("127.0.0.1:4000".parse().unwrap()),
            vec!["box.example".to_owned()],
        )
    }

    fn headers(pairs: &[(axum::http::HeaderName, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(name, axum::http::HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn only_own_host_names_are_allowed() {
        for (host, ours) in [
            ("127.0.0.1:4000", true),
            ("LOCALHOST:4000", true),
            ("[::1]:4000", true),
            ("box.example", true),
            ("box.example:4000", true),
            ("localhost:4001", false),
            ("localhost", false),
            ("evil.example:4000", false),
            ("127.0.0.1:4000.evil.example", false),
            ("", false),
        ] {
            assert_eq!(hosts().allows(&headers(&[(HOST, host)])), ours, "{host}");
        }
        let twice = headers(&[(HOST, "localhost:4000"), (HOST, "localhost:4000")]);
        assert!(!hosts().allows(&twice));
        assert!(!hosts().allows(&headers(&[])));
    }

    #[test]
    fn pages_of_other_sites_have_a_foreign_origin() {
        for (origin, from) in [
            ("http://localhost:4000", Origin::Own),
            ("https://box.example", Origin::Own),
            ("http://localhost:4001", Origin::Foreign),
            ("http://evil.example", Origin::Foreign),
            ("null", Origin::Foreign),
            ("file://localhost:4000", Origin::Foreign),
        ] {
            assert_eq!(
                hosts().origin(&headers(&[(ORIGIN, origin)])),
                from,
                "{origin}"
            );
        }
        assert_eq!(hosts().origin(&headers(&[])), Origin::Absent);
    }
}
