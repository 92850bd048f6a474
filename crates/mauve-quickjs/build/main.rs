//! Compiles QuickJS-NG, as it is in the crate rquickjs-sys, with the corrections of `corrections.rs`.
//!
//! The linker takes each symbol from the first library that has it, and this crate comes before
//! rquickjs-sys. The function `mauve_corrections` is in the same object as the engine, so a program that
//! contains both engines does not link.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

mod corrections;

use corrections::{CORRECTIONS, Edit};

const SOURCES: [&str; 4] = ["libregexp.c", "libunicode.c", "quickjs.c", "dtoa.c"];

fn main() {
    println!("cargo::rerun-if-changed=build");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let engine = upstream(&out).join("quickjs");
    for entry in fs::read_dir(&engine).expect("the crate has a folder quickjs") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|kind| kind == "c" || kind == "h") {
            // Not a copy, which would be read-only where the sources are.
            let text = fs::read(&path).expect("the sources can be read");
            fs::write(out.join(path.file_name().expect("a name")), text).expect("it is writable");
        }
    }

    let file = out.join("quickjs.c");
    let mut text = fs::read_to_string(&file).expect("the crate has quickjs.c");
    for (name, tokens, edit) in CORRECTIONS {
        let place =
            find(&text, tokens).unwrap_or_else(|why| panic!("the correction `{name}`: {why}"));
        let line = text[..place.start].rfind('\n').map_or(0, |end| end + 1);
        let next = text[place.end..].find('\n').map_or(text.len(), |end| place.end + end + 1);
        match edit {
            Edit::Before(lines) => text.insert_str(line, &format!("{lines}\n")),
            Edit::After(lines) => text.insert_str(next, &format!("{lines}\n")),
            Edit::Instead(tokens) => text.replace_range(place, tokens),
        }
    }
    text.push_str(&format!("\nint mauve_corrections(void) {{ return {}; }}\n", CORRECTIONS.len()));
    fs::write(&file, text).expect("the output directory can be written");

    let mut build = cc::Build::new();
    build.extra_warnings(false).flag_if_supported("-Wno-implicit-const-int-float-conversion");
    build.define("_GNU_SOURCE", None).define("NDEBUG", None);
    build.files(SOURCES.map(|source| out.join(source))).compile("quickjs_corrected");
}

/// The number of lines in which the tokens after the first ones are.
const NEAR: usize = 12;

/// Where the last of the tokens are. The first ones occur once in the file, and the others once near those before them.
fn find(text: &str, tokens: &[&str]) -> Result<Range<usize>, String> {
    let mut range = 0..text.len();
    let mut place = 0..0;
    for (index, token) in tokens.iter().enumerate() {
        if index > 0 {
            let rest = &text[place.end..];
            let lines = rest.match_indices('\n').nth(NEAR).map_or(rest.len(), |(end, _)| end);
            range = place.end..place.end + lines;
        }
        let found: Vec<_> = text[range.clone()].match_indices(token).collect();
        let [(start, _)] = found[..] else {
            return Err(format!("`{token}` occurs {} times", found.len()));
        };
        place = range.start + start..range.start + start + token.len();
    }
    Ok(place)
}

/// The folder of rquickjs-sys. Only cargo knows where it is.
///
/// The query has a manifest of its own: that of this crate may be in the registry, where nothing can be written,
/// or be vendored, below a workspace that it does not belong to.
fn upstream(out: &Path) -> PathBuf {
    let mut texts = include_str!("../Cargo.toml").split('"');
    let version = texts.find(|text| text.starts_with('=')).expect("the manifest has a version");
    let folder = out.join("upstream");
    fs::create_dir_all(&folder).expect("the output directory can be written");
    let manifest = folder.join("Cargo.toml");
    let text = format!(
        "[package]\nname = \"upstream\"\nedition = \"2024\"\n[lib]\npath = \"lib.rs\"\n[workspace]\n\
         [dependencies]\nrquickjs-sys = {{ version = \"{version}\", default-features = false }}\n"
    );
    fs::write(&manifest, text).expect("the output directory can be written");
    fs::write(folder.join("lib.rs"), "").expect("the output directory can be written");

    let cargo = env::var_os("CARGO").expect("cargo sets it");
    let host = env::var("HOST").expect("cargo sets it");
    let metadata = |more: &[&str]| {
        let words = ["metadata", "--format-version=1", "--filter-platform", &host];
        let mut command = Command::new(&cargo);
        command.args(words).args(more).arg("--manifest-path").arg(&manifest);
        command.output().expect("cargo runs")
    };
    let mut output = metadata(&["--offline"]);
    if !output.status.success() {
        output = metadata(&[]);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "`cargo metadata` failed:\n{errors}");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let found = packages.iter().find(|package| package["name"] == "rquickjs-sys");
    let manifest = found.expect("it is a dependency")["manifest_path"].as_str().expect("a path");
    Path::new(manifest).parent().expect("a manifest is in a folder").to_owned()
}
