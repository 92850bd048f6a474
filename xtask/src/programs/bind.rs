//! BIND's name server and its client `dig`, both on libuv, over UDP and TCP on the loopback.

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::path::Path;

use super::Program;
use super::check::{Check, PATIENCE};
use super::packages::{Package, any};
use super::process::Process;
use super::stage::Stage;

pub const PROGRAM: Program = Program { name: "bind", packages: PACKAGES, checks };

pub const PACKAGES: &[Package] = &[
    any("bind9"),
    any("bind9-libs"),
    any("bind9-dnsutils"),
    any("libfstrm0"),
    any("libgssapi-krb5-2"),
    any("libicu72"),
    any("libjemalloc2"),
    any("libjson-c5"),
    any("libk5crypto3"),
    any("libkeyutils1"),
    any("libkrb5-3"),
    any("libkrb5support0"),
    any("liblmdb0"),
    any("libmaxminddb0"),
    any("libnghttp2-14"),
    any("libprotobuf-c1"),
    any("libssl3"),
    any("libxml2"),
];

fn checks(stage: &Stage) -> Result<Vec<Check>, String> {
    let stage = stage.clone();
    let title = "named answers dig over UDP and TCP, and ends on SIGTERM";
    Ok(vec![Check::new(title, move || serve(&stage))])
}

fn serve(stage: &Stage) -> Result<(), String> {
    let (named, port) = start(stage, "bind")?;
    questions(stage, port).map_err(|why| format!("{why}\n{}", named.output()))?;
    stop(named)
}

/// Starts `named`, with the zone `mauve.example`, at a port of the loopback.
pub fn start(stage: &Stage, scratch: &str) -> Result<(Process, u16), String> {
    let folder = stage.scratch(scratch)?;
    let port = free_port()?;
    let zone = stage.sources("bind").join("zone.db");
    let settings = folder.join("named.conf");
    fs::write(&settings, configuration(&folder, &zone, port)).map_err(|e| e.to_string())?;
    let mut command = stage.command(stage.root().join("usr/sbin/named"));
    command.arg("-g").arg("-c").arg(&settings).args(["-n", "2", "-U", "2"]);
    let mut named = Process::start(&mut command, &folder)?;
    named.await_output(" running\n", PATIENCE)?;
    named.is_on(&stage.library())?;
    Ok((named, port))
}

/// Ends `named` as a service manager would.
pub fn stop(named: Process) -> Result<(), String> {
    named.terminate();
    let output = named.succeed(PATIENCE)?;
    if output.contains(" exiting\n") { Ok(()) } else { Err(format!("no clean end\n{output}")) }
}

fn questions(stage: &Stage, port: u16) -> Result<(), String> {
    for way in ["+notcp", "+tcp"] {
        ask(stage, port, &[way, "www", "A"], |answer| answer == "192.0.2.7\n")?;
        ask(stage, port, &[way, "www", "AAAA"], |answer| answer == "2001:db8::7\n")?;
        ask(stage, port, &[way, "text", "TXT"], |answer| answer == "\"from mauve\"\n")?;
        ask(stage, port, &[way, "none", "A"], str::is_empty)?;
        // A hundred questions by one dig, over one connection if it is TCP.
        let names: Vec<String> = (1..=100).map(|i| format!("host{i}")).collect();
        let mut many = vec![way, "+keepopen"];
        many.extend(names.iter().map(String::as_str));
        let wanted: String = (1..=100).map(|i| format!("192.0.2.{i}\n")).collect();
        ask(stage, port, &many, |answer| answer == wanted)?;
    }
    // Too long for a datagram: dig asks again over TCP.
    ask(stage, port, &["+bufsize=512", "long", "TXT"], |answer| answer.lines().count() == 90)?;
    // The whole zone.
    let whole = |answer: &str| answer.lines().count() == 297;
    ask(stage, port, &["mauve.example.", "AXFR"], whole)
}

/// Asks with `dig`, and wants its answer to be `right`.
pub fn ask(
    stage: &Stage,
    port: u16,
    question: &[&str],
    right: impl FnOnce(&str) -> bool,
) -> Result<(), String> {
    let folder = stage.scratch("bind-dig")?;
    let mut dig = stage.command(stage.root().join("usr/bin/dig"));
    dig.args(["-r", "@127.0.0.1", "-p", &port.to_string()]);
    dig.args(["+short", "+domain=mauve.example", "+timeout=5", "+tries=1"]).args(question);
    let answer = Process::start(&mut dig, &folder)?.succeed(PATIENCE)?;
    if right(&answer) { Ok(()) } else { Err(format!("dig {}:\n{answer}", question.join(" "))) }
}

fn configuration(folder: &Path, zone: &Path, port: u16) -> String {
    format!(
        "options {{
            directory \"{folder}\"; pid-file none; session-keyfile none; lock-file none;
            listen-on port {port} {{ 127.0.0.1; }}; listen-on-v6 {{ none; }};
            recursion no; notify no; dnssec-validation no; allow-transfer {{ 127.0.0.1; }};
            empty-zones-enable no;
        }};
        controls {{ }};
        zone \"mauve.example\" {{ type primary; file \"{zone}\"; }};
        ",
        folder = folder.display(),
        zone = zone.display(),
    )
}

/// A port that is free for both.
pub fn free_port() -> Result<u16, String> {
    for _ in 0..20 {
        let tcp = TcpListener::bind("127.0.0.1:0").map_err(|e| e.to_string())?;
        let address = tcp.local_addr().map_err(|e| e.to_string())?;
        if UdpSocket::bind(address).is_ok() {
            return Ok(address.port());
        }
    }
    Err("no port is free".to_owned())
}
