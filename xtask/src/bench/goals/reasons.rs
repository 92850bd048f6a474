//! What stands in the way where a workload is behind: known because it was looked into. A report
//! shows a reason only where a goal is missed or a ratio is below the floor.

/// Workloads, by how their names begin, and the reason.
const REASONS: &[(&str, &str)] = &[
    (
        "tcp echo 64 B, ",
        "the kernel's recv and send are nearly all of a message: see what is left without a library",
    ),
    (
        "16 answers",
        "a send for each answer is nearly all of it, and the C ABI holds no write back, because \
         programs rely on what `uv_write` has done when it returns",
    ),
    (
        "async ping-pong",
        "a write to an eventfd, a wait and a change of threads are nearly all of it: see what is left \
         without a library",
    ),
    (
        "bytes of a ",
        "the struct has libuv's size, and the engine keeps its state beside it instead of in it",
    ),
    (
        "tcp connect, echo, close",
        "accept, nodelay, two reads, a send, a close and the descriptor's way into epoll are seven; \
         the rest is waiting",
    ),
];

/// Why this workload is behind, if it is.
pub fn reason(workload: &str) -> Option<&'static str> {
    REASONS.iter().find(|(name, _)| workload.starts_with(name)).map(|(_, reason)| *reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_found_by_how_a_name_begins() {
        assert!(reason("bytes of a connection, struct included").unwrap().contains("engine"));
        assert_eq!(reason("something new"), None);
    }
}
