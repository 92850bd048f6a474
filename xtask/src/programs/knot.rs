//! Knot Resolver, which forwards queries to BIND's `named`.

use super::Program;
use super::bind::{self, query};
use super::check::{Check, TIMEOUT};
use super::environment::Environment;
use super::packages;
use crate::files;
use crate::process::Process;

pub const PROGRAM: Program = Program {
    name: "knot-resolver",
    packages: "knot-resolver dns-root-data libbpf1 libdnssec9 libelf1 libknot13 libluajit-5.1-2 \
        libluajit-5.1-common libxdp1 libzscanner4",
    checks,
};

fn checks(env: &Environment) -> Result<Vec<Check>, String> {
    packages::unpack(bind::PACKAGES, env)?;
    let env = env.clone();
    let title = "kresd answers dig over UDP and TCP, forwards to named, and exits on SIGTERM";
    Ok(vec![Check::new(title, move || resolve(&env))])
}

fn resolve(env: &Environment) -> Result<(), String> {
    let (named, upstream) = bind::start(env, "knot-named")?;
    let folder = env.scratch("knot")?;
    let port = bind::free_port()?;
    let settings = folder.join("kresd.conf");
    files::write(&settings, configuration(port, upstream))?;
    let mut command = env.command_over("lib share", env.root().join("usr/sbin/kresd"));
    command.arg("-n").arg("-c").arg(&settings).arg(&folder);
    let mut kresd = Process::start(&mut command, &folder)?;
    kresd.await_output("ready to answer", TIMEOUT)?;
    kresd.check_library(&env.library())?;

    let queries = || {
        for transport in ["+notcp", "+tcp"] {
            let name = "known.kresd.example.";
            query(env, port, &[transport, name], |answer| answer == "192.0.2.99\n")?;
            // The first answer comes from named, the next from the cache.
            for name in ["www", "www", "host1", "host2", "host3"] {
                query(env, port, &[transport, name], |answer| answer.starts_with("192.0.2."))?;
            }
        }
        // named answers over TCP, because the answer is too long for a datagram.
        query(env, port, &["long", "TXT"], |answer| answer.lines().count() == 90)
    };
    queries().map_err(|why: String| format!("{why}\n{}", kresd.output()))?;
    kresd.terminate();
    kresd.succeed(TIMEOUT)?;
    bind::stop(named)
}

/// The configuration. It disables all modules that send queries beyond loopback. The event reports
/// from kresd's loop that it is ready.
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
