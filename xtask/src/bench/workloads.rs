//! The table of what is measured.

use super::contender::Contender::{self, CAbi, Closures, Epoll, IoUring, Libuv, Tasks, Tokio};

/// What runs at once and yields one workload or several.
#[derive(Clone, Copy)]
pub struct Unit {
    /// What `cargo xtask bench NAME` picks it by.
    pub group: &'static str,
    pub source: Source,
    pub contenders: &'static [Contender],
    /// Whether the project wants to reach something here: then there are as many rounds as the goals
    /// ask for, and the libuv that they were set against takes part.
    pub has_goal: bool,
}

/// Where a unit's work is written down.
#[derive(Clone, Copy)]
pub enum Source {
    /// In `benches/c/NAME.c`, and for Rust in `mauve-bench`. It prints its workloads itself.
    Program(&'static str),
    /// A server that offers `service`, and a load for it.
    Server { workload: &'static str, service: &'static str, load: &'static str },
    /// A script of `benches/node`, with a load if it is a server.
    Node { script: &'static str, load: Option<(&'static str, &'static str)> },
}

const C: &[Contender] = &[Libuv, CAbi];
const EVERYBODY: &[Contender] = &[Libuv, CAbi, Closures, Tasks, Tokio, Epoll, IoUring];
const ALL_BUT_RING: &[Contender] = &[Libuv, CAbi, Closures, Tasks, Tokio, Epoll];
const WITH_CLOSURES: &[Contender] = &[Libuv, CAbi, Closures, Tokio];
const WAKEUPS: &[Contender] = &[Libuv, CAbi, Closures, Tokio, Epoll];
/// The last two are system calls by hand, one by one and in batches.
const WITH_TASKS: &[Contender] = &[Libuv, CAbi, Tasks, Tokio, Epoll, IoUring];

const UNITS: &[Unit] = &[
    with_goal(tcp(EVERYBODY, "tcp echo 64 B, 1 connection", "stream connections=1 count=10000")),
    with_goal(tcp(EVERYBODY, "tcp echo 64 B, 64 connections", "stream connections=64 count=16000")),
    with_goal(tcp(
        EVERYBODY,
        "tcp echo 64 B, 1,000 connections",
        "stream connections=1000 count=16000",
    )),
    tcp(C, "tcp echo 64 B, 1 connection, 16 at once", "stream depth=16 count=48000"),
    tcp(
        EVERYBODY,
        "tcp echo 64 B, 64 connections, 16 at once",
        "stream connections=64 depth=16 count=96000",
    ),
    tcp(
        C,
        "tcp echo 64 B, 1,000 connections, 16 at once",
        "stream connections=1000 depth=16 count=96000",
    ),
    tcp(C, "tcp echo 4 KiB, 1 connection", "stream size=4096 count=10000"),
    tcp(EVERYBODY, "tcp echo 4 KiB, 64 connections", "stream connections=64 size=4096 count=16000"),
    tcp(C, "tcp echo 4 KiB, 1,000 connections", "stream connections=1000 size=4096 count=16000"),
    tcp(C, "tcp echo 4 KiB, 1 connection, 16 at once", "stream size=4096 depth=16 count=24000"),
    tcp(
        C,
        "tcp echo 4 KiB, 64 connections, 16 at once",
        "stream connections=64 size=4096 depth=16 count=24000",
    ),
    tcp(
        C,
        "tcp echo 4 KiB, 1,000 connections, 16 at once",
        "stream connections=1000 size=4096 depth=16 count=32000",
    ),
    with_goal(server(
        "answers",
        ALL_BUT_RING,
        "16 answers of 64 B per read, each written alone",
        "answer",
        "stream depth=16 count=32000",
    )),
    server("pump", EVERYBODY, "tcp one way, each 64 KiB", "sink", "pump warm=300 count=3000"),
    with_goal(server(
        "short",
        EVERYBODY,
        "tcp connect, echo, close",
        "tcp-echo",
        "short depth=16 warm=200 count=2000",
    )),
    server("pipe", ALL_BUT_RING, "pipe echo 64 B, 1 connection", "pipe-echo", "stream count=16000"),
    server(
        "pipe",
        C,
        "pipe echo 64 B, 64 connections",
        "pipe-echo",
        "stream connections=64 count=24000",
    ),
    server("udp", ALL_BUT_RING, "udp ping-pong", "udp-echo", "datagram count=16000"),
    server(
        "udp",
        ALL_BUT_RING,
        "udp echo, 32 at once",
        "udp-echo",
        "datagram depth=32 count=32000",
    ),
    with_goal(program("udp", WITH_CLOSURES)),
    with_goal(program("timers", WITH_CLOSURES)),
    with_goal(program("async", WAKEUPS)),
    with_goal(program("work", WITH_CLOSURES)),
    program("loop", C),
    with_goal(program("files", WITH_TASKS)),
    program("whole", C),
    with_goal(program("spawn", C)),
    program("start", C),
    Unit {
        group: "node",
        source: Source::Node {
            script: "http",
            load: Some(("node: http hello world", "http connections=64 warm=20000 count=8000")),
        },
        contenders: C,
        has_goal: false,
    },
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
    Unit { group, source: Source::Server { workload, service, load }, contenders, has_goal: false }
}

const fn program(name: &'static str, contenders: &'static [Contender]) -> Unit {
    Unit { group: name, source: Source::Program(name), contenders, has_goal: false }
}

const fn node(script: &'static str) -> Unit {
    let source = Source::Node { script, load: None };
    Unit { group: "node", source, contenders: C, has_goal: false }
}

const fn with_goal(unit: Unit) -> Unit {
    Unit { has_goal: true, ..unit }
}

/// The units whose group has `only` in its name.
pub fn chosen(only: &str) -> Result<Vec<Unit>, String> {
    let chosen: Vec<Unit> =
        UNITS.iter().filter(|unit| unit.group.contains(only)).copied().collect();
    if chosen.is_empty() {
        let mut names: Vec<&str> = UNITS.iter().map(|unit| unit.group).collect();
        names.dedup();
        return Err(format!("no such group; there are {}", names.join(", ")));
    }
    Ok(chosen)
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
                Source::Node { script, .. } => benches.join(format!("node/{script}.js")),
                Source::Server { service: "udp-echo", .. } => benches.join("c/server/udp.c"),
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
                assert!(UNITS.iter().any(known), "{stem}");
            }
        }
    }

    #[test]
    fn a_server_has_a_goal_where_the_goals_say_so() {
        for unit in UNITS {
            if let Source::Server { workload, .. } = unit.source {
                assert_eq!(unit.has_goal, goals::speak_of(workload), "{workload}");
            }
        }
    }

    #[test]
    fn a_name_that_nobody_has_is_an_error_that_tells_the_names() {
        assert!(chosen("tpc").err().unwrap().contains("tcp"));
    }
}
