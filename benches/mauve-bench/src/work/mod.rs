//! Workloads of one process, on mauve's Rust API. They have the names of the equivalent C programs,
//! so that figures can be compared.

mod datagrams;
mod files;
mod idle;
mod queue_work;
pub mod sleeps;
mod timers;
mod wakeups;
pub mod workers;

use crate::{Sample, flood};

/// Workloads that run together.
type Group = fn() -> mauve::Result<Vec<Sample>>;

/// The groups by name.
pub const GROUPS: &[(&str, Group)] = &[
    ("timers", timers::run),
    ("async", wakeups::run),
    ("work", queue_work::run),
    ("files", files::run),
    ("udp", datagrams::run),
    ("idle", idle::run),
    ("sleeps", sleeps::run),
    ("workers", workers::run),
    ("flood", || flood::tasks::run().map_err(mauve::Errno::from)),
];

/// Runs the workloads of the group `name`.
pub fn run(name: &str) -> Result<Vec<Sample>, String> {
    let group = GROUPS.iter().find(|(known, _)| *known == name);
    let (_, group) = group.ok_or_else(|| format!("no such group: {name}"))?;
    group().map_err(|error| format!("{name}: {error}"))
}
