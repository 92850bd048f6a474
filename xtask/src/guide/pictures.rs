//! `cargo xtask guide --pictures`: takes pictures of traces of the guide's programs, in headless Chromium.
//!
//! A picture is the timeline of the page that `mauve trace` writes, once in light colours and once in
//! dark ones. Times differ in each run, so pictures are stored in `docs/guide/src/pictures` and not
//! compared.

use std::ffi::OsStr;

use super::programs::{self, Tools};
use super::{folder, source};
use crate::{files, page};

/// The programs whose traces are shown: from the first callback, or from the first request of the pool.
const PICTURES: &[(&str, &str)] = &[
    ("phases.c", "callbacks"),
    ("time.c", "callbacks"),
    ("pool.c", "requests"),
    ("files.c", "requests"),
    ("echo.c", "callbacks"),
    ("readfile.js", "requests"),
];

/// Takes all pictures.
pub fn take() -> Result<(), String> {
    if let Some(why) = page::lacks_browser() {
        return Err(why);
    }
    let tools = Tools::build()?;
    let traces = files::create(folder().join("traces"))?;
    for (program, view) in PICTURES {
        let trace = traces.join(format!("{program}.html"));
        programs::trace(program, &tools, &trace)?;
        let file = source().join("src/pictures").join(program);
        let (task, view) = (OsStr::new("timeline"), OsStr::new(view));
        page::script("pictures.js", [task, trace.as_os_str(), file.as_os_str(), view])?;
        for theme in ["light", "dark"] {
            page::compress(&file.with_file_name(format!("{program}.{theme}.png")));
        }
        println!("{}", file.display());
    }
    Ok(())
}
