//! One program for everything in Rust that is measured.
//!
//! ```text
//! peers serve FACE SERVICE               a server: closures, tasks, tokio, epoll, io_uring
//! peers work FACE GROUP                  work in one process: mauve, tokio, or bare system calls
//!                                        (epoll: one by one, io_uring: in batches)
//! peers load NAME LOAD CORE [--calls] -- COMMAND...
//!                                        start a server, keep it busy, tell what it has cost
//! ```

use std::process::{Command, ExitCode};

use mauve_bench::load::{Calls, Load};
use mauve_bench::server::{self, Service};
use mauve_bench::{cpu, work};

mod bare_files;
mod ring;
mod tokio_server;
mod tokio_work;

const USAGE: &str = "usage: peers serve FACE SERVICE | work FACE GROUP | load NAME LOAD CORE [--calls] -- COMMAND...";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["serve", face, service] => service.parse().and_then(|service| serve(face, service)),
        ["work", face, group] => work(face, group),
        ["load", name, load, core, "--calls", "--", command @ ..] => {
            keep_busy(name, load, core, Calls::Counted, command)
        }
        ["load", name, load, core, "--", command @ ..] => {
            keep_busy(name, load, core, Calls::Ignored, command)
        }
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("peers: {message}");
            ExitCode::FAILURE
        }
    }
}

fn serve(face: &str, service: Service) -> Result<(), String> {
    let served = match face {
        "closures" => server::closures::serve(service).map_err(Into::into),
        "tasks" => server::tasks::serve(service),
        "tokio" => tokio_server::serve(service),
        "epoll" => server::epoll::serve(service),
        "io_uring" => ring::serve(service),
        _ => return Err(format!("no such face: {face}")),
    };
    served.map_err(|error| error.to_string())
}

fn work(face: &str, group: &str) -> Result<(), String> {
    let samples = match face {
        "mauve" => work::run(group)?,
        "tokio" => tokio_work::run(group)?,
        "epoll" if group == "async" => work::bare::run(group)?,
        "epoll" | "io_uring" => bare_files::run(face, group)?,
        _ => return Err(format!("no such face: {face}")),
    };
    samples.iter().for_each(|sample| println!("{sample}"));
    Ok(())
}

/// The load generator and the server share a core: then one runs until it has nothing left to do,
/// and how many messages it finds is the same every time.
fn keep_busy(
    name: &str,
    load: &str,
    core: &str,
    calls: Calls,
    command: &[&str],
) -> Result<(), String> {
    let load: Load = load.parse()?;
    let core = core.parse().map_err(|_| format!("not a core: {core}"))?;
    cpu::pin(core).map_err(|error| format!("core {core}: {error}"))?;
    let (program, arguments) = command.split_first().ok_or("no server to start")?;
    let mut server = Command::new(program);
    let sample = load.run(name, server.args(arguments), calls);
    println!("{}", sample.map_err(|error| format!("{name}: {error}"))?);
    Ok(())
}
