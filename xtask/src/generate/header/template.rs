//! Expands the directives of a template.

use serde_json::Value;

use super::super::text;
use super::{Facts, c, structs, tables};

/// The number of a line, and its error.
type Mistake = (usize, String);

/// Expands `template`. Adds the names of all functions and types to `used`.
pub fn expand(
    template: &str,
    facts: &Facts<'_>,
    used: &mut Vec<String>,
) -> Result<String, Mistake> {
    let mut out = String::new();
    for (at, line) in template.lines().enumerate() {
        match line.strip_prefix('@') {
            Some(line) => {
                out += &directive(line, facts, used).map_err(|why| (at + 1, why))?;
            }
            None => {
                out += line;
                out.push('\n');
            }
        }
    }
    Ok(out)
}

fn directive(line: &str, facts: &Facts<'_>, used: &mut Vec<String>) -> Result<String, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        ["functions", names @ ..] => {
            used.extend(names.iter().map(ToString::to_string));
            names.iter().map(|name| function(name, facts)).collect()
        }
        ["callback", name, parameters @ ..] => {
            used.push(name.to_string());
            callback(name, parameters, facts)
        }
        ["enum", name] => {
            used.push(name.to_string());
            if facts.layout["types"][format!("enum {name}")].is_object() {
                used.push(format!("enum {name}"));
            }
            tables::enumeration(name, facts)
        }
        ["struct", name, begin @ ..] => {
            used.push(structs::full_name(name, facts)?);
            structs::definition(name, begin.split_last(), facts)
        }
        ["unix-struct", name] => {
            used.push(structs::full_name(name, facts)?);
            structs::unix_definition(name, facts)
        }
        ["fields", name, kind] => structs::fields_macro(name, kind, None, facts),
        ["fields", name, kind, base] => structs::fields_macro(name, kind, Some(base), facts),
        ["declare", category] => Ok(structs::declarations(category, facts)),
        ["macros", prefix] => Ok(tables::macros(prefix, facts)),
        ["types", list] => {
            used.push(tables::type_of_list(list).to_owned());
            Ok(tables::types(list, facts))
        }
        ["version"] => Ok(tables::version(facts)),
        ["errors"] => {
            used.push("uv_errno_t".to_owned());
            Ok(tables::errors(facts))
        }
        ["error-values"] => Ok(tables::error_values(facts)),
        _ => Err(format!("unknown directive @{line}")),
    }
}

fn function(name: &str, facts: &Facts<'_>) -> Result<String, String> {
    let functions = facts.functions["functions"].as_array().expect("a list of functions");
    let found = functions.iter().find(|function| function["name"] == name);
    let function = found.ok_or_else(|| format!("there is no function {name}"))?;
    Ok(prototype("UV_EXTERN ", function))
}

/// The prototype of a function of `functions.json`.
pub fn prototype(prefix: &str, function: &Value) -> String {
    let parameters = function["params"].as_array().into_iter().flatten();
    let mut parameters: Vec<String> = parameters
        .map(|parameter| match text(&parameter["name"]) {
            "arg0" => text(&parameter["type"]).to_owned(), // libuv gives it no name
            name => c::declare(text(&parameter["type"]), name),
        })
        .collect();
    if function["variadic"] == true {
        parameters.push("...".to_owned());
    }
    let name = c::declare(text(&function["returns"]), text(&function["name"]));
    c::call(&format!("{prefix}{name}("), &parameters, ");")
}

fn callback(name: &str, parameters: &[&str], facts: &Facts<'_>) -> Result<String, String> {
    let kind = &facts.layout["types"][name];
    let types = kind["params"].as_array().ok_or_else(|| format!("{name} is not a callback"))?;
    if types.len() != parameters.len() {
        return Err(format!("{name} has {} parameters", types.len()));
    }
    let parameters: Vec<String> = types
        .iter()
        .zip(parameters)
        .map(|(kind, parameter)| c::declare(text(kind), parameter))
        .collect();
    let begin = format!("typedef {}(", c::declare(text(&kind["return"]), &format!("(*{name})")));
    Ok(c::call(&begin, &parameters, ");"))
}
