//! The table of errors that each system call can return.
//!
//! It has only errors that the kernel, a limit or a container's seccomp filter returns for that
//! call. `--quick` injects the first two of a row.
//!
//! Reads of streams do not fail with `EAGAIN`: the kernel returns it only when no data is available,
//! and then the loop waits for the next event. The injector cannot produce that event.

/// How an error is injected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// One occurrence fails.
    Once,
    /// One occurrence is executed and then returns the error, as `close` does.
    After,
    /// One occurrence and all later ones fail: a limit is reached, or the call is forbidden.
    On,
}

impl Mode {
    pub fn name(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::After => "after",
            Self::On => "on",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        [Self::Once, Self::After, Self::On].into_iter().find(|mode| mode.name() == name)
    }
}

/// An error by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    pub name: &'static str,
    pub mode: Mode,
}

const fn once(name: &'static str) -> Error {
    Error { name, mode: Mode::Once }
}

const fn after(name: &'static str) -> Error {
    Error { name, mode: Mode::After }
}

const fn on(name: &'static str) -> Error {
    Error { name, mode: Mode::On }
}

type Row = (&'static [&'static str], &'static [Error]);

const ROWS: &[Row] = &[
    // Descriptors.
    (
        &["accept4"],
        &[
            once("EMFILE"),
            once("ECONNABORTED"),
            on("EMFILE"),
            once("EINTR"),
            once("EAGAIN"),
            on("ENFILE"),
            once("ENOMEM"),
            once("EPERM"),
        ],
    ),
    (
        &["epoll_create1", "eventfd2", "inotify_init1", "pipe2", "timerfd_create", "signalfd4"],
        &[once("EMFILE"), on("ENFILE"), once("ENOMEM"), on("EMFILE")],
    ),
    (&["socket", "socketpair"], &[once("EMFILE"), on("EMFILE"), once("ENOMEM"), once("EPERM")]),
    (&["fcntl_dupfd", "dup"], &[once("EMFILE"), on("EMFILE")]),
    (&["dup2", "dup3"], &[once("EINTR"), once("EBUSY"), once("EMFILE")]),
    (&["close"], &[after("EINTR"), after("EIO")]),
    // Waiting.
    (&["epoll_ctl_add"], &[once("ENOSPC"), on("ENOMEM"), once("ENOMEM"), on("ENOSPC")]),
    (&["epoll_wait", "epoll_pwait"], &[once("EINTR")]),
    (&["epoll_pwait2"], &[once("EINTR"), on("ENOSYS"), on("EPERM")]),
    (&["poll", "ppoll"], &[once("EINTR"), once("ENOMEM")]),
    (&["futex_wait", "futex_wait_bitset"], &[once("EINTR"), once("EAGAIN")]),
    (&["clock_nanosleep"], &[once("EINTR")]),
    (&["membarrier"], &[on("ENOSYS"), on("EPERM")]),
    // Sockets.
    (&["bind"], &[once("EADDRINUSE"), once("EACCES"), once("ENOMEM")]),
    (&["listen"], &[once("EADDRINUSE")]),
    (
        &["connect"],
        &[
            once("EINTR"),
            once("ENETUNREACH"),
            once("EAGAIN"),
            once("ECONNREFUSED"),
            once("EADDRNOTAVAIL"),
            once("EPERM"),
            once("ENOMEM"),
        ],
    ),
    (&["getsockname", "getpeername"], &[once("ENOBUFS")]),
    (&["getsockopt"], &[once("ENOMEM")]),
    (&["setsockopt"], &[once("ENOMEM"), on("EPERM"), once("ENOPROTOOPT")]),
    (&["shutdown"], &[once("ENOTCONN")]),
    (
        &["recvfrom", "recvmsg"],
        &[once("ECONNRESET"), once("EINTR"), once("ENOMEM"), once("ETIMEDOUT")],
    ),
    (&["recvmmsg"], &[on("ENOSYS"), once("EINTR"), once("EAGAIN"), once("ENOMEM")]),
    (
        &["sendto", "sendmsg"],
        &[
            once("ECONNRESET"),
            once("EINTR"),
            once("EAGAIN"),
            once("ENOBUFS"),
            once("ENOMEM"),
            once("EPIPE"),
            once("EPERM"),
        ],
    ),
    (&["sendmmsg"], &[on("ENOSYS"), once("EINTR"), once("EAGAIN"), once("ENOBUFS"), once("EPERM")]),
    (
        &["read:socket", "readv:socket"],
        &[once("ECONNRESET"), once("EINTR"), once("ENOMEM"), once("ETIMEDOUT")],
    ),
    (
        &["write:socket", "writev:socket"],
        &[
            once("ECONNRESET"),
            once("EINTR"),
            once("EAGAIN"),
            once("ENOBUFS"),
            once("EPIPE"),
            once("ENOMEM"),
        ],
    ),
    // Pipes, terminals and wake-ups.
    (
        &["read:eventfd", "read:inotify", "read:pipe", "readv:pipe"],
        &[once("EINTR"), once("EAGAIN")],
    ),
    // No EAGAIN: it means that the counter is full, and then the loop is awake.
    (&["write:eventfd"], &[once("EINTR")]),
    (&["write:pipe", "writev:pipe"], &[once("EINTR"), once("EAGAIN"), once("EPIPE")]),
    (&["read:tty", "readv:tty"], &[once("EINTR"), once("EIO"), once("EAGAIN")]),
    (&["write:tty", "writev:tty"], &[once("EINTR"), once("EIO"), once("EAGAIN")]),
    // Files.
    (
        &["pread64", "preadv", "read:file", "readv:file"],
        &[once("EINTR"), once("EIO"), once("ENOMEM")],
    ),
    (
        &["preadv2"],
        &[on("ENOSYS"), once("EAGAIN"), on("EOPNOTSUPP"), on("EPERM"), once("EIO"), once("EINTR")],
    ),
    (
        &["pwrite64", "pwritev", "write:file", "writev:file"],
        &[once("EINTR"), once("ENOSPC"), once("EIO"), once("ENOMEM")],
    ),
    (&["pwritev2"], &[on("ENOSYS"), once("EAGAIN"), on("EOPNOTSUPP"), on("EPERM"), once("ENOSPC")]),
    (
        &["open", "openat"],
        &[
            once("EMFILE"),
            once("EINTR"),
            on("EMFILE"),
            once("ENOSPC"),
            once("ENOMEM"),
            once("EACCES"),
            once("ENFILE"),
        ],
    ),
    (&["openat2", "faccessat2"], &[on("ENOSYS"), on("EPERM"), once("EMFILE"), once("EAGAIN")]),
    (
        &["copy_file_range"],
        &[
            on("ENOSYS"),
            once("ENOSPC"),
            on("EXDEV"),
            on("EPERM"),
            on("EINVAL"),
            on("EOPNOTSUPP"),
            once("EINTR"),
            once("EIO"),
            once("ENOMEM"),
        ],
    ),
    (&["ioctl_ficlone"], &[on("EOPNOTSUPP"), once("ENOSPC"), on("EPERM"), on("EXDEV")]),
    (
        &["sendfile"],
        &[
            once("EINTR"),
            on("EINVAL"),
            on("ENOSYS"),
            once("EAGAIN"),
            once("EIO"),
            once("ENOSPC"),
            once("ENOMEM"),
        ],
    ),
    (&["splice"], &[on("EINVAL"), once("EINTR")]),
    (&["statx"], &[on("ENOSYS"), on("EPERM"), once("EACCES"), once("ENOMEM")]),
    (
        &["stat", "lstat", "fstat", "newfstatat", "access", "faccessat", "statfs", "fstatfs"],
        &[once("EACCES"), once("ENOMEM"), once("EIO")],
    ),
    (&["fsync", "fdatasync"], &[once("EINTR"), once("EIO"), once("ENOSPC")]),
    (&["ftruncate"], &[once("EINTR"), once("EIO"), once("ENOSPC")]),
    (&["getdents64"], &[once("EIO"), once("ENOMEM")]),
    (&["mkdir", "mkdirat", "link", "linkat"], &[once("ENOSPC"), once("EACCES"), once("ENOMEM")]),
    (&["symlink", "symlinkat", "rename", "renameat"], &[once("ENOSPC"), once("EACCES")]),
    (&["renameat2"], &[on("ENOSYS"), once("ENOSPC")]),
    (&["unlink", "unlinkat", "rmdir"], &[once("EACCES"), once("EBUSY")]),
    (&["readlink", "readlinkat", "getcwd"], &[once("EACCES"), once("ENOMEM")]),
    (
        &["chmod", "fchmod", "fchmodat", "chown", "fchown", "fchownat", "lchown"],
        &[once("EPERM"), once("EIO")],
    ),
    (&["utimensat", "futimesat"], &[once("EPERM"), once("EACCES")]),
    (&["lseek"], &[once("ESPIPE")]),
    (&["flock"], &[once("EINTR")]),
    (&["chdir"], &[once("EACCES")]),
    (
        &["io_uring_setup"],
        &[on("ENOSYS"), on("EPERM"), once("ENOMEM"), once("EMFILE"), once("ENFILE")],
    ),
    (&["io_uring_enter"], &[once("EINTR"), once("EAGAIN"), once("EBUSY"), once("ENOMEM")]),
    (&["io_uring_register"], &[on("EINVAL"), once("ENOMEM"), on("EPERM")]),
    (&["inotify_add_watch"], &[once("ENOSPC"), once("ENOMEM"), once("EACCES")]),
    // The kernel has already removed the watch, because the file was deleted.
    (&["inotify_rm_watch"], &[once("EINVAL")]),
    (&["ioctl"], &[once("EINTR"), once("EIO"), once("ENOTTY")]),
    // Processes, threads and signals.
    (&["fork", "vfork", "clone"], &[once("EAGAIN"), on("EAGAIN"), once("ENOMEM"), on("EPERM")]),
    (&["clone3"], &[on("ENOSYS"), once("EAGAIN"), on("EAGAIN"), once("ENOMEM"), on("EPERM")]),
    (&["execve"], &[once("ENOMEM"), once("EACCES"), once("EAGAIN")]),
    (&["wait4", "waitid"], &[once("EINTR"), once("ECHILD")]),
    (&["pidfd_open"], &[on("ENOSYS"), on("EPERM"), once("EMFILE"), once("ENOMEM")]),
    (&["pidfd_send_signal"], &[on("ENOSYS"), on("EPERM")]),
    (&["kill"], &[once("EPERM"), once("ESRCH")]),
    (&["setsid"], &[once("EPERM")]),
    // Memory, and other calls that a seccomp filter forbids.
    (&["brk", "mremap", "munmap", "madvise"], &[once("ENOMEM")]),
    (&["mmap", "mprotect"], &[once("ENOMEM"), on("ENOMEM")]),
    (&["getrandom"], &[once("EINTR"), on("ENOSYS"), on("EPERM")]),
    (&["getrandom_nonblock"], &[once("EAGAIN"), on("ENOSYS"), once("EINTR"), on("EPERM")]),
    (&["prctl", "sched_getaffinity", "sigaltstack"], &[on("EPERM")]),
];

/// Calls that cannot fail as the library uses them, with the reasons.
const INFALLIBLE: &[(&str, &str)] = &[
    ("epoll_ctl_del", "the descriptor is registered, and removing it needs no memory"),
    ("epoll_ctl_mod", "the descriptor is registered, and changing it needs no memory"),
    ("fcntl_getfl", "cannot fail for an open descriptor"),
    ("fcntl_setfl", "cannot fail for the flags in use"),
    ("fcntl_setfd", "cannot fail for an open descriptor"),
    ("ioctl_fionbio", "cannot fail for an open descriptor"),
    ("ioctl_fioclex", "cannot fail for an open descriptor"),
    ("ioctl_fionread", "cannot fail for a socket or a pipe"),
    ("futex_wake", "fails only for an invalid address"),
    ("prlimit64", "cannot fail for the process's own limits"),
    ("rt_sigaction", "fails only for an invalid number"),
    ("rt_sigprocmask", "fails only for an invalid address"),
    ("sched_yield", "always succeeds"),
    ("timerfd_settime", "fails only for invalid arguments"),
];

/// The errors of a call: an empty list if it cannot fail, `None` if the table does not have it.
pub fn errors_of(call: &str) -> Option<&'static [Error]> {
    if INFALLIBLE.iter().any(|(name, _)| *name == call) {
        return Some(&[]);
    }
    ROWS.iter().find(|(calls, _)| calls.contains(&call)).map(|(_, errors)| *errors)
}

/// The errno values on x86-64.
const NUMBERS: &[(&str, i32)] = &[
    ("EPERM", 1),
    ("ENOENT", 2),
    ("ESRCH", 3),
    ("EINTR", 4),
    ("EIO", 5),
    ("EAGAIN", 11),
    ("ECHILD", 10),
    ("ENOMEM", 12),
    ("EACCES", 13),
    ("EBUSY", 16),
    ("EXDEV", 18),
    ("EINVAL", 22),
    ("ENFILE", 23),
    ("EMFILE", 24),
    ("ENOTTY", 25),
    ("ENOSPC", 28),
    ("ESPIPE", 29),
    ("EPIPE", 32),
    ("ENOSYS", 38),
    ("ENOPROTOOPT", 92),
    ("EOPNOTSUPP", 95),
    ("EADDRINUSE", 98),
    ("EADDRNOTAVAIL", 99),
    ("ENETUNREACH", 101),
    ("ECONNABORTED", 103),
    ("ECONNRESET", 104),
    ("ENOBUFS", 105),
    ("ENOTCONN", 107),
    ("ETIMEDOUT", 110),
    ("ECONNREFUSED", 111),
];

pub fn number_of(error: &str) -> Option<i32> {
    NUMBERS.iter().find(|(name, _)| *name == error).map(|(_, number)| *number)
}

/// Looks up the name of an error.
pub fn error_named(name: &str) -> Option<&'static str> {
    NUMBERS.iter().find(|(known, _)| *known == name).map(|(known, _)| *known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_has_a_number_and_every_call_one_row() {
        let mut calls = Vec::new();
        for (names, errors) in ROWS {
            calls.extend_from_slice(names);
            for error in *errors {
                assert!(number_of(error.name).is_some(), "{}", error.name);
            }
        }
        calls.extend(INFALLIBLE.iter().map(|(name, _)| *name));
        calls.sort_unstable();
        let count = calls.len();
        calls.dedup();
        assert_eq!(calls.len(), count);
    }
}
