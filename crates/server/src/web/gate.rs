//! Who comes in.
//!
//! A program sends a token in a header. A person opens a link that works once; it becomes a cookie which no script of a page can read. Nothing
//! here is ever logged, and all of it is compared in a time that does not depend on where it differs.

use std::collections::VecDeque;
use std::fmt::{self, Write};
use std::io;
use std::sync::Mutex;
use std::time::Duration;

use screentest::Clock;
use subtle::ConstantTimeEq;

use crate::service::client::Role;
use crate::service::lock;

/// How long a link works.
const LINK_LASTS: Duration = Duration::from_secs(10 * 60);
/// How many links may be open at once, and how many browsers may be in; the oldest make room.
const MOST_LINKS: usize = 64;
const MOST_COOKIES: usize = 256;
/// The least that a token may have.
const SHORTEST: usize = 16;

/// What programs send.
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

/// Why a file of tokens could not be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenError {
    /// There is none.
    #[error(
        "it has no token: a line is a token, or `look` and a token for who may only look; `openssl rand -hex 32` makes one"
    )]
    None,
    /// One could be guessed.
    #[error(
        "line {line}: a token has at least {SHORTEST} characters; `openssl rand -hex 32` makes one"
    )]
    Short {
        /// Where it stands, counted from 1.
        line: usize,
    },
    /// Something else.
    #[error("line {line}: expected a token, or `look` and a token, without other words")]
    Words {
        /// Where it stands, counted from 1.
        line: usize,
    },
}

impl Tokens {
    /// New ones, that nobody can guess.
    pub fn random() -> io::Result<Tokens> {
        Ok(Tokens {
            touch: vec![random()?],
            look: vec![random()?],
        })
    }

    /// The same as the lines of a file.
    pub fn to_text(&self) -> String {
        let touch = self.touch.iter().map(|token| format!("{token}\n"));
        let look = self.look.iter().map(|token| format!("look {token}\n"));
        touch.chain(look).collect()
    }

    /// Those of a file: one on each line, with `look` before those that may only look. Lines that begin with `#` are left alone.
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
            if token.len() < SHORTEST {
                return Err(TokenError::Short { line: line_number });
            }
            tokens.push((*token).to_owned());
        }
        match touch.is_empty() && look.is_empty() {
            true => Err(TokenError::None),
            false => Ok(Tokens { touch, look }),
        }
    }

    fn role_of(&self, token: &str) -> Option<Role> {
        // All of them are looked at, whichever fits.
        let fits = |tokens: &[String]| {
            tokens.iter().fold(false, |found, known| {
                found | bool::from(known.as_bytes().ct_eq(token.as_bytes()))
            })
        };
        match (fits(&self.touch), fits(&self.look)) {
            (true, _) => Some(Role::Full),
            (false, true) => Some(Role::ReadOnly),
            (false, false) => None,
        }
    }
}

/// The gate.
#[derive(Debug)]
pub struct Gate {
    tokens: Tokens,
    /// The most that anybody may do.
    most: Role,
    clock: Clock,
    links: Mutex<VecDeque<Link>>,
    cookies: Mutex<VecDeque<(String, Role)>>,
}

struct Link {
    code: String,
    role: Role,
    /// On the gate's clock.
    until: Duration,
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link")
            .field("role", &self.role)
            .finish_non_exhaustive()
    }
}

impl Gate {
    pub(crate) fn new(tokens: Tokens, read_only: bool, clock: Clock) -> Gate {
        Gate {
            tokens,
            most: match read_only {
                true => Role::ReadOnly,
                false => Role::Full,
            },
            clock,
            links: Mutex::default(),
            cookies: Mutex::default(),
        }
    }

    /// What whoever has the machine's own socket may do.
    pub(crate) fn most(&self) -> Role {
        self.most
    }

    /// What whoever sends this token may do.
    pub(crate) fn by_token(&self, token: &str) -> Option<Role> {
        Some(self.tokens.role_of(token)?.min(self.most))
    }

    /// What whoever sends this cookie may do.
    pub(crate) fn by_cookie(&self, value: &str) -> Option<Role> {
        let cookies = lock(&self.cookies);
        cookies.iter().fold(None, |found, (known, role)| {
            match bool::from(known.as_bytes().ct_eq(value.as_bytes())) {
                true => Some(*role),
                false => found,
            }
        })
    }

    /// Makes the code of a link that works once.
    pub(crate) fn link(&self, role: Role) -> io::Result<String> {
        let code = random()?;
        let mut links = lock(&self.links);
        if links.len() >= MOST_LINKS {
            links.pop_front();
        }
        links.push_back(Link {
            code: code.clone(),
            role: role.min(self.most),
            until: self.clock.now() + LINK_LASTS,
        });
        Ok(code)
    }

    /// Takes a code, and gives the cookie for it.
    pub(crate) fn enter(&self, code: &str) -> Option<io::Result<(String, Role)>> {
        let mut links = lock(&self.links);
        let now = self.clock.now();
        links.retain(|link| link.until > now);
        let at = links
            .iter()
            .position(|link| bool::from(link.code.as_bytes().ct_eq(code.as_bytes())))?;
        let role = links.remove(at)?.role;
        drop(links);
        Some(random().map(|value| {
            let mut cookies = lock(&self.cookies);
            if cookies.len() >= MOST_COOKIES {
                cookies.pop_front();
            }
            cookies.push_back((value.clone(), role));
            (value, role)
        }))
    }
}

/// Something that nobody can guess: 32 bytes, as text.
pub(crate) fn random() -> io::Result<String> {
    let mut bytes = [0; 32];
    let mut filled = 0;
    while filled < bytes.len() {
        filled +=
            rustix::rand::getrandom(&mut bytes[filled..], rustix::rand::GetRandomFlags::empty())?;
    }
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to memory cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "0123456789abcdef";

    #[test]
    fn a_file_has_a_token_on_each_line() {
        let tokens = Tokens::read(&format!("# mine\n{LONG}\n\nlook {LONG}0\n")).unwrap();
        assert_eq!(tokens.role_of(LONG), Some(Role::Full));
        assert_eq!(tokens.role_of(&format!("{LONG}0")), Some(Role::ReadOnly));
        assert_eq!(tokens.role_of("0123456789abcde"), None);
        assert_eq!(tokens.role_of(""), None);
    }

    #[test]
    fn a_file_that_keeps_nobody_out_is_refused() {
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
    fn a_link_works_once_and_never_gives_more_than_everybody_has() {
        let gate = Gate::new(Tokens::random().unwrap(), true, Clock::manual());
        let code = gate.link(Role::Full).unwrap();
        assert!(gate.enter("another").is_none());
        let (cookie, role) = gate.enter(&code).unwrap().unwrap();
        assert_eq!(role, Role::ReadOnly);
        assert_eq!(gate.by_cookie(&cookie), Some(Role::ReadOnly));
        assert!(gate.enter(&code).is_none(), "it was used");
        assert_eq!(gate.by_cookie(""), None);
    }

    #[test]
    fn a_link_is_too_old_after_ten_minutes() {
        let clock = Clock::manual();
        let gate = Gate::new(Tokens::random().unwrap(), false, clock.clone());
        let [early, late] = [(); 2].map(|()| gate.link(Role::Full).unwrap());
        clock.advance(LINK_LASTS - Duration::from_secs(1));
        assert!(gate.enter(&early).is_some());
        clock.advance(Duration::from_secs(1));
        assert!(gate.enter(&late).is_none());
    }
}
