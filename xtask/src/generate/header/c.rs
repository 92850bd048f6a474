//! C syntax: declarations, parameter lists and macros.

/// The maximum length of a line.
const WIDTH: usize = 100;

/// Declares `name` with a type: `char *[4]` and `x` give `char *x[4]`.
pub fn declare(kind: &str, name: &str) -> String {
    let kind = kind.replace("long unsigned int", "unsigned long").replace("long int", "long");
    if let Some((before, after)) = kind.split_once("(*)") {
        return format!("{before}(*{name}){after}");
    }
    let (kind, array) = match kind.find('[') {
        Some(at) => (kind[..at].trim_end(), &kind[at..]),
        None => (kind.as_str(), ""),
    };
    let space = if kind.ends_with('*') { "" } else { " " };
    format!("{kind}{space}{name}{array}")
}

/// Writes a parameter list between `begin` and `end`, with line breaks where needed.
pub fn call(begin: &str, parameters: &[String], end: &str) -> String {
    if parameters.is_empty() {
        return format!("{begin}void{end}\n");
    }
    let mut out = begin.to_owned();
    let mut column = begin.len();
    for (at, parameter) in parameters.iter().enumerate() {
        let last = at + 1 == parameters.len();
        let text = format!("{parameter}{}", if last { end } else { "," });
        if at > 0 && column + 1 + text.len() > WIDTH || at == 0 && column + text.len() > WIDTH {
            out += "\n    ";
            column = 4;
        } else if at > 0 {
            out.push(' ');
            column += 1;
        }
        out += &text;
        column += text.len();
    }
    out + "\n"
}

/// Writes a macro with several lines.
pub fn macro_of(name: &str, lines: &str) -> String {
    let mut out = format!("#define {name}");
    for line in lines.lines() {
        out += &format!(" \\\n{line}");
    }
    out + "\n"
}
