//! The measured Rust programs, in one executable.
//!
//! ```text
//! peers serve API SERVICE                run a server on closures, tasks or tokio
//! peers work API GROUP                   run workloads on mauve or tokio
//! peers load NAME LOAD CORE [--calls] -- COMMAND...
//!                                        start a server, send requests, print the server's cost
//! ```

use std::process::{Command, ExitCode};

use mauve_bench::load::{CountSyscalls, Load};
use mauve_bench::server::{self, Service};
use mauve_bench::{cpu, work};

mod hello;
mod tokio_flood;
mod tokio_server;
mod tokio_work;
mod tokio_workers;

const USAGE: &str =
    "usage: peers serve API SERVICE | work API GROUP | load NAME LOAD CORE [--calls] -- COMMAND...";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args.as_slice() {
        ["serve", api, "hyper-hello"] => hello::serve(api),
        ["serve", api, service] => service.parse().and_then(|service| serve(api, service)),
        ["work", api, group] => work(api, group),
        ["load", name, load, core, "--calls", "--", command @ ..] => {
            run_load(name, load, core, CountSyscalls::Yes, command)
        }
        ["load", name, load, core, "--", command @ ..] => {
            run_load(name, load, core, CountSyscalls::No, command)
        }
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("peers: {message}");
            ExitCode::FAILURE
        }
    }
}

fn serve(api: &str, service: Service) -> Result<(), String> {
    let served = match api {
        "closures" => server::callbacks::serve(service).map_err(Into::into),
        "tasks" => server::tasks::serve(service),
        "tokio" => tokio_server::serve(service),
        _ => return Err(format!("no such api: {api}")),
    };
    served.map_err(|error| error.to_string())
}

fn work(api: &str, group: &str) -> Result<(), String> {
    let samples = match api {
        "mauve" => work::run(group)?,
        "tokio" => tokio_work::run(group)?,
        _ => return Err(format!("no such api: {api}")),
    };
    samples.iter().for_each(|sample| println!("{sample}"));
    Ok(())
}

/// Pins the load generator and the server to one core. They then alternate, and batch sizes are the
/// same in every run.
fn run_load(
    name: &str,
    load: &str,
    core: &str,
    syscalls: CountSyscalls,
    command: &[&str],
) -> Result<(), String> {
    let load: Load = load.parse()?;
    let core = core.parse().map_err(|_| format!("not a core: {core}"))?;
    cpu::pin(core).map_err(|error| format!("core {core}: {error}"))?;
    let (program, arguments) = command.split_first().ok_or("no server to start")?;
    let mut server = Command::new(program);
    let sample = load.run(name, server.args(arguments), syscalls);
    println!("{}", sample.map_err(|error| format!("{name}: {error}"))?);
    Ok(())
}
