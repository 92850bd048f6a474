//! `cargo xtask layouts`: the layouts of the C structs on all platforms of the C ABI.
//!
//! With libuv's headers, measures them and writes `abi/layout-*.json`. With `--check`, measures our
//! headers and compares them with these files.
//!
//! * [`platform`]: the platforms and their compilers.
//! * [`measure`]: compiles a header and reads its numbers.
//! * [`windows`]: checks our headers for Windows, whose structs have other fields.

mod measure;
mod platform;
pub mod windows;

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::generate::{load, number, text};
use crate::tally::Tally;
use crate::{files, root};
use measure::{Facts, Fields, measure};
pub use platform::{PACKAGES, PLATFORMS, Platform};

/// Whether the compilers of all platforms are installed.
pub fn is_installed() -> bool {
    PLATFORMS.iter().all(Platform::has_compiler)
}

/// Measures libuv's headers in `include` and writes the files. The first file is not written but
/// compared: it has more than numbers.
pub fn write(include: &str) -> Result<(), String> {
    let (layout, constants) = (load(&PLATFORMS[0].path())?, load("abi/constants.json")?);
    for (at, platform) in PLATFORMS.iter().enumerate() {
        let include = Path::new(include);
        let found = measure(platform.compiler()?, include, Fields::All, &layout, &constants)?;
        if at == 0 {
            compare(platform, &found, &known(platform, &constants)?)?;
            println!("{}: as in {}", platform.name, platform.path());
            continue;
        }
        let path = root().join(platform.path());
        files::write(&path, json(platform, &found))?;
        println!("{}: {} types, {} fields", platform.name, found.types.len(), found.fields.len());
    }
    Ok(())
}

/// Compares our headers with the files, on all platforms whose compiler is installed. With `all`, a
/// missing compiler is an error, and headers are downloaded.
pub fn check(all: bool) -> Result<Tally, String> {
    let (layout, constants) = (load(&PLATFORMS[0].path())?, load("abi/constants.json")?);
    let include = root().join("crates/mauve-uv/include");
    let mut tally = Tally::default();
    for platform in PLATFORMS {
        if !all && !platform.is_installed() {
            tally.skip(1, format!("no compiler or headers for {}", platform.name));
            continue;
        }
        let compiler = platform.compiler()?;
        let found = measure(compiler, &include, Fields::Maintained, &layout, &constants)?;
        let count = compare(platform, &found, &known(platform, &constants)?)?;
        println!("{}: {count} numbers", platform.name);
        tally.passed += 1;
    }
    Ok(tally)
}

/// Checks that all measured numbers are those of the file. Returns how many.
fn compare(platform: &Platform, found: &Facts, known: &Facts) -> Result<usize, String> {
    let mut wrong = String::new();
    let mut differ = |what: &str, found: &[i64], known: Option<&[i64]>| {
        if known != Some(found) {
            let _ = write!(wrong, "\n  {what}: measured {found:?}, stored {known:?}");
        }
    };
    for (name, pair) in &found.types {
        differ(name, pair, known.types.get(name).map(|pair| &pair[..]));
    }
    for ((name, field), pair) in &found.fields {
        let stored = known.fields.get(&(name.clone(), field.clone()));
        differ(&format!("{name}.{field}"), pair, stored.map(|pair| &pair[..]));
    }
    for (name, value) in &found.macros {
        differ(name, &[*value], known.macros.get(name).map(std::slice::from_ref));
    }
    if !wrong.is_empty() {
        return Err(format!("{}:{wrong}", platform.path()));
    }
    Ok(found.types.len() + found.fields.len() + found.macros.len())
}

/// The numbers of a platform's file. Those of the first one are in the descriptions.
fn known(platform: &Platform, constants: &Value) -> Result<Facts, String> {
    let file = load(&platform.path())?;
    let mut facts = Facts::default();
    let entries = |map: &Value| map.as_object().cloned().unwrap_or_default();
    for (name, kind) in entries(&file["types"]) {
        facts.types.insert(name.clone(), [number(&kind["size"]), number(&kind["align"])]);
        for field in kind["fields"].as_array().into_iter().flatten() {
            let pair = [number(&field["offset"]), number(&field["size"])];
            facts.fields.insert((name.clone(), text(&field["name"]).to_owned()), pair);
        }
        for (field, pair) in entries(&kind["offsets"]) {
            facts.fields.insert((name.clone(), field), [number(&pair[0]), number(&pair[1])]);
        }
    }
    let macros = if file["macros"].is_object() { &file["macros"] } else { &constants["macros"] };
    for (name, value) in entries(macros).iter().filter(|(_, value)| value.is_number()) {
        facts.macros.insert(name.clone(), number(value));
    }
    Ok(facts)
}

/// The text of a platform's file, one line for each type.
fn json(platform: &Platform, facts: &Facts) -> String {
    let mut out = format!(
        "{{\n \"meta\": {{\n  \"platform\": \"{}\",\n  \"written_by\": \"cargo xtask layouts\",\n  \
         \"types\": \"size and alignment; offset and size of each field\"\n }},\n \"types\": {{\n",
        platform.name
    );
    let types = facts.types.iter().map(|(name, [size, align])| {
        let fields = facts.fields.iter().filter(|((of, _), _)| of == name);
        let mut fields: Vec<_> = fields.map(|((_, field), pair)| (pair, field)).collect();
        fields.sort();
        let fields: Vec<String> = fields
            .into_iter()
            .map(|([offset, size], field)| format!("\"{field}\": [{offset}, {size}]"))
            .collect();
        let offsets = match fields.is_empty() {
            true => String::new(),
            false => format!(", \"offsets\": {{{}}}", fields.join(", ")),
        };
        format!("  \"{name}\": {{\"size\": {size}, \"align\": {align}{offsets}}}")
    });
    out += &types.collect::<Vec<_>>().join(",\n");
    out += "\n },\n \"macros\": {\n";
    let macros = facts.macros.iter().map(|(name, value)| format!("  \"{name}\": {value}"));
    out + &macros.collect::<Vec<_>>().join(",\n") + "\n }\n}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(offset: i64) -> Facts {
        let mut facts = Facts::default();
        facts.types.insert("uv_timer_t".to_owned(), [152, 8]);
        facts.fields.insert(("uv_timer_t".to_owned(), "data".to_owned()), [offset, 8]);
        facts.macros.insert("UV_FS_O_DIRECT".to_owned(), 65536);
        facts
    }

    #[test]
    fn a_written_file_is_valid_json() {
        let value: Value = serde_json::from_str(&json(&PLATFORMS[1], &facts(0))).expect("JSON");
        assert_eq!(value["types"]["uv_timer_t"]["offsets"]["data"][1], 8);
        assert_eq!(value["macros"]["UV_FS_O_DIRECT"], 65536);
    }

    #[test]
    fn a_different_offset_is_an_error() {
        assert_eq!(compare(&PLATFORMS[1], &facts(0), &facts(0)), Ok(3));
        let why = compare(&PLATFORMS[1], &facts(0), &facts(8)).expect_err("the offsets differ");
        assert!(why.contains("uv_timer_t.data: measured [0, 8], stored Some([8, 8])"), "{why}");
        let why = compare(&PLATFORMS[1], &facts(0), &Facts::default()).expect_err("no facts");
        assert!(why.contains("UV_FS_O_DIRECT"), "{why}");
    }
}
