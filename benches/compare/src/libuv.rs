//! Builds the newest libuv from the source in the crate `libuv-sys2`.
//!
//! The crate itself is not built, because that requires libclang. cargo fetches it, and the C
//! compiler builds a shared library with the flags of libuv's own release build.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::peers::{compiler, quietly};
use crate::root;

/// The source files of a Linux library.
const SOURCES: &str = include_str!("../../peers/libuv/sources.txt");

/// libuv's source on this machine.
pub struct Source(PathBuf);

impl Source {
    /// Fetches the source with cargo, unless it is cached.
    pub fn fetch() -> Result<Self, String> {
        let manifest = root().join("benches/peers/libuv/Cargo.toml");
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.args(["metadata", "--format-version=1", "--quiet", "--manifest-path"]);
        let metadata: Value = serde_json::from_str(&quietly(cargo.arg(manifest))?)
            .map_err(|error| format!("cargo metadata: {error}"))?;
        let packages = metadata["packages"].as_array().ok_or("cargo metadata has no packages")?;
        let package = packages.iter().find(|package| package["name"] == "libuv-sys2");
        let manifest = package.and_then(|package| package["manifest_path"].as_str());
        let folder =
            Path::new(manifest.ok_or("cargo metadata has no libuv-sys2")?).with_file_name("libuv");
        if folder.join("include/uv.h").exists() {
            Ok(Self(folder))
        } else {
            Err(format!("{} has no header", folder.display()))
        }
    }

    /// The folder with `uv.h`.
    pub fn headers(&self) -> PathBuf {
        self.0.join("include")
    }

    /// Builds `libuv.so.1` into `folder`, unless it is up to date.
    pub fn build(&self, folder: &Path) -> Result<(), String> {
        let library = folder.join("libuv.so.1");
        let stamp = folder.join("source");
        let source = self.0.display().to_string();
        if library.exists() && std::fs::read_to_string(&stamp).is_ok_and(|text| text == source) {
            return Ok(());
        }
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut command = compiler();
        command.args(["-std=gnu11", "-O3", "-DNDEBUG", "-fPIC", "-fno-strict-aliasing", "-w"]);
        command.args(["-fvisibility=hidden", "-DBUILDING_UV_SHARED=1", "-D_GNU_SOURCE"]);
        command.args(["-D_FILE_OFFSET_BITS=64", "-D_LARGEFILE_SOURCE", "-D_POSIX_C_SOURCE=200112"]);
        command.args(["-shared", "-Wl,-soname,libuv.so.1", "-pthread"]);
        command.arg("-I").arg(self.headers()).arg("-I").arg(self.0.join("src"));
        command.args(SOURCES.lines().map(|name| self.0.join(format!("src/{name}.c"))));
        quietly(command.arg("-o").arg(&library).args(["-ldl", "-lrt"]))?;
        std::fs::write(&stamp, source).map_err(|e| format!("{}: {e}", stamp.display()))
    }
}
