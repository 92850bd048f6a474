//! Python's event loops on libuv, with the system's Python if the version matches: uvloop and gevent.
//!
//! Each Python file of `xtask/programs/uvloop` and `.../gevent` is one check. Its first line is the title.

use std::path::Path;
use std::process::Command;

use mauve_trace::model::CallbackKind;

use super::check::Check;
use super::environment::Environment;
use super::{Program, script, traced};
use crate::files;

/// The Python version that Debian's package is built for.
const PYTHON: &str = "Python 3.11.";
const INTERPRETER: &str = "/usr/bin/python3";
const MODULES: &str = "usr/lib/python3/dist-packages";

pub const PROGRAM: Program = Program { name: "uvloop", packages: "python3-uvloop", checks };

fn checks(env: &Environment) -> Result<Vec<Check>, String> {
    let version = Command::new(INTERPRETER).arg("--version").output();
    let version = version.map_err(|e| format!("{INTERPRETER}: {e}"))?.stdout;
    let version = String::from_utf8_lossy(&version);
    if !env.is_installed && !version.starts_with(PYTHON) {
        return Err(format!("{INTERPRETER} is {}, not {PYTHON}*", version.trim()));
    }
    let mut checks = python(env, "uvloop")?;
    if !env.is_installed {
        let command = command(env, &env.sources("uvloop").join("streams.py"));
        let folder = env.scratch("uvloop-trace")?;
        checks.push(traced::check("streams", command, folder, (CallbackKind::Read, 100)));
    }
    Ok(checks)
}

/// gevent, if its package has the loop on libuv.
pub fn gevent(env: &Environment) -> Result<Vec<Check>, String> {
    let loops = env.root().join(MODULES).join("gevent/libuv");
    if files::with_extension(&loops, "so")?.is_empty() {
        return Err("the package is built without libuv".to_owned());
    }
    python(env, "gevent")
}

/// The checks of the scripts of `name`.
fn python(env: &Environment, name: &str) -> Result<Vec<Check>, String> {
    let scripts = files::with_extension(&env.sources(name), "py")?;
    script::checks(env, name, scripts, |script, _| command(env, script))
}

fn command(env: &Environment, script: &Path) -> Command {
    let modules = env.root().join(MODULES);
    let shared = script.with_file_name("lib");
    let mut command = env.command(INTERPRETER);
    command.arg("-B").arg(script);
    command.env("PYTHONPATH", format!("{}:{}", modules.display(), shared.display()));
    command
}
