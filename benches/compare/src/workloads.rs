//! The table of workloads.

use super::Depth;
use super::contender::Contender::{self, CAbi, Closures, Libuv, Tasks, Tokio};

/// How many cores a unit runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cores {
    /// Everything on one core. Then one side runs until it has nothing left to do, and the number
    /// of messages that it finds is the same in every run.
    One,
    /// The measured loop on the first core, its clients and senders on the second. A program whose
    /// threads are not pinned may use both.
    Two,
}

/// How the Rust program of peers is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Optimised as one unit, as our C library is.
    Whole,
    /// Cargo's own release profile, which users build unless they change it.
    Default,
}

/// A program or a server with a load. It yields one workload or several.
#[derive(Clone, Copy)]
pub struct Unit {
    /// The name that `cargo xtask bench NAME` selects.
    pub group: &'static str,
    pub source: Source,
    pub contenders: &'static [Contender],
    /// Whether there is a goal. Then there are more passes.
    pub has_goal: bool,
    pub cores: Cores,
    /// Whether it also runs on two cores.
    pub both: bool,
    pub profile: Profile,
}

/// Where the code of a unit is.
#[derive(Clone, Copy)]
pub enum Source {
    /// `benches/c/NAME.c`, and for Rust `mauve-bench`. It prints samples of its workloads.
    Program(&'static str),
    /// A program in Rust alone: a group of `mauve-bench`.
    Rust(&'static str),
    /// A server with a service, and a load for it.
    Server { workload: &'static str, service: &'static str, load: &'static str },
    /// A script of `benches/node`, with a load if it is a server.
    Node { script: &'static str, load: Option<(&'static str, &'static str)> },
}

impl Unit {
    /// Whether it takes too long for a quick run.
    fn is_long(&self) -> bool {
        matches!(self.source, Source::Program("many_timers"))
    }
}

const C: &[Contender] = &[Libuv, CAbi];
const ALL: &[Contender] = &[Libuv, CAbi, Closures, Tasks, Tokio];
const WITH_CLOSURES: &[Contender] = &[Libuv, CAbi, Closures, Tokio];
const WITH_TASKS: &[Contender] = &[Libuv, CAbi, Tasks, Tokio];

const UNITS: &[Unit] = &[
    both(with_goal(tcp(ALL, "tcp echo 64 B, 1 connection", "stream connections=1 count=3000"))),
    both(with_goal(tcp(ALL, "tcp echo 64 B, 64 connections", "stream connections=64 count=5000"))),
    both(with_goal(tcp(
        ALL,
        "tcp echo 64 B, 1,000 connections",
        "stream connections=1000 count=6000",
    ))),
    tcp(C, "tcp echo 64 B, 1 connection, 16 at once", "stream depth=16 count=24000"),
    tcp(
        ALL,
        "tcp echo 64 B, 64 connections, 16 at once",
        "stream connections=64 depth=16 count=32000",
    ),
    tcp(
        C,
        "tcp echo 64 B, 1,000 connections, 16 at once",
        "stream connections=1000 depth=16 count=48000",
    ),
    tcp(C, "tcp echo 4 KiB, 1 connection", "stream size=4096 count=4000"),
    both(tcp(ALL, "tcp echo 4 KiB, 64 connections", "stream connections=64 size=4096 count=5000")),
    tcp(C, "tcp echo 4 KiB, 1,000 connections", "stream connections=1000 size=4096 count=6000"),
    tcp(C, "tcp echo 4 KiB, 1 connection, 16 at once", "stream size=4096 depth=16 count=12000"),
    tcp(
        C,
        "tcp echo 4 KiB, 64 connections, 16 at once",
        "stream connections=64 size=4096 depth=16 count=12000",
    ),
    tcp(
        C,
        "tcp echo 4 KiB, 1,000 connections, 16 at once",
        "stream connections=1000 size=4096 depth=16 count=16000",
    ),
    both(server(
        "answers",
        ALL,
        "16 answers of 64 B per read, each written alone",
        "reply",
        "stream depth=16 count=16000",
    )),
    both(server("pump", ALL, "tcp one way, each 64 KiB", "sink", "pump warm=200 count=1500")),
    both(with_goal(server(
        "short",
        ALL,
        "tcp connect, echo, close",
        "tcp-echo",
        "short depth=16 warm=200 count=1000",
    ))),
    both(with_goal(server(
        "short",
        C,
        "tcp accept and close",
        "close",
        "accept depth=16 warm=200 count=2000",
    ))),
    both(server("pipe", ALL, "pipe echo 64 B, 1 connection", "pipe-echo", "stream count=4000")),
    server(
        "pipe",
        C,
        "pipe echo 64 B, 64 connections",
        "pipe-echo",
        "stream connections=64 count=8000",
    ),
    both(server("udp", ALL, "udp ping-pong", "udp-echo", "datagram count=4000")),
    server("udp", ALL, "udp echo, 32 at once", "udp-echo", "datagram depth=32 count=16000"),
    with_goal(program("udp", WITH_CLOSURES)),
    with_goal(program("timers", WITH_CLOSURES)),
    with_goal(Unit { group: "timers", ..program("many_timers", C) }),
    with_goal(program("async", WITH_CLOSURES)),
    with_goal(Unit { group: "async", cores: Cores::Two, ..program("pummel", C) }),
    both(with_goal(program("work", WITH_CLOSURES))),
    program("loop", C),
    both(with_goal(program("files", WITH_TASKS))),
    program("whole", C),
    with_goal(program("spawn", C)),
    with_goal(program("start", C)),
    unit(
        "node",
        Source::Node {
            script: "http",
            load: Some(("node: http hello world", "http connections=64 warm=20000 count=8000")),
        },
        C,
    ),
    server(
        "hyper",
        &[Tasks, Tokio],
        "http hello with hyper",
        "hyper-hello",
        "http connections=64 warm=8000 count=8000",
    ),
    rust("idle", Cores::One),
    rust("sleeps", Cores::One),
    rust("workers", Cores::Two),
    rust("flood", Cores::Two),
    node("timers"),
    node("files"),
    node("spawn"),
];

const fn tcp(contenders: &'static [Contender], workload: &'static str, load: &'static str) -> Unit {
    server("tcp", contenders, workload, "tcp-echo", load)
}

const fn server(
    group: &'static str,
    contenders: &'static [Contender],
    workload: &'static str,
    service: &'static str,
    load: &'static str,
) -> Unit {
    unit(group, Source::Server { workload, service, load }, contenders)
}

const fn program(name: &'static str, contenders: &'static [Contender]) -> Unit {
    unit(name, Source::Program(name), contenders)
}

/// A program in Rust, for mauve's tasks and tokio.
const fn rust(name: &'static str, cores: Cores) -> Unit {
    Unit { cores, ..unit(name, Source::Rust(name), &[Tasks, Tokio]) }
}

const fn node(script: &'static str) -> Unit {
    unit("node", Source::Node { script, load: None }, C)
}

const fn unit(group: &'static str, source: Source, contenders: &'static [Contender]) -> Unit {
    let (cores, profile) = (Cores::One, Profile::Whole);
    Unit { group, source, contenders, has_goal: false, cores, both: false, profile }
}

const fn with_goal(unit: Unit) -> Unit {
    Unit { has_goal: true, ..unit }
}

const fn both(unit: Unit) -> Unit {
    Unit { both: true, ..unit }
}

/// The units whose group has `only` in its name. Those on two cores compare the C ABI and libuv,
/// and follow the others. Last are those in Cargo's default profile, which compare Rust and tokio.
pub fn chosen(only: &str, depth: Depth) -> Result<Vec<Unit>, String> {
    let matching = || UNITS.iter().filter(|unit| unit.group.contains(only)).copied();
    let on_two = matching().filter(|unit| unit.both && (depth == Depth::Full || unit.has_goal));
    let on_two =
        on_two.map(|unit| Unit { cores: Cores::Two, contenders: C, has_goal: false, ..unit });
    let in_default = matching().filter(|_| depth == Depth::Full).filter_map(in_default_profile);
    let chosen: Vec<Unit> = matching()
        .filter(|unit| !unit.is_long() || depth == Depth::Full)
        .chain(on_two)
        .chain(in_default)
        .collect();
    if chosen.is_empty() {
        let mut names: Vec<&str> = UNITS.iter().map(|unit| unit.group).collect();
        names.dedup();
        return Err(format!("no such group; there are {}", names.join(", ")));
    }
    Ok(chosen)
}

/// The unit in Cargo's default profile, if it compares our Rust API with tokio.
fn in_default_profile(unit: Unit) -> Option<Unit> {
    let contenders = match unit.source {
        Source::Rust(_) => return None,
        _ if !unit.contenders.contains(&Tokio) => return None,
        _ if !unit.contenders.contains(&Closures) => &[Tasks, Tokio][..],
        _ if !unit.contenders.contains(&Tasks) => &[Closures, Tokio][..],
        _ => &[Closures, Tasks, Tokio][..],
    };
    Some(Unit { contenders, profile: Profile::Default, has_goal: false, ..unit })
}

#[cfg(test)]
mod tests {
    use super::super::goals;
    use super::*;

    #[test]
    fn every_program_and_script_of_the_table_is_there() {
        let benches = crate::root().join("benches");
        for unit in UNITS {
            let path = match unit.source {
                Source::Program(name) => benches.join(format!("c/{name}.c")),
                Source::Rust(name) => {
                    assert!(mauve_bench::work::GROUPS.iter().any(|(group, _)| *group == name));
                    continue;
                }
                Source::Node { script, .. } => benches.join(format!("node/{script}.js")),
                Source::Server { service: "udp-echo", .. } => benches.join("c/server/udp.c"),
                Source::Server { service: "hyper-hello", .. } => benches.join("peers/src/hello.rs"),
                Source::Server { .. } => benches.join("c/server/stream.c"),
            };
            assert!(path.exists(), "{}", path.display());
        }
    }

    #[test]
    fn every_c_program_is_in_the_table() {
        for entry in std::fs::read_dir(crate::root().join("benches/c")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "c") {
                let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
                let known = |unit: &Unit| matches!(unit.source, Source::Program(p) if p == stem);
                // It is measured against itself, not against other contenders.
                let is_of_trace = stem == "trace";
                assert!(UNITS.iter().any(known) || is_of_trace, "{stem}");
            }
        }
    }

    #[test]
    fn a_server_is_marked_if_a_goal_names_it() {
        for unit in UNITS {
            if let Source::Server { workload, .. } = unit.source {
                assert_eq!(unit.has_goal, goals::name(workload), "{workload}");
            }
        }
    }

    #[test]
    fn an_unknown_group_is_an_error_with_the_known_ones() {
        assert!(chosen("tpc", Depth::Full).err().unwrap().contains("tcp"));
    }

    #[test]
    fn units_on_two_cores_and_in_the_default_profile_follow_the_others() {
        let units = chosen("short", Depth::Full).unwrap();
        let cores: Vec<_> = units.iter().map(|unit| (unit.cores, unit.profile)).collect();
        let (one, two) = ((Cores::One, Profile::Whole), (Cores::Two, Profile::Whole));
        assert_eq!(cores, [one, one, two, two, (Cores::One, Profile::Default)]);
    }
}
