//! The C programs of the differential tests, and which of them run under which tool.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Tool;
use crate::{root, target};

pub struct Program {
    /// `area/name`.
    pub name: String,
    source: PathBuf,
}

/// Parts of the names of programs that do not run under these tools, and the reasons.
const EXCEPTIONS: &[(&str, &[Tool], &str)] = &[
    ("misuse/", &Tool::ALL, "these programs abort on purpose"),
    ("tcp/system_calls", &Tool::ALL, "traces itself with ptrace"),
    ("stream/many_connections", &Tool::ALL, "measures the memory of a connection"),
    ("stream/no_allocations", &Tool::ALL, "counts calls of the allocator, which the tools replace"),
    ("loop/allocator", &Tool::ALL, "counts calls of the allocator, which the tools replace"),
    ("no_descriptors", &[Tool::Valgrind], "valgrind reserves descriptors"),
    ("robust/no_threads", &Tool::ALL, "limits the address space, which the tools need"),
    ("thread/", &[Tool::Thread], "misuses locks on purpose, to test the errors"),
    ("process/", &[Tool::Thread], "tsan does not support children that share memory (CLONE_VM)"),
    ("robust/close_everything", &[Tool::Thread], "starts a child process"),
    ("/fork", &[Tool::Thread], "tsan does not support threads in a forked child"),
    ("signal/", &[Tool::Thread], "tsan delays signals, and these programs check their timing"),
];

/// Fast programs that cover each part of the library.
pub const QUICK: &[&str] = &[
    "async/threads",
    "dns/addresses",
    "fs/cancel",
    "fs/links",
    "fs/sequence",
    "fs_event/tree",
    "handle/close_others_in_callback",
    "handle/free_everything",
    "ipc/passing",
    "loop/walk",
    "pipe/open",
    "poll/hangup",
    "process/pipes",
    "robust/close_everything",
    "signal/order",
    "stream/cancel_by_close",
    "stream/close_in_callbacks",
    "stream/from_callbacks",
    "tcp/half_close",
    "timer/order",
    "udp/receiving",
    "udp/sending",
    "work/cancel",
];

/// All programs that run under a tool.
pub fn all(tool: Tool) -> Result<Vec<Program>, String> {
    let areas = folder();
    let mut programs = Vec::new();
    for area in entries(&areas)?.into_iter().filter(|path| path.is_dir()) {
        for source in entries(&area)? {
            if source.extension().is_none_or(|extension| extension != "c") {
                continue;
            }
            let name = source.strip_prefix(&areas).unwrap_or(&source).with_extension("");
            let name = name.to_string_lossy().into_owned();
            let is_exception = EXCEPTIONS
                .iter()
                .any(|(part, tools, _)| name.contains(part) && tools.contains(&tool));
            if !is_exception {
                programs.push(Program { name, source });
            }
        }
    }
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(programs)
}

fn folder() -> PathBuf {
    root().join("crates/mauve-uv/tests/c")
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    entries.map(|entry| entry.map(|e| e.path()).map_err(|e| e.to_string())).collect()
}

impl Program {
    /// Compiles the program for a tool, against the library in `library`.
    pub fn compile(&self, tool: Tool, library: &Path) -> Result<PathBuf, String> {
        let program = target().join("sanitize").join(tool.name()).join("programs").join(&self.name);
        let parent = program.parent().expect("programs are in areas");
        std::fs::create_dir_all(parent).map_err(|e| format!("{}: {e}", parent.display()))?;
        let mut cc = Command::new("cc");
        cc.args(["-std=gnu11", "-D_GNU_SOURCE", "-g", "-pthread", "-w"]);
        match tool {
            Tool::Address => drop(cc.arg("-fsanitize=address")),
            Tool::Thread => {
                cc.args(["-fsanitize=thread", "-fno-builtin"]);
                cc.arg(root().join("xtask/src/sanitize/tsan_shim.c"));
            }
            Tool::Valgrind => {}
        }
        // mauve's header: Debian's is older and lacks functions that some programs use.
        cc.arg("-I").arg(root().join("crates/mauve-uv/include"));
        cc.arg("-I").arg(folder()).arg(&self.source).arg("-o").arg(&program);
        let output = cc.arg("-L").arg(library).arg("-luv").output();
        let output = output.map_err(|e| format!("cc: {e}"))?;
        if output.status.success() {
            return Ok(program);
        }
        Err(format!("does not compile:\n{}", String::from_utf8_lossy(&output.stderr)))
    }
}
