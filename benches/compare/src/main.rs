//! Compares mauve with libuv and tokio: `cargo xtask bench`.
//!
//! [`workloads`] is the table of workloads, [`contender`] lists the implementations, and [`goals`]
//! the targets of the project. [`peers`] builds every contender. [`runner`] runs them in turns on
//! the same cores, so that other load on the machine affects all alike. [`report`] writes the
//! ratios as Markdown and a chart.
//!
//! The figure is CPU time of the measured process per operation. A ratio is the median over passes
//! of one contender's figure divided by mauve's in the same pass; larger is better for mauve.
//!
//! `cargo xtask bench` sets two variables: `MAUVE_LIBRARY`, the folder of our `libuv.so.1`, and
//! `XTASK`, the program that runs Debian's Node.

mod contender;
mod figures;
mod goals;
mod libuv;
mod machine;
mod node;
mod peers;
mod report;
mod runner;
mod scripts;
mod trace;
mod workloads;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use peers::{Peers, Which};
use runner::Runner;

/// How thorough a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// About eleven minutes: all workloads, with as many passes as the goals require.
    Full,
    /// About two minutes: fewer passes and fewer contenders, so more noise.
    Quick,
}

/// What to run.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    depth: Depth,
    /// Selects the groups with this in their name.
    only: String,
    /// Whether the report replaces the one in `docs/bench`.
    save: bool,
    /// Whether the peer is the system's libuv.
    system: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        // For `cargo xtask fuzz`, which compares with the same library.
        ["--build-libuv"] => peers::newest_libuv().map(|folder| println!("{}", folder.display())),
        // After a change of the chart or of the stored text.
        ["chart"] => report::draw_stored(),
        arguments => Options::parse(arguments).and_then(|options| run(&options)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::FAILURE
        }
    }
}

impl Options {
    /// Reads the command line.
    fn parse(arguments: &[&str]) -> Result<Self, String> {
        let mut options =
            Self { depth: Depth::Full, only: String::new(), save: false, system: false };
        for argument in arguments {
            match *argument {
                "--quick" => options.depth = Depth::Quick,
                "--save" => options.save = true,
                "--system" => options.system = true,
                flag if flag.starts_with('-') => return Err(format!("unknown option {flag}")),
                name => options.only = name.to_owned(),
            }
        }
        Ok(options)
    }

    /// The peer: the newest libuv, the system's, or the one in the folder `LIBUV_DIR`.
    fn peer(&self) -> Which {
        match std::env::var_os("LIBUV_DIR") {
            _ if self.system => Which::System,
            Some(folder) => Which::In(folder.into()),
            None => Which::Newest,
        }
    }
}

/// Measures and reports.
fn run(options: &Options) -> Result<(), String> {
    if options.only == "scripts" {
        return scripts::run(if options.depth == Depth::Quick { 5 } else { 21 }, options.save);
    }
    if options.only == "trace" {
        return trace::run(if options.depth == Depth::Quick { 5 } else { 15 }, options.save);
    }
    let units = workloads::chosen(&options.only, options.depth)?;
    let begin = Instant::now();
    let peers = Peers::build(&options.peer())?;
    let machine = machine::describe(&peers);
    let mut runner = Runner::new(&peers, options.depth, machine.cores);
    units.iter().for_each(|unit| runner.prepare(unit));
    let building = begin.elapsed().as_secs();
    println!("all contenders are built, in {building} s");
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

/// The root of the repository.
fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).expect("benches/compare is two folders deep").to_owned()
}

/// The target folder: this program is in the folder of its profile.
fn target() -> PathBuf {
    let program = std::env::current_exe().expect("the path of this program");
    program.ancestors().nth(2).expect("target/debug/mauve-compare").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_accepted_in_any_order() {
        let one = Options::parse(&["--quick", "tcp"]).unwrap();
        assert_eq!(one, Options::parse(&["tcp", "--quick"]).unwrap());
        assert_eq!((one.depth, one.only.as_str(), one.save), (Depth::Quick, "tcp", false));
        assert!(Options::parse(&["--fast"]).unwrap_err().contains("--fast"));
    }
}
