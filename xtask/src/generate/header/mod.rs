//! The C headers: templates, filled in with the data of `abi/*.json`.
//!
//! The templates in `abi/header/` have the order of declarations, the comments, and the types that
//! come from system headers. A line that starts with `@` is a directive, and is replaced:
//!
//! * `@functions NAME...`: prototypes.
//! * `@callback TYPE NAME...`: a function type, with the names of its parameters.
//! * `@enum NAME`: an enumeration.
//! * `@struct NAME`, `@struct NAME MACRO... BASE`: a struct. The second form starts with the fields
//!   of `BASE`, which the macros expand to.
//! * `@unix-struct NAME`: a struct that Windows has not.
//! * `@fields MACRO NAME`, `@fields MACRO NAME BASE`: a macro with the fields of a struct, without
//!   those of `BASE`.
//! * `@declare CATEGORY`: forward declarations of all structs of a category.
//! * `@macros PREFIX`: constants.
//! * `@version`, `@errors`, `@error-values`, `@types LIST`: the other tables.
//!
//! Where the fields of a struct are others on Windows, there are two definitions.
//!
//! Every function and every public type must occur exactly once.

mod c;
mod structs;
mod tables;
mod template;
mod windows;

use std::collections::BTreeSet;

use serde_json::Value;

use super::File;

pub use template::prototype;

/// The data of `abi/*.json`.
pub struct Facts<'a> {
    pub constants: &'a Value,
    /// The layout on Linux, with the types of all fields.
    pub layout: &'a Value,
    /// The numbers for Windows.
    pub windows: &'a Value,
    pub functions: &'a Value,
}

/// The path of each header, and its template.
const HEADERS: &[(&str, &str)] = &[
    ("crates/mauve-uv/include/uv.h", "abi/header/uv.h.in"),
    ("crates/mauve-uv/include/uv/version.h", "abi/header/uv/version.h.in"),
    ("crates/mauve-uv/include/uv/errno.h", "abi/header/uv/errno.h.in"),
    ("crates/mauve-uv/include/uv/unix.h", "abi/header/uv/unix.h.in"),
    ("crates/mauve-uv/include/uv/win.h", "abi/header/uv/win.h.in"),
];

/// Internal types of libuv that mauve does not have.
const NOT_OURS: &[&str] = &["uv__dirent_t", "struct uv__queue", "struct uv__work"];

pub fn files(facts: &Facts<'_>) -> Result<Vec<File>, String> {
    let mut used = Vec::new();
    let mut files = Vec::new();
    for (path, template) in HEADERS {
        let text = super::read(template)?;
        let text = template::expand(&text, facts, &mut used)
            .map_err(|(line, why)| format!("{template}:{line}: {why}"))?;
        files.push(File { path: (*path).to_owned(), text });
    }
    everything_once(facts, used)?;
    Ok(files)
}

fn everything_once(facts: &Facts<'_>, mut used: Vec<String>) -> Result<(), String> {
    used.sort();
    if let Some(twice) = used.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("abi/header: {} occurs twice", twice[0]));
    }
    let used: BTreeSet<&str> = used.iter().map(String::as_str).collect();
    let functions = facts.functions["functions"].as_array().expect("a list of functions");
    let functions = functions.iter().map(|function| super::text(&function["name"]));
    let types = facts.layout["types"].as_object().expect("a map of types");
    // Types that come from system headers are written in the template itself.
    let generated =
        |kind: &Value| !matches!(super::text(&kind["category"]), "scalar" | "system-opaque");
    let types = types.iter().filter(|(_, kind)| generated(kind)).map(|(name, _)| name.as_str());
    let missing =
        functions.chain(types).find(|name| !used.contains(name) && !NOT_OURS.contains(name));
    missing.map_or(Ok(()), |name| Err(format!("abi/header: {name} is missing")))
}
