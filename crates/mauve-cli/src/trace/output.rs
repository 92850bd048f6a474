//! Writes a trace to files, or a summary of it to the terminal.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use mauve_trace::{Trace, html, json, summary};

/// Checks the names of the files before anything is traced.
pub fn check(files: &[PathBuf]) -> Result<(), String> {
    for file in files {
        format(file)?;
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(format!("{}: there is no directory {}", file.display(), folder.display()));
        }
    }
    Ok(())
}

enum Format {
    Html,
    Json,
}

fn format(file: &Path) -> Result<Format, String> {
    match file.extension().and_then(OsStr::to_str) {
        Some("html" | "htm") => Ok(Format::Html),
        Some("json") => Ok(Format::Json),
        _ => Err(format!("{}: the name must end with .html or .json", file.display())),
    }
}

/// Writes the trace to all files. Prints a summary if there are none.
pub fn write(trace: &Trace, files: &[PathBuf]) -> Result<(), String> {
    if files.is_empty() {
        // The terminal may be closed.
        let _ = summary::write(trace, &mut io::stderr().lock());
        return Ok(());
    }
    for file in files {
        let written = write_file(trace, file, format(file)?);
        written.map_err(|error| format!("{}: {error}", file.display()))?;
        eprintln!("mauve: the trace is in {}", file.display());
    }
    write_remarks(trace);
    if trace.dropped > 0 {
        eprintln!("mauve: {} records were dropped", trace.dropped);
    }
    Ok(())
}

/// Prints what is missing in the trace.
pub fn write_remarks(trace: &Trace) {
    for remark in &trace.remarks {
        eprintln!("mauve: {remark}");
    }
}

fn write_file(trace: &Trace, file: &Path, format: Format) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    match format {
        Format::Html => html::write(trace, &mut out)?,
        Format::Json => json::write(trace, &mut out)?,
    }
    out.flush()
}
