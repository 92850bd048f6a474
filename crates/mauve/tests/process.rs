//! Children, signals and files, through the Rust API.

use std::time::Duration;

use futures_lite::{AsyncReadExt, AsyncWriteExt};
use mauve::process::{Command, Exit, SIGKILL, SIGUSR2, Stdio};
use mauve::{Depth, Errno, Loop, RunMode, Signal, Timer, Watcher};

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

#[test]
fn a_child_reads_what_it_is_written_and_writes_what_we_read() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let mut child = shell("tr a-z A-Z; echo \"$WHO\" >&2; exit 4")
            .env("WHO", "me")
            .stdin(Stdio::Pipe)
            .stdout(Stdio::Pipe)
            .stderr(Stdio::Pipe)
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(b"hello").await.unwrap();
        let (mut out, mut err) = (String::new(), String::new());
        child.stdout.take().unwrap().read_to_string(&mut out).await.unwrap();
        child.stderr.take().unwrap().read_to_string(&mut err).await.unwrap();
        assert_eq!((out.as_str(), err.as_str()), ("HELLO", "me\n"));
        assert_eq!(child.status().await, Exit { status: 4, signal: 0 });
        assert_eq!(child.status().await, Exit { status: 4, signal: 0 }, "asked again");
        assert_eq!(child.kill(0), Err(Errno::ESRCH));
    });
}

#[test]
fn what_cannot_be_started_is_an_error_of_spawn() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let failed = |command: &mut Command| command.spawn().err();
        assert_eq!(failed(&mut Command::new("/no/such/program")), Some(Errno::ENOENT));
        assert_eq!(failed(&mut Command::new("/etc/passwd")), Some(Errno::EACCES));
        assert_eq!(failed(shell("true").current_dir("/no/such")), Some(Errno::ENOENT));
        assert_eq!(failed(shell("true").arg("zero\0inside")), Some(Errno::EINVAL));
    });
    lp.close().unwrap();
}

#[test]
fn of_a_thousand_children_none_is_lost_and_nothing_stays() {
    let before = descriptors();
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let children: Vec<_> = (0..1000)
            .map(|number| {
                Command::new("sh").args(["-c", "exit $0", &(number % 200).to_string()]).spawn()
            })
            .collect();
        for (number, child) in children.into_iter().enumerate() {
            assert_eq!(child.unwrap().status().await.status, (number % 200) as i64);
        }
    });
    drop(lp);
    // Other tests run beside this one, so the number is no exact one.
    assert!(descriptors() < before + 100, "{before} before");
}

#[test]
fn a_child_that_is_dropped_is_still_reaped() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let child = shell("sleep 10").spawn().unwrap();
        let pid = child.pid();
        child.kill(SIGKILL).unwrap();
        drop(child);
        while mauve::process::kill(pid, 0).is_ok() {
            mauve::sleep(Duration::from_millis(1)).await;
        }
    });
    // What the last sleep has left is closed by now.
    lp.run(RunMode::Default).unwrap();
    lp.close().unwrap();
}

#[test]
fn two_loops_hear_of_one_signal() {
    let loops: [Loop<u32>; 2] = [Loop::new().unwrap(), Loop::new().unwrap()];
    for lp in &loops {
        let count = |count: &mut u32, signal: &Signal<u32>, _| {
            *count += 1;
            if *count == 2 {
                signal.close();
            }
        };
        Signal::new(lp).unwrap().start(SIGUSR2, count).unwrap();
    }
    let mut counts = [0; 2];
    for expected in 1..=2 {
        mauve::process::kill(std::process::id() as i32, SIGUSR2).unwrap();
        // Signals of one kind that are not delivered yet are one to the system.
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

/// Does something below a directory that is watched as a whole, and returns what was heard.
fn heard(before: impl FnOnce(&std::path::Path), act: impl FnOnce(&std::path::Path)) -> Vec<String> {
    use std::sync::atomic::{AtomicU32, Ordering};
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("mauve-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let root = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&root).unwrap();
    before(&root);
    let lp = Loop::<Vec<String>>::new().unwrap();
    Watcher::new(&lp)
        .start(&root, Depth::Tree, |heard, _, event| {
            heard.push(event.unwrap().path.display().to_string());
        })
        .unwrap();
    act(&root);
    // Several iterations, however late each of them is.
    let mut ticks = 0;
    let stop = move |_: &mut _, timer: &Timer<_>| {
        ticks += 1;
        if ticks == 5 {
            timer.lp().stop();
        }
    };
    Timer::new(&lp).every(Duration::from_millis(10), stop).unwrap();
    let mut heard = Vec::new();
    lp.run_with(&mut heard, RunMode::Default).unwrap();
    std::fs::remove_dir_all(&root).unwrap();
    heard
}

#[test]
fn a_tree_that_appears_all_at_once_is_heard_of_as_a_whole() {
    let heard = heard(
        |_| {},
        |root| {
            std::fs::create_dir_all(root.join("a/b/c")).unwrap();
            std::fs::write(root.join("a/b/c/file"), "x").unwrap();
        },
    );
    for path in ["a", "a/b", "a/b/c", "a/b/c/file"] {
        assert!(heard.iter().any(|name| name == path), "{path} is not among {heard:?}");
    }
}

#[test]
fn a_directory_that_is_moved_is_followed() {
    let outside = std::env::temp_dir().join(format!("mauve-outside-{}", std::process::id()));
    let heard = heard(
        |root| std::fs::create_dir_all(root.join("old/deep")).unwrap(),
        |root| {
            std::fs::rename(root.join("old"), root.join("new")).unwrap();
            std::fs::write(root.join("new/deep/inside"), "x").unwrap();
            std::fs::create_dir(root.join("leaves")).unwrap();
            std::fs::rename(root.join("leaves"), &outside).unwrap();
        },
    );
    std::fs::remove_dir_all(&outside).unwrap();
    assert!(heard.contains(&"new/deep/inside".to_owned()), "{heard:?}");
    assert!(!heard.iter().any(|name| name.starts_with("old/")), "{heard:?}");
}

#[test]
fn a_process_with_closures_talks_over_a_pipe_and_tells_of_its_end() {
    use mauve::process::Program;
    use mauve::{Pipe, Place, Process};

    let lp = Loop::<(Vec<u8>, Option<i64>)>::new().unwrap();
    let mut program = Program::new(c"sh".into());
    program.args.extend([c"-c".into(), c"read word; echo got $word; exit 4".into()]);
    let (process, pipe) = (Process::new(&lp), Pipe::new(&lp));
    let places = [Place::Pipe(&pipe), Place::Pipe(&pipe), Place::Null];
    // One pipe cannot be two descriptors: each has an end of its own.
    assert!(process.spawn(&program, &places, |_, _, _| unreachable!()).is_err());
    let (input, output) = (Pipe::new(&lp), Pipe::new(&lp));
    let places = [Place::Pipe(&input), Place::Pipe(&output), Place::Null];
    let process = Process::new(&lp);
    process
        .spawn(&program, &places, |state, process, exit| {
            state.1 = Some(exit.status);
            process.close();
        })
        .unwrap();
    assert!(process.pid() > 0);
    input.write(*b"word\n", |_, written| written.unwrap()).unwrap();
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
    assert_eq!(state, (b"got word\n".to_vec(), Some(4)));
    assert_eq!(process.kill(0), Err(mauve::Errno::ESRCH));
}

#[test]
fn a_program_that_is_not_there_is_an_error_at_once() {
    use mauve::process::Program;
    use mauve::{Place, Process};

    let lp: Loop = Loop::new().unwrap();
    let process = Process::new(&lp);
    let spawned =
        process.spawn(&Program::new(c"no-such-program".into()), &[Place::<()>::Null], |_, _, _| {
            unreachable!("nothing was started")
        });
    assert_eq!(spawned, Err(mauve::Errno::ENOENT));
    assert_eq!(process.pid(), 0);
}
