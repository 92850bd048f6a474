//! Coming from tokio: a table of calls, and what differs.
//!
//! Most names and signatures are the same. These are the differences that a program notices first:
//!
//! * **A loop runs on one thread.** Tasks, sockets and handles stay on it. So futures need not be `Send`
//!   or `Sync`, and tasks share data with [`Rc`](std::rc::Rc) and [`Cell`](std::cell::Cell). To use all
//!   cores, [`workers`](crate::workers()) runs one loop on each.
//! * **[`spawn`] needs a running loop on this thread**, and panics without one. Outside of a run use
//!   [`LoopRef::spawn`], from another thread [`LoopHandle::spawn`].
//! * **I/O traits are those of `futures-io`**, not tokio's. The extension methods (`read_exact`,
//!   `write_all`, `copy`) are in `futures-lite` or `futures`. `tokio_util::compat` converts a stream for
//!   a library that needs tokio's traits.
//! * **Parts of tokio that need no runtime work here, too**: `tokio::sync`, `tokio::select!` and
//!   `tokio::join!`. Crates that call tokio's runtime themselves, such as reqwest, do not.
//! * **Dropping a [`Loop`] ends its tasks**, as dropping a runtime does. The end of
//!   [`block_on`](Loop::block_on) leaves them in the loop, and the next run continues them.
//!
//! # The runtime
//!
//! | tokio | mauve | |
//! | --- | --- | --- |
//! | `#[tokio::main]` | [`#[mauve::main]`](crate::main) | no `flavor`: it is one thread |
//! | `#[tokio::test]` | [`#[mauve::test]`](macro@crate::test) | time cannot be paused |
//! | `Runtime::new`, `Builder` | [`Loop::new`] | |
//! | `Runtime::block_on` | [`Loop::block_on`] | |
//! | `Handle::current` | [`Loop::current`] | the state's type is that of the loop |
//! | `Handle::spawn` on another thread | [`LoopHandle::spawn`] | from [`LoopRef::handle`] |
//! | a multi-thread runtime | [`workers`](crate::workers()) | connections do not migrate |
//! | `LocalSet`, `spawn_local` | [`spawn`] | every task is local |
//! | `RuntimeMetrics`, `tokio-metrics` | [`LoopRef::metrics`], [`LoopRef::task_metrics`] | times are measured after [`LoopRef::measure_times`] |
//! | `tokio-console` | [`LoopRef::why_alive`], `mauve why PID` | |
//!
//! # Tasks
//!
//! | tokio | mauve | |
//! | --- | --- | --- |
//! | `spawn` | [`spawn`] | the future need not be `Send` |
//! | `task::spawn_blocking` | [`spawn_blocking`] | at most [`thread_pool_size`] at a time; the error is a [`WorkError`], which has no panic payload |
//! | `task::block_in_place` | [`spawn_blocking`] | |
//! | `task::yield_now` | [`yield_now`] | |
//! | `JoinHandle`, `AbortHandle` | [`JoinHandle`], [`AbortHandle`] | [`JoinError`] converts to `io::Error` |
//! | `AbortOnDropHandle` | [`JoinHandle::abort_on_drop`] | |
//! | `JoinSet` | [`JoinSet`] | no `join_next_with_id`; a future that awaits [`spawn_blocking`] replaces its `spawn_blocking` |
//! | `task::Id` | [`TaskMetrics`](crate::TaskMetrics) | tasks have the location where they were spawned |
//! | `select!`, `join!` | `futures_lite::future::{or, zip}` | or tokio's own macros |
//! | `sync::{mpsc, oneshot, Notify}` | tokio's own, or `async-channel` | |
//! | `task::coop::unconstrained` | | a poll may complete 128 operations |
//!
//! A panic of a task is reported by the panic hook, and returned by its [`JoinHandle`]. Other tasks and
//! the loop go on.
//!
//! # Time
//!
//! | tokio | mauve | |
//! | --- | --- | --- |
//! | `time::sleep`, `sleep_until` | [`time::sleep`], [`time::sleep_until`] | as precise as the kernel, not 1 ms |
//! | `time::timeout`, `timeout_at` | [`time::timeout`], [`time::timeout_at`] | [`Elapsed`] converts to `io::Error` |
//! | `time::interval`, `interval_at` | [`time::interval`], [`time::interval_at`] | |
//! | `Sleep::reset` | [`Sleep::reset`] | needs no pin |
//! | `time::Instant` | [`std::time::Instant`] | |
//! | `time::pause`, `advance` | | |
//!
//! # Sockets
//!
//! | tokio | mauve | |
//! | --- | --- | --- |
//! | `TcpListener::bind`, `accept` | [`TcpListener::bind`], [`accept`](TcpListener::accept) | |
//! | `TcpListenerStream` | [`TcpListener::incoming`] | |
//! | `TcpStream::connect` | [`TcpStream::connect`] | |
//! | `TcpStream::{readable, try_read, writable, try_write, peek}` | [the same](TcpStream::readable) | |
//! | `TcpStream::{try_io, async_io}` | [`try_io`](TcpStream::try_io), [`async_io`](TcpStream::async_io) | |
//! | `ready(Interest)` | `readable` or `writable` | |
//! | `try_read_buf`, `recv_buf`, `try_read_vectored` | `try_read`, `recv` | buffers are slices |
//! | `TcpStream::{split, into_split}` | [`split`](TcpStream::split), [`into_split`](TcpStream::into_split) | `as_ref()` of a half has the methods of the stream, such as `peer_addr` |
//! | `AsyncWriteExt::shutdown` | `AsyncWriteExt::close`, [`TcpStream::shutdown`] | |
//! | `from_std`, `into_std` | [`TcpStream::from_std`] and those of the other sockets | sets non-blocking mode |
//! | `TcpSocket` | [`TcpSocket`] | |
//! | `UdpSocket::{bind, send_to, recv_from}` | [`UdpSocket::bind`], [`send_to`](UdpSocket::send_to), [`recv_from`](UdpSocket::recv_from) | a connected socket has `send` only |
//! | `UdpSocket::{readable, try_recv_from, writable, poll_recv_from}` | [the same](UdpSocket::readable) | |
//! | `UdpSocket::{peek, peek_from, peek_sender, try_peek_from}` | [the same](UdpSocket::peek_from) | |
//! | `UdpSocket::{try_send, try_send_to}` | [`UdpSocket::try_send`], [`try_send_to`](UdpSocket::try_send_to) | `try_send` takes an address or `None` |
//! | `UdpSocket::{join_multicast_v4, join_multicast_v6}` | [`UdpSocket::join_multicast`] | takes a `MulticastGroup` |
//! | `set_tos`, `bind_device`, `set_quickack`, multicast getters | `socket2::SockRef::from(&socket)` | any option that socket2 has |
//! | `UnixSocket` | [`UnixListener::bind`], [`UnixDatagram::bind`], or `from_std` | |
//! | `net::unix::pipe` | [`AsyncFd`] | |
//! | `UnixStream`, `UnixListener`, `UnixDatagram` | [`UnixStream`], [`UnixListener`], [`UnixDatagram`] | |
//! | `net::lookup_host` | [`net::lookup_host`](crate::net::lookup_host), [`dns::lookup_host`](crate::dns::lookup_host) | |
//! | `io::unix::AsyncFd` | [`AsyncFd`] | readiness is not cached |
//!
//! A socket belongs to the loop on which it was created, and is not `Send`. To move one to another
//! thread, send the result of `into_std` and call `from_std` there.
//!
//! # I/O, files, processes, signals
//!
//! | tokio | mauve | |
//! | --- | --- | --- |
//! | `io::{AsyncRead, AsyncWrite, AsyncBufRead}` | [`io`] | the traits of `futures-io` |
//! | `io::{AsyncReadExt, AsyncWriteExt, copy}` | the same of `futures-lite` | |
//! | `io::{split, duplex, copy_bidirectional}` | `futures_lite::io::split`, [`UnixStream::pair`], `zip` of two `copy` | |
//! | `io::{stdin, stdout, stderr}` | [`io::stdin`], [`io::stdout`], [`io::stderr`] | a write completes when the kernel has the bytes |
//! | `io::BufReader`, `AsyncBufReadExt::lines` | [`io::BufReader`], [`io::lines`] | |
//! | `fs::*` | [`fs`] | cached reads need no thread |
//! | `fs::write` | [`fs::write`] | the contents convert to `Vec<u8>`: `text` or `text.as_str()`, not `&text` of a `String` |
//! | `fs::ReadDir`, `DirEntry` | [`fs::ReadDir`] | entries are those of std: `fs::metadata(entry.path())` does not block |
//! | `fs::OpenOptions` | [`fs::OpenOptions`], or [`fs::File::open_with`] with std's | |
//! | `fs::DirBuilder` | [`fs::create_dir_all`], [`fs::set_permissions`] | |
//! | `File::into_std` | [`fs::File::try_into_std`] | |
//! | `File::{read, write_all, seek}` | the extension traits, or [`fs::File::read_at`], [`fs::File::write_bytes`] | |
//! | `process::Command` | [`process::Command`] | no `pre_exec`, `process_group`, `as_std`; `output` and `status` spawn when they are polled |
//! | `Child::{wait, try_wait, kill, wait_with_output}` | [`process::Child`] | |
//! | `signal::ctrl_c`, `signal::unix::signal` | [`signal::ctrl_c`], [`signal::signal`] | |
//!
//! # hyper
//!
//! The crate `mauve-hyper` has what hyper needs:
//!
//! | hyper-util | mauve-hyper | |
//! | --- | --- | --- |
//! | `rt::TokioIo` | `MauveIo` | |
//! | `rt::TokioExecutor` | `MauveExecutor` | |
//! | `rt::TokioTimer` | `MauveTimer` | |
//! | `server::conn::auto` | `detect` | HTTP/1 and HTTP/2 on one port |
//! | `client::legacy::connect::HttpConnector` | `MauveConnector` | the feature `client`; `connect` for `hyper::client::conn` |

#[allow(unused_imports)] // Of the links.
use crate::{
    AbortHandle, Elapsed, JoinError, JoinHandle, JoinSet, Loop, LoopHandle, LoopRef, Sleep,
    WorkError, fs, io, net::AsyncFd, net::TcpListener, net::TcpSocket, net::TcpStream,
    net::UdpSocket, net::UnixDatagram, net::UnixListener, net::UnixStream, process, signal, spawn,
    spawn_blocking, thread_pool_size, time, yield_now,
};
