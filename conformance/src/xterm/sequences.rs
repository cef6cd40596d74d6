//! Splits xterm's replies into sequences.

/// One reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reply {
    /// A control sequence: everything between `CSI` and the final character, and that character.
    Csi(String, char),
    /// The content of a device control string.
    Dcs(String),
    /// The content of an operating system command.
    Osc(String),
}

/// Splits replies that use 7-bit controls. `None` if they are something else.
pub(super) fn split(bytes: &[u8]) -> Option<Vec<Reply>> {
    let mut rest = std::str::from_utf8(bytes).ok()?;
    let mut replies = Vec::new();
    while !rest.is_empty() {
        if let Some(csi) = rest.strip_prefix("\x1b[") {
            let end = csi.find(|c: char| ('\x40'..='\x7e').contains(&c))?;
            let (parameters, after) = csi.split_at_checked(end)?;
            let last = after.chars().next()?;
            replies.push(Reply::Csi(parameters.to_owned(), last));
            rest = after.strip_prefix(last)?;
        } else if let Some(string) = rest.strip_prefix("\x1bP") {
            let (content, after) = string.split_once("\x1b\\")?;
            replies.push(Reply::Dcs(content.to_owned()));
            rest = after;
        } else {
            let string = rest.strip_prefix("\x1b]")?;
            let (content, after) = string.split_once("\x1b\\")?;
            replies.push(Reply::Osc(content.to_owned()));
            rest = after;
        }
    }
    Some(replies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_split() {
        let replies = split(b"\x1b[?1;2$y\x1bP1$r0m\x1b\\\x1b]lt\x1b\\").unwrap();
        let expected = [
            Reply::Csi("?1;2$".to_owned(), 'y'),
            Reply::Dcs("1$r0m".to_owned()),
            Reply::Osc("lt".to_owned()),
        ];
        assert_eq!(replies, expected);
        assert_eq!(split(b"text"), None);
    }
}
