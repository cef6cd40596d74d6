//! Patterns of well-known tokens: a fixed prefix, followed by enough characters of a class.

/// A token pattern.
#[derive(Debug, Clone, Copy)]
pub(super) struct TokenPattern {
    pub(super) rule: &'static str,
    pub(super) prefix: &'static str,
    pub(super) class: TokenClass,
    /// The least number of characters after the prefix.
    pub(super) least: usize,
}

/// The characters after the prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenClass {
    /// Letters and digits.
    Word,
    /// Letters, digits, `_` and `-`.
    Name,
    /// Letters, digits and `._~+/=-`, as in base64 and in bearer tokens.
    Token,
    /// Capital letters and digits.
    Capitals,
    /// Lines of a key, as `pem_block.rs` defines them.
    Block,
}

impl TokenClass {
    pub(super) fn has(self, byte: u8) -> bool {
        match self {
            TokenClass::Word => byte.is_ascii_alphanumeric(),
            TokenClass::Name => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            TokenClass::Token => {
                byte.is_ascii_alphanumeric()
                    || matches!(byte, b'.' | b'_' | b'~' | b'+' | b'/' | b'=' | b'-')
            }
            TokenClass::Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            // The whole line decides whether the byte belongs to a key.
            TokenClass::Block => (0x20..0x7f).contains(&byte),
        }
    }
}

const fn pattern(
    rule: &'static str,
    prefix: &'static str,
    class: TokenClass,
    least: usize,
) -> TokenPattern {
    TokenPattern {
        rule,
        prefix,
        class,
        least,
    }
}

/// The built-in patterns. The prefix is not redacted, so that it shows the kind of the secret.
pub(super) const TOKEN_PATTERNS: &[TokenPattern] = &[
    pattern("bearer-token", "Bearer ", TokenClass::Token, 16),
    pattern("bearer-token", "bearer ", TokenClass::Token, 16),
    pattern("bearer-token", "BEARER ", TokenClass::Token, 16),
    pattern(
        "basic-credentials",
        "Authorization: Basic ",
        TokenClass::Token,
        4,
    ),
    pattern(
        "basic-credentials",
        "authorization: Basic ",
        TokenClass::Token,
        4,
    ),
    pattern("github-token", "ghp_", TokenClass::Word, 30),
    pattern("github-token", "gho_", TokenClass::Word, 30),
    pattern("github-token", "ghu_", TokenClass::Word, 30),
    pattern("github-token", "ghs_", TokenClass::Word, 30),
    pattern("github-token", "ghr_", TokenClass::Word, 30),
    pattern("github-token", "github_pat_", TokenClass::Name, 22),
    pattern("gitlab-token", "glpat-", TokenClass::Name, 20),
    pattern("secret-key", "sk-", TokenClass::Name, 20),
    pattern("stripe-key", "sk_live_", TokenClass::Word, 16),
    pattern("stripe-key", "sk_test_", TokenClass::Word, 16),
    pattern("stripe-key", "rk_live_", TokenClass::Word, 16),
    pattern("slack-token", "xoxb-", TokenClass::Name, 10),
    pattern("slack-token", "xoxp-", TokenClass::Name, 10),
    pattern("slack-token", "xoxa-", TokenClass::Name, 10),
    pattern("slack-token", "xoxr-", TokenClass::Name, 10),
    pattern("slack-token", "xoxs-", TokenClass::Name, 10),
    pattern("slack-token", "xapp-", TokenClass::Name, 10),
    pattern("aws-key", "AKIA", TokenClass::Capitals, 16),
    pattern("aws-key", "ASIA", TokenClass::Capitals, 16),
    pattern("google-key", "AIza", TokenClass::Name, 35),
    pattern("npm-token", "npm_", TokenClass::Word, 36),
    pattern("pypi-token", "pypi-", TokenClass::Name, 16),
    pattern("huggingface-token", "hf_", TokenClass::Word, 30),
    pattern("json-web-token", "eyJ", TokenClass::Token, 30),
    pattern(
        "private-key",
        "-----BEGIN PRIVATE KEY-----",
        TokenClass::Block,
        1,
    ),
    pattern(
        "private-key",
        "-----BEGIN RSA PRIVATE KEY-----",
        TokenClass::Block,
        1,
    ),
    pattern(
        "private-key",
        "-----BEGIN EC PRIVATE KEY-----",
        TokenClass::Block,
        1,
    ),
    pattern(
        "private-key",
        "-----BEGIN DSA PRIVATE KEY-----",
        TokenClass::Block,
        1,
    ),
    pattern(
        "private-key",
        "-----BEGIN OPENSSH PRIVATE KEY-----",
        TokenClass::Block,
        1,
    ),
    pattern(
        "private-key",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----",
        TokenClass::Block,
        1,
    ),
    pattern(
        "private-key",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----",
        TokenClass::Block,
        1,
    ),
];
