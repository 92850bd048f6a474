//! Reasons why a workload is behind, found by profiling. A report shows a reason only where a goal
//! is missed or a ratio is below the floor.

use super::super::contender::Contender::{self, CAbi, Tasks};

/// The contender, the start of the workload's name, and the reason.
const REASONS: &[(Contender, &str, &str)] = &[
    (CAbi, "tcp echo 64 B, ", "the kernel's recv and send are most of the cost"),
    (CAbi, "async ping-pong", "a wake-up, a wait and a context switch are most of the cost"),
    (
        CAbi,
        "cached 4 KiB read, depth 32",
        "the system call that copies 4 KiB from the page cache is most of the cost",
    ),
    (
        CAbi,
        "tcp connect, echo, close",
        "seven calls belong to each connection (accept, an option, epoll_ctl, two reads, a write, \
         close); the others are waits",
    ),
    (CAbi, "stat, depth 32", "the kernel's path lookup is most of the cost"),
    (
        CAbi,
        "bytes of a ",
        "the struct has libuv's size, and the engine has its state in separate memory",
    ),
    (
        CAbi,
        "copy of a large file",
        "one system call copies the file in both libraries: the difference is noise",
    ),
    (
        CAbi,
        "16 answers of 64 B per read, each written alone",
        "each write is a system call, as in libuv",
    ),
    (Tasks, "16 answers", "a task awaits each write, so each is a system call"),
];

/// The reason why `contender` is behind in this workload, if it is known.
pub fn reason(contender: Contender, workload: &str) -> Option<&'static str> {
    let found =
        REASONS.iter().find(|(one, name, _)| *one == contender && workload.starts_with(name));
    found.map(|(_, _, reason)| *reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_found_by_the_start_of_a_name() {
        let bytes = "bytes of a connection, struct included";
        assert!(reason(CAbi, bytes).unwrap().contains("engine"));
        assert_eq!(reason(Tasks, bytes), None);
        assert_eq!(reason(CAbi, "something new"), None);
    }
}
