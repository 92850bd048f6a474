//! The platforms of the C ABI, and their C compilers.

use std::path::Path;
use std::process::Command;

use crate::build::quietly;
use crate::foreign::{self, Architecture};

/// A platform of the C ABI.
pub struct Platform {
    /// The name of its file: `abi/layout-NAME.json`.
    pub name: &'static str,
    /// `target_arch` and `target_env` of Rust.
    pub arch: &'static str,
    pub env: &'static str,
    compiler: &'static str,
    /// Debian's packages of the compiler and its C library.
    packages: &'static str,
    /// The headers of musl, if the compiler is one for glibc.
    headers: Option<Architecture>,
}

const ARM64: &str = "gcc-aarch64-linux-gnu libc6-dev-arm64-cross";
const RISCV64: &str = "gcc-riscv64-linux-gnu libc6-dev-riscv64-cross";

/// The first one is described by `abi/layout-x86_64-linux.json`, with the types and the meaning of all
/// fields. The files of the others have numbers only.
pub const PLATFORMS: &[Platform] = &[
    platform("x86_64-linux", "x86_64", "gnu", "cc", "gcc"),
    platform("aarch64-linux", "aarch64", "gnu", "aarch64-linux-gnu-gcc", ARM64),
    platform("riscv64-linux", "riscv64", "gnu", "riscv64-linux-gnu-gcc", RISCV64),
    platform("x86_64-linux-musl", "x86_64", "musl", "musl-gcc", "musl-tools"),
    Platform {
        headers: Some(foreign::ARM64),
        ..platform("aarch64-linux-musl", "aarch64", "musl", "aarch64-linux-gnu-gcc", ARM64)
    },
    Platform {
        headers: Some(foreign::RISCV64),
        ..platform("riscv64-linux-musl", "riscv64", "musl", "riscv64-linux-gnu-gcc", RISCV64)
    },
];

const fn platform(
    name: &'static str,
    arch: &'static str,
    env: &'static str,
    compiler: &'static str,
    packages: &'static str,
) -> Platform {
    Platform { name, arch, env, compiler, packages, headers: None }
}

/// The packages of all compilers. Those of the C libraries are only recommended by the compilers.
pub const PACKAGES: &[&str] = &[
    "gcc-aarch64-linux-gnu",
    "libc6-dev-arm64-cross",
    "gcc-riscv64-linux-gnu",
    "libc6-dev-riscv64-cross",
    "musl-tools",
];

impl Platform {
    /// Whether the compiler and the headers are installed, without a download.
    pub fn is_installed(&self) -> bool {
        self.headers.is_none() && self.has_compiler()
    }

    /// Whether the compiler finds the headers of its C library.
    pub fn has_compiler(&self) -> bool {
        let includes = ["-include", "errno.h", "-fsyntax-only", "-x", "c", "/dev/null"];
        Command::new(self.compiler).args(includes).output().is_ok_and(|o| o.status.success())
    }

    /// The path of its file in the repository.
    pub fn path(&self) -> String {
        format!("abi/layout-{}.json", self.name)
    }

    /// The compiler, with the search path of the C library's headers.
    pub fn compiler(&self) -> Result<Command, String> {
        if !self.has_compiler() {
            return Err(format!("needs {}: apt-get install {}", self.compiler, self.packages));
        }
        let mut command = Command::new(self.compiler);
        if let Some(architecture) = self.headers {
            let root = foreign::unpack(architecture, &["musl-dev"])?;
            let own = quietly(Command::new(self.compiler).arg("-print-file-name=include"))?;
            let musl = root.join(format!("usr/include/{}-linux-musl", self.arch));
            command.arg("-nostdinc").arg("-isystem").arg(musl);
            command.arg("-isystem").arg(Path::new(own.trim()));
        }
        Ok(command)
    }
}
