//! The fields of libuv's structs that mauve maintains.
//!
//! The header names these fields, and their offsets are checked. All others are reserved space
//! without a name, so that a program that reads one does not compile, instead of reading garbage.

use serde_json::Value;

/// Private or undocumented fields that programs use: callbacks, descriptors, flags.
const MORE: &[(&str, &[&str])] = &[
    ("uv_loop_t", &["active_handles", "backend_fd"]),
    ("uv_lib_t", &["handle", "errmsg"]),
    ("uv_poll_t", &["poll_cb", "io_watcher"]),
    ("uv_timer_t", &["timer_cb"]),
    ("uv_prepare_t", &["prepare_cb"]),
    ("uv_check_t", &["check_cb"]),
    ("uv_idle_t", &["idle_cb"]),
    ("uv_async_t", &["async_cb"]),
    ("uv_process_t", &["exit_cb", "status"]),
    ("uv_fs_event_t", &["path", "cb"]),
    ("uv_signal_t", &["signal_cb"]),
    ("uv_udp_t", &["alloc_cb", "recv_cb", "io_watcher"]),
    ("uv_pipe_t", &["pipe_fname"]),
    ("uv_connect_t", &["cb"]),
    ("uv_write_t", &["cb"]),
    ("uv_shutdown_t", &["cb"]),
    ("uv_udp_send_t", &["cb"]),
    (
        "uv_fs_t",
        &[
            "cb", "new_path", "file", "flags", "mode", "nbufs", "bufs", "off", "uid", "gid",
            "atime", "mtime",
        ],
    ),
    ("uv_work_t", &["work_cb", "after_work_cb"]),
    ("uv_getaddrinfo_t", &["cb"]),
    ("uv_getnameinfo_t", &["getnameinfo_cb"]),
    ("uv_random_t", &["status", "buf", "buflen", "cb"]),
    ("uv__io_t", &["fd"]),
];

/// The same, for all handles.
const HANDLE: &[&str] = &["close_cb", "flags"];

/// The same, for all streams.
const STREAM: &[&str] = &["alloc_cb", "read_cb", "io_watcher", "connection_cb"];

/// Fields that only Windows has, with their types in C.
pub const WINDOWS: &[(&str, &str, &str)] = &[
    ("uv_pipe_t", "handle", "HANDLE"),
    ("uv_poll_t", "socket", "SOCKET"),
    ("uv_process_t", "process_handle", "HANDLE"),
    ("uv_tcp_t", "socket", "SOCKET"),
    ("uv_tty_t", "handle", "HANDLE"),
    ("uv_udp_t", "socket", "SOCKET"),
];

/// Fields that have the name of a maintained one of Linux, but are others on Windows.
const OTHERS: &[(&str, &str)] = &[
    ("uv_fs_t", "flags"),
    // Private there. In mauve's structs they are at the same offset, so that one function calls all of them.
    ("uv_check_t", "check_cb"),
    ("uv_idle_t", "idle_cb"),
    ("uv_prepare_t", "prepare_cb"),
    ("uv_timer_t", "timer_cb"),
];

/// Whether mauve maintains, on Windows, the field that Linux has, too.
pub fn on_windows(name: &str, kind: &Value, described: &Value) -> bool {
    let of = described["name"].as_str().expect("a field has a name");
    field(name, kind, described) && !OTHERS.contains(&(name, of))
}

/// Whether mauve maintains `field` of the type `name`, which is described by `kind`.
pub fn field(name: &str, kind: &Value, field: &Value) -> bool {
    let of = field["name"].as_str().expect("a field has a name");
    let more = MORE.iter().find(|(of, _)| *of == name).map_or(&[][..], |(_, fields)| fields);
    field["public"] == true
        || more.contains(&of)
        || kind["category"] == "handle" && HANDLE.contains(&of)
        || is_stream(kind) && STREAM.contains(&of)
}

/// Streams are the handles with a read callback.
fn is_stream(kind: &Value) -> bool {
    kind["fields"].as_array().into_iter().flatten().any(|field| field["name"] == "read_cb")
}
