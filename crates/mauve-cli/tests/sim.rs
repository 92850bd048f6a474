//! `mauve sim`: finds the races of the programs in `races`, repeats them and names the decisions they need.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

fn scratch() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sim");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/races").join(path)
}

/// Compiles a C program of the corpus.
fn compiled(name: &str) -> String {
    compiled_from(&source(&format!("c/{name}.c")), name)
}

fn compiled_from(source: &Path, name: &str) -> String {
    let program = scratch().join(name);
    let library = std::env::current_exe().expect("this test").with_file_name("libuv.so");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mauve-uv/include");
    let mut compiler = Command::new("cc");
    compiler.args(["-g", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-I"]).arg(include);
    compiler.arg(source).arg(library).arg("-o").arg(&program);
    assert!(compiler.status().expect("cc runs").success(), "{name}.c does not compile");
    program.to_str().unwrap().to_owned()
}

/// A script of the corpus.
fn script(path: &str) -> String {
    source(path).to_str().unwrap().to_owned()
}

fn sim(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
    let library = std::env::current_exe().expect("this test").with_file_name("libuv.so");
    command.env("MAUVE_LIB", library).arg("sim").args(arguments);
    command.current_dir(scratch()).output().expect("the command runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Runs a program in the usual order some times, without `mauve sim`.
fn passes(name: &str, program: &[&str], repetitions: usize) {
    let library = std::env::current_exe().expect("this test").with_file_name("libuv.so");
    let words: &[&str] = if program[0].ends_with(".js") { &["run"] } else { &["with", "--quiet"] };
    for _ in 0..repetitions {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
        command.env("MAUVE_LIB", &library).args(words).args(program).current_dir(scratch());
        let output = command.output().expect("the command runs");
        assert!(output.status.success(), "{name} without a seed: {}", text(&output));
    }
}

/// Finds the race of a program that passes without seeds, minimises it to at most three decisions, and repeats
/// it some times. Returns the words of the decisions.
fn found(name: &str, program: &[&str], repetitions: usize) -> String {
    found_with(&[], name, program, repetitions)
}

/// [`found`] with more options.
fn found_with(options: &[&str], name: &str, program: &[&str], repetitions: usize) -> String {
    let log = scratch().join(format!("{name}.log"));
    let log = log.to_str().unwrap();
    let arguments = [options, &["--seeds", "200", "--minimise", "--log", log, "--"], program];
    let arguments = arguments.concat();
    let output = sim(&arguments);
    let words = text(&output);
    assert_eq!(output.status.code(), Some(1), "{name}: {words}");
    assert!(words.contains(" fails: exit status "), "{name}: {words}");
    let needs = words.split("it needs ").nth(1).and_then(|rest| rest.split(' ').next());
    let needs: usize = needs.expect(&words).parse().expect("a number");
    assert!((1..=3).contains(&needs), "{name}: {words}");
    let arguments = [&["--replay", log, "--log", "/dev/null", "--"], program].concat();
    for _ in 0..repetitions {
        let output = sim(&arguments);
        assert_eq!(output.status.code(), Some(1), "{name}: {}", text(&output));
    }
    words
}

/// The programs of the corpus, and those among them that need faults.
const C: [&str; 7] =
    ["coalesced", "datagram", "descriptor", "header", "partial_write", "timer", "work_order"];
const RUN: [&str; 6] =
    ["config_timer", "destroyed", "json_chunks", "lost_update", "stat_order", "unhandled_error"];
const FAULTS: [&str; 4] = ["datagram", "descriptor", "swallowed_error", "unhandled_error"];

/// The whole check of a program: it passes without seeds, is found, minimised and repeated.
fn checked(name: &str, program: &[&str]) {
    passes(name, program, 100);
    let options: &[&str] = if FAULTS.contains(&name) { &["--faults"] } else { &[] };
    found_with(options, name, program, 100);
}

#[test]
fn a_timer_that_a_request_is_expected_to_precede_is_named() {
    let words = found("timer", &[&compiled("timer")], 2);
    assert!(words.contains("the next timer is due before the request of work on_open"), "{words}");
    assert!(words.contains("it fails if timer on_timer"), "{words}");
    assert!(words.contains("runs before work on_open"), "{words}");
}

#[test]
fn requests_that_end_in_another_order_are_found() {
    found("work_order", &[&compiled("work_order")], 2);
    found("stat_order", &[&script("run/stat_order.js")], 2);
}

#[test]
fn messages_in_pieces_are_found() {
    found("header", &[&compiled("header")], 2);
    found("partial_write", &[&compiled("partial_write")], 2);
    let words = found("json_chunks", &[&script("run/json_chunks.js")], 2);
    assert!(words.contains("a read returns at most "), "{words}");
}

#[test]
fn coalesced_wakeups_are_found() {
    found("coalesced", &[&compiled("coalesced")], 2);
}

#[test]
fn a_script_that_expects_a_file_before_a_timer_is_found() {
    let words = found("config_timer", &[&script("run/config_timer.js")], 2);
    assert!(words.contains("timeout start ("), "{words}");
}

#[test]
#[ignore = "takes minutes: a release check"]
fn each_race_of_the_corpus_passes_a_hundred_times_and_repeats_a_hundred_times() {
    let programs = C.map(|name| (name, compiled(name))).into_iter();
    let scripts = RUN.map(|name| (name, script(&format!("run/{name}.js"))));
    for (name, program) in programs.chain(scripts) {
        checked(name, &[&program]);
    }
}

mod needs_node {
    use super::*;

    #[test]
    fn a_race_of_a_script_of_node_is_found() {
        found("request_body", &["node", &script("node/request_body.js")], 1);
    }

    #[test]
    #[ignore = "takes minutes: a release check"]
    fn each_race_of_the_corpus_is_found_on_node() {
        for name in ["cache", "framing", "ready_timer", "request_body", "swallowed_error"] {
            checked(name, &["node", &script(&format!("node/{name}.js"))]);
        }
    }
}

#[test]
fn a_fault_that_a_program_does_not_handle_is_found() {
    let words = found_with(&["--faults"], "descriptor", &[&compiled("descriptor")], 2);
    assert!(words.contains("a call fails: E"), "{words}");
    assert!(words.contains("--faults=net:0.01,fs:0.01,dns:0.01,child:0.01 -- "), "{words}");
    let script = script("run/unhandled_error.js");
    let words = found_with(&["--faults=net:0.05"], "unhandled_error", &[&script], 2);
    assert!(words.contains("a call fails: E"), "{words}");
}

#[test]
fn a_datagram_that_gets_lost_is_found() {
    let words = found_with(&["--faults=net:0.05"], "datagram", &[&compiled("datagram")], 2);
    assert!(words.contains("a datagram gets lost"), "{words}");
}

/// The decisions in a trace: their words.
fn decisions_in(trace: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(trace).expect("a trace");
    let lines = text.lines().filter(|line| line.contains("\"cat\":\"decision\""));
    let name = |line: &str| {
        let rest = line.split("\"name\":\"").nth(1).expect("a name");
        rest.split('"').next().expect("its end").to_owned()
    };
    lines.map(name).collect()
}

#[test]
fn a_trace_marks_the_decisions() {
    let (log, json, page) = (
        scratch().join("traced.log"),
        scratch().join("traced.json"),
        scratch().join("traced.html"),
    );
    let [log_name, json_name, page_name] = [&log, &json, &page].map(|path| path.to_str().unwrap());
    let program = compiled("timer");
    let options =
        ["--seeds", "200", "--minimise", "--log", log_name, "--trace", json_name, &program];
    let output = sim(&options);
    let words = text(&output);
    assert!(words.contains(&format!("the trace is in {json_name}")), "{words}");
    let needed = decisions_in(&json);
    assert!((1..=3).contains(&needed.len()), "{needed:?}");
    assert!(
        needed.iter().all(|needed| words.contains(&format!(". {needed}\n"))),
        "{needed:?} {words}"
    );
    // The decisions of the log, in the same order, and the callback that comes too early.
    sim(&["--replay", log_name, "--log", "/dev/null", "--trace", json_name, &program]);
    assert_eq!(decisions_in(&json), needed);
    let seed = words.split("repeat it: mauve sim --seed ").nth(1).expect(&words);
    let seed = seed.split(' ').next().unwrap();
    sim(&["--seed", seed, "--log", log_name, "--trace", json_name, &program]);
    let whole = std::fs::read_to_string(&log).unwrap();
    let drawn = whole.lines().filter(|line| line.starts_with("decide\t"));
    let made = drawn.filter(|line| line.split('\t').nth(4) != Some("0")).count();
    assert_eq!(decisions_in(&json).len(), made);
    assert!(std::fs::read_to_string(&json).unwrap().contains("\"name\":\"on_timer\""));
    // A seed that passes has a trace, too.
    let script = scratch().join("passes.js");
    std::fs::write(&script, "setTimeout(() => {}, 3600e3);").unwrap();
    let output = sim(&["--seed", "1", "--trace", page_name, script.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(std::fs::read_to_string(&page).unwrap().starts_with("<!doctype html>"));
}

#[test]
fn each_call_fails_with_an_error_that_it_documents() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/faults.c");
    let program = compiled_from(&source, "faults");
    for seed in ["1", "2", "3"] {
        let output = sim(&["--seed", seed, "--faults=net:1,fs:1,dns:1,child:1", &program]);
        let expected = format!(
            "open at once: done\nopen: full\nnew: full\nmkdir: ENOSPC\nread: EIO\nwrite: WRITE\n\
             fsync: EIO\ngetaddrinfo: EAI_AGAIN\nchild: signal 9\nsend: failed\ndatagram: failed\n\
             connect: refused\nseed {seed} passes\n"
        );
        let text = text(&output).replace("write: EIO", "write: WRITE");
        let text = text.replace("write: ENOSPC", "write: WRITE");
        assert_eq!((output.status.code(), text), (Some(0), expected));
    }
}

#[test]
fn random_numbers_of_scripts_can_have_the_seed() {
    let script = scratch().join("random.js");
    let text_of = "require('fs').stat('/', () => {
        console.log(process.env.MAUVE_SIM_SEED ?? 'replayed', Math.random());
        process.exitCode = Math.random() < 0.5 ? 0 : 3;
    });";
    std::fs::write(&script, text_of).unwrap();
    let script = script.to_str().unwrap();
    let run = |seed: &str| text(&sim(&["--random", "--seed", seed, "--log", "/dev/null", script]));
    assert_eq!(run("4"), run("4"));
    assert_ne!(run("4").split(' ').nth(1), run("5").split(' ').nth(1));
    let output = sim(&["--random", "true"]);
    assert!(text(&output).contains("--random works with a .js file, and with node"));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_wrong_rate_is_refused() {
    let output = sim(&["--faults=disk:0.1", "true"]);
    let text = text(&output);
    assert!(text.contains("\"disk:0.1\" is not one of net, fs, dns and child"), "{text}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_program_without_a_race_passes_and_does_the_same_twice() {
    let script = scratch().join("fine.js");
    std::fs::write(&script, "require('fs').stat('/', () => setTimeout(() => {}, 1));").unwrap();
    let script = script.to_str().unwrap();
    let output = sim(&["--seeds", "3", script]);
    assert_eq!((output.status.code(), text(&output)), (Some(0), "3 seeds pass\n".to_owned()));
    let output = sim(&["--seed", "2", script]);
    assert_eq!((output.status.code(), text(&output)), (Some(0), "seed 2 passes\n".to_owned()));
}

#[test]
fn the_same_seed_decides_the_same() {
    let program = compiled("header");
    for seed in ["1", "2", "3"] {
        let output = sim(&["--check-determinism", "--seed", seed, &program]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    }
}

#[test]
fn hours_take_no_time_and_a_child_takes_its_time() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/hours.c");
    let program = compiled_from(&source, "hours");
    for seed in ["1", "2", "3", "4"] {
        let output = sim(&["--seed", seed, &program]);
        let expected = format!(
            "timer at 60\nslept 0\nthread at 3600\njob 0 at 7200\nthe clocks are at 10800, 10800 and \
             10800\nwaited in a loop\nthe child took time: 1\nseed {seed} passes\n"
        );
        assert_eq!((output.status.code(), text(&output)), (Some(0), expected));
    }
}

#[test]
fn a_callback_that_waits_until_a_time_continues() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/timed_waits.c");
    let output = sim(&["--seed", "1", &compiled_from(&source, "timed_waits")]);
    let expected = "waited for a condition\npolled\nseed 1 passes\n".to_owned();
    assert_eq!((output.status.code(), text(&output)), (Some(0), expected));
}

#[test]
fn time_passes_for_a_loop_that_never_waits() {
    let script = scratch().join("never_waits.js");
    let text_of = "let over = false;
        setTimeout(() => { over = true; }, 100);
        (function again() { if (!over) setImmediate(again); })();";
    std::fs::write(&script, text_of).unwrap();
    for seed in ["1", "2"] {
        let output = sim(&["--seed", seed, script.to_str().unwrap()]);
        assert_eq!(text(&output), format!("seed {seed} passes\n"));
    }
}

#[test]
fn a_script_reads_virtual_time_and_its_order_is_that_of_the_timers() {
    let script = scratch().join("hours.js");
    let text_of = "const begin = Date.now(), start = performance.now();
        setTimeout(() => console.log(
            'hour', Math.round((Date.now() - begin) / 1e6), Math.round((performance.now() - start) / 1e6),
        ), 3600e3);
        setTimeout(() => console.log('minute'), 60e3);
        require('fs').readFile(__filename, () => console.log('file'));";
    std::fs::write(&script, text_of).unwrap();
    let output = sim(&["--seed", "1", script.to_str().unwrap()]);
    let expected = "file\nminute\nhour 4 4\nseed 1 passes\n";
    assert_eq!((output.status.code(), text(&output)), (Some(0), expected.to_owned()));
}

#[test]
fn time_that_is_real_passes() {
    let script = scratch().join("real.js");
    let text_of = "setTimeout(() => {}, 3600e3);";
    std::fs::write(&script, text_of).unwrap();
    let script = script.to_str().unwrap();
    let output = sim(&["--time", "real", "--timeout", "300ms", script]);
    assert!(text(&output).ends_with("no end within 0.3 s\n"), "{}", text(&output));
    let output = sim(&["--seeds", "2", script]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}

#[test]
fn a_program_that_fails_without_a_seed_is_reported_as_such() {
    let script = scratch().join("broken.js");
    std::fs::write(&script, "console.log('output'); process.exit(7)").unwrap();
    let output = sim(&[script.to_str().unwrap()]);
    let expected = "output\nthe program fails in libuv's order, without a seed: exit status 7\n";
    assert_eq!((output.status.code(), text(&output)), (Some(1), expected.to_owned()));
}

#[test]
fn a_program_that_does_not_end_counts_as_a_failure() {
    let script = scratch().join("endless.js");
    std::fs::write(&script, "for (;;);").unwrap();
    let output = sim(&["--timeout", "300ms", script.to_str().unwrap()]);
    assert!(text(&output).ends_with("no end within 0.3 s\n"), "{}", text(&output));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_run_ends_with_the_command() {
    let file = scratch().join("pid");
    let _ = std::fs::remove_file(&file);
    let line = format!("echo $$ > {0}.new; mv {0}.new {0}; exec sleep 1000", file.display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
    command.args(["sim", "--timeout", "1000s", "--", "sh", "-c", &line]);
    let mut command = command.spawn().expect("the command runs");
    let end = Instant::now() + Duration::from_secs(60);
    let wait_for = |is_true: &dyn Fn() -> bool| {
        while !is_true() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(10));
        }
        is_true()
    };
    assert!(wait_for(&|| file.exists()), "the program does not start");
    let pid = std::fs::read_to_string(&file).unwrap();
    let kill = Command::new("kill").args(["-TERM", &command.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    assert_eq!(command.wait().expect("it ends").code(), Some(128 + 15));
    // It may be a zombie if nothing awaits the processes of others.
    let runs = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        stat.is_ok_and(|stat| !stat.contains(") Z "))
    };
    assert!(wait_for(&|| !runs()), "process {pid} goes on");
}

#[test]
fn what_cannot_be_simulated_is_refused() {
    for (arguments, expected) in [
        (&["true"] as &[&str], "no loop of mauve has run, or it had nothing to decide"),
        (&["--seed", "1", "true"], "no loop of mauve has run, or it had nothing to decide"),
        (&["--replay", "/dev/null", "true"], "/dev/null: there are no decisions in it"),
        (&["--fault", "true"], "unknown option --fault"),
        (&["--replay", "/no/such/log", "true"], "/no/such/log: No such file"),
        (&["--trace", "page.txt", "true"], "page.txt: the name must end with .html or .json"),
    ] {
        let output = sim(arguments);
        assert!(text(&output).contains(expected), "{}", text(&output));
        assert_eq!(output.status.code(), Some(2));
    }
    let output = sim(&["/no/such/program"]);
    assert_eq!(output.status.code(), Some(127), "{}", text(&output));
}
