//! Compiles the library, the injector and the workloads.

use std::path::{Path, PathBuf};

use crate::build::{compiler, debug_library, link_library, quietly};
use crate::{files, root, target};

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
        let programs = files::create(target().join("faults"))?;
        let ours = link_library(&debug_library()?, programs.join("library"))?;
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

fn compile(name: &str, program: &Path, options: &[&str]) -> Result<(), String> {
    let source = root().join("xtask/faults").join(name).with_extension("c");
    let mut cc = compiler();
    cc.args(["-std=gnu11", "-D_GNU_SOURCE", "-g", "-O1"]).arg(&source).arg("-o").arg(program);
    quietly(cc.args(options)).map(drop)
}
