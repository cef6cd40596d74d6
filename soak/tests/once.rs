//! A soak of a few seconds: every test run finds what a long soak would find at once.

#[test]
fn a_wave_leaves_nothing_behind() {
    #[expect(
        clippy::disallowed_methods,
        reason = "runs the soak, which needs no terminal"
    )]
    let soak = std::process::Command::new(env!("CARGO_BIN_EXE_soak"))
        .args(["--waves", "1", "--at-once", "12", "--seed", "9"])
        .output()
        .unwrap();
    let [told, complaint] = [&soak.stdout, &soak.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(soak.status.success(), "{told}{complaint}");
    assert!(told.ends_with("no finding\n"), "{told}");
}
