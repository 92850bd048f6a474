//! Every server of `mauve bench` handles its loads.

#![forbid(unsafe_code)]

use std::process::Command;

use mauve_bench::load::{CountSyscalls, Load};

const IMPLEMENTATIONS: [&str; 3] = ["closures", "tasks", "epoll"];

fn server(implementation: &str, service: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
    command.args(["bench-server", implementation, service]);
    command
}

fn all_servers_handle(service: &str, load: &str) {
    let load: Load = load.parse().unwrap();
    for implementation in IMPLEMENTATIONS {
        let sample = load.run("name", &mut server(implementation, service), CountSyscalls::No);
        let sample = sample.unwrap_or_else(|error| panic!("{implementation}, {service}: {error}"));
        assert!(
            sample.cpu > 0.0 && sample.wall > Some(0.0),
            "{implementation}, {service}: {sample}"
        );
    }
}

#[test]
fn messages_are_echoed_over_tcp_and_unix_sockets() {
    all_servers_handle("tcp-echo", "stream connections=20 size=64 count=500 warm=100");
    all_servers_handle("pipe-echo", "stream connections=20 size=64 count=500 warm=100");
}

#[test]
fn large_messages_are_echoed() {
    all_servers_handle("tcp-echo", "stream connections=3 size=4096 depth=4 count=240 warm=10");
}

#[test]
fn each_message_is_answered() {
    all_servers_handle("reply", "stream connections=3 depth=16 count=480 warm=16");
}

#[test]
fn a_sink_reads_all_data() {
    all_servers_handle("sink", "pump count=50 warm=5");
}

#[test]
fn short_connections_are_served_and_closed() {
    all_servers_handle("tcp-echo", "short depth=8 count=50 warm=8");
}

#[test]
fn datagrams_are_echoed() {
    all_servers_handle("udp-echo", "datagram depth=8 count=200 warm=8");
}

#[test]
fn a_server_that_does_not_listen_is_an_error() {
    let load: Load = "stream count=10 warm=1".parse().unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "echo ready 127.0.0.1:9; sleep 1"]);
    assert!(load.run("name", &mut command, CountSyscalls::No).is_err());
}
