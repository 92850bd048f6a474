//! The stacks of callbacks that run long, in a trace.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use mauve_trace::{Reader, Trace};

use super::{command, program, scratch};

/// Runs a command with a trace until a stack has all these functions. Then `end` makes it exit.
fn traced_until(
    name: &str,
    mut command: Command,
    functions: &[&str],
    end: impl FnOnce(&mut Child),
) -> Trace {
    let folder = scratch().join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    command.env(mauve_trace::VARIABLE, &folder).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let mut reader = Reader::new(&folder, None);
    let begin = Instant::now();
    loop {
        std::thread::sleep(Duration::from_millis(20));
        let trace = reader.trace();
        let has_all = |stack: Vec<&str>| functions.iter().all(|wanted| stack.contains(wanted));
        if (0..trace.samples.len()).any(|sample| has_all(stack(&trace, sample))) {
            break;
        }
        let stacks: Vec<_> = (0..trace.samples.len()).map(|at| stack(&trace, at)).collect();
        assert!(begin.elapsed() < Duration::from_secs(60), "no stack of {functions:?}: {stacks:?}");
    }
    end(&mut child);
    child.wait().expect("the program exits");
    reader.trace()
}

/// The functions of a sample, the innermost first.
fn stack(trace: &Trace, sample: usize) -> Vec<&str> {
    let mut next = Some(trace.samples[sample].frame);
    let frames = std::iter::from_fn(|| {
        let frame = trace.frames[next?];
        next = frame.caller;
        Some(trace.names[frame.name].function.as_str())
    });
    frames.collect()
}

#[test]
#[cfg_attr(target_env = "musl", ignore = "musl has no unwind tables")]
fn a_callback_that_computes_has_its_stacks_in_the_trace() {
    let command = command(&["with", "-q", program().to_str().unwrap(), "stay"]);
    let trace = traced_until("computes", command, &["compute", "block_the_loop"], |child| {
        drop(child.stdin.take());
    });
    let at = (0..trace.samples.len()).find(|at| stack(&trace, *at).contains(&"compute"));
    let sample = trace.samples[at.expect("found before")];
    // The functions that have called the callback are not in its stacks.
    let outermost = *stack(&trace, at.expect("found before")).last().expect("a frame");
    assert_eq!(outermost, "block_the_loop");
    let callback = &trace.callbacks[sample.callback];
    let name = &trace.names[callback.name.expect("a name")];
    assert_eq!(name.function, "block_the_loop");
    assert!(callback.begin < sample.time && sample.time < callback.end, "{sample:?} {callback:?}");
    assert!(sample.covers > 0 && sample.covers <= sample.time - callback.begin, "{sample:?}");
}

#[test]
fn a_callback_of_a_script_is_named_by_the_function_of_the_user() {
    let folder = scratch().join("script-stacks");
    std::fs::create_dir_all(&folder).expect("a folder");
    let (script, end) = (folder.join("server.js"), folder.join("end"));
    let _ = std::fs::remove_file(&end);
    let code = "const http = require('http'), fs = require('fs');\n\
                function burn() { for (let i = 0; i < 1e5; i++); }\n\
                function handle(request, response) {\n\
                  while (!fs.existsSync(process.argv[2])) burn();\n\
                  response.end('done', () => server.close());\n\
                }\n\
                const server = http.createServer(handle).listen(0, () => {\n\
                  http.get({ port: server.address().port, agent: false }, response => response.resume());\n\
                });\n";
    std::fs::write(&script, code).expect("a script");
    let path = |path: &PathBuf| path.to_str().expect("UTF-8").to_owned();
    let command = command(&["run", &path(&script), &path(&end)]);
    let trace = traced_until("script", command, &["burn", "handle"], |_| {
        std::fs::write(&end, "").expect("a file");
    });
    let name = |callback: &mauve_trace::model::Callback| callback.name.map(|at| &trace.names[at]);
    let named: Vec<_> = trace.callbacks.iter().filter_map(name).collect();
    let file = path(&script);
    assert!(
        named.iter().any(|name| name.function == "handle" && name.file.as_ref() == Some(&file)),
        "{named:?}"
    );
}
