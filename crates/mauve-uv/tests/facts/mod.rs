//! Generates C from `abi/*.json` that compiles only if a header declares the same.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

/// Loads one file of `abi/`.
pub fn load(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../abi").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Types that are internal to libuv.
const PRIVATE: &[&str] = &["uv__dirent_t", "struct uv__queue", "struct uv__work"];

/// One assertion for each size, offset and constant.
pub fn assertions() -> String {
    let (layout, constants) = (load("layout-x86_64-linux.json"), load("constants.json"));
    let mut out = String::from("#include <uv.h>\n#include <stddef.h>\n");
    for (name, kind) in layout["types"].as_object().expect("types") {
        if !PRIVATE.contains(&name.as_str()) {
            assert_layout(&mut out, name, kind);
        }
    }
    let mut number = |name: &str, value: &Value| {
        let value = value.as_i64().expect("a number");
        let _ = writeln!(out, "_Static_assert({name} == ({value}), \"{name}\");");
    };
    for (name, value) in constants["enums"].as_object().expect("enums").values().flat_map(entries) {
        number(name, value);
    }
    for list in ["errors", "handle_types", "req_types"] {
        for row in constants[list].as_array().expect("a list") {
            number(row["constant"].as_str().expect("a name"), &row["value"]);
        }
    }
    for (name, value) in entries(&constants["macros"]).filter(|(_, value)| value.is_number()) {
        number(name, value);
    }
    number("UV_ERRNO_MAX", &constants["errno_max"]["UV_ERRNO_MAX"]);
    for part in ["MAJOR", "MINOR", "PATCH", "IS_RELEASE", "HEX"] {
        let name = format!("UV_VERSION_{part}");
        number(&name, &constants["version"][&name]);
    }
    out
}

fn entries(map: &Value) -> impl Iterator<Item = (&str, &Value)> {
    map.as_object().expect("a map").iter().map(|(name, value)| (name.as_str(), value))
}

fn assert_layout(out: &mut String, name: &str, kind: &Value) {
    let _ = writeln!(out, "_Static_assert(sizeof({name}) == {}, \"{name}\");", kind["size"]);
    let _ = writeln!(out, "_Static_assert(_Alignof({name}) == {}, \"{name}\");", kind["align"]);
    for field in kind["fields"].as_array().into_iter().flatten() {
        let of = text(&field["name"]);
        // Only some private fields have a name in our header.
        let known = of.ends_with("_cb") && of != "send_cb" || of == "io_watcher" || of == "fd";
        if field["public"] != true && !known {
            continue;
        }
        let (offset, size) = (&field["offset"], &field["size"]);
        let _ = writeln!(
            out,
            "_Static_assert(offsetof({name}, {of}) == {offset} && \
             sizeof((({name} *)0)->{of}) == {size}, \"{name}.{of}\");"
        );
    }
}

/// The X-macros of the header: their names, and their expected expansions.
pub fn maps() -> [(&'static str, String); 3] {
    let constants = load("constants.json");
    let expand = |list: &str, entry: fn(&Value) -> String| -> String {
        constants[list].as_array().expect("a list").iter().map(entry).collect()
    };
    let kind = |row: &Value| match row["struct"].as_str() {
        Some(_) => text(&row["constant"]).trim_start_matches("UV_").to_owned() + text(&row["name"]),
        None => String::new(),
    };
    let error = |row: &Value| text(&row["name"]).to_owned() + text(&row["message"]);
    [
        ("UV_ERRNO_MAP", expand("errors", error)),
        ("UV_HANDLE_TYPE_MAP", expand("handle_types", kind)),
        ("UV_REQ_TYPE_MAP", expand("req_types", kind)),
    ]
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// Declares every function again, with canonical types. Declarations that differ from the header
/// do not compile.
pub fn prototypes() -> String {
    let mut out = String::from("#include <uv.h>\n");
    for function in load("functions.json")["functions"].as_array().expect("a list") {
        let resolved = |value: &Value, name: &str, canonical: &str| {
            let kind = value.get(canonical).unwrap_or(&value[name]);
            kind.as_str().expect("a type").to_owned()
        };
        let mut parameters: Vec<String> = function["params"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|parameter| resolved(parameter, "type", "canonical"))
            .collect();
        if function["variadic"] == true {
            parameters.push("...".to_owned());
        }
        if parameters.is_empty() {
            parameters.push("void".to_owned());
        }
        let returns = resolved(function, "returns", "returns_canonical");
        let name = function["name"].as_str().expect("a name");
        let _ = writeln!(out, "extern {returns} {name}({});", parameters.join(", "));
    }
    out
}
