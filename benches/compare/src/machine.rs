//! The environment of a run: revision, versions and machine.

use std::process::Command;

use super::peers::{Peers, quietly};

/// The environment of a run.
pub struct Machine {
    /// The revision of this repository, marked if there are uncommitted changes.
    pub revision: String,
    pub date: String,
    pub libuv: String,
    pub ours: String,
    pub kernel: String,
    pub processor: String,
    pub cores: usize,
}

pub fn describe(peers: &Peers) -> Machine {
    let output = |program: &str, arguments: &[&str]| {
        let text = quietly(Command::new(program).args(arguments).current_dir(crate::root()));
        text.map_or_else(|_| "unknown".to_owned(), |text| text.trim().to_owned())
    };
    let version = |library| peers.version(library).unwrap_or_else(|_| "unknown".to_owned());
    Machine {
        revision: output("git", &["describe", "--always", "--dirty", "--abbrev=10"]),
        date: output("date", &["-u", "+%Y-%m-%d"]),
        libuv: version(peers.libuv.as_deref()),
        ours: version(Some(&peers.ours)),
        kernel: output("uname", &["-sr"]),
        processor: processor().unwrap_or_else(|| "unknown".to_owned()),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
    }
}

fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
