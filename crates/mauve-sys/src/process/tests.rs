use std::ffi::CString;

use super::options::StdioFd;
use super::*;

fn shell(script: &str) -> ProcessOptions {
    let mut options = ProcessOptions::new(c"sh".to_owned());
    options.args.extend([c"-c".to_owned(), CString::new(script).unwrap()]);
    options
}

fn ignore_all() -> [StdioFd; 3] {
    [StdioFd::Ignore; 3]
}

#[test]
fn spawn_returns_the_error_of_the_child() {
    let failed = |options: &ProcessOptions| options.spawn(&mut ignore_all()).unwrap_err();
    let missing = ProcessOptions::new(c"/no/such/program".to_owned());
    assert_eq!(failed(&missing), SpawnError::Exec(Errno::ENOENT));
    let mut nowhere = shell("true");
    nowhere.cwd = Some(c"/no/such/directory".to_owned());
    assert_eq!(failed(&nowhere), SpawnError::Exec(Errno::ENOENT));
    nowhere.cwd = None;
    let bad = nowhere.spawn(&mut [StdioFd::Inherit(12345)]).unwrap_err();
    assert_eq!(bad, SpawnError::Exec(Errno::EBADF));
}

#[test]
fn a_program_is_searched_for_in_the_path_of_its_environment() {
    let mut options = shell("true");
    options.env = Some(vec![c"PATH=/nowhere:/else".to_owned()]);
    assert_eq!(options.candidates(), [c"/nowhere/sh".to_owned(), c"/else/sh".to_owned()]);
    options.env = Some(Vec::new());
    assert_eq!(options.candidates(), [c"/usr/bin/sh".to_owned(), c"/bin/sh".to_owned()]);
}
