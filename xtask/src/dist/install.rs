//! `cargo xtask install`: installs the library and its headers below a prefix.

use std::path::PathBuf;

use super::build;
use super::layout::{Layout, SHARED};
use crate::usage;

pub fn run(arguments: &[&str]) -> Result<(), String> {
    let layout = parse(arguments)?;
    let built = build()?;
    let size = layout.lay_out_runtime(&built)?;
    layout.lay_out_development(&built)?;
    let libraries = layout.path(&layout.libdir);
    println!("{}: {} kB", libraries.join(SHARED).display(), size.div_ceil(1000));
    println!("installed in {}; the loader must search this folder", libraries.display());
    Ok(())
}

fn parse(mut arguments: &[&str]) -> Result<Layout, String> {
    let mut layout =
        Layout { destdir: PathBuf::new(), prefix: PathBuf::new(), libdir: "lib".into() };
    while let [option, rest @ ..] = arguments {
        let (option, value, rest) = match (option.split_once('='), rest) {
            (Some((option, value)), rest) => (option, value, rest),
            (None, [value, rest @ ..]) => (*option, *value, rest),
            (None, []) => return Err(wrong(&format!("{option} needs a value"))),
        };
        match option {
            "--prefix" => layout.prefix = value.into(),
            "--destdir" => layout.destdir = value.into(),
            "--libdir" => layout.libdir = value.into(),
            _ => return Err(wrong(&format!("unknown option {option}"))),
        }
        arguments = rest;
    }
    // The prefix is written to files of pkg-config and CMake.
    if !layout.prefix.is_absolute() || layout.libdir.is_absolute() {
        return Err(wrong("--prefix must be an absolute path, and --libdir relative to it"));
    }
    Ok(layout)
}

/// An error of the command line, with the usage.
fn wrong(why: &str) -> String {
    format!("{why}\n\n{}", usage::of("install").unwrap_or_default())
}
