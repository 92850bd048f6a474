//! What stands in the way where a workload is behind: known because it was looked into. A report
//! shows a reason only where a goal is missed or a ratio is below the floor.

use super::super::contender::Contender::{self, CAbi, Tasks};

/// Who is behind, in which workloads, by how their names begin, and the reason.
const REASONS: &[(Contender, &str, &str)] = &[
    (
        CAbi,
        "tcp echo 64 B, ",
        "the kernel's recv and send are most of a message; what bare epoll is ahead is the loop's own \
         work",
    ),
    (
        CAbi,
        "async ping-pong",
        "a write to an eventfd, a wait and a change of threads are most of it; what bare epoll is \
         ahead is the loop's own work",
    ),
    (
        CAbi,
        "cached 4 KiB read, depth 32",
        "the system call that copies 4 KiB out of the page cache is most of it",
    ),
    (CAbi, "stat, depth 32", "the kernel's look at the file is most of it"),
    (
        CAbi,
        "bytes of a ",
        "the struct has libuv's size, and the engine keeps its state beside it instead of in it",
    ),
    (
        CAbi,
        "copy of a large file",
        "one system call copies the file, with libuv as with mauve: what differs is noise",
    ),
    (Tasks, "16 answers", "a task waits for each write before the next, so each leaves by itself"),
];

/// Why `who` is behind in this workload, if that is so.
pub fn reason(who: Contender, workload: &str) -> Option<&'static str> {
    let found = REASONS.iter().find(|(one, name, _)| *one == who && workload.starts_with(name));
    found.map(|(_, _, reason)| *reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_found_by_how_a_name_begins() {
        let bytes = "bytes of a connection, struct included";
        assert!(reason(CAbi, bytes).unwrap().contains("engine"));
        assert_eq!(reason(Tasks, bytes), None);
        assert_eq!(reason(CAbi, "something new"), None);
    }
}
