use screentest_fixtures::scratch::Scratch;

use super::*;

#[test]
fn second_close_does_not_affect_a_new_session_of_the_same_name() {
    let scratch = Scratch::new();
    let settings = ServiceSettings {
        artifact_dir: scratch.path().to_owned(),
        cassette_dir: None,
        size: Size { cols: 80, rows: 24 },
        timeout: Duration::from_secs(1),
        ambiguity: Ambiguity::default(),
        secrets: Secrets::default(),
        input: InputOverrides::default(),
        max_sessions: 9,
    };
    let service = Service::new(settings, Arc::new(NoNotifications));
    let open = |key, artifacts, source| {
        let options = RunOptions::default().artifacts_dir(scratch.path());
        service.open(key, artifacts, source, options).unwrap()
    };
    let first = open("session", "first", KeySource::Default);
    service.close(&first).unwrap();
    let second = open("session", "second", KeySource::Default);
    open("other", "other", KeySource::Client);
    service.close(&first).unwrap();
    assert!(Arc::ptr_eq(&service.session(None).unwrap(), &second));
}
