//! `mauve run` from the command line: errors, the prompt, pipes, Ctrl-C.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use mauve::process::kill;
use mauve::signal::SignalKind;

fn mauve() -> Command {
    Command::new(env!("CARGO_BIN_EXE_mauve"))
}

/// A script in a temporary file.
struct Script(PathBuf);

impl Script {
    fn new(name: &str, text: &str) -> Self {
        let directory = std::env::temp_dir().join(format!("mauve-run-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let path = directory.join(name);
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn run(&self) -> Output {
        mauve().arg("run").arg(&self.0).output().unwrap()
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn an_error_shows_its_line_with_a_caret_and_its_stack() {
    let script =
        Script::new("throws.js", "function f() {\n  throw new TypeError('bad thing');\n}\nf();\n");
    let output = script.run();
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(1));
    let path = script.0.display();
    assert!(
        text.starts_with(&format!("{path}:2\n  throw new TypeError('bad thing');\n  ^\n\n")),
        "{text}"
    );
    assert!(text.contains("TypeError: bad thing\n    at f ("), "{text}");
    assert!(text.contains("throws.js:4:1"), "{text}");
}

#[test]
fn a_syntax_error_names_the_file_and_the_line() {
    let output = Script::new("broken.js", "const a = 1;\nfunction ( {\n").run();
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    assert!(text.contains("broken.js:2"), "{text}");
    assert!(text.contains("SyntaxError"), "{text}");
}

#[test]
fn a_missing_script_and_a_missing_module_are_named() {
    let output = mauve().args(["run", "/no/such/script.js"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("Cannot find module '/no/such/script.js'"));

    let output = Script::new("needs.js", "require('./gone');").run();
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    assert!(
        text.contains("Cannot find module './gone'") && text.contains("Require stack:"),
        "{text}"
    );
}

#[test]
fn an_unhandled_rejection_prints_its_reason() {
    let output = Script::new("rejects.js", "Promise.reject(new Error('lost'));").run();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("Error: lost"));

    let output = Script::new("rejects2.js", "Promise.reject('just text');").run();
    let text = stderr(&output);
    assert!(text.contains("ERR_UNHANDLED_REJECTION") && text.contains("\"just text\""), "{text}");
}

#[test]
fn parts_of_node_that_are_left_out_are_refused_by_name() {
    let modules = "_http_agent _stream_readable";
    let calls = "https.request https.get tls.connect http2.createServer cluster.fork vm.runInNewContext \
                 inspector.open domain.create repl.start trace_events.createTracing \
                 crypto.createCipheriv crypto.generateKeyPairSync zlib.zstdCompressSync";
    let classes = "wasi.WASI tls.TLSSocket sqlite.DatabaseSync inspector.Session";
    let text = format!(
        "const report = (name, start) => {{
          try {{ start(); console.log(name, 'accepted'); }}
          catch (error) {{ console.log(error.code, error.message); }}
        }};
        for (const name of '{modules}'.split(' ')) report(name, () => require(name));
        for (const name of '{calls}'.split(' ')) {{
          const [id, call] = name.split('.');
          report(name, () => require(`node:${{id}}`)[call]('https://localhost'));
        }}
        for (const name of '{classes}'.split(' ')) {{
          const [id, Class] = name.split('.');
          report(name, () => new (require(`node:${{id}}`)[Class])('x'));
        }}
        report('Agent', () => require('https').globalAgent.createConnection({{}}));
        report('certificates', () => require('tls').rootCertificates);
        report('Network', () => require('inspector').Network.dataSent({{}}));
        const timers = require('timers'), {{ Readable }} = require('stream');
        report('enroll', () => timers.enroll({{}}, 1));
        report('_initPaths', () => require('module')._findPath('x'));
        report('CallTracker', () => new (require('assert').CallTracker)());
        report('toWeb', () => Readable.toWeb(Readable.from([])));
        const {{ fork, spawn }} = require('child_process');
        report('spawn', () => spawn('true', {{ serialization: 'advanced' }}));
        report('fork', () => fork('true', {{ serialization: 'advanced' }}));"
    );
    let output = Script::new("left-out.js", &text).run();
    let mut expected = String::new();
    let module = |name: &str| format!("the module '{name}'");
    let rest = [
        "tls.connect",
        "tls.rootCertificates",
        "inspector.Network.dataSent",
        "timers.enroll",
        "Module._findPath",
        "assert.CallTracker",
        "Readable.toWeb",
        "serialization: 'advanced'",
        "serialization: 'advanced'",
    ];
    let called = calls.split(' ').chain(classes.split(' ')).chain(rest).map(str::to_owned);
    for what in modules.split(' ').map(module).chain(called) {
        expected += &format!("ERR_MAUVE_NOT_IMPLEMENTED mauve does not implement {what}\n");
    }
    assert_eq!(stdout(&output), expected, "{}", stderr(&output));
}

#[test]
fn infinite_recursion_is_a_range_error_for_every_stack_size() {
    let script = Script::new(
        "deep.js",
        "try { (function f() { f(); })(); } catch (e) { console.log(e.name); }\n\
         try { JSON.parse('['.repeat(100000)); } catch (e) { console.log(e.name); }\n",
    );
    for kilobytes in ["8192", "1024"] {
        let shell = format!(
            "ulimit -s {kilobytes}; exec {} run {}",
            env!("CARGO_BIN_EXE_mauve"),
            script.0.display()
        );
        let output = Command::new("sh").args(["-c", &shell]).output().unwrap();
        assert_eq!(stdout(&output), "RangeError\nRangeError\n", "{}", stderr(&output));
    }
}

#[test]
fn eval_and_print_run_code_of_the_command_line() {
    let output = mauve().args(["run", "-p", "[1, 2].map((x) => x * 2)"]).output().unwrap();
    assert_eq!(stdout(&output), "[ 2, 4 ]\n");
    let output = mauve().args(["run", "-e", "setTimeout(() => console.log('later'), 1)"]).output();
    assert_eq!(stdout(&output.unwrap()), "later\n");
}

#[test]
fn options_may_be_spelled_as_in_node() {
    let output = mauve().args(["-pe", "6 * 7"]).output().unwrap();
    assert_eq!(stdout(&output), "42\n", "{}", stderr(&output));
    let output = mauve().arg("-v").output().unwrap();
    assert!(stdout(&output).starts_with("mauve"), "{}", stderr(&output));
}

#[test]
fn phases_are_printed_in_execution_order() {
    let script = Script::new(
        "phases.js",
        "setTimeout(function timer() { setImmediate(function immediate() {}); process.nextTick(function tick() {}); }, 1);\n",
    );
    let output = mauve().args(["run", "--phases"]).arg(&script.0).output().unwrap();
    let text = stderr(&output);
    let positions: Vec<_> =
        ["script", "timer (phases.js:1)", "tick (phases.js:1)", "immediate (phases.js:1)"]
            .map(|what| text.find(what).unwrap_or_else(|| panic!("{what} is missing in {text}")))
            .into();
    assert!(positions.is_sorted(), "{text}");
    assert!(text.contains("timers   │ timer"), "{text}");
    assert!(text.contains("check    │ immediate"), "{text}");
}

#[test]
fn a_closed_stdout_pipe_exits_the_script_without_an_error() {
    let script = Script::new(
        "upper.js",
        "process.stdin.setEncoding('utf8');\nprocess.stdin.on('data', (d) => process.stdout.write(d.toUpperCase()));\n",
    );
    let command = format!(
        "yes word | head -200000 | {} run {} | head -1",
        env!("CARGO_BIN_EXE_mauve"),
        script.0.display()
    );
    let output = Command::new("sh").args(["-c", &command]).output().unwrap();
    assert_eq!(stdout(&output), "WORD\n");
    assert_eq!(stderr(&output), "");
}

#[test]
fn sigint_kills_a_server_and_an_endless_chain_of_microtasks() {
    let endless = "console.log('on'); (function again() { Promise.resolve().then(again); })();";
    let waiting = "console.log('on'); setInterval(() => {}, 1000);";
    for text in [endless, waiting] {
        let script = Script::new("endless.js", text);
        let mut child = start(&script);
        read_line(&mut child);
        kill(child.id(), SignalKind::interrupt()).unwrap();
        let status = wait(child);
        use std::os::unix::process::ExitStatusExt as _;
        assert_eq!(status.signal(), Some(SignalKind::interrupt().into()), "{text}");
    }
}

#[test]
fn a_sigint_listener_replaces_the_default_action() {
    let script = Script::new(
        "sigint.js",
        "process.on('SIGINT', () => { console.log('bye'); process.exit(3); }); setInterval(() => {}, 1000); console.log('on');",
    );
    let mut child = start(&script);
    read_line(&mut child);
    kill(child.id(), SignalKind::interrupt()).unwrap();
    assert_eq!(wait(child).code(), Some(3));
}

#[test]
fn the_prompt_prints_values_continues_lines_and_continues_after_errors() {
    let mut child = mauve()
        .arg("-i")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = "1 + 1\n{ a: 1 }\nfunction f() {\n  return 'two lines';\n}\nf()\nthrow new Error('no')\nawait Promise.resolve(7)\npath.basename('/x/y')\nlet v = 5\nv * 2\n";
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = stdout(&output);
    for wanted in
        ["2\n", "{ a: 1 }\n", "'two lines'\n", "Uncaught Error: no", "\n7\n", "'y'\n", "10\n"]
    {
        assert!(text.contains(wanted), "{wanted:?} is missing in {text}");
    }
    assert_eq!(output.status.code(), Some(0));
}

fn start(script: &Script) -> Child {
    mauve().arg("run").arg(&script.0).stdout(Stdio::piped()).spawn().unwrap()
}

/// Waits until the script has printed a line.
fn read_line(child: &mut Child) {
    use std::io::Read as _;
    let mut byte = [0];
    let output = child.stdout.as_mut().unwrap();
    while output.read(&mut byte).unwrap() == 1 && byte != *b"\n" {}
}

fn wait(mut child: Child) -> std::process::ExitStatus {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(20) {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap()
}

#[test]
fn a_script_can_close_only_descriptors_that_it_opened_or_inherited() {
    let script = Script::new(
        "owned.js",
        "const fs = require('fs');
         const close = (fd) => { try { return fs.closeSync(fd); } catch (e) { return e.code; } };
         fs.writeSync(3, 'inherited');
         const own = fs.openSync(__filename);
         const server = require('net').createServer().listen(0, () => {
           const socket = server._handle.fd;
           console.log(close(3), close(3), close(own), close(own), close(socket));
           server.close();
         });",
    );
    let written = script.0.with_extension("out");
    let output = Command::new("sh")
        .args(["-c", "exec \"$0\" run \"$1\" 3>\"$2\"", env!("CARGO_BIN_EXE_mauve")])
        .args([&script.0, &written])
        .output()
        .unwrap();
    assert_eq!(stdout(&output), "undefined EBADF undefined EBADF EBADF\n", "{output:?}");
    assert_eq!(std::fs::read_to_string(&written).unwrap(), "inherited");
    std::fs::remove_file(written).unwrap();
}
