use super::on_screen::OnScreenFinder;
use super::*;

const VALUE: &str = "hunter2-correct-horse";

fn rules() -> Arc<Rules> {
    let rules = Rules::known_tokens().and_value("PASSWORD", VALUE.as_bytes());
    Arc::new(rules.unwrap())
}

/// Scrubs reads that arrive a tenth of a second apart. Returns the output with all patches applied,
/// and the secrets.
fn scrub(rules: &Arc<Rules>, reads: &[&[u8]]) -> (Vec<u8>, Vec<RedactedSecret>) {
    let mut scrubber = Scrubber::new(Arc::clone(rules), StreamKind::Output);
    let mut out = ScrubOutput::default();
    let mut whole = Vec::new();
    let mut covered = Vec::new();
    for (tenth, read) in (0..).zip(reads.iter().chain([&&b""[..]])) {
        let now = Duration::from_millis(tenth * 100);
        scrubber.expire(now, &mut out);
        scrubber.push(read, now, &mut out);
        if usize::try_from(tenth) == Ok(reads.len()) {
            scrubber.finish(&mut out);
        }
        whole.append(&mut out.bytes);
        for (at, cover) in out.patches.drain(..) {
            whole[at as usize] = cover;
        }
        covered.append(&mut out.covered);
        assert_eq!(whole.len() as u64, scrubber.released());
    }
    (whole, covered)
}

#[track_caller]
fn check(written: &str, shown: &str) {
    let rules = rules();
    let bytes = written.as_bytes();
    let (whole, covered) = scrub(&rules, &[bytes]);
    assert_eq!(String::from_utf8_lossy(&whole), shown);
    let hit = whole != bytes;
    assert_eq!(hit, !covered.is_empty());
    // The result does not depend on how the bytes are split into reads.
    let single: Vec<&[u8]> = bytes.chunks(1).take(19).collect();
    let rest = single.iter().map(|byte| byte.len()).sum::<usize>();
    let reads: Vec<&[u8]> = single.into_iter().chain([&bytes[rest..]]).collect();
    assert_eq!(String::from_utf8_lossy(&scrub(&rules, &reads).0), shown);
    for at in 0..bytes.len() {
        let (one, two) = bytes.split_at(at);
        let (whole, _) = scrub(&rules, &[one, two]);
        assert_eq!(String::from_utf8_lossy(&whole), shown, "cut at {at}");
    }
}

#[test]
fn a_value_is_redacted_in_text_and_strings() {
    check("x hunter2-correct-horse y", "x ********************* y");
    check("hunter2-correct-horse", "*********************");
    check("hunter2-correct-hors", "********************");
    check("hunter2-correct-cow!", "hunter2-correct-cow!");
    check("hhunter2-correct-horsee", "h*********************e");
    check(
        "hunter2-hunter2-correct-horse",
        "hunter2-*********************",
    );
    check(
        "\x1b]2;hunter2-correct-horse\x07ok",
        "\x1b]2;*********************\x07ok",
    );
}

#[test]
fn escape_sequences_inside_a_secret_are_kept() {
    check(
        "hunter2\x1b[1;31m-correct\x1b[0m-horse\x1b[0m!",
        "*******\x1b[1;31m********\x1b[0m******\x1b[0m!",
    );
    check("hunter2-cor\r\nrect-horse", "***********\r\n**********");
    check(
        "hun\x1b[5;9Hter2-corr\x1b]2;title\x1b\\ect-horse",
        "***\x1b[5;9H*********\x1b]2;title\x1b\\*********",
    );
}

#[test]
fn a_value_is_found_in_base64_and_hex() {
    check(
        "\x1b]52;c;aHVudGVyMi1jb3JyZWN0LWhvcnNl\x07",
        "\x1b]52;c;AAAAAAAAAAAAAAAAAAAAAAAAAAAA\x07",
    );
    check(
        "68756e746572322d636f72726563742d686f727365",
        "000000000000000000000000000000000000000000",
    );
}

#[test]
fn tokens_are_redacted_after_their_prefix() {
    check(
        "Authorization: Bearer abcdef0123456789abcdef.x/y== ok",
        "Authorization: Bearer **************************** ok",
    );
    check(
        "key ghp_0123456789abcdefghijklmnopqrstuvwxyz\r\nnext",
        "key ghp_************************************\r\nnext",
    );
    check(
        "key sk-0123456789\x1b[1mabcdefghij\x1b[0mklm\x1b[2;1Hnext",
        "key sk-**********\x1b[1m**********\x1b[0m***\x1b[2;1Hnext",
    );
    check("AKIAIOSFODNN7EXAMPLE.", "AKIA****************.");
    check(
        "-----BEGIN PRIVATE KEY-----\r\nMIIE\r\nxyz=\r\n-----END PRIVATE KEY-----\r\nhello",
        "-----BEGIN PRIVATE KEY-----\r\n****\r\n****\r\n-----END PRIVATE KEY-----\r\nhello",
    );
}

#[test]
fn text_that_resembles_a_secret_is_kept() {
    for text in [
        "the sk-short one",
        "a bearer of news, and Bearer authentication",
        "npm_config_cache=/tmp sk_live_ ghp_ xoxb-1",
        "\x1b[31mred\x1b[0m \x1b]8;;http://x/\x07link\x1b]8;;\x07",
        "hunter hunter2 hunter2-correct",
        "日本語 e\u{301} — ─│",
    ] {
        let (whole, covered) = scrub(&rules(), &[text.as_bytes(), b" "]);
        assert_eq!(String::from_utf8_lossy(&whole), format!("{text} "));
        assert_eq!(covered, []);
    }
}

#[test]
fn held_bytes_are_released_after_the_time_limit() {
    let mut scrubber = Scrubber::new(rules(), StreamKind::Output);
    let mut out = ScrubOutput::default();
    scrubber.push(b"Yes or h", Duration::from_secs(5), &mut out);
    assert_eq!(out.bytes, b"Yes or ");
    assert_eq!(scrubber.deadline(), Some(Duration::from_secs(7)));
    scrubber.expire(Duration::from_millis(6999), &mut out);
    assert_eq!(out.bytes, b"Yes or ");
    // One letter is not enough to be redacted.
    scrubber.expire(Duration::from_secs(7), &mut out);
    assert_eq!(out.bytes, b"Yes or h");
    assert_eq!(scrubber.deadline(), None);
    // The letter was the start of a secret: the released byte is patched.
    let mut later = ScrubOutput::default();
    scrubber.push(b"unter2-corr", Duration::from_secs(8), &mut later);
    assert_eq!(later.bytes, b"");
    scrubber.push(b"ect-horse.", Duration::from_secs(9), &mut later);
    assert_eq!(later.bytes, b"********************.");
    assert_eq!(later.patches, [(7, b'*')]);
}

#[test]
fn a_long_partial_match_is_redacted_at_the_time_limit() {
    let mut scrubber = Scrubber::new(rules(), StreamKind::Output);
    let mut out = ScrubOutput::default();
    scrubber.push(b"hunter2-c", Duration::ZERO, &mut out);
    scrubber.expire(Duration::from_secs(2), &mut out);
    assert_eq!(out.bytes, b"*********");
    // As long as further text continues the match, it is redacted at once.
    scrubber.push(b"o", Duration::from_secs(3), &mut out);
    scrubber.push(b"rruption", Duration::from_secs(3), &mut out);
    scrubber.push(b".", Duration::from_secs(3), &mut out);
    assert_eq!(out.bytes, b"************uption.");
}

#[test]
fn held_bytes_are_limited_in_number() {
    let value = "x".repeat(3 * MAX_HELD);
    let rules = Rules::none().and_value("LONG", value.as_bytes()).unwrap();
    let mut scrubber = Scrubber::new(Arc::new(rules), StreamKind::Output);
    let mut out = ScrubOutput::default();
    scrubber.push(&value.as_bytes()[..2 * MAX_HELD], Duration::ZERO, &mut out);
    assert!(out.bytes.len() >= MAX_HELD, "{}", out.bytes.len());
    assert!(out.bytes.iter().all(|byte| *byte == b'*'));
}

#[test]
fn too_short_values_are_refused_by_name() {
    for (value, is_refused) in [
        ("123\n", true),
        ("ééé", true),
        ("界界", true),
        ("éééé", false),
    ] {
        let added = Rules::none().and_value("PIN", value.as_bytes());
        let error = added.map_err(|error| error.to_string()).err();
        let start = "the value of `PIN` is too short to redact: at least 4 characters";
        assert_eq!(
            error.is_some_and(|error| error.starts_with(start)),
            is_refused,
            "{value:?}"
        );
    }
    assert!(Rules::none().and_token_prefix("cö").is_err());
    assert!(!format!("{:?}", rules()).contains("hunter2"));
}

#[test]
fn every_byte_of_any_stream_keeps_its_position() {
    use screentest_fixtures::random::Random;
    use screentest_fixtures::stream;
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let mut bytes = stream::grammar(&mut random, 4000);
        bytes.truncate(4000);
        let middle = random.below(bytes.len());
        let bytes = [
            &bytes[..middle],
            b"\x18",
            VALUE.as_bytes(),
            &bytes[middle..],
        ]
        .concat();
        let (whole, _) = scrub(&rules(), &[&bytes]);
        assert_eq!(whole.len(), bytes.len());
        assert!(memchr::memmem::find(&whole, VALUE.as_bytes()).is_none());
        let cuts: Vec<&[u8]> = bytes.chunks(1 + random.below(50)).take(19).collect();
        let taken: usize = cuts.iter().map(|cut| cut.len()).sum();
        let cuts: Vec<&[u8]> = cuts.into_iter().chain([&bytes[taken..]]).collect();
        assert_eq!(scrub(&rules(), &cuts).0, whole, "{seed}");
    }
}

#[test]
fn a_complete_text_with_the_start_of_a_secret_is_kept() {
    let rules = rules();
    for text in ["hunter2", "a sk-0123456789", "hunt"] {
        assert_eq!(rules.scrub(text.as_bytes()).0, text.as_bytes());
    }
}

#[test]
fn a_secret_assembled_by_cursor_movements_is_traced_to_its_bytes() {
    use crate::formats::cassette::Deriver;
    use crate::formats::cassette::manifest::{PinnedEmulator, RecordedTerminal};
    use crate::{Backend, Size};

    let size = Size { cols: 40, rows: 5 };
    let emulator = Backend::Vt.emulator(size, crate::emulator::EmulatorOptions::default());
    let terminal = RecordedTerminal {
        cols: size.cols,
        rows: size.rows,
        term: String::new(),
        locale: String::new(),
        scrollback: 10,
        hostname: None,
        emulator: PinnedEmulator::of(emulator.identity()),
    };
    let mut tracer = OnScreenFinder::new(Deriver::pinned(&terminal).unwrap());
    let written = b"\x1b[2;11H-correct-horse\x1b[2;4Hhunter2\x1b[3;1H\r\n";
    tracer.feed(&written[..20]);
    tracer.feed(&written[20..]);
    let mut scrubbed = written.to_vec();
    let found = tracer.secrets(&rules());
    assert_eq!(found.len(), 1);
    assert_eq!(rules().names()[found[0].rule], "PASSWORD");
    for at in &found[0].places {
        scrubbed[*at as usize] = b'*';
    }
    assert_eq!(
        String::from_utf8_lossy(&scrubbed),
        "\x1b[2;11H**************\x1b[2;4H*******\x1b[3;1H\r\n"
    );
}

#[test]
fn a_key_is_redacted_line_by_line_and_nothing_after_it() {
    // Indented, with headers; quoted in JSON; a removed line of a diff.
    check(
        "-----BEGIN RSA PRIVATE KEY-----\r\n  Proc-Type: 4,ENCRYPTED\r\n\r\n  MIIE+/\r\n  x=\r\n-----END RSA",
        "-----BEGIN RSA PRIVATE KEY-----\r\n  Proc-Type: 4,ENCRYPTED\r\n\r\n  ******\r\n  **\r\n-----END RSA",
    );
    check(
        "\"k\": \"-----BEGIN PRIVATE KEY-----\\nMIIE\\nab==\\n-----END PRIVATE KEY-----\\n\", \"next\"",
        "\"k\": \"-----BEGIN PRIVATE KEY-----**************-----END PRIVATE KEY-----\\n\", \"next\"",
    );
    check(
        "------BEGIN PRIVATE KEY-----\r\n-MIIE\r\n------END PRIVATE KEY-----\r\n",
        "------BEGIN PRIVATE KEY-----\r\n*****\r\n------END PRIVATE KEY-----\r\n",
    );
    // The end line is missing.
    check(
        "-----BEGIN PRIVATE KEY-----\r\nMIIE\r\n$ ls -l\r\ntotal 4\r\n",
        "-----BEGIN PRIVATE KEY-----\r\n****\r\n$ ls -l\r\ntotal 4\r\n",
    );
    let begin = "-----BEGIN PRIVATE KEY-----\r\n";
    let long = format!("{begin}{}", "abcdefgh\r\n".repeat(10_000));
    let (whole, _) = scrub(&rules(), &[long.as_bytes()]);
    let stars = whole.iter().filter(|byte| **byte == b'*').count();
    assert!((8 << 10..=16 << 10).contains(&stars), "{stars}");
}

#[test]
fn redacted_text_is_not_redacted_again() {
    let key = "-----BEGIN PRIVATE KEY-----\n****\n**\n-----END PRIVATE KEY-----\n";
    assert_eq!(rules().find(key.as_bytes()), []);
    assert_eq!(scrub(&rules(), &[key.as_bytes()]).1, []);
}

#[test]
fn a_prefix_after_an_unfinished_prefix_starts_a_match() {
    check(
        "Bearer Bearer abcdef0123456789ABCDEF",
        "Bearer Bearer **********************",
    );
    let (token, stars) = ("A1".repeat(18), "*".repeat(36));
    check(&format!("ghp_ghp_{token} x"), &format!("ghp_ghp_{stars} x"));
    // A match that contains another one counts once.
    let (whole, covered) = scrub(&rules(), &[b"sk-sk-0123456789abcdefghijklmno "]);
    assert_eq!(whole, b"sk-**************************** ");
    assert_eq!(covered.len(), 1);
}

/// Returns the reported secrets: their rules and ranges.
#[track_caller]
fn redacted_ranges(reads: &[&[u8]]) -> Vec<(String, Vec<(u64, u64)>)> {
    let rules = rules();
    let covered = scrub(&rules, reads).1.into_iter();
    let named = covered.map(|hit| {
        let stretches = hit.pieces.iter().map(|piece| (piece.start, piece.end));
        (rules.names()[hit.rule].clone(), stretches.collect())
    });
    named.collect()
}

#[test]
fn each_secret_is_reported_once_with_all_its_bytes() {
    let token = format!("Bearer {} ok", "aB3".repeat(12));
    let expected = [("bearer-token".to_owned(), vec![(7, 43)])];
    assert_eq!(redacted_ranges(&[token.as_bytes()]), expected);
    let key = b"-----BEGIN PRIVATE KEY-----\r\nMIIE\r\nx=\r\n-----END";
    let expected = [("private-key".to_owned(), vec![(29, 33), (35, 37)])];
    assert_eq!(redacted_ranges(&[key]), expected);
    // The time limit is reached in the middle of the secret.
    let (one, two) = VALUE.as_bytes().split_at(9);
    let mut reads = vec![one];
    reads.extend([&b""[..]; 30]);
    reads.push(two);
    assert_eq!(
        redacted_ranges(&reads),
        [("PASSWORD".to_owned(), vec![(0, 21)])]
    );
    let (one, two) = token.as_bytes().split_at(15);
    reads[0] = one;
    reads[31] = two;
    let expected = [("bearer-token".to_owned(), vec![(7, 43)])];
    assert_eq!(redacted_ranges(&reads), expected);
}

#[test]
fn starts_of_a_secret_drawn_by_a_line_editor_are_redacted() {
    let drawn = |text: &str, covered: &dyn Fn(usize) -> String| {
        let each =
            (1..=text.len()).map(|n| (format!("\r\x1b[2K> {}", text.split_at(n).0), covered(n)));
        let (written, left): (String, String) = each.unzip();
        check(&written, &left);
    };
    // Three characters or fewer could be any word.
    drawn(VALUE, &|n| match n {
        0..4 => format!("\r\x1b[2K> {}", VALUE.split_at(n).0),
        n => format!("\r\x1b[2K> {}", "*".repeat(n)),
    });
    let token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    drawn(token, &|n| match n {
        0..8 => format!("\r\x1b[2K> {}", token.split_at(n).0),
        n => format!("\r\x1b[2K> ghp_{}", "*".repeat(n - 4)),
    });
    // The start of another word, and a start without a secret after it, are kept.
    check(
        "hunter2 \rhunter2-correct-horse",
        "hunter2 \r*********************",
    );
    check("hunter2-corr\r\nok", "hunter2-corr\r\nok");
}

#[test]
fn skipped_bytes_are_those_that_a_full_search_would_keep() {
    use screentest_fixtures::random::Random;
    let pieces = [
        "hunter2-correct-horse",
        "hunter2-correct-",
        "hunter",
        "hu",
        "h",
        "-horse",
        "e",
        "sk-",
        "ghp_0123456789",
        "abcdefghijklmnopqrstuvwxyz",
        "eyJhbGciOi",
        "Bearer ",
        "-----BEGIN PRIVATE KEY-----",
        "MIIEvQIBADANBg",
        "\x1b[1;31m",
        "\x1b[m",
        "\x1b[1;38;2;116;213;40;48;2;7;80;255m",
        "\x1b[38;2;116;213\x18",
        "\x1b[2;5H",
        "\x1b[K",
        "\x1b[1\n;2m",
        "\x1b7",
        "\x1b]0;",
        "\x07",
        "\x18",
        "\r\n",
        "\u{8}",
        " ",
        "é界",
    ];
    let rules = rules();
    let scrub = |reads: &mut dyn Iterator<Item = &[u8]>| {
        let mut scrubber = Scrubber::new(Arc::clone(&rules), StreamKind::Output);
        let mut out = ScrubOutput::default();
        for read in reads {
            scrubber.push(read, Duration::ZERO, &mut out);
        }
        scrubber.finish(&mut out);
        assert!(
            out.patches.is_empty(),
            "everything was released in one call"
        );
        (out.bytes, out.covered)
    };
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let count = 2 + random.below(30);
        let text: String = (0..count).map(|_| random.pick(&pieces)).collect();
        let bytes = text.as_bytes();
        assert_eq!(
            scrub(&mut std::iter::once(bytes)),
            scrub(&mut bytes.chunks(1)),
            "{text:?}"
        );
    }
}
