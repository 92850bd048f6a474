//! `cargo xtask install`: installs the library and its headers below a prefix.

use std::path::PathBuf;

use clap::ArgMatches;

use super::build;
use super::layout::{Layout, SHARED};

pub fn run(matches: &ArgMatches) -> Result<(), String> {
    let layout = layout(matches)?;
    let built = build()?;
    let size = layout.lay_out_runtime(&built)?;
    layout.lay_out_development(&built)?;
    let libraries = layout.path(&layout.libdir);
    println!("{}: {} kB", libraries.join(SHARED).display(), size.div_ceil(1000));
    println!("installed in {}; the loader must search this folder", libraries.display());
    Ok(())
}

fn layout(matches: &ArgMatches) -> Result<Layout, String> {
    let folder = |name| matches.get_one::<PathBuf>(name).cloned().unwrap_or_default();
    let (destdir, prefix, libdir) = (folder("destdir"), folder("prefix"), folder("libdir"));
    // The prefix is written to files of pkg-config and CMake.
    if !prefix.is_absolute() || libdir.is_absolute() {
        return Err("--prefix must be an absolute path, and --libdir relative to it".to_owned());
    }
    Ok(Layout { destdir, prefix, libdir })
}
