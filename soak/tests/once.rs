//! A soak of a few seconds, so that every test run finds frequent failures.

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
    let [output, errors] = [&soak.stdout, &soak.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(soak.status.success(), "{output}{errors}");
    assert!(output.ends_with("no finding\n"), "{output}");
}
