use std::ffi::CString;

use super::command::Place;
use super::*;

fn shell(script: &str) -> Command {
    let mut command = Command::new(c"sh".to_owned());
    command.args.extend([c"-c".to_owned(), CString::new(script).unwrap()]);
    command
}

fn none() -> [Place; 3] {
    [Place::Ignore; 3]
}

#[test]
fn what_goes_wrong_in_the_child_is_the_error_of_spawn() {
    let failed = |command: &Command| command.spawn(&mut none()).unwrap_err();
    let missing = Command::new(c"/no/such/program".to_owned());
    assert_eq!(failed(&missing), SpawnError::Failed(Errno::ENOENT));
    let mut nowhere = shell("true");
    nowhere.cwd = Some(c"/no/such/directory".to_owned());
    assert_eq!(failed(&nowhere), SpawnError::Failed(Errno::ENOENT));
    nowhere.cwd = None;
    let bad = nowhere.spawn(&mut [Place::Shared(12345)]).unwrap_err();
    assert_eq!(bad, SpawnError::Failed(Errno::EBADF));
}

#[test]
fn a_program_is_looked_for_where_its_own_environment_says() {
    let mut command = shell("true");
    command.env = Some(vec![c"PATH=/nowhere:/else".to_owned()]);
    assert_eq!(command.candidates(), [c"/nowhere/sh".to_owned(), c"/else/sh".to_owned()]);
    command.env = Some(Vec::new());
    assert_eq!(command.candidates(), [c"/usr/bin/sh".to_owned(), c"/bin/sh".to_owned()]);
}
