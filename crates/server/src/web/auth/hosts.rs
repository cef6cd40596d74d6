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

    /// Returns the host that a request names, if it has exactly one Host header and that names this
    /// server.
    pub(crate) fn host<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let mut hosts = headers.get_all(HOST).iter();
        match (hosts.next().map(|host| host.to_str()), hosts.next()) {
            (Some(Ok(host)), None) => Some(host).filter(|host| self.contains(host)),
            _ => None,
        }
    }

    /// Classifies the Origin header of a request to this host. A page that was loaded under another
    /// name of this server is foreign: browsers treat each name as a separate origin, and another
    /// server may also have a name that is given with `--allow-host`.
    pub(crate) fn origin(&self, host: &str, headers: &HeaderMap) -> Origin {
        let mut origins = headers.get_all(ORIGIN).iter();
        match (origins.next(), origins.next()) {
            (None, _) => Origin::Absent,
            (Some(origin), None) => {
                let from = origin.to_str().ok();
                let from = from.and_then(|origin| {
                    let rest = origin.strip_prefix("http://");
                    rest.or_else(|| origin.strip_prefix("https://"))
                });
                if from.is_some_and(|from| from.eq_ignore_ascii_case(host)) {
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
    /// The request has no Origin header. Browsers omit the header in some GET and HEAD requests.
    Absent,
    /// The server's own page.
    Own,
    /// A page of another origin, or an invalid header.
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
            let named = headers(&[(HOST, host)]);
            assert_eq!(hosts().host(&named), ours.then_some(host), "{host}");
        }
        let twice = headers(&[(HOST, "localhost:4000"), (HOST, "localhost:4000")]);
        assert_eq!(hosts().host(&twice), None);
        assert_eq!(hosts().host(&headers(&[])), None);
    }

    #[test]
    fn only_pages_of_the_requested_host_have_our_origin() {
        for (host, origin, from) in [
            ("localhost:4000", "http://localhost:4000", Origin::Own),
            ("LOCALHOST:4000", "http://localhost:4000", Origin::Own),
            ("box.example", "https://box.example", Origin::Own),
            // Other names of this server.
            ("localhost:4000", "http://127.0.0.1:4000", Origin::Foreign),
            ("127.0.0.1:4000", "https://box.example", Origin::Foreign),
            ("box.example", "http://box.example:4000", Origin::Foreign),
            ("localhost:4000", "http://localhost:4001", Origin::Foreign),
            ("localhost:4000", "http://evil.example", Origin::Foreign),
            ("localhost:4000", "null", Origin::Foreign),
            ("localhost:4000", "file://localhost:4000", Origin::Foreign),
        ] {
            assert_eq!(
                hosts().origin(host, &headers(&[(ORIGIN, origin)])),
                from,
                "{host} {origin}"
            );
        }
        assert_eq!(
            hosts().origin("localhost:4000", &headers(&[])),
            Origin::Absent
        );
    }
}
