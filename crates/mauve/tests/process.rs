//! Child processes, signals and file watchers.

#![cfg(unix)]

use std::time::Duration;

use futures_lite::{AsyncReadExt, AsyncWriteExt};
use mauve::process::{Command, Stdio, kill};
use mauve::signal::SignalKind;
use mauve::{Errno, Loop, RecursiveMode, RunMode, Signal, Timer, Watcher};

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

fn open_fds() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

#[mauve::test]
async fn piped_stdio_and_the_exit_status_of_a_child() {
    let mut child = shell("tr a-z A-Z; echo \"$NAME\" >&2; exit 4")
        .env("NAME", "value")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"hello").await.unwrap();
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).await.unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).await.unwrap();
    assert_eq!((out.as_str(), err.as_str()), ("HELLO", "value\n"));
    assert_eq!(child.wait().await.unwrap().code(), Some(4));
    assert_eq!(child.wait().await.unwrap().code(), Some(4), "second call");
    assert_eq!(child.try_wait().unwrap().unwrap().code(), Some(4));
    assert_eq!(Errno::from(child.signal(0).unwrap_err()), Errno::ESRCH);
    assert_eq!(child.id(), None);
    child.start_kill().unwrap();
}

#[mauve::test]
async fn closing_the_standard_input_of_a_child_is_its_end_of_file() {
    let cat = || shell("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut child = cat();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"hello").await.unwrap();
    stdin.close().await.unwrap();
    // The pipe is still owned, but closed.
    assert_eq!(child.wait_with_output().await.unwrap().stdout, b"hello");
    stdin.flush().await.unwrap();
    stdin.close().await.unwrap();
    assert_eq!(stdin.write(b"x").await.unwrap_err().kind(), std::io::ErrorKind::BrokenPipe);
    assert!(Stdio::try_from(stdin).is_err());
    let mut child = cat();
    futures_lite::io::copy(&b"copied"[..], child.stdin.as_mut().unwrap()).await.unwrap();
    child.stdin.as_mut().unwrap().close().await.unwrap();
    assert_eq!(child.wait_with_output().await.unwrap().stdout, b"copied");
}

#[mauve::test]
async fn a_command_sets_the_name_the_environment_and_the_directory() {
    let output = async |command: &mut Command| {
        let output = command.output().await.unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(output(shell("echo $0").arg0("/example/sh")).await, "/example/sh\n");
    assert_eq!(output(shell("echo $A $B").envs([("A", "1"), ("B", "2")])).await, "1 2\n");
    assert_eq!(output(shell("echo $A").env_remove("A").env("A", "1")).await, "1\n");
    assert_eq!(output(shell("echo ${HOME-none}").env_remove("HOME")).await, "none\n");
    let mut env = Command::new("/usr/bin/env");
    assert_eq!(output(env.env("A", "1").env_clear().env("B", "2")).await, "B=2\n");
    assert_eq!(output(Command::new("pwd").current_dir("/")).await, "/\n");
    let quiet = shell("echo error >&2; exit 1").stderr(Stdio::null()).output().await.unwrap();
    assert_eq!((quiet.status.code(), quiet.stderr), (Some(1), Vec::new()));
}

#[mauve::test]
async fn streams_of_a_child_are_passed_to_another_child_in_blocking_mode() {
    let script = "sleep 0.05; echo out; echo err >&2";
    let mut first = shell(script).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let out: Stdio = first.stdout.take().unwrap().try_into().unwrap();
    let err: Stdio = first.stderr.take().unwrap().try_into().unwrap();
    // A `read` of the shell fails at once if the descriptor is non-blocking.
    let read = "read -r line && echo \"<$line>\"";
    for (stdin, expected) in [(out, "<out>\n"), (err, "<err>\n")] {
        let output = shell(read).stdin(stdin).output().await.unwrap();
        assert_eq!(output.stdout, expected.as_bytes());
    }
    first.wait().await.unwrap();

    let mut cat = Command::new("cat");
    let mut last = cat.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let stdin: Stdio = last.stdin.take().unwrap().try_into().unwrap();
    shell("echo hello").stdout(stdin).status().await.unwrap();
    assert_eq!(last.wait_with_output().await.unwrap().stdout, b"hello\n");
}

#[mauve::test]
async fn try_wait_reports_an_exit_that_was_not_awaited() {
    // Before the loop has polled, and after.
    for yields in [false, true] {
        let mut child = shell("exit 3").stdout(Stdio::piped()).spawn().unwrap();
        let status = loop {
            if yields {
                mauve::yield_now().await;
            }
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
        };
        assert_eq!(status.code(), Some(3));
        assert_eq!(child.wait().await.unwrap().code(), Some(3));
    }
}

#[mauve::test]
async fn a_child_opens_its_piped_stdio_by_path() {
    let mut child = shell("cat /dev/stdin > /dev/stdout; echo end > /dev/stderr")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(b"hello").await.unwrap();
    // Closes standard input.
    let output = child.wait_with_output().await.unwrap();
    assert!(output.status.success());
    assert_eq!((&*output.stdout, &*output.stderr), (&b"hello"[..], &b"end\n"[..]));
}

#[mauve::test]
async fn output_reads_both_streams_at_once() {
    // More than a pipe holds.
    let script = "cat; head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero; exit 5";
    let output = shell(script).output().await.unwrap();
    assert_eq!(output.status.code(), Some(5));
    assert_eq!((output.stdout.len(), output.stderr.len()), (300_000, 300_000));
    assert_eq!(shell("exit 6").status().await.unwrap().code(), Some(6));
}

#[test]
fn files_are_the_stdio_of_a_child() {
    let lp: Loop = Loop::new().unwrap();
    let path = std::env::temp_dir().join(format!("mauve-stdio-{}", std::process::id()));
    std::fs::write(&path, "from a file").unwrap();
    lp.block_on(async {
        let output =
            shell("cat").stdin(std::fs::File::open(&path).unwrap()).output().await.unwrap();
        assert_eq!(output.stdout, b"from a file");
        let file = mauve::fs::File::create(&path).await.unwrap();
        let stdout = Stdio::try_from(&file).unwrap();
        assert!(shell("echo to a file").stdout(stdout).status().await.unwrap().success());
    });
    assert_eq!(std::fs::read(&path).unwrap(), b"to a file\n");
    std::fs::remove_file(&path).unwrap();
}

#[mauve::test]
async fn a_child_is_killed_on_drop_if_the_command_says_so() {
    let mut command = shell("exec sleep 1000");
    let child = command.kill_on_drop(true).spawn().unwrap();
    let pid = child.id().unwrap();
    drop(child);
    while kill(pid, 0).is_ok() {
        mauve::sleep(Duration::from_millis(1)).await;
    }
    let mut child = command.spawn().unwrap();
    child.kill().await.unwrap();
    let status = child.try_wait().unwrap().unwrap();
    assert_eq!(
        std::os::unix::process::ExitStatusExt::signal(&status),
        Some(SignalKind::kill().into())
    );
}

#[test]
fn spawn_returns_the_error_of_exec() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let failed = |command: &mut Command| command.spawn().err().map(Errno::from);
        assert_eq!(failed(&mut Command::new("/no/such/program")), Some(Errno::ENOENT));
        assert_eq!(failed(&mut Command::new("/etc/passwd")), Some(Errno::EACCES));
        assert_eq!(failed(shell("true").current_dir("/no/such")), Some(Errno::ENOENT));
        assert_eq!(failed(shell("true").arg("nul\0inside")), Some(Errno::EINVAL));
    });
    lp.close().unwrap();
}

#[test]
fn a_thousand_children_are_reaped_and_leak_no_descriptors() {
    let before = open_fds();
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let children: Vec<_> = (0..1000)
            .map(|number| {
                Command::new("sh").args(["-c", "exit $0", &(number % 200).to_string()]).spawn()
            })
            .collect();
        for (number, child) in children.into_iter().enumerate() {
            assert_eq!(child.unwrap().wait().await.unwrap().code(), Some(number as i32 % 200));
        }
    });
    drop(lp);
    // Other tests run in parallel and open descriptors too.
    assert!(open_fds() < before + 100, "{before} before");
}

#[test]
fn a_dropped_child_is_reaped() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let child = shell("sleep 10").spawn().unwrap();
        let pid = child.id().unwrap();
        child.signal(SignalKind::kill()).unwrap();
        drop(child);
        while kill(pid, 0).is_ok() {
            mauve::sleep(Duration::from_millis(1)).await;
        }
    });
    // Runs the close phase of the last sleep's timer.
    lp.run(RunMode::Default).unwrap();
    lp.close().unwrap();
}

#[test]
fn a_signal_is_delivered_to_two_loops() {
    let loops: [Loop<u32>; 2] = [Loop::new().unwrap(), Loop::new().unwrap()];
    for lp in &loops {
        let count = |count: &mut u32, signal: &Signal<u32>, _| {
            *count += 1;
            if *count == 2 {
                signal.close();
            }
        };
        Signal::new(lp).unwrap().start(SignalKind::user_defined2(), count).unwrap();
    }
    let mut counts = [0; 2];
    for expected in 1..=2 {
        kill(std::process::id(), SignalKind::user_defined2()).unwrap();
        // The kernel merges pending signals, so wait for each delivery.
        for (lp, count) in loops.iter().zip(&mut counts) {
            while *count < expected {
                lp.run_with(count, RunMode::Once).unwrap();
            }
        }
    }
    for (lp, count) in loops.iter().zip(&mut counts) {
        lp.run_with(count, RunMode::Default).unwrap();
        assert_eq!(*count, 2);
        lp.close().unwrap();
    }
}

/// Watches a directory recursively while `act` changes it. Returns the reported paths.
fn watch(before: impl FnOnce(&std::path::Path), act: impl FnOnce(&std::path::Path)) -> Vec<String> {
    use std::sync::atomic::{AtomicU32, Ordering};
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("mauve-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let root = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&root).unwrap();
    before(&root);
    let lp = Loop::<Vec<String>>::new().unwrap();
    Watcher::new(&lp)
        .start(&root, RecursiveMode::Recursive, |paths, _, event| {
            paths.push(event.unwrap().path.display().to_string());
        })
        .unwrap();
    act(&root);
    // Several iterations, since new subdirectories are watched one level at a time.
    let mut ticks = 0;
    let stop = move |_: &mut _, timer: &Timer<_>| {
        ticks += 1;
        if ticks == 5 {
            timer.event_loop().stop();
        }
    };
    Timer::new(&lp).every(Duration::from_millis(10), stop).unwrap();
    let mut paths = Vec::new();
    lp.run_with(&mut paths, RunMode::Default).unwrap();
    std::fs::remove_dir_all(&root).unwrap();
    paths
}

#[test]
fn all_levels_of_a_new_directory_tree_are_reported() {
    let paths = watch(
        |_| {},
        |root| {
            std::fs::create_dir_all(root.join("a/b/c")).unwrap();
            std::fs::write(root.join("a/b/c/file"), "x").unwrap();
        },
    );
    for path in ["a", "a/b", "a/b/c", "a/b/c/file"] {
        assert!(paths.iter().any(|reported| reported == path), "{path} is not in {paths:?}");
    }
}

#[test]
fn a_renamed_directory_is_watched_under_its_new_name() {
    let outside = std::env::temp_dir().join(format!("mauve-outside-{}", std::process::id()));
    let paths = watch(
        |root| std::fs::create_dir_all(root.join("old/deep")).unwrap(),
        |root| {
            std::fs::rename(root.join("old"), root.join("new")).unwrap();
            std::fs::write(root.join("new/deep/inside"), "x").unwrap();
            std::fs::create_dir(root.join("leaves")).unwrap();
            std::fs::rename(root.join("leaves"), &outside).unwrap();
        },
    );
    std::fs::remove_dir_all(&outside).unwrap();
    assert!(paths.contains(&"new/deep/inside".to_owned()), "{paths:?}");
    assert!(!paths.iter().any(|path| path.starts_with("old/")), "{paths:?}");
}

#[test]
fn a_process_handle_reports_output_and_exit_to_callbacks() {
    use mauve::process::ProcessOptions;
    use mauve::{Pipe, Process, ProcessStdio as Stdio};

    let lp = Loop::<(Vec<u8>, Option<i64>)>::new().unwrap();
    let mut options = ProcessOptions::new(c"sh".into());
    options.args.extend([c"-c".into(), c"read line; echo got $line; exit 4".into()]);
    let (process, pipe) = (Process::new(&lp), Pipe::new(&lp));
    let stdio = [Stdio::Pipe(&pipe), Stdio::Pipe(&pipe), Stdio::Null];
    // One handle cannot be the pipe of two descriptors.
    assert!(process.spawn(&options, &stdio, |_, _, _| unreachable!()).is_err());
    let (input, output) = (Pipe::new(&lp), Pipe::new(&lp));
    let stdio = [Stdio::Pipe(&input), Stdio::Pipe(&output), Stdio::Null];
    let process = Process::new(&lp);
    process
        .spawn(&options, &stdio, |state, process, exit| {
            state.1 = Some(exit.status);
            process.close();
        })
        .unwrap();
    assert!(process.id().is_some());
    input.write_with(*b"line\n", |_, _, written| written.unwrap()).unwrap();
    output
        .read_start(|state, pipe, read| match read.unwrap() {
            Some(bytes) => state.0.extend_from_slice(bytes),
            None => pipe.close(),
        })
        .unwrap();
    let mut state = (Vec::new(), None);
    while state.1.is_none() || !output.is_closing() {
        lp.run_with(&mut state, RunMode::Once).unwrap();
    }
    assert_eq!(state, (b"got line\n".to_vec(), Some(4)));
    assert_eq!(process.signal(0), Err(mauve::Errno::ESRCH));
}

/// Waits until a child is killed and reaped. Creating a loop reaps the children of dropped loops.
fn wait_until_reaped(pid: u32) {
    let limit = std::time::Instant::now() + Duration::from_secs(60);
    while kill(pid, 0).map_err(Errno::from) != Err(Errno::ESRCH) {
        assert!(std::time::Instant::now() < limit, "a zombie, or it still runs");
        std::thread::sleep(Duration::from_millis(1));
        drop(Loop::<()>::new().unwrap());
    }
}

#[test]
fn children_of_a_dropped_loop_are_reaped() {
    let lp: Loop = Loop::new().unwrap();
    let pid = std::rc::Rc::new(std::cell::Cell::new(0));
    let stored = pid.clone();
    lp.spawn(async move {
        let child = Command::new("sleep").arg("3600").kill_on_drop(true).spawn().unwrap();
        stored.set(child.id().unwrap());
        std::future::pending::<()>().await;
    });
    lp.block_on(mauve::yield_now());
    drop(lp);
    wait_until_reaped(pid.get());
}

#[test]
fn a_child_that_outlives_its_loop_can_be_killed() {
    for kills_on_drop in [false, true] {
        let lp: Loop = Loop::new().unwrap();
        let command = || Command::new("sleep").arg("3600").kill_on_drop(kills_on_drop).spawn();
        let mut child = lp.block_on(async { command() }).unwrap();
        let pid = child.id().unwrap();
        drop(lp);
        assert_eq!(child.try_wait().map_err(Errno::from).err(), Some(Errno::EINVAL));
        if !kills_on_drop {
            child.start_kill().unwrap();
        }
        drop(child);
        wait_until_reaped(pid);
    }
}

#[test]
fn spawning_a_missing_program_fails_with_enoent() {
    use mauve::process::ProcessOptions;
    use mauve::{Process, ProcessStdio as Stdio};

    let lp: Loop = Loop::new().unwrap();
    let process = Process::new(&lp);
    let options = ProcessOptions::new(c"no-such-program".into());
    let spawned = process
        .spawn(&options, &[Stdio::<()>::Null], |_, _, _| unreachable!("no process was started"));
    assert_eq!(spawned, Err(mauve::Errno::ENOENT));
    assert_eq!(process.id(), None);
}

#[test]
fn tasks_receive_signals() {
    use mauve::signal::signal;

    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let mut alarms = signal(SignalKind::alarm()).unwrap();
        let mut other = signal(SignalKind::alarm().as_raw_value()).unwrap();
        for _ in 0..3 {
            kill(std::process::id(), SignalKind::alarm()).unwrap();
            assert_eq!(alarms.recv().await, Some(()));
            assert_eq!(other.recv().await, Some(()));
        }
        let limit = Duration::from_millis(1);
        assert!(mauve::timeout(limit, alarms.recv()).await.is_err(), "each delivery once");
        assert!(signal(SignalKind::kill()).is_err());
    });
    lp.run(RunMode::Default).unwrap();
    lp.close().unwrap();
}
