//! BIND's name server `named` and its client `dig`, both on libuv, over UDP and TCP on loopback.

use std::net::{TcpListener, UdpSocket};
use std::path::Path;

use super::Program;
use super::check::{Check, TIMEOUT};
use super::environment::Environment;
use crate::files;
use crate::process::Process;

pub const PROGRAM: Program = Program { name: "bind", packages: PACKAGES, checks };

pub const PACKAGES: &str = "bind9 bind9-libs bind9-dnsutils libfstrm0 libgssapi-krb5-2 libicu72 libjemalloc2 \
        libjson-c5 libk5crypto3 libkeyutils1 libkrb5-3 libkrb5support0 liblmdb0 \
        libmaxminddb0 libnghttp2-14 libprotobuf-c1 libssl3 libxml2";

fn checks(env: &Environment) -> Result<Vec<Check>, String> {
    let env = env.clone();
    let title = "named answers dig over UDP and TCP, and exits on SIGTERM";
    Ok(vec![Check::new(title, move || serve(&env))])
}

fn serve(env: &Environment) -> Result<(), String> {
    let (named, port) = start(env, "bind")?;
    queries(env, port).map_err(|why| format!("{why}\n{}", named.output()))?;
    stop(named)
}

/// Starts `named` with the zone `mauve.example`, on a loopback port.
pub fn start(env: &Environment, scratch: &str) -> Result<(Process, u16), String> {
    let folder = env.scratch(scratch)?;
    let port = free_port()?;
    let zone = env.sources("bind").join("zone.db");
    let settings = folder.join("named.conf");
    let mut configuration = configuration(&folder, &zone, port);
    if env.is_installed {
        // BIND 9.20 has no such option any more.
        configuration = configuration.replace("lock-file none;", "");
    }
    files::write(&settings, configuration)?;
    let mut command = env.command(env.root().join("usr/sbin/named"));
    command.arg("-g").arg("-c").arg(&settings).args(["-n", "2", "-U", "2"]);
    let mut named = Process::start(&mut command, &folder)?;
    named.await_output(" running\n", TIMEOUT)?;
    named.check_library(&env.library())?;
    Ok((named, port))
}

/// Stops `named` with SIGTERM, as a service manager does.
pub fn stop(named: Process) -> Result<(), String> {
    named.terminate();
    let output = named.succeed(TIMEOUT)?;
    if output.contains(" exiting\n") { Ok(()) } else { Err(format!("no clean exit\n{output}")) }
}

fn queries(env: &Environment, port: u16) -> Result<(), String> {
    for transport in ["+notcp", "+tcp"] {
        query(env, port, &[transport, "www", "A"], |answer| answer == "192.0.2.7\n")?;
        query(env, port, &[transport, "www", "AAAA"], |answer| answer == "2001:db8::7\n")?;
        query(env, port, &[transport, "text", "TXT"], |answer| answer == "\"from mauve\"\n")?;
        query(env, port, &[transport, "none", "A"], str::is_empty)?;
        // A hundred queries of one dig, over one connection if it is TCP.
        let names: Vec<String> = (1..=100).map(|i| format!("host{i}")).collect();
        let mut many = vec![transport, "+keepopen"];
        many.extend(names.iter().map(String::as_str));
        let expected: String = (1..=100).map(|i| format!("192.0.2.{i}\n")).collect();
        query(env, port, &many, |answer| answer == expected)?;
    }
    // Too long for a datagram: dig retries over TCP.
    query(env, port, &["+bufsize=512", "long", "TXT"], |answer| answer.lines().count() == 90)?;
    // The whole zone.
    let whole = |answer: &str| answer.lines().count() == 297;
    query(env, port, &["mauve.example.", "AXFR"], whole)
}

/// Sends a query with `dig` and checks its answer with `is_expected`.
pub fn query(
    env: &Environment,
    port: u16,
    query: &[&str],
    is_expected: impl FnOnce(&str) -> bool,
) -> Result<(), String> {
    let folder = env.scratch("bind-dig")?;
    let mut dig = env.command(env.root().join("usr/bin/dig"));
    dig.args(["-r", "@127.0.0.1", "-p", &port.to_string()]);
    dig.args(["+short", "+domain=mauve.example", "+timeout=5", "+tries=1"]).args(query);
    let answer = Process::start(&mut dig, &folder)?.succeed(TIMEOUT)?;
    if is_expected(&answer) { Ok(()) } else { Err(format!("dig {}:\n{answer}", query.join(" "))) }
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

/// A port that is free for UDP and TCP.
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
