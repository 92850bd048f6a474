//! The C programs of the differential tests, and which of them run under which tool.

use std::path::{Path, PathBuf};

use super::Tool;
use crate::build::{compiler, quietly};
use crate::{files, root, target};

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
    (
        "loop/replace_allocator",
        &Tool::ALL,
        "counts calls of the allocator, which the tools replace",
    ),
    ("no_descriptors", &[Tool::Valgrind], "valgrind reserves descriptors"),
    ("exhaustion/no_threads", &Tool::ALL, "limits the address space, which the tools need"),
    ("thread/", &[Tool::Thread], "misuses locks on purpose, to test the errors"),
    ("process/", &[Tool::Thread], "tsan does not support children that share memory (CLONE_VM)"),
    ("handle/close_all_io_in_callback", &[Tool::Thread], "starts a child process"),
    ("/fork", &[Tool::Thread], "tsan does not support threads in a forked child"),
    ("signal/", &[Tool::Thread], "tsan delays signals, and these programs check their timing"),
];

/// Fast programs that cover each part of the library.
pub const QUICK: &[&str] = &[
    "async/send_from_threads",
    "dns/getaddrinfo",
    "fs/cancel",
    "fs/readlink_realpath",
    "fs/random_operations",
    "fs_event/recursive",
    "handle/close_others_in_callback",
    "handle/close_all_in_callback",
    "ipc/pass_handles",
    "loop/walk",
    "pipe/open",
    "poll/hangup_153",
    "process/stdio_pipes",
    "handle/close_all_io_in_callback",
    "signal/delivery_order",
    "stream/close_cancels_requests",
    "stream/close_in_callbacks",
    "stream/write_in_write_callback",
    "tcp/half_close",
    "timer/expiry_order",
    "udp/recv_callbacks",
    "udp/send_callbacks",
    "work/cancel",
];

/// All programs that run under a tool.
pub fn all(tool: Tool) -> Result<Vec<Program>, String> {
    let areas = folder();
    let mut programs = Vec::new();
    for area in files::entries(&areas)?.into_iter().filter(|path| path.is_dir()) {
        for source in files::with_extension(&area, "c")? {
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
    Ok(programs)
}

fn folder() -> PathBuf {
    root().join("crates/mauve-uv/tests/c")
}

impl Program {
    /// Compiles the program for a tool, against the library in `library`.
    pub fn compile(&self, tool: Tool, library: &Path) -> Result<PathBuf, String> {
        let program = target().join("sanitize").join(tool.name()).join("programs").join(&self.name);
        files::create(program.parent().expect("programs are in areas"))?;
        let mut cc = compiler();
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
        quietly(cc.arg("-L").arg(library).arg("-luv"))?;
        Ok(program)
    }
}
