//! Tables: versions, errors, handle and request types, enumerations.

use std::fmt::Write as _;

use serde_json::Value;

use super::super::{number, text};
use super::{Facts, c, windows};

pub fn version(facts: &Facts<'_>) -> String {
    let part = |part| number(&facts.constants["version"][format!("UV_VERSION_{part}")]);
    ["MAJOR", "MINOR", "PATCH"]
        .map(|name| format!("#define UV_VERSION_{name} {}\n", part(name)))
        .concat()
}

/// The macro `UV_ERRNO_MAP`: all errors with their messages.
pub fn errors(facts: &Facts<'_>) -> String {
    let row =
        |row: &Value| format!("    XX({}, {:?})\n", text(&row["name"]), text(&row["message"]));
    let rows: String = list(facts, "errors").iter().map(row).collect();
    c::macro_of("UV_ERRNO_MAP(XX)", rows.trim_end())
}

/// The value of each error: the system's, or libuv's own. On Windows all are libuv's own.
pub fn error_values(facts: &Facts<'_>) -> String {
    let (mut unix, mut windows) = (String::new(), String::new());
    for row in list(facts, "errors") {
        let name = text(&row["name"]);
        let own = row["windows"].as_i64().unwrap_or_else(|| number(&row["value"]));
        let _ = writeln!(windows, "#define UV__{name} ({own})");
        let _ = match text(&row["source"]) {
            "errno" => writeln!(unix, "#define UV__{name} (-{name})"),
            _ => writeln!(unix, "#define UV__{name} ({})", number(&row["value"])),
        };
    }
    windows::either(&unix, &windows)
}

/// The enumeration type of a list of types.
pub fn type_of_list(list: &str) -> &'static str {
    match list {
        "handle_types" => "uv_handle_type",
        _ => "uv_req_type",
    }
}

/// The macro `UV_HANDLE_TYPE_MAP` or `UV_REQ_TYPE_MAP`: all types with their two names.
pub fn types(name: &str, facts: &Facts<'_>) -> String {
    let with_struct = |row: &&Value| row["struct"].is_string();
    let row = |row: &Value| {
        let constant = text(&row["constant"]).trim_start_matches("UV_");
        format!("    XX({constant}, {})\n", text(&row["name"]))
    };
    let rows: String = list(facts, name).iter().filter(with_struct).map(row).collect();
    let macro_name = if name == "handle_types" { "UV_HANDLE_TYPE_MAP" } else { "UV_REQ_TYPE_MAP" };
    c::macro_of(&format!("{macro_name}(XX)"), rows.trim_end())
}

/// An enumeration: `typedef enum` if it has a typedef, `enum NAME` if it has only a tag, and an
/// anonymous `enum` otherwise.
pub fn enumeration(name: &str, facts: &Facts<'_>) -> Result<String, String> {
    let enums = &facts.constants["enums"];
    let (begin, end, key) = if enums[name].is_object() {
        ("typedef enum".to_owned(), format!(" {name}"), name.to_owned())
    } else if enums[format!("enum {name}")].is_object() {
        (format!("enum {name}"), String::new(), format!("enum {name}"))
    } else {
        ("enum".to_owned(), String::new(), format!("anonymous:{name}"))
    };
    let members = enums[&key].as_object().ok_or_else(|| format!("there is no enum {name}"))?;
    let mut members: Vec<(&String, &Value)> = members.iter().collect();
    members.sort_by_key(|(_, value)| number(value));
    let members: Vec<String> =
        members.iter().map(|(name, value)| format!("    {name} = {}", number(value))).collect();
    Ok(format!("{begin} {{\n{}\n}}{end};\n", members.join(",\n")))
}

/// All macro constants whose names start with `prefix`.
pub fn macros(prefix: &str, facts: &Facts<'_>) -> String {
    let macros = facts.constants["macros"].as_object().expect("a map of macros");
    let chosen = macros.iter().filter(|(name, _)| name.starts_with(prefix));
    chosen
        .map(|(name, value)| match number(value) {
            // With parentheses, so that the value is safe in every expression.
            negative @ ..0 => format!("#define {name} ({negative})\n"),
            value => format!("#define {name} {value}\n"),
        })
        .collect()
}

fn list<'a>(facts: &Facts<'a>, name: &str) -> &'a [Value] {
    facts.constants[name].as_array().expect("a list")
}
