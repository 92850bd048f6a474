//! Knot Resolver, which asks BIND's `named` for what it does not know itself.

use std::fs;

use super::Program;
use super::bind::{self, ask};
use super::check::{Check, PATIENCE};
use super::packages::{self, any};
use super::process::Process;
use super::stage::Stage;

pub const PROGRAM: Program = Program {
    name: "knot-resolver",
    packages: &[
        any("knot-resolver"),
        any("dns-root-data"),
        any("libbpf1"),
        any("libdnssec9"),
        any("libelf1"),
        any("libknot13"),
        any("libluajit-5.1-2"),
        any("libluajit-5.1-common"),
        any("libxdp1"),
        any("libzscanner4"),
    ],
    checks,
};

fn checks(stage: &Stage) -> Result<Vec<Check>, String> {
    packages::unpack(bind::PACKAGES, stage)?;
    let stage = stage.clone();
    let title = "kresd answers dig over UDP and TCP, forwards to named, and ends on SIGTERM";
    Ok(vec![Check::new(title, move || resolve(&stage))])
}

fn resolve(stage: &Stage) -> Result<(), String> {
    let (named, upstream) = bind::start(stage, "knot-named")?;
    let folder = stage.scratch("knot")?;
    let port = bind::free_port()?;
    let settings = folder.join("kresd.conf");
    fs::write(&settings, configuration(port, upstream)).map_err(|e| e.to_string())?;
    let mut command = stage.command_over("lib share", stage.root().join("usr/sbin/kresd"));
    command.arg("-n").arg("-c").arg(&settings).arg(&folder);
    let mut kresd = Process::start(&mut command, &folder)?;
    kresd.await_output("ready to answer", PATIENCE)?;
    kresd.is_on(&stage.library())?;

    let answers = || {
        for way in ["+notcp", "+tcp"] {
            ask(stage, port, &[way, "known.kresd.example."], |answer| answer == "192.0.2.99\n")?;
            // The first time from named, then from the cache.
            for name in ["www", "www", "host1", "host2", "host3"] {
                ask(stage, port, &[way, name], |answer| answer.starts_with("192.0.2."))?;
            }
        }
        // named's answer comes over TCP: it is too long for a datagram.
        ask(stage, port, &["long", "TXT"], |answer| answer.lines().count() == 90)
    };
    answers().map_err(|why: String| format!("{why}\n{}", kresd.output()))?;
    kresd.terminate();
    kresd.succeed(PATIENCE)?;
    bind::stop(named)
}

/// Nothing that would make it ask anyone beyond the loopback. The event runs in its loop.
fn configuration(port: u16, upstream: u16) -> String {
    format!(
        "net.listen('127.0.0.1', {port}, {{ kind = 'dns' }})
net.ipv6 = false
cache.open(10 * MB)
modules = {{ 'hints > iterate' }}
for _, module in ipairs({{ 'ta_update', 'ta_signal_query', 'priming', 'detect_time_skew' }}) do
    modules.unload(module)
end
trust_anchors.remove('.')
hints['known.kresd.example'] = '192.0.2.99'
policy.add(policy.all(policy.STUB('127.0.0.1@{upstream}')))
event.after(20, function() print('ready to answer') io.stdout:flush() end)
"
    )
}
