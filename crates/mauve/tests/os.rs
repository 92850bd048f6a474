//! System information.

use mauve::os;

#[test]
fn the_host_and_this_process_are_known() {
    assert!(!os::cpus().unwrap().is_empty());
    assert!(os::total_memory() > 0);
    assert_eq!(os::priority(None), os::priority(Some(std::process::id())));
    assert!(os::priority(Some(0)).is_err() && os::priority(Some(u32::MAX)).is_err());
}
