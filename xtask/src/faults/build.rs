//! Compiles the library, the injector and the workloads.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{root, target};

/// The workloads, in the order of the report. Each is `xtask/faults/NAME.c`.
pub const WORKLOADS: &[&str] = &[
    "loops",
    "timers",
    "signals",
    "work",
    "files",
    "reads",
    "watches",
    "tcp",
    "pipes",
    "udp",
    "descriptors",
    "children",
];

/// The paths of the compiled programs and of the library.
pub struct Tools {
    pub inject: PathBuf,
    programs: PathBuf,
    /// The folder of the `libuv.so.1` that the workloads run on.
    pub library: PathBuf,
}

impl Tools {
    /// Compiles `workloads`, and our library unless `LIBUV_DIR` names another.
    pub fn build(workloads: &[&str]) -> Result<Self, String> {
        let programs = target().join("faults");
        std::fs::create_dir_all(&programs).map_err(|e| format!("{}: {e}", programs.display()))?;
        let ours = library(&programs)?;
        let inject = programs.join("inject");
        compile("inject", &inject, &["-Wall", "-Wextra", "-Werror"])?;
        let link = format!("-L{}", ours.display());
        let include = format!("-I{}", root().join("crates/mauve-uv/include").display());
        for name in workloads {
            let options = ["-Wall", "-Wextra", "-Werror", &include, &link, "-luv", "-pthread"];
            compile(name, &programs.join(name), &options)?;
        }
        let library = std::env::var_os("LIBUV_DIR").map_or(ours, PathBuf::from);
        Ok(Self { inject, programs, library })
    }

    pub fn program(&self, workload: &str) -> PathBuf {
        self.programs.join(workload)
    }
}

/// Builds the library with debug assertions.
fn library(folder: &Path) -> Result<PathBuf, String> {
    let mut cargo = crate::build::cargo();
    cargo.args(["build", "-p", "mauve-uv", "--locked", "--quiet"]).current_dir(root());
    let status =
        cargo.env("CARGO_TARGET_DIR", target()).status().map_err(|e| format!("cargo: {e}"))?;
    if !status.success() {
        return Err("the library does not build".to_owned());
    }
    let links = folder.join("library");
    std::fs::create_dir_all(&links).map_err(|e| format!("{}: {e}", links.display()))?;
    for name in ["libuv.so", "libuv.so.1"] {
        let link = links.join(name);
        let _ = std::fs::remove_file(&link);
        symlink(target().join("debug/libuv.so"), &link)
            .map_err(|e| format!("{}: {e}", link.display()))?;
    }
    Ok(links)
}

fn compile(name: &str, program: &Path, options: &[&str]) -> Result<(), String> {
    let source = root().join("xtask/faults").join(name).with_extension("c");
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu11", "-D_GNU_SOURCE", "-g", "-O1"]).arg(&source).arg("-o").arg(program);
    let output = cc.args(options).output().map_err(|e| format!("cc: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{name} does not compile:\n{}", String::from_utf8_lossy(&output.stderr)))
}
