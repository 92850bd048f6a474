#![doc = include_str!("coming_from_tokio.md")]

#[allow(unused_imports)] // Of the links.
use crate::{
    AbortHandle, Elapsed, JoinError, JoinHandle, JoinSet, Loop, LoopBuilder, LoopHandle, LoopRef,
    Sleep, TaskMetrics, WorkError, consume_budget, cooperative, dns, ecosystem, fs, io,
    net::AsyncFd, net::TcpListener, net::TcpSocket, net::TcpStream, net::UdpSocket,
    net::UnixDatagram, net::UnixListener, net::UnixStream, process, signal, spawn, spawn_blocking,
    time, workers, yield_now,
};
