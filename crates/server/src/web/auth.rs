//! Authentication: tokens, login links and cookies.
//!
//! A program sends a token in a header. A person opens a login link, which works once and sets a
//! cookie that page scripts cannot read. None of these values is ever logged, and all are compared
//! in constant time.

use std::collections::VecDeque;
use std::fmt::{self, Write};
use std::io;
use std::sync::Mutex;
use std::time::Duration;

use screentest::clock::Clock;
use subtle::ConstantTimeEq;
use tokio::net::UnixStream;

use crate::service::client::Role;
use crate::service::lock;

pub(crate) mod hosts;
pub(crate) mod login;
pub(crate) mod middleware;

/// How long a login link is valid.
const LINK_LIFETIME: Duration = Duration::from_secs(10 * 60);
/// Maximum number of valid links, and of valid cookies. New ones replace the oldest.
const MAX_LINKS: usize = 64;
const MAX_COOKIES: usize = 256;
/// The minimum length of a token.
const MIN_TOKEN_LENGTH: usize = 16;

/// Access tokens of programs.
#[derive(Clone)]
pub struct Tokens {
    touch: Vec<String>,
    look: Vec<String>,
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens")
            .field("touch", &self.touch.len())
            .field("look", &self.look.len())
            .finish()
    }
}

/// Why a token file is invalid.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenError {
    /// The file contains no token.
    #[error(
        "it contains no token: write one per line, with `look` before read-only ones; `openssl rand -hex 32` generates one"
    )]
    None,
    /// A token is too short and could be guessed.
    #[error(
        "line {line}: a token needs at least {MIN_TOKEN_LENGTH} characters; `openssl rand -hex 32` generates one"
    )]
    Short {
        /// The line number, from 1.
        line: usize,
    },
    /// A line has another form.
    #[error("line {line}: expected a token, or `look` and a token")]
    Words {
        /// The line number, from 1.
        line: usize,
    },
}

impl Tokens {
    /// Generates a random token for each role.
    pub fn random() -> io::Result<Tokens> {
        Ok(Tokens {
            touch: vec![random_hex()?],
            look: vec![random_hex()?],
        })
    }

    /// Formats the tokens as a token file.
    pub fn to_text(&self) -> String {
        let touch = self.touch.iter().map(|token| format!("{token}\n"));
        let look = self.look.iter().map(|token| format!("look {token}\n"));
        touch.chain(look).collect()
    }

    /// Parses a token file: one token per line, with `look` before read-only tokens. Empty lines
    /// and lines that start with `#` are skipped.
    pub fn read(text: &str) -> Result<Tokens, TokenError> {
        let (mut touch, mut look) = (Vec::new(), Vec::new());
        for (index, line) in text.lines().enumerate() {
            let line_number = index + 1;
            let words: Vec<&str> = line.split_whitespace().collect();
            let (tokens, token) = match words.as_slice() {
                [] => continue,
                [first, ..] if first.starts_with('#') => continue,
                ["look", token] => (&mut look, token),
                [token] => (&mut touch, token),
                _ => return Err(TokenError::Words { line: line_number }),
            };
            if token.len() < MIN_TOKEN_LENGTH {
                return Err(TokenError::Short { line: line_number });
            }
            tokens.push((*token).to_owned());
        }
        if touch.is_empty() && look.is_empty() {
            Err(TokenError::None)
        } else {
            Ok(Tokens { touch, look })
        }
    }

    fn role_of(&self, token: &str) -> Option<Role> {
        // Compares with every token, so that the time does not depend on which one matches.
        let has = |tokens: &[String]| {
            tokens.iter().fold(false, |found, known| {
                found | bool::from(known.as_bytes().ct_eq(token.as_bytes()))
            })
        };
        match (has(&self.touch), has(&self.look)) {
            (true, _) => Some(Role::Full),
            (false, true) => Some(Role::ReadOnly),
            (false, false) => None,
        }
    }
}

/// Authenticates clients.
#[derive(Debug)]
pub struct Auth {
    tokens: Tokens,
    /// The highest role of any client.
    max_role: Role,
    clock: Clock,
    links: Mutex<VecDeque<Link>>,
    cookies: Mutex<VecDeque<(String, Role)>>,
}

struct Link {
    code: String,
    role: Role,
    /// Expiry, on the clock of [`Auth`].
    expires: Duration,
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link")
            .field("role", &self.role)
            .finish_non_exhaustive()
    }
}

impl Auth {
    pub(crate) fn new(tokens: Tokens, read_only: bool, clock: Clock) -> Auth {
        Auth {
            tokens,
            max_role: if read_only {
                Role::ReadOnly
            } else {
                Role::Full
            },
            clock,
            links: Mutex::default(),
            cookies: Mutex::default(),
        }
    }

    /// Returns the role of clients of the Unix socket, which only its owner can open.
    pub(crate) fn max_role(&self) -> Role {
        self.max_role
    }

    /// Returns the role of a token.
    pub(crate) fn role_of_token(&self, token: &str) -> Option<Role> {
        Some(self.tokens.role_of(token)?.min(self.max_role))
    }

    /// Returns the role of a cookie.
    pub(crate) fn role_of_cookie(&self, value: &str) -> Option<Role> {
        let cookies = lock(&self.cookies);
        cookies.iter().fold(None, |found, (known, role)| {
            if bool::from(known.as_bytes().ct_eq(value.as_bytes())) {
                Some(*role)
            } else {
                found
            }
        })
    }

    /// Creates the code of a login link, which works once.
    pub(crate) fn create_link(&self, role: Role) -> io::Result<String> {
        let code = random_hex()?;
        let mut links = lock(&self.links);
        if links.len() >= MAX_LINKS {
            links.pop_front();
        }
        links.push_back(Link {
            code: code.clone(),
            role: role.min(self.max_role),
            expires: self.clock.now() + LINK_LIFETIME,
        });
        Ok(code)
    }

    /// Redeems the code of a link. Returns a new cookie value and its role, or `None` for an
    /// unknown code.
    pub(crate) fn redeem_link(&self, code: &str) -> Option<io::Result<(String, Role)>> {
        let mut links = lock(&self.links);
        let now = self.clock.now();
        links.retain(|link| link.expires > now);
        let at = links
            .iter()
            .position(|link| bool::from(link.code.as_bytes().ct_eq(code.as_bytes())))?;
        let role = links.remove(at)?.role;
        drop(links);
        Some(random_hex().map(|value| {
            let mut cookies = lock(&self.cookies);
            if cookies.len() >= MAX_COOKIES {
                cookies.pop_front();
            }
            cookies.push_back((value.clone(), role));
            (value, role)
        }))
    }
}

/// Whether the process at the other end of a Unix socket runs as our user. The permissions of the
/// socket and of its directory exclude other users, but could have been changed.
pub(crate) fn is_same_user(stream: &UnixStream) -> bool {
    let user = rustix::process::geteuid().as_raw();
    stream.peer_cred().is_ok_and(|peer| peer.uid() == user)
}

/// Returns 32 random bytes in hexadecimal.
pub(crate) fn random_hex() -> io::Result<String> {
    let mut bytes = [0; 32];
    let mut filled = 0;
    while filled < bytes.len() {
        filled +=
            rustix::rand::getrandom(&mut bytes[filled..], rustix::rand::GetRandomFlags::empty())?;
    }
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "0123456789abcdef";

    #[test]
    fn token_file_has_one_token_per_line() {
        let tokens = Tokens::read(&format!("# comment\n{LONG}\n\nlook {LONG}0\n")).unwrap();
        assert_eq!(tokens.role_of(LONG), Some(Role::Full));
        assert_eq!(tokens.role_of(&format!("{LONG}0")), Some(Role::ReadOnly));
        assert_eq!(tokens.role_of("0123456789abcde"), None);
        assert_eq!(tokens.role_of(""), None);
    }

    #[test]
    fn token_file_without_valid_tokens_is_rejected() {
        assert_eq!(Tokens::read("# none\n").unwrap_err(), TokenError::None);
        assert_eq!(
            Tokens::read("\nlook short\n").unwrap_err(),
            TokenError::Short { line: 2 }
        );
        assert_eq!(
            Tokens::read(&format!("touch {LONG}")).unwrap_err(),
            TokenError::Words { line: 1 }
        );
    }

    #[test]
    fn link_works_once_and_never_exceeds_the_highest_role() {
        let auth = Auth::new(Tokens::random().unwrap(), true, Clock::manual());
        let code = auth.create_link(Role::Full).unwrap();
        assert!(auth.redeem_link("another").is_none());
        let (cookie, role) = auth.redeem_link(&code).unwrap().unwrap();
        assert_eq!(role, Role::ReadOnly);
        assert_eq!(auth.role_of_cookie(&cookie), Some(Role::ReadOnly));
        assert!(auth.redeem_link(&code).is_none(), "it was used");
        assert_eq!(auth.role_of_cookie(""), None);
    }

    #[test]
    fn link_expires_after_ten_minutes() {
        let clock = Clock::manual();
        let auth = Auth::new(Tokens::random().unwrap(), false, clock.clone());
        let [early, late] = [(); 2].map(|()| auth.create_link(Role::Full).unwrap());
        clock.advance(LINK_LIFETIME - Duration::from_secs(1));
        assert!(auth.redeem_link(&early).is_some());
        clock.advance(Duration::from_secs(1));
        assert!(auth.redeem_link(&late).is_none());
    }
}
