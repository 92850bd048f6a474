//! The C programs of the library's tests, with our DLL.
//!
//! Those that use little of Unix compile with MinGW, with what `tests/windows` has of it. Each must exit with 0, and print the same on the
//! `libuv.dll` in the folder that `WINDOWS_LIBUV` names, if there is one. `xtask/cross/gaps.json` lists those
//! that do not, and why.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::wine::{COMPILER, PROGRAM, Wine};
use super::{TRIPLE, cargo};
use crate::tally::Tally;
use crate::{cross, files, parallel, root, target};

/// How many programs compile, at least.
const PORTABLE: usize = 260;

/// The first lines of programs that do not run on libuv, or end otherwise.
const SPECIAL: &[&str] = &["/* needs: mauve", "/* aborts:", "/* stderr:"];

const TIMEOUT: Duration = Duration::from_secs(30);

/// Runs all programs.
pub fn run(wine: &Wine) -> Result<Tally, String> {
    let library = library()?;
    let folder = files::create(target().join("windows"))?;
    let gaps = cross::gaps::skipped(cross::gaps::WINDOWS, "c");
    let sources = sources()?;
    let reference = std::env::var_os("WINDOWS_LIBUV").map(PathBuf::from);
    let runs = [("mauve", Some(library.join("uv.dll"))), ("libuv", reference)];
    let mut dlls = Vec::new();
    for (name, dll) in runs {
        let Some(dll) = dll else { continue };
        let dll = if dll.is_dir() { dll.join("libuv.dll") } else { dll };
        files::copy(&dll, &folder.join(name).join("uv.dll"))?;
        dlls.push(folder.join(name));
    }
    let (count, failures) = (Mutex::new((0, 0)), Mutex::new(Vec::new()));
    let check = |source: &(String, PathBuf)| {
        let (name, path) = source;
        let program = folder.join(format!("{}.exe", name.replace('/', "-")));
        if !compiles(path, &program, &library)? {
            return Ok(());
        }
        let is_gap = gaps.contains(name);
        let mut count = count.lock().expect("no panic");
        *count = (count.0 + 1, count.1 + usize::from(is_gap));
        drop(count);
        if is_gap {
            return Ok(());
        }
        if let Err(why) = compare(wine, &program, &dlls, &folder.join("run").join(name)) {
            failures.lock().expect("no panic").push(format!("{name}: {why}"));
        }
        Ok(())
    };
    parallel::for_each(2, &sources, check)?;
    let (count, left_out) = count.into_inner().expect("no panic");
    let failures = failures.into_inner().expect("no panic");
    println!("{count} of {} C programs compile for Windows", sources.len());
    if count < PORTABLE {
        return Err(format!("only {count} C programs compile, not {PORTABLE}"));
    }
    if !failures.is_empty() {
        return Err(format!("{} C programs failed\n{}", failures.len(), failures.join("\n")));
    }
    let mut tally = Tally::passed(count - left_out);
    tally.skip(left_out, "C programs that do not pass under wine (xtask/cross/gaps.json)");
    tally.skip(sources.len() - count, "C programs that use what Windows does not have");
    Ok(tally)
}

/// Builds the DLL, with debug information. Returns its folder.
fn library() -> Result<PathBuf, String> {
    let status = cargo("build").args(["-p", "mauve-uv"]).status();
    match status.map_err(|error| format!("cargo: {error}"))?.success() {
        true => Ok(target().join("cross").join(TRIPLE).join("debug")),
        false => Err("the library does not build for Windows".to_owned()),
    }
}

/// The names and the files of the programs that run on libuv, too.
fn sources() -> Result<Vec<(String, PathBuf)>, String> {
    let mut found = Vec::new();
    for path in files::below(&root().join("crates/mauve-uv/tests/c"))? {
        let is_program = path.extension().is_some_and(|end| end == "c");
        let area = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        // The folder itself has a program that only prints which library it has loaded.
        if !is_program || area == "c" {
            continue;
        }
        let text = files::read(&path)?;
        if !SPECIAL.iter().any(|start| text.starts_with(start)) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            found.push((format!("{area}/{name}"), path));
        }
    }
    Ok(found)
}

/// Compiles a program. False if it uses what Windows does not have.
fn compiles(source: &Path, program: &Path, library: &Path) -> Result<bool, String> {
    let mut gcc = Command::new(COMPILER);
    gcc.args(["-std=gnu11", "-g", "-w", "-D_GNU_SOURCE"]);
    for folder in ["tests/windows", "include", "tests/c"] {
        gcc.arg("-I").arg(root().join("crates/mauve-uv").join(folder));
    }
    gcc.args(["-include", "posix.h"]).arg(source).arg("-o").arg(program);
    gcc.arg(library.join("libuv.dll.a")).args(["-lws2_32", "-liphlpapi"]);
    // A DLL of the compiler is not found by the programs.
    gcc.args(["-Wl,-Bstatic", "-lpthread"]);
    gcc.stderr(Stdio::null());
    gcc.status().map(|status| status.success()).map_err(|error| format!("{COMPILER}: {error}"))
}

/// Runs a program on each of the DLLs, of which ours is the first. All must print the same.
fn compare(wine: &Wine, program: &Path, dlls: &[PathBuf], folder: &Path) -> Result<(), String> {
    let mut first: Option<String> = None;
    for dll in dlls {
        let own = dll.file_name().unwrap_or_default();
        let printed = execute(wine, program, dll, &folder.join(own))
            .map_err(|why| format!("{}: {why}", own.display()))?;
        match &first {
            None => first = Some(printed),
            Some(ours) if *ours != printed => {
                return Err(format!("prints {ours:?}, and on libuv {printed:?}"));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// Runs a program in an empty folder. Returns what it prints.
fn execute(wine: &Wine, program: &Path, dll: &Path, folder: &Path) -> Result<String, String> {
    let work = files::create_empty(folder.join("work"))?;
    let output = folder.join("stdout");
    let mut command = Command::new(PROGRAM);
    wine.set_environment(&mut command);
    wine.add_path(&mut command, dll);
    command.arg(program).current_dir(work).stdin(Stdio::null());
    command.stdout(files::at(&output, File::create(&output))?).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("{PROGRAM}: {error}"))?;
    let begin = Instant::now();
    loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) if status.success() => return files::read(&output),
            Some(status) => return Err(format!("{status}\n{}", files::read(&output)?)),
            None if begin.elapsed() < TIMEOUT => std::thread::sleep(Duration::from_millis(10)),
            None => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("it does not end".to_owned());
            }
        }
    }
}
