//! Debian's Node 18, which is linked with `libuv.so.1`. The one from nodejs.org has libuv built in.
//!
//! Each file of `xtask/programs/node` is one check. Its first line is the title.

use std::path::{Path, PathBuf};
use std::process::Command;

use mauve_trace::model::CallbackKind;

use super::check::Check;
use super::environment::Environment;
use super::{Program, packages, script, traced};
use crate::files;

pub const PROGRAM: Program = Program {
    name: "node",
    packages: "nodejs=18. libnode108 libbrotli1 libssl3 openssl libc-ares2 libicu72 libnghttp2-14 \
        node-cjs-module-lexer node-undici node-acorn node-busboy node-xtend",
    checks,
};

fn checks(env: &Environment) -> Result<Vec<Check>, String> {
    let sources = env.sources("node");
    let run = |script: &Path, _: &Path| {
        let mut command = command(env);
        command.arg(script);
        command
    };
    let mut checks = script::checks(env, "node", files::with_extension(&sources, "js")?, run)?;
    if env.is_installed {
        return Ok(checks);
    }
    let folder = env.scratch("node-trace")?;
    let traced = run(&sources.join("http.js"), &folder);
    // The server reads each of the 2,000 requests, the client each response.
    let reads = (CallbackKind::Read, 4_000);
    checks.push(traced::check("2,000 HTTP requests", traced, folder, reads));
    Ok(checks)
}

/// The command for Node. Node reads parts of its own library from /usr/share/nodejs.
fn command(env: &Environment) -> Command {
    env.command_over("share", env.root().join("usr/bin/node"))
}

/// Node on the `libuv.so.1` in this folder.
pub fn on(library_folder: PathBuf) -> Result<Command, String> {
    let env = Environment::on(library_folder)?;
    packages::unpack(PROGRAM.packages, &env)?;
    Ok(command(&env))
}
