//! Clusters and widths of Unicode's own test data.

use conformance::suite::Suite;
use conformance::unicode;
use screentest_core::Backend;

#[test]
fn clusters_and_widths_fail_only_where_listed() {
    let folder = Suite::folder().join("unicode");
    let tallies = unicode::check(&folder, Backend::default()).unwrap();
    let known = std::fs::read_to_string(folder.join("known.txt")).unwrap();
    let found = unicode::write_known(&tallies);
    assert_eq!(
        found, known,
        "`cargo xtask conformance --stored --update` writes unicode/known.txt"
    );
}
