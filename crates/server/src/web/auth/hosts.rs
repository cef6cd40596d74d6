//! Under which names the server is called.
//!
//! A page of somebody else may have its own name lead to this machine, and a browser would then take our answers for that page's own. So
//! whoever calls us by a name that is not ours is turned away, and so is a page that comes from another place.

use std::net::SocketAddr;

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

/// The names.
#[derive(Debug)]
pub(crate) struct Hosts(Vec<String>);

impl Hosts {
    pub(crate) fn new(address: Option<SocketAddr>, more: Vec<String>) -> Hosts {
        let Some(address) = address else {
            return Hosts(more);
        };
        let port = address.port();
        let mut names = vec![address.to_string()];
        if address.ip().is_unspecified() {
            // Everywhere is no place that a link could lead to.
            names = vec![format!("127.0.0.1:{port}")];
        }
        if address.ip().is_loopback() || address.ip().is_unspecified() {
            names.extend(["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{port}")));
        }
        if port == 80 {
            // Browsers leave out the port that is the usual one.
            let plain = names.iter().filter_map(|name| name.strip_suffix(":80"));
            let plain: Vec<String> = plain.map(str::to_owned).collect();
            names.extend(plain);
        }
        for name in more {
            names.push(format!("{name}:{port}"));
            names.push(name);
        }
        Hosts(names)
    }

    /// The name that a link has.
    pub(crate) fn first(&self) -> Option<&str> {
        self.0.first().map(String::as_str)
    }

    /// Whether a request calls us by a name of ours, and only once.
    pub(crate) fn is_ours(&self, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(HOST).iter();
        match (hosts.next().map(|host| host.to_str()), hosts.next()) {
            (Some(Ok(host)), None) => self.knows(host),
            _ => false,
        }
    }

    /// From where a request comes, as far as it says so.
    pub(crate) fn origin(&self, headers: &HeaderMap) -> Origin {
        let mut origins = headers.get_all(ORIGIN).iter();
        match (origins.next(), origins.next()) {
            (None, _) => Origin::Unsaid,
            (Some(origin), None) => {
                let host = origin.to_str().ok();
                let host = host.and_then(|origin| {
                    let rest = origin.strip_prefix("http://");
                    rest.or_else(|| origin.strip_prefix("https://"))
                });
                match host.is_some_and(|host| self.knows(host)) {
                    true => Origin::Ours,
                    false => Origin::Foreign,
                }
            }
            (Some(_), Some(_)) => Origin::Foreign,
        }
    }

    fn knows(&self, host: &str) -> bool {
        self.0.iter().any(|name| name.eq_ignore_ascii_case(host))
    }
}

/// From where a request comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It does not say: no browser's page sent it.
    Unsaid,
    /// Our own page.
    Ours,
    /// Another page.
    Foreign,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts() -> Hosts {
        Hosts::new(
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
    fn only_our_own_names_are_ours() {
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
            assert_eq!(hosts().is_ours(&headers(&[(HOST, host)])), ours, "{host}");
        }
        let twice = headers(&[(HOST, "localhost:4000"), (HOST, "localhost:4000")]);
        assert!(!hosts().is_ours(&twice));
        assert!(!hosts().is_ours(&headers(&[])));
    }

    #[test]
    fn a_page_of_another_place_is_foreign() {
        for (origin, from) in [
            ("http://localhost:4000", Origin::Ours),
            ("https://box.example", Origin::Ours),
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
        assert_eq!(hosts().origin(&headers(&[])), Origin::Unsaid);
    }
}
