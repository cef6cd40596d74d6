//! Patterns of well-known tokens: a fixed prefix, followed by enough characters of a class.

/// A token pattern.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) rule: &'static str,
    pub(super) prefix: &'static str,
    pub(super) class: Class,
    /// The least number of characters after the prefix.
    pub(super) least: usize,
}

/// The characters after the prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Letters and digits.
    Word,
    /// Letters, digits, `_` and `-`.
    Name,
    /// Also the other characters of base64 and tokens.
    Token,
    /// Capital letters and digits.
    Capitals,
    /// Lines of a key, as `block.rs` defines them.
    Block,
}

impl Class {
    pub(super) fn has(self, byte: u8) -> bool {
        match self {
            Class::Word => byte.is_ascii_alphanumeric(),
            Class::Name => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Class::Token => {
                byte.is_ascii_alphanumeric()
                    || matches!(byte, b'.' | b'_' | b'~' | b'+' | b'/' | b'=' | b'-')
            }
            Class::Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            // The whole line decides whether the byte belongs to a key.
            Class::Block => (0x20..0x7f).contains(&byte),
        }
    }
}

const fn shape(rule: &'static str, prefix: &'static str, class: Class, least: usize) -> Shape {
    Shape {
        rule,
        prefix,
        class,
        least,
    }
}

/// The built-in patterns. The prefix is not redacted, so that it shows the kind of the secret.
pub(super) const SHAPES: &[Shape] = &[
    shape("bearer-token", "Bearer ", Class::Token, 16),
    shape("bearer-token", "bearer ", Class::Token, 16),
    shape("bearer-token", "BEARER ", Class::Token, 16),
    shape(
        "basic-credentials",
        "Authorization: Basic ",
        Class::Token,
        4,
    ),
    shape(
        "basic-credentials",
        "authorization: Basic ",
        Class::Token,
        4,
    ),
    shape("github-token", "ghp_", Class::Word, 30),
    shape("github-token", "gho_", Class::Word, 30),
    shape("github-token", "ghu_", Class::Word, 30),
    shape("github-token", "ghs_", Class::Word, 30),
    shape("github-token", "ghr_", Class::Word, 30),
    shape("github-token", "github_pat_", Class::Name, 22),
    shape("gitlab-token", "glpat-", Class::Name, 20),
    shape("secret-key", "sk-", Class::Name, 20),
    shape("stripe-key", "sk_live_", Class::Word, 16),
    shape("stripe-key", "sk_test_", Class::Word, 16),
    shape("stripe-key", "rk_live_", Class::Word, 16),
    shape("slack-token", "xoxb-", Class::Name, 10),
    shape("slack-token", "xoxp-", Class::Name, 10),
    shape("slack-token", "xoxa-", Class::Name, 10),
    shape("slack-token", "xoxr-", Class::Name, 10),
    shape("slack-token", "xoxs-", Class::Name, 10),
    shape("slack-token", "xapp-", Class::Name, 10),
    shape("aws-key", "AKIA", Class::Capitals, 16),
    shape("aws-key", "ASIA", Class::Capitals, 16),
    shape("google-key", "AIza", Class::Name, 35),
    shape("npm-token", "npm_", Class::Word, 36),
    shape("pypi-token", "pypi-", Class::Name, 16),
    shape("huggingface-token", "hf_", Class::Word, 30),
    shape("json-web-token", "eyJ", Class::Token, 30),
    shape(
        "private-key",
        "-----BEGIN PRIVATE KEY-----",
        Class::Block,
        1,
    ),
    shape(
        "private-key",
        "-----BEGIN RSA PRIVATE KEY-----",
        Class::Block,
        1,
    ),
    shape(
        "private-key",
        "-----BEGIN EC PRIVATE KEY-----",
        Class::Block,
        1,
    ),
    shape(
        "private-key",
        "-----BEGIN DSA PRIVATE KEY-----",
        Class::Block,
        1,
    ),
    shape(
        "private-key",
        "-----BEGIN OPENSSH PRIVATE KEY-----",
        Class::Block,
        1,
    ),
    shape(
        "private-key",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----",
        Class::Block,
        1,
    ),
    shape(
        "private-key",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----",
        Class::Block,
        1,
    ),
];
