//! What runs in one process, on mauve's Rust API. The names are those of the C programs that do
//! the same, so that the figures can stand side by side.

pub mod bare;
mod datagrams;
mod files;
mod jobs;
mod timers;
mod wakeups;

use crate::Sample;

/// Workloads that share a run.
type Group = fn() -> mauve::Result<Vec<Sample>>;

/// The groups by name.
pub const GROUPS: &[(&str, Group)] = &[
    ("timers", timers::run),
    ("async", wakeups::run),
    ("work", jobs::run),
    ("files", files::run),
    ("udp", datagrams::run),
];

/// Does the work of the group `name`.
pub fn run(name: &str) -> Result<Vec<Sample>, String> {
    let group = GROUPS.iter().find(|(known, _)| *known == name);
    let (_, group) = group.ok_or_else(|| format!("no such group: {name}"))?;
    group().map_err(|error| format!("{name}: {error}"))
}
