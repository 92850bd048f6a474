//! Debian's Node 18, which is linked with `libuv.so.1`. The one from nodejs.org has libuv built in.
//!
//! Each file of `xtask/programs/node` is one check. Its first line is the title.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use mauve_trace::model::CallbackKind;

use super::Program;
use super::check::Check;
use super::environment::Environment;
use super::packages::{self, Package, any};
use super::script::{Script, scripts};
use super::traced;

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
    let checks: Result<Vec<_>, String> =
        scripts(&env.sources("node"), "js")?.into_iter().map(check).collect();
    let mut checks = checks?;
    let mut traced = command(env);
    traced.arg(env.sources("node").join("http.js"));
    // The server reads each of the 2,000 requests, the client each response.
    let reads = (CallbackKind::Read, 4_000);
    checks.push(traced::check("2,000 HTTP requests", traced, env.scratch("node-trace")?, reads));
    Ok(checks)
}

/// The command for Node. Node reads parts of its own library from /usr/share/nodejs.
fn command(env: &Environment) -> Command {
    env.command_over("share", env.root().join("usr/bin/node"))
}

/// Traces node with a script, and writes the page.
pub fn trace(script: &Path, page: &Path) -> Result<(), String> {
    let env = Environment::build()?;
    packages::unpack(PROGRAM.packages, &env)?;
    let mut command = command(&env);
    command.arg(script);
    let trace = traced::record(&mut command, &env.scratch("node-picture")?)?;
    let mut file = File::create(page).map_err(|e| format!("{}: {e}", page.display()))?;
    mauve_trace::html::write(&trace, &mut file).map_err(|e| format!("{}: {e}", page.display()))
}

/// Node on the `libuv.so.1` in this folder.
pub fn on(library_folder: PathBuf) -> Result<Command, String> {
    let env = Environment::on(library_folder)?;
    packages::unpack(PROGRAM.packages, &env)?;
    Ok(command(&env))
}
