//! `cargo xtask install`: the library and its headers below a prefix.

use std::path::PathBuf;

use super::build;
use super::layout::{Layout, SHARED};

const USAGE: &str = "usage: cargo xtask install --prefix DIR [--libdir NAME] [--destdir DIR]

  --prefix DIR     where it is to be used, as /usr/local
  --libdir NAME    the folder of libraries below the prefix (lib)
  --destdir DIR    put everything below this folder instead of / (for packages)";

pub fn run(arguments: &[&str]) -> Result<(), String> {
    let layout = parse(arguments)?;
    let built = build()?;
    let size = layout.lay_out_runtime(&built)?;
    layout.lay_out_development(&built)?;
    let libraries = layout.place(&layout.libdir);
    println!("{}: {} kB", libraries.join(SHARED).display(), size.div_ceil(1000));
    println!("installed; programs find it if the loader looks into {}", libraries.display());
    Ok(())
}

fn parse(mut arguments: &[&str]) -> Result<Layout, String> {
    let mut layout =
        Layout { destdir: PathBuf::new(), prefix: PathBuf::new(), libdir: "lib".into() };
    while let [option, rest @ ..] = arguments {
        let (option, value, rest) = match (option.split_once('='), rest) {
            (Some((option, value)), rest) => (option, value, rest),
            (None, [value, rest @ ..]) => (*option, *value, rest),
            (None, []) => return Err(USAGE.to_owned()),
        };
        match option {
            "--prefix" => layout.prefix = value.into(),
            "--destdir" => layout.destdir = value.into(),
            "--libdir" => layout.libdir = value.into(),
            _ => return Err(USAGE.to_owned()),
        }
        arguments = rest;
    }
    // Files that are found by their absolute paths name the prefix.
    if !layout.prefix.is_absolute() || layout.libdir.is_absolute() {
        return Err(format!(
            "the prefix has to be an absolute path, and libdir below it\n\n{USAGE}"
        ));
    }
    Ok(layout)
}
