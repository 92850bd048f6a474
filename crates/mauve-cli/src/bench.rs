//! `mauve bench`: measures the CPU time of mauve's Rust API, and of bare system calls.
//!
//! The servers are this program itself, started with a hidden subcommand, on the same core as the
//! load generator. `cargo xtask bench` also compares with libuv and tokio, but needs the repository
//! and a C compiler.

use std::process::Command;

use mauve_bench::load::{CountSyscalls, Load};
use mauve_bench::server::{self, Service};
use mauve_bench::{Sample, cpu, work};

use crate::arguments::required;
use crate::table::Table;

/// The hidden subcommand that runs a server.
pub const SERVE: &str = "bench-server";

/// The core that everything runs on.
const CORE: usize = 0;

const ROUNDS: usize = 5;

/// The implementations of the servers. The last is the upper bound for the others.
const IMPLEMENTATIONS: [&str; 3] = ["closures", "tasks", "epoll"];

/// The workloads: name, service, load.
const LOADS: &[(&str, &str, &str)] = &[
    ("tcp echo 64 B, 1 connection", "tcp-echo", "stream connections=1 count=10000"),
    ("tcp echo 64 B, 64 connections", "tcp-echo", "stream connections=64 count=16000"),
    ("tcp echo 64 B, 1,000 connections", "tcp-echo", "stream connections=1000 count=16000"),
    ("tcp echo 4 KiB, 64 connections", "tcp-echo", "stream connections=64 size=4096 count=16000"),
    ("tcp one way, each 64 KiB", "sink", "pump warm=300 count=3000"),
    ("tcp connect, echo, close", "tcp-echo", "short depth=16 warm=200 count=2000"),
    ("pipe echo 64 B", "pipe-echo", "stream count=16000"),
    ("udp ping-pong", "udp-echo", "datagram count=16000"),
];

/// The definitions of `bench` and of the servers that it starts.
pub fn subcommands() -> [clap::Command; 2] {
    [
        clap::Command::new("bench")
            .about("Measure the CPU time of the Rust API, and compare it with bare system calls")
            .arg(
                required(
                    "name",
                    "NAME",
                    "Run only the workloads with this in their name, such as tcp or timers",
                )
                .required(false)
                .default_value("")
                .hide_default_value(true),
            ),
        clap::Command::new(SERVE).about("Run a server for `bench`").hide(true).args([
            required(
                "implementation",
                "IMPLEMENTATION",
                "The implementation: closures, tasks or epoll",
            ),
            required("service", "SERVICE", "The service, such as tcp-echo"),
        ]),
    ]
}

/// Measures the workloads with `only` in their name, and prints tables.
pub fn run(only: &str) -> Result<(), String> {
    cpu::pin(CORE).map_err(|error| format!("core {CORE}: {error}"))?;
    println!(
        "Nanoseconds of CPU time per operation, user and system; medians of {ROUNDS} rounds.\n"
    );
    let served = serve_all(only)?;
    let worked = work_all(only)?;
    if served + worked == 0 { Err(format!("no workload has {only} in its name")) } else { Ok(()) }
}

/// Runs a server until it is killed.
pub fn serve(implementation: &str, service: &str) -> Result<(), String> {
    let service: Service = service.parse()?;
    let served = match implementation {
        "closures" => server::callbacks::serve(service).map_err(Into::into),
        "tasks" => server::tasks::serve(service),
        "epoll" => server::epoll::serve(service),
        _ => return Err(format!("unknown implementation: {implementation}")),
    };
    served.map_err(|error| error.to_string())
}

fn serve_all(only: &str) -> Result<usize, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut table = Table::new([
        "server",
        "mauve, closures",
        "mauve, tasks",
        "bare epoll",
        "closures to bare",
        "tasks to bare",
    ]);
    let mut count = 0;
    for (name, service, load) in LOADS.iter().filter(|(name, ..)| name.contains(only)) {
        let load: Load = load.parse()?;
        let mut figures = [const { Vec::new() }; IMPLEMENTATIONS.len()];
        for _ in 0..ROUNDS {
            for (implementation, figures) in IMPLEMENTATIONS.iter().zip(&mut figures) {
                let mut server = Command::new(&program);
                server.args([SERVE, implementation, service]);
                let sample = load.run(name, &mut server, CountSyscalls::No);
                figures.push(sample.map_err(|error| format!("{name}: {error}"))?.cpu);
            }
        }
        let [closures, tasks, bare] = figures.map(median);
        let shown = |value: f64| vec![format!("{value:.0}")];
        let ratio = |value: f64| vec![format!("{:.2}", bare / value)];
        let name = vec![(*name).to_owned()];
        table.row(vec![
            name,
            shown(closures),
            shown(tasks),
            shown(bare),
            ratio(closures),
            ratio(tasks),
        ]);
        count += 1;
    }
    if count > 0 {
        println!("{table}");
    }
    Ok(count)
}

fn work_all(only: &str) -> Result<usize, String> {
    let mut table = Table::new(["operation", "mauve"]);
    let mut count = 0;
    for (group, _) in work::GROUPS.iter().filter(|(group, _)| group.contains(only)) {
        let rounds = (0..ROUNDS).map(|_| work::run(group));
        let rounds: Vec<Vec<Sample>> = rounds.collect::<Result<_, _>>()?;
        for (i, sample) in rounds[0].iter().enumerate() {
            let cpu = median(rounds.iter().map(|round| round[i].cpu).collect());
            table.row(vec![vec![sample.name.clone()], vec![format!("{cpu:.1}")]]);
            count += 1;
        }
    }
    if count > 0 {
        println!("{table}");
    }
    Ok(count)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_load_of_the_table_parses() {
        for (name, service, load) in LOADS {
            assert!(service.parse::<Service>().is_ok(), "{name}");
            assert!(load.parse::<Load>().is_ok(), "{name}");
        }
    }

    #[test]
    fn unknown_names_are_errors() {
        assert!(run("unknown").unwrap_err().contains("unknown"));
        assert!(serve("closures", "unknown").is_err());
        assert!(serve("unknown", "sink").is_err());
    }
}
