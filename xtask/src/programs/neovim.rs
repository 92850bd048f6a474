//! Neovim, headless and in a terminal.
//!
//! Each Lua file of `xtask/programs/neovim` is one check that runs inside the editor. Its first line
//! is the title. For the check in a terminal, a shell script opens one and sends keys.

use std::path::Path;
use std::process::Command;

use mauve_trace::model::CallbackKind;

use super::check::Check;
use super::environment::Environment;
use super::{Program, script, traced};
use crate::files::with_extension;

pub const PROGRAM: Program = Program {
    name: "neovim",
    packages: "neovim neovim-runtime libluajit-5.1-2 libluajit-5.1-common libmsgpackc2 libtermkey1 \
        libtree-sitter0 libunibilium4 libvterm0 lua-luv",
    checks,
};

fn checks(env: &Environment) -> Result<Vec<Check>, String> {
    let sources = env.sources("neovim");
    let command = |script: &Path, folder: &Path| {
        let mut command = editor(env, &env.root().join("usr/bin/nvim"), folder);
        command.args(["--clean", "--headless", "-n", "-c"]).arg(load(script));
        command
    };
    let mut checks = script::checks(env, "neovim", with_extension(&sources, "lua")?, command)?;
    if !env.is_installed {
        let folder = env.scratch("neovim-trace")?;
        let command = command(&sources.join("timers.lua"), &folder);
        checks.push(traced::check("timers and work", command, folder, (CallbackKind::Timer, 10)));
    }
    let folder = env.scratch("neovim-terminal")?;
    let type_keys = sources.join("terminal/type_keys.sh");
    let inside = sources.join("terminal/inside.lua");
    let mut command = editor(env, Path::new("sh"), &folder);
    command.arg(type_keys).arg(env.root().join("usr/bin/nvim")).arg(load(&inside));
    checks.push(Check::script("in a terminal, with keys typed", command, folder));
    Ok(checks)
}

/// The editor command that runs `script`, with the shared modules in Lua's search path.
fn load(script: &Path) -> String {
    let folder = script.parent().unwrap_or(script).display();
    let shared = format!("{folder}/lib/?.lua;{folder}/../lib/?.lua");
    format!("lua package.path = [[{shared}]]; dofile([[{}]])", script.display())
}

/// The command for `program`, isolated from the user's settings.
fn editor(env: &Environment, program: &Path, folder: &Path) -> Command {
    let mut command = env.command(program);
    for (variable, name) in [
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_DATA_HOME", "data"),
        ("XDG_STATE_HOME", "state"),
        ("HOME", "home"),
    ] {
        command.env(variable, folder.join(name));
    }
    command.env("VIMRUNTIME", env.root().join("usr/share/nvim/runtime")).env("TERM", "xterm");
    command.env_remove("NVIM").env_remove("NVIM_LISTEN_ADDRESS");
    command
}
