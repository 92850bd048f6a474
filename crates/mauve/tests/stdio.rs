//! The standard streams, Ctrl-C and unhandled panics, each in a process of its own.

#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _};
use mauve::Loop;
use mauve::process::kill;
use mauve::signal::SignalKind;

/// The variable that selects what the process of [`child_process`] does.
const ROLE: &str = "MAUVE_TEST_ROLE";

/// Starts this file's test `child_process` as a process with piped streams.
fn start(role: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child_process", "--nocapture"]).env(ROLE, role);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// What the processes of the other tests do.
#[test]
fn child_process() {
    match std::env::var(ROLE).as_deref() {
        Ok("echo") => echo(),
        Ok("prompt") => prompt(),
        Ok("interrupt") => interrupt(),
        Ok("panic") => panic_in_a_task(),
        Ok("hurry") => hurry(),
        Ok("late") => late(),
        Ok("limit") => limit(),
        Ok("writers") => writers(),
        _ => {}
    }
}

/// Copies lines to both outputs, and stops at the end of the input.
#[mauve::main]
async fn echo() {
    let mut lines = mauve::io::lines(mauve::io::stdin());
    let (mut stdout, mut stderr) = (mauve::io::stdout(), mauve::io::stderr());
    while let Some(line) = lines.next_line().await.unwrap() {
        stderr.write_all(format!("{}\n", line.to_uppercase()).as_bytes()).await.unwrap();
        stdout.write_all(format!("<{line}>\n").as_bytes()).await.unwrap();
    }
    stderr.write_all(b"the end\n").await.unwrap();
}

/// Reads with several values of `Stdin`, which are dropped while they have unread bytes or a read in
/// flight.
#[mauve::main]
async fn prompt() {
    let mut stderr = mauve::io::stderr();
    let wait =
        mauve::timeout(Duration::from_millis(50), mauve::io::stdin().read(&mut [0; 8])).await;
    assert!(wait.is_err(), "the input is written later");
    stderr.write_all(b"ready\n").await.unwrap();
    for _ in 0..2 {
        let line = mauve::io::lines(mauve::io::stdin()).next_line().await.unwrap().unwrap();
        stderr.write_all(format!("<{line}>").as_bytes()).await.unwrap();
    }
    let mut bytes = [0; 2];
    mauve::io::stdin().read_exact(&mut bytes).await.unwrap();
    let mut rest = String::new();
    mauve::io::stdin().read_to_string(&mut rest).await.unwrap();
    assert_eq!(mauve::io::stdin().read(&mut bytes).await.unwrap(), 0, "the end is not an error");
    let text = format!("{}|{rest}", str::from_utf8(&bytes).unwrap());
    stderr.write_all(text.as_bytes()).await.unwrap();
}

#[test]
fn values_of_stdin_share_what_was_read() {
    let mut child = start("prompt");
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut text = String::new();
    stderr.read_line(&mut text).unwrap();
    assert_eq!(text, "ready\n");
    // In one write, so that one read of the process gets them all.
    child.stdin.take().unwrap().write_all(b"one\ntwo\nabcdef").unwrap();
    stderr.read_to_string(&mut text).unwrap();
    assert_eq!(text, "ready\n<one><two>ab|cdef");
    assert!(child.wait().unwrap().success());
}

#[test]
fn lines_of_stdin_arrive_one_by_one_and_both_outputs_are_written() {
    let mut child = start("echo");
    let mut stdin = child.stdin.take().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    for text in ["one\n", "zwölf\n"] {
        // The next line is written only after the response to this one.
        stdin.write_all(text.as_bytes()).unwrap();
        line.clear();
        stderr.read_line(&mut line).unwrap();
        assert_eq!(line, text.to_uppercase());
    }
    stdin.write_all(b"without a newline").unwrap();
    drop(stdin);
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "WITHOUT A NEWLINE\nthe end\n");
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert!(output.contains("<one>\n<zwölf>\n<without a newline>\n"), "{output}");
    assert!(child.wait().unwrap().success());
}

#[mauve::main]
async fn interrupt() {
    let mut stderr = mauve::io::stderr();
    let interrupted = mauve::spawn(mauve::signal::ctrl_c());
    mauve::yield_now().await;
    stderr.write_all(b"ready\n").await.unwrap();
    interrupted.await.unwrap().unwrap();
    stderr.write_all(b"interrupted\n").await.unwrap();
    mauve::sleep(Duration::from_secs(60)).await;
}

#[test]
fn ctrl_c_is_received_once_and_then_has_its_default_action() {
    let mut child = start("interrupt");
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    for expected in ["ready\n", "interrupted\n"] {
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        assert_eq!(line, expected);
        kill(child.id(), SignalKind::interrupt()).unwrap();
    }
    assert_eq!(child.wait().unwrap().signal(), Some(SignalKind::interrupt().into()));
}

#[mauve::main]
async fn panic_in_a_task() {
    drop(mauve::spawn(async { panic!("in a detached task") }));
    mauve::yield_now().await;
    mauve::io::stderr().write_all(b"the loop runs on\n").await.unwrap();
}

#[test]
fn the_panic_of_a_detached_task_is_printed_and_the_loop_runs_on() {
    let output = start("panic").wait_with_output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    let (panic, rest) = text.split_once("in a detached task").expect(&text);
    assert!(panic.contains(file!()), "{panic}");
    assert!(rest.ends_with("the loop runs on\n"), "{rest}");
    assert!(output.status.success());
}

/// Writes without waiting, and reports how many bytes were accepted.
#[mauve::main]
async fn hurry() {
    let mut accepted = 0;
    for number in 0..300 {
        let bytes = vec![b'#'; 1 + number * 31 % 4000];
        let write = mauve::io::stdout().write(&bytes).await;
        accepted += write.unwrap();
        let mut dropped = mauve::io::stdout();
        let poll = futures_lite::future::poll_once(dropped.write(&bytes)).await;
        accepted += poll.map_or(0, Result::unwrap);
    }
    mauve::io::stderr().write_all(accepted.to_string().as_bytes()).await.unwrap();
}

#[test]
fn accepted_bytes_are_written_once_and_before_the_process_exits() {
    let output = start("hurry").wait_with_output().unwrap();
    assert!(output.status.success());
    let accepted: usize = String::from_utf8(output.stderr).unwrap().parse().unwrap();
    assert_eq!(output.stdout.iter().filter(|byte| **byte == b'#').count(), accepted);
}

/// Returns while a job runs.
#[mauve::main]
async fn late() {
    let (sender, receiver) = std::sync::mpsc::channel();
    drop(mauve::spawn_blocking(move || {
        sender.send(()).unwrap();
        std::thread::sleep(Duration::from_millis(50));
        eprintln!("the job has ended");
    }));
    receiver.recv().unwrap();
}

#[test]
fn main_waits_for_the_jobs_that_run() {
    let output = start("late").wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "the job has ended\n");
}

/// Prints how many of many jobs ran at a time, after others have started more threads.
fn limit() {
    let lp: mauve::Loop = mauve::Loop::builder().blocking_threads(8).build().unwrap();
    let barrier = Arc::new(std::sync::Barrier::new(8));
    let wait = |barrier: Arc<std::sync::Barrier>| move || barrier.wait().is_leader();
    let jobs: Vec<_> = (0..8).map(|_| lp.spawn_blocking(wait(barrier.clone()))).collect();
    lp.block_on(async {
        for job in jobs {
            job.await.unwrap();
        }
    });
    let lp: mauve::Loop = mauve::Loop::builder().blocking_threads(2).build().unwrap();
    let running = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let job = |running: Arc<(AtomicUsize, AtomicUsize)>| {
        move || {
            let now = running.0.fetch_add(1, Ordering::SeqCst) + 1;
            running.1.fetch_max(now, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(20));
            running.0.fetch_sub(1, Ordering::SeqCst);
        }
    };
    let jobs: Vec<_> = (0..8).map(|_| lp.spawn_blocking(job(running.clone()))).collect();
    lp.block_on(async {
        for job in jobs {
            job.await.unwrap();
        }
    });
    eprint!("{}", running.1.load(Ordering::SeqCst));
}

#[test]
fn the_number_of_blocking_jobs_at_a_time_can_be_limited() {
    let output = start("limit").wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "2");
}

const WRITERS: usize = 4;
const LINES: usize = 1000;

/// Each thread has a loop of its own.
fn writers() {
    let write = |writer| {
        let lp: Loop = Loop::new().unwrap();
        lp.block_on(async {
            let mut stderr = mauve::io::stderr();
            for line in 0..LINES {
                stderr.write_all(format!("{writer} {line}\n").as_bytes()).await.unwrap();
            }
            stderr.flush().await.unwrap();
        });
    };
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            scope.spawn(move || write(writer));
        }
    });
}

#[test]
fn the_writes_of_each_loop_keep_their_order() {
    let mut child = start("writers");
    let mut next = [0; WRITERS];
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        let line = line.unwrap();
        let (writer, number) = line.split_once(' ').unwrap();
        let next = &mut next[writer.parse::<usize>().unwrap()];
        assert_eq!(number.parse(), Ok(*next), "of writer {writer}");
        *next += 1;
    }
    assert_eq!(next, [LINES; WRITERS]);
    assert!(child.wait().unwrap().success());
}
