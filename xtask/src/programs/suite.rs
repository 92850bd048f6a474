//! `cargo xtask programs --suite newest`: programs of Debian's newest suite, on mauve and on its own libuv.
//!
//! The programs are installed in a root of that suite, which debootstrap creates in the target folder. This
//! program then runs itself in a copy of the root that vanishes afterwards ([`chroot`]). There each check
//! runs on the suite's libuv first. A check that fails there is skipped on mauve, and counted.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

use super::check::{Check, Verdict};
use super::environment::Environment;
use super::{Program, bind, cmake, luv, neovim, node, script, uvloop};
use crate::dist::chroot;
use crate::files;
use crate::tally::Tally;

/// The suite with the newest packages.
const SUITE: &str = "sid";

const fn program(
    name: &'static str,
    checks: fn(&Environment) -> Result<Vec<Check>, String>,
) -> Program {
    Program { name, packages: "", checks }
}

/// The programs, and the packages that apt installs for them.
const PROGRAMS: &[(Program, &[&str])] = &[
    (node::PROGRAM, &["nodejs", "openssl", "bsdutils"]),
    (neovim::PROGRAM, &["neovim"]),
    (cmake::PROGRAM, &["cmake", "make", "gcc", "libc6-dev"]),
    (uvloop::PROGRAM, &["python3-uvloop"]),
    (bind::PROGRAM, &["bind9", "bind9-dnsutils"]),
    (luv::PROGRAM, &["lua5.1", "lua-luv"]),
    (program("gevent", uvloop::gevent), &["python3-gevent"]),
    (program("moarvm", |env| run_scripts(env, "moarvm", "raku", "raku")), &["rakudo"]),
    // Servers, with scripts of node as their clients.
    (
        program("servers", |env| run_scripts(env, "servers", "js", "node")),
        &["ttyd", "libwebsockets-dev", "libwebsockets-evlib-uv", "r-cran-httpuv", "go-dqlite"],
    ),
];

/// The checks of the scripts of `name`, which an interpreter runs.
fn run_scripts(
    env: &Environment,
    name: &str,
    extension: &str,
    interpreter: &str,
) -> Result<Vec<Check>, String> {
    let scripts = files::with_extension(&env.sources(name), extension)?;
    script::checks(env, name, scripts, |script, _| {
        let mut command = env.command(env.root().join("usr/bin").join(interpreter));
        command.arg(script);
        command
    })
}

/// Creates the root, and runs the checks in it. Skipped where that is not possible.
pub fn run(only: Option<&str>) -> Result<Tally, String> {
    if !files::is_root() {
        return Ok(Tally::skipped("a root of Debian's newest suite needs root"));
    }
    let packages: Vec<&str> =
        PROGRAMS.iter().flat_map(|(_, packages)| *packages).copied().collect();
    let base = match chroot::base(SUITE, &packages) {
        Ok(base) => base,
        Err(why) => return Ok(Tally::skipped(why)),
    };
    Environment::build()?;
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut command = chroot::enter(&base, "programs", &[crate::target(), crate::root()]);
    command.env("INPUT", program).env("EXTRA", only.unwrap_or_default());
    let child = command.stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|e| format!("unshare: {e}"))?;
    let mut last = String::new();
    for line in BufReader::new(child.stdout.take().expect("a pipe")).lines() {
        last = line.map_err(|e| format!("unshare: {e}"))?;
        println!("{last}");
    }
    let status = child.wait().map_err(|e| format!("unshare: {e}"))?;
    let tally = Tally::parse(&last).filter(|_| status.success());
    tally.ok_or_else(|| format!("programs of {SUITE}: {status}"))
}

/// Runs the checks in the root that this process is in: each on the installed libuv, and on mauve.
pub fn run_inside(only: Option<&str>) -> Result<Tally, String> {
    let folder = PathBuf::from("/usr/lib").join(format!("{}-linux-gnu", std::env::consts::ARCH));
    let theirs = Environment::installed("libuv", folder);
    let ours = Environment::installed("mauve", Environment::library_folder());
    let (mut tally, mut failed) = (Tally::default(), 0);
    for (program, _) in
        PROGRAMS.iter().filter(|(program, _)| only.is_none_or(|n| n == program.name))
    {
        let checks =
            (program.checks)(&theirs).and_then(|first| Ok((first, (program.checks)(&ours)?)));
        let (on_libuv, on_mauve) = match checks {
            Ok(checks) => checks,
            Err(why) => {
                println!("skipped {}: {why}", program.name);
                tally.skip(1, format!("{}: {why}", program.name));
                continue;
            }
        };
        for (on_libuv, on_mauve) in on_libuv.into_iter().zip(on_mauve) {
            let reference = on_libuv.run(&format!("{} on libuv", program.name));
            match (on_mauve.run(&format!("{} on mauve", program.name)), reference) {
                (Verdict::Passed, _) => tally.passed += 1,
                (_, Verdict::Passed) => failed += 1,
                _ => tally.skip(1, format!("{} fails on its own libuv, too", program.name)),
            }
        }
    }
    if failed > 0 {
        return Err(format!("{failed} checks failed on mauve only, {} passed", tally.passed));
    }
    println!("{tally}");
    Ok(tally)
}
