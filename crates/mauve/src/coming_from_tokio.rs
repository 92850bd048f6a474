#![doc = include_str!("coming_from_tokio.md")]

#[allow(unused_imports)] // Of the links.
use crate::{
    AbortHandle, Elapsed, JoinError, JoinHandle, JoinSet, Loop, LoopBuilder, LoopHandle, LoopRef,
    Sleep, WorkError, consume_budget, cooperative, fs, io, net::AsyncFd, net::TcpListener,
    net::TcpSocket, net::TcpStream, net::UdpSocket, net::UnixDatagram, net::UnixListener,
    net::UnixStream, process, signal, spawn, spawn_blocking, time, yield_now,
};
