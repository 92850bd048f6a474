//! Every server that is measured does what its load expects of it.

#![forbid(unsafe_code)]

use std::process::Command;

use mauve_bench::load::{CountSyscalls, Load};

const FACES: [&str; 3] = ["closures", "tasks", "epoll"];

fn server(face: &str, service: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
    command.args(["bench-server", face, service]);
    command
}

fn everybody_bears(service: &str, load: &str) {
    let load: Load = load.parse().unwrap();
    for face in FACES {
        let sample = load.run("name", &mut server(face, service), CountSyscalls::No);
        let sample = sample.unwrap_or_else(|error| panic!("{face}, {service}: {error}"));
        assert!(sample.cpu > 0.0 && sample.wall > Some(0.0), "{face}, {service}: {sample}");
    }
}

#[test]
fn messages_come_back_over_tcp_and_local_sockets() {
    everybody_bears("tcp-echo", "stream connections=20 size=64 count=500 warm=100");
    everybody_bears("pipe-echo", "stream connections=20 size=64 count=500 warm=100");
}

#[test]
fn large_messages_come_back_whole() {
    everybody_bears("tcp-echo", "stream connections=3 size=4096 depth=4 count=240 warm=10");
}

#[test]
fn each_message_is_answered() {
    everybody_bears("reply", "stream connections=3 depth=16 count=480 warm=16");
}

#[test]
fn what_is_pumped_is_read_to_the_end() {
    everybody_bears("sink", "pump count=50 warm=5");
}

#[test]
fn short_connections_are_served_and_closed() {
    everybody_bears("tcp-echo", "short depth=8 count=50 warm=8");
}

#[test]
fn datagrams_come_back() {
    everybody_bears("udp-echo", "datagram depth=8 count=200 warm=8");
}

#[test]
fn a_server_that_does_not_listen_where_it_says_is_an_error_and_not_a_figure() {
    let load: Load = "stream count=10 warm=1".parse().unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "echo ready 127.0.0.1:9; sleep 1"]);
    assert!(load.run("name", &mut command, CountSyscalls::No).is_err());
}
