//! Debian's Node 18, which is linked with `libuv.so.1`. The one from nodejs.org has libuv built in.
//!
//! Each file of `xtask/programs/node` is one check. Its first line is the title.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Program;
use super::check::Check;
use super::environment::Environment;
use super::packages::{self, Package, any};
use super::script::{Script, scripts};
use super::traced::{self, Expected};

pub const PROGRAM: Program = Program {
    name: "node",
    packages: &[
        Package { name: "nodejs", version: "18." },
        any("libnode108"),
        any("libbrotli1"),
        any("libssl3"),
        any("openssl"),
        any("libc-ares2"),
        any("libicu72"),
        any("libnghttp2-14"),
        any("node-cjs-module-lexer"),
        any("node-undici"),
        any("node-acorn"),
        any("node-busboy"),
        any("node-xtend"),
    ],
    checks,
};

fn checks(env: &Environment) -> Result<Vec<Check>, String> {
    let check = |script: Script| {
        let folder = env.scratch(&format!("node-{}", script.name()))?;
        let mut command = command(env);
        command.arg(script.path);
        Ok(Check::script(script.title, command, folder))
    };
    let scripts = scripts(&env.sources("node"), "js")?;
    let mut checks = scripts.into_iter().map(check).collect::<Result<Vec<_>, String>>()?;
    checks.push(traced(env)?);
    Ok(checks)
}

fn traced(env: &Environment) -> Result<Check, String> {
    let expected = Expected { kind: "read", callbacks: 1_000, jobs: 100 };
    let script = env.sources("traced").join("http.js");
    let program = vec![env.root().join("usr/bin/node").into(), script.into()];
    traced::check(env, "node", expected, |mauve| env.command_over("share", mauve), program)
}

/// The command for Node. Node reads parts of its own library from /usr/share/nodejs.
fn command(env: &Environment) -> Command {
    env.command_over("share", env.root().join("usr/bin/node"))
}

/// Traces node with a script, and writes the page.
pub fn trace(script: &Path, page: &Path) -> Result<(), String> {
    let env = Environment::build()?;
    packages::unpack(PROGRAM.packages, &env)?;
    let mut command = env.command_over("share", traced::build()?);
    command.args(["trace", "--library"]).arg(env.library()).arg("-o").arg(page);
    command.arg(env.root().join("usr/bin/node")).arg(script);
    let status = command.status().map_err(|e| format!("mauve: {e}"))?;
    if status.success() { Ok(()) } else { Err("`mauve trace` failed".to_owned()) }
}

/// Node on the `libuv.so.1` in this folder.
pub fn on(library_folder: PathBuf) -> Result<Command, String> {
    let env = Environment::on(library_folder)?;
    packages::unpack(PROGRAM.packages, &env)?;
    Ok(command(&env))
}
