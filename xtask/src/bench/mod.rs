//! `cargo xtask bench`: side by side with libuv, tokio, bare epoll and bare io_uring.
//!
//! [`workloads`] is the table of what is measured, [`contender`] of those who do it, and [`goals`]
//! of what the project wants to reach. [`peers`] builds everybody; [`runner`] has them take turns on
//! one core, so that whatever else the machine does hits all alike; [`report`] writes the ratios as
//! Markdown, JSON and a chart.
//!
//! What counts is CPU time of the measured process per operation, and the median of the ratios of
//! runs that stood next to each other. Larger is better for us.

mod contender;
mod figures;
mod goals;
pub mod libuv;
mod machine;
mod node;
pub mod peers;
mod report;
mod runner;
mod sample;
mod scripts;
mod workloads;

use std::time::Instant;

use peers::{Peers, Which};
use runner::Runner;

/// How thorough a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Under ten minutes: all workloads, and as many rounds as the goals ask for.
    Full,
    /// Under two minutes: fewer rounds and fewer contenders, so more noise.
    Quick,
}

/// What to run.
#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    depth: Depth,
    /// Only groups with this in their name.
    only: String,
    /// Whether the report replaces the one in `docs/bench`.
    save: bool,
    /// Whether the peer is the system's libuv.
    system: bool,
}

impl Options {
    /// From the command line.
    pub fn parse(arguments: &[&str]) -> Result<Self, String> {
        let mut options =
            Self { depth: Depth::Full, only: String::new(), save: false, system: false };
        for argument in arguments {
            match *argument {
                "--quick" => options.depth = Depth::Quick,
                "--save" => options.save = true,
                "--system" => options.system = true,
                flag if flag.starts_with('-') => return Err(format!("bench has no {flag}")),
                name => options.only = name.to_owned(),
            }
        }
        Ok(options)
    }

    /// The peer: the newest libuv, the system's, or the one in the folder that `LIBUV_DIR` names.
    fn peer(&self) -> Which {
        match std::env::var_os("LIBUV_DIR") {
            _ if self.system => Which::Systems,
            Some(folder) => Which::In(folder.into()),
            None => Which::Newest,
        }
    }
}

/// Measures and reports.
pub fn run(options: &Options) -> Result<(), String> {
    if options.only == "scripts" {
        return scripts::run(if options.depth == Depth::Quick { 5 } else { 21 });
    }
    let units = workloads::chosen(&options.only)?;
    let begin = Instant::now();
    let peers = Peers::build(&options.peer())?;
    let machine = machine::describe(&peers);
    let mut runner = Runner::new(&peers, options.depth);
    units.iter().for_each(|unit| runner.prepare(unit));
    let building = begin.elapsed().as_secs();
    println!("everybody is built, in {building} s");
    let begin = Instant::now();
    for unit in &units {
        runner.measure(unit)?;
    }
    let report = report::Report {
        machine,
        depth: options.depth,
        whole: options.only.is_empty(),
        skipped: runner.skipped().to_vec(),
        rows: runner.into_rows(),
        seconds: begin.elapsed().as_secs(),
        building,
    };
    report.write(options.save)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_options_does_not_matter() {
        let one = Options::parse(&["--quick", "tcp"]).unwrap();
        assert_eq!(one, Options::parse(&["tcp", "--quick"]).unwrap());
        assert_eq!((one.depth, one.only.as_str(), one.save), (Depth::Quick, "tcp", false));
        assert!(Options::parse(&["--fast"]).unwrap_err().contains("--fast"));
    }
}
