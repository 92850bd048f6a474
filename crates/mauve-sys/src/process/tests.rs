use std::ffi::CString;

use super::command::Place;
use super::*;

fn shell(script: &str) -> Command {
    let mut command = Command::new(c"sh".to_owned());
    command.args.extend([c"-c".to_owned(), CString::new(script).unwrap()]);
    command
}

fn finish(pid: i32) -> Exit {
    loop {
        if let Some(exit) = wait(pid).unwrap() {
            return exit;
        }
        std::thread::yield_now();
    }
}

fn none() -> [Place; 3] {
    [Place::Ignore; 3]
}

#[test]
fn the_end_of_a_child_is_told_with_its_status_or_its_signal() {
    let pid = shell("exit 7").spawn(&mut none()).unwrap().pid;
    assert_eq!(finish(pid), Exit { status: 7, signal: 0 });
    let pid = shell("kill -9 $$").spawn(&mut none()).unwrap().pid;
    assert_eq!(finish(pid), Exit { status: 0, signal: 9 });
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

#[test]
fn the_kernel_remembers_how_a_child_ended_that_somebody_else_has_reaped() {
    let Spawned { pid, pidfd } = shell("exit 3").spawn(&mut none()).unwrap();
    let pidfd = pidfd.unwrap();
    assert_eq!(finish(pid).status, 3);
    assert_eq!(wait(pid), Err(Errno::from_raw(libc::ECHILD)));
    assert_eq!(pidfd.kill(0), Err(Errno::ESRCH));
    if let Some(exit) = pidfd.exit() {
        assert_eq!(exit.status, 3);
    }
}
