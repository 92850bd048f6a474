//! What platforms lack, and the tests and C programs that are not run because of it. All others must
//! pass.

/// Something that a platform lacks.
pub struct Gap {
    pub what: &'static str,
    /// Tests of the crates, by their path in the test program.
    pub rust: &'static [&'static str],
    /// C programs, by area and name.
    pub c: &'static [&'static str],
}

/// qemu-user 7.2.
pub const QEMU: &[Gap] = &[
    Gap {
        what: "no `preadv2` with `RWF_NOWAIT`, no io_uring",
        rust: &[
            "fs::read_batch::tests::a_read_from_a_pipe_fails_and_consumes_nothing",
            "fs::read_batch::tests::each_read_has_its_own_result",
            "fs::nowait::linux::tests::a_short_read_is_complete_only_at_the_end_of_the_file",
            "works::a_read_is_cancelled_before_it_starts_and_not_after",
            "works::reads_are_reported_in_order_among_other_operations",
            "works::the_buffer_of_a_finished_read_is_kept_until_it_is_taken",
        ],
        c: &["fs/no_extra_iteration_152", "fs/read_batch_io_uring", "fs/read_batch_order"],
    },
    Gap {
        what: "`read` with a buffer that ends in unmapped memory fails before it reads",
        rust: &[],
        c: &["fs/read_huge_buffer_152", "stream/huge_buffer_152"],
    },
    Gap {
        what: "`/proc/self/stat` has no size of the memory, so that libuv reports 0",
        rust: &[],
        c: &["os/system_info"],
    },
    Gap {
        what: "`sendmsg` without buffers sends no empty datagram",
        rust: &["net::datagram::tests::the_parts_of_a_datagram_are_gathered"],
        c: &[],
    },
    Gap {
        what: "`/proc/self/task/*/syscall` has the system calls of the emulator",
        rust: &[
            "thread::backtrace::tests::a_thread_that_waits_for_a_lock_has_a_stack",
            "thread::backtrace::tests::a_thread_that_waits_has_a_stack_and_goes_on_waiting",
        ],
        c: &[],
    },
    Gap {
        what: "no `ptrace`",
        rust: &[
            "process::ptrace::tests::a_thread_is_stopped_and_continues_afterwards",
            "process::ptrace::tests::a_thread_that_does_not_exist_is_an_error",
        ],
        c: &["process/ptraced_child", "tcp/system_calls"],
    },
    Gap {
        what: "no seccomp filters",
        rust: &[],
        c: &[
            "differences/epoll_ctl_fails",
            "fs/read_batch_io_uring_disabled",
            "fs/read_batch_io_uring_forbidden",
        ],
    },
    Gap {
        what: "no `IP_MULTICAST_IF`",
        rust: &["members_of_a_multicast_group_receive_its_datagrams"],
        c: &["errors/udp", "udp/arguments", "udp/multicast"],
    },
    Gap {
        what: "ignores `RLIMIT_AS`",
        rust: &[],
        c: &["exhaustion/no_threads", "os/constrained_memory_152"],
    },
    Gap {
        what: "`clone` with `CLONE_VM` copies the memory",
        rust: &[],
        c: &["exhaustion/spawn_and_fork_152"],
    },
    Gap {
        what: "aborts in a forked child that starts a thread",
        rust: &[],
        c: &["loop/fork", "loop/fork_while_loops_open"],
    },
];

/// The C library musl, compared with Debian's libuv on glibc.
pub const MUSL_AND_GLIBC: &[Gap] = &[
    NO_CPLUSPLUS,
    GLIBC_ONLY,
    Gap {
        what: "other canonical names, flags, services and errors of `getaddrinfo`",
        rust: &[],
        c: &["dns/cancel", "dns/getaddrinfo", "dns/getnameinfo", "dns/pool_order"],
    },
    Gap {
        what: "`realpath` and `mkdtemp` fail differently",
        rust: &[],
        c: &["fs/mkdir_rename_unlink", "fs/mkdtemp_mkstemp", "fs/readlink_realpath"],
    },
    Gap {
        what: "the size of a stack includes the data of the thread",
        rust: &[],
        c: &["thread/create", "work/thread_name_and_stack_152"],
    },
    Gap {
        what: "`NI_MAXHOST` is 255; errors that libuv 1.44 does not name",
        rust: &[],
        c: &["handle/sizes_and_type_names", "loop/err_name_strerror"],
    },
    Gap { what: "no `dlopen` in static programs", rust: &[], c: &["os/dlopen"] },
    Gap { what: "no unwind tables", rust: &[], c: &["misuse/check_backtrace"] },
];

/// The C library musl, compared with libuv 1.52 on musl.
pub const MUSL: &[Gap] = &[
    NO_CPLUSPLUS,
    GLIBC_ONLY,
    Gap {
        what: "libuv 1.52 differs from libuv 1.44, which we follow, also with glibc",
        rust: &[],
        c: &["poll/hangup"],
    },
    Gap {
        what: "libuv crashes",
        rust: &[],
        c: &["thread/pthread_cancel_fs", "tolerated/closed_loop"],
    },
    Gap {
        what: "libuv starts children by functions of musl, which need other system calls and no shell",
        rust: &[],
        c: &[
            "exhaustion/spawn_and_fork_152",
            "process/script_without_shebang_152",
            "process/spawn_fallbacks",
        ],
    },
    Gap {
        what: "the size of a stack includes the data of the thread, of which we have 232 bytes more",
        rust: &[],
        c: &["thread/create", "work/thread_name_and_stack_152"],
    },
];

const NO_CPLUSPLUS: Gap = Gap { what: "no C++ compiler", rust: &[], c: &["loop/exceptions"] };

const GLIBC_ONLY: Gap = Gap {
    what: "the program needs glibc: its `malloc`, `CPU_SETSIZE`, errors, or a `stdout` that is a variable",
    rust: &[],
    c: &[
        "errors/loops_and_handles",
        "errors/newer_152",
        "stream/many_connections",
        "stream/memory_per_connection",
        "stream/no_allocations",
        "stream/standard_descriptors",
        "thread/name_priority_affinity_152",
    ],
};

/// The options of a test program that leave out tests.
pub fn rust_options(gaps: &[Gap]) -> Vec<&'static str> {
    gaps.iter().flat_map(|gap| gap.rust).flat_map(|name| ["--skip", name]).collect()
}

/// The C programs that are left out, as their harness expects them.
pub fn c_programs(gaps: &[Gap]) -> String {
    gaps.iter().flat_map(|gap| gap.c).copied().collect::<Vec<_>>().join(" ")
}

/// Prints what is not run, and why.
pub fn print(gaps: &[Gap], names: impl Fn(&Gap) -> &'static [&'static str]) {
    for gap in gaps.iter().filter(|gap| !names(gap).is_empty()) {
        println!("skipped: {} ({})", names(gap).join(", "), gap.what);
    }
}
