//! `cargo xtask install`: installs the library and its headers below a prefix.

use std::path::PathBuf;

use clap::Args;

use super::layout::{Layout, SHARED};
use super::{build, windows};
use crate::windows::TRIPLE;

/// The command line.
#[derive(Args)]
pub struct Options {
    /// The installation prefix, such as /usr/local; may be left out with --target
    #[arg(long, value_name = "DIR", required_unless_present = "target")]
    prefix: Option<PathBuf>,
    /// The folder of libraries below the prefix
    #[arg(long, value_name = "DIR", default_value = "lib")]
    libdir: PathBuf,
    /// Install below this folder instead of / (for packagers)
    #[arg(long, value_name = "DIR")]
    destdir: Option<PathBuf>,
    /// Build for Windows, and make a zip archive: x86_64-pc-windows-gnu
    #[arg(long, value_name = "TRIPLE", conflicts_with_all = ["libdir", "destdir"])]
    target: Option<String>,
}

pub fn run(Options { prefix, libdir, destdir, target }: Options) -> Result<(), String> {
    if let Some(triple) = target {
        return match triple == TRIPLE {
            true => windows::run(prefix.as_deref()),
            false => Err(format!("only {TRIPLE} is supported; without --target, this system")),
        };
    }
    let prefix = prefix.unwrap_or_default();
    // The prefix is written to files of pkg-config and CMake.
    if !prefix.is_absolute() || libdir.is_absolute() {
        return Err("--prefix must be an absolute path, and --libdir relative to it".to_owned());
    }
    let layout = Layout { destdir: destdir.unwrap_or_default(), prefix, libdir };
    let built = build()?;
    let size = layout.lay_out_runtime(&built)?;
    layout.lay_out_development(&built)?;
    let libraries = layout.path(&layout.libdir);
    println!("{}: {} kB", libraries.join(SHARED).display(), size.div_ceil(1000));
    println!("installed in {}; the loader must search this folder", libraries.display());
    Ok(())
}
