//! The reporters of `node:test`: Node's formats `spec` and `tap`.

use std::fmt::Write as _;

use rquickjs::{Array, Ctx, FromJs, Function, IntoJs, Object, Result, Value};

use super::define;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "spec", spec)?;
    define(object, "location", |stack: String| {
        let (file, position) = location(&stack);
        vec![file, position]
    })?;
    define(object, "tap", tap)
}

/// A result, or the start of a test.
struct Report {
    nesting: usize,
    name: String,
    number: u32,
    /// In milliseconds. A test that did not run has none.
    duration: Option<String>,
    is_suite: bool,
    /// `# SKIP` or a reason, if there is one.
    skip: Option<String>,
    todo: Option<String>,
    file: String,
    position: String,
}

impl Report {
    /// Reads an object of the class `Test`.
    fn read(test: &Object<'_>) -> Result<Self> {
        let at: Object<'_> = test.get("at")?;
        let (file, position) = location(&at.get::<_, String>("stack")?);
        Ok(Self {
            nesting: test.get("nesting")?,
            name: test.get("name")?,
            number: test.get("number")?,
            duration: test.get::<_, Option<f64>>("duration")?.map(|duration| duration.to_string()),
            is_suite: test.get("isSuite")?,
            skip: directive(test, "skip")?,
            todo: directive(test, "todo")?,
            file,
            position,
        })
    }
}

/// The file, and the line and the column, of the first frame of a stack that is in a file.
fn location(stack: &str) -> (String, String) {
    let place = |line: &str| {
        let line = line.trim_start().strip_prefix("at ")?.trim_end_matches(')');
        let place = line.rsplit_once('(').map_or(line, |(_, place)| place);
        let place = place.strip_prefix("file://").unwrap_or(place);
        let column = place.rfind(':')?;
        let line = place[..column].rfind(':')?;
        place.starts_with('/').then(|| (place[..line].to_owned(), place[line + 1..].to_owned()))
    };
    stack.lines().find_map(place).unwrap_or_default()
}

/// The reason, which is empty if there is none, or `None` without the directive.
fn directive(data: &Object<'_>, name: &str) -> Result<Option<String>> {
    let value: Value<'_> = data.get(name)?;
    if let Some(text) = value.as_string() {
        return Ok(Some(text.to_string()?));
    }
    Ok(value.as_bool().unwrap_or(false).then(String::new))
}

/// The text of an event in the format `spec`. `headers` are the names of tests that are not printed yet, by nesting.
fn spec<'js>(
    ctx: Ctx<'js>,
    kind: String,
    data: Object<'js>,
    headers: Array<'js>,
) -> Result<String> {
    let mut text = String::new();
    match kind.as_str() {
        "start" => {
            let report = Report::read(&data)?;
            headers.set(report.nesting, report.name)?;
        }
        "diagnostic" => {
            let (nesting, message): (usize, String) = (data.get("nesting")?, data.get("message")?);
            writeln!(text, "{}ℹ {message}", "  ".repeat(nesting)).expect("a string");
        }
        "result" => {
            let report = Report::read(&data)?;
            for nesting in 0..report.nesting {
                let header: Value<'_> = headers.get(nesting)?;
                if header.is_string() {
                    let name = String::from_js(&ctx, header)?;
                    writeln!(text, "{}▶ {name}", "  ".repeat(nesting)).expect("a string");
                    headers.set(nesting, Value::new_null(ctx.clone()))?;
                }
            }
            headers.set(report.nesting, Value::new_null(ctx.clone()))?;
            text.push_str(&"  ".repeat(report.nesting));
            text.push_str(&line(&report, failure(&data)?.is_some()));
        }
        "failures" => {
            let list: Array<'js> = data.get("list")?;
            text.push_str("\n✖ failing tests:\n");
            for failure in list.iter::<Object<'js>>() {
                let failure = failure?;
                let report = Report::read(&failure)?;
                let shown: String = failure.get("text")?;
                let place = format!("{}:{}", relative(&report.file), report.position);
                write!(text, "\ntest at {place}\n{}", line(&report, true)).expect("a string");
                for part in shown.split('\n') {
                    writeln!(text, "  {part}").expect("a string");
                }
            }
        }
        _ => {}
    }
    Ok(text)
}

/// The line of a result, without its indentation.
fn line(report: &Report, failed: bool) -> String {
    let mark = match (&report.skip, &report.todo, failed) {
        (Some(_), _, _) => '﹣',
        (None, Some(_), true) => '⚠',
        (None, _, true) => '✖',
        (None, _, false) => '✔',
    };
    let duration =
        report.duration.as_ref().map_or(String::new(), |duration| format!(" ({duration}ms)"));
    let reason = match (&report.skip, &report.todo) {
        (Some(reason), _) if reason.is_empty() => " # SKIP".to_owned(),
        (None, Some(reason)) if reason.is_empty() => " # TODO".to_owned(),
        (Some(reason), _) | (None, Some(reason)) => format!(" # {reason}"),
        (None, None) => String::new(),
    };
    format!("{mark} {}{duration}{reason}\n", report.name)
}

fn relative(file: &str) -> &str {
    let folder = std::env::current_dir().unwrap_or_default();
    let rest = folder.to_str().and_then(|folder| file.strip_prefix(folder)?.strip_prefix('/'));
    rest.unwrap_or(file)
}

/// The text of an event in the format `tap`. The array has an element after the first line.
fn tap<'js>(kind: String, data: Object<'js>, begun: Array<'js>) -> Result<String> {
    let mut text = String::new();
    if begun.is_empty() {
        text.push_str("TAP version 13\n");
        begun.set(0, true)?;
    }
    let indent = |nesting: usize| "    ".repeat(nesting);
    match kind.as_str() {
        "start" => {
            let report = Report::read(&data)?;
            let name = escape(&report.name);
            writeln!(text, "{}# Subtest: {name}", indent(report.nesting)).expect("a string");
        }
        "diagnostic" => {
            let (nesting, message): (usize, String) = (data.get("nesting")?, data.get("message")?);
            writeln!(text, "{}# {}", indent(nesting), escape(&message)).expect("a string");
        }
        "plan" => {
            let (nesting, count): (usize, u32) = (data.get("nesting")?, data.get("count")?);
            writeln!(text, "{}1..{count}", indent(nesting)).expect("a string");
        }
        "result" => tap_result(&data, &mut text)?,
        _ => {}
    }
    Ok(text)
}

fn tap_result(data: &Object<'_>, text: &mut String) -> Result<()> {
    let report = Report::read(data)?;
    let error = failure(data)?;
    let indent = "    ".repeat(report.nesting);
    let state = if error.is_some() { "not ok" } else { "ok" };
    write!(text, "{indent}{state} {} - {}", report.number, escape(&report.name)).expect("a string");
    let reason = |reason: &String| match reason.is_empty() {
        true => String::new(),
        false => format!(" {}", escape(reason)),
    };
    match (&report.skip, &report.todo) {
        (Some(skip), _) => text.push_str(&format!(" # SKIP{}", reason(skip))),
        (None, Some(todo)) => text.push_str(&format!(" # TODO{}", reason(todo))),
        (None, None) => {}
    }
    let duration = report.duration.as_deref().unwrap_or("0");
    let kind = if report.is_suite { "suite" } else { "test" };
    let inner = format!("{indent}  ");
    write!(text, "\n{inner}---\n{inner}duration_ms: {duration}\n{inner}type: '{kind}'\n")
        .expect("a string");
    if let Some(error) = error {
        let place = format!("{}:{}", report.file, report.position);
        writeln!(text, "{inner}location: '{}'", place.replace('\'', "\\'")).expect("a string");
        for (name, value) in fields(&error)? {
            yaml(&inner, name, &value, 0, text)?;
        }
    }
    writeln!(text, "{inner}...").expect("a string");
    Ok(())
}

/// The error of a test that was not skipped.
fn failure<'js>(test: &Object<'js>) -> Result<Option<Object<'js>>> {
    if directive(test, "skip")?.is_some() {
        return Ok(None);
    }
    Ok(test.get::<_, Value<'js>>("error")?.into_object())
}

fn is_text(value: &Value<'_>, text: &str) -> bool {
    value.as_string().is_some_and(|string| string.to_string().is_ok_and(|string| string == text))
}

/// What is shown of an error, in Node's order.
fn fields<'js>(error: &Object<'js>) -> Result<Vec<(&'static str, Value<'js>)>> {
    let ctx = error.ctx();
    let cause: Value<'js> = error.get("cause")?;
    let thrown = cause.as_object().filter(|cause| cause.is_error());
    let of_cause = |name: &str| -> Result<Value<'js>> {
        thrown.map_or_else(|| Ok(Value::new_undefined(ctx.clone())), |cause| cause.get(name))
    };
    let mut code = of_cause("code")?;
    if code.is_undefined() || code.is_null() {
        code = "ERR_TEST_FAILURE".into_js(ctx)?;
    }
    let is_assertion = is_text(&code, "ERR_ASSERTION");
    let mut fields = vec![
        ("failureType", error.get("failureType")?),
        ("error", error.get("message")?),
        ("code", code),
    ];
    let name = of_cause("name")?;
    if name.is_string() && !is_text(&name, "Error") {
        fields.push(("name", name));
    }
    if is_assertion {
        for name in ["expected", "actual", "operator"] {
            fields.push((name, of_cause(name)?));
        }
    }
    let stack = if thrown.is_some() { of_cause("stack")? } else { error.get("stack")? };
    let stack: String = stack.get().unwrap_or_default();
    let frames: Vec<&str> = stack.lines().filter_map(|line| line.strip_prefix("    at ")).collect();
    // An error of the runner has no frame of the script.
    let is_script = |frame: &&str| !frame.contains("node:") && !frame.ends_with("(native)");
    if frames.iter().any(is_script) {
        fields.push(("stack", frames.join("\n").into_js(ctx)?));
    }
    Ok(fields)
}

/// How deep values are shown.
const MAX_DEPTH: usize = 10;

/// A value with its name.
fn yaml(
    indent: &str,
    name: &str,
    value: &Value<'_>,
    depth: usize,
    text: &mut String,
) -> Result<()> {
    if let Some(string) = value.as_string() {
        let string = string.to_string()?;
        if string.contains('\n') {
            writeln!(text, "{indent}{name}: |-").expect("a string");
            for line in string.split('\n') {
                writeln!(text, "{indent}  {line}").expect("a string");
            }
        } else {
            let string = string.replace('\'', "\\'");
            writeln!(text, "{indent}{name}: '{string}'").expect("a string");
        }
        return Ok(());
    }
    let fields = value.as_object().filter(|_| !value.is_function() && depth < MAX_DEPTH);
    let Some(fields) = fields else {
        let shown: String = if value.is_undefined() {
            "~".to_owned()
        } else {
            let convert: Function<'_> = value.ctx().globals().get("String")?;
            convert.call((value.clone(),))?
        };
        writeln!(text, "{indent}{name}: {shown}").expect("a string");
        return Ok(());
    };
    writeln!(text, "{indent}{name}:").expect("a string");
    for field in fields.props::<String, Value<'_>>() {
        let (key, value) = field?;
        yaml(&format!("{indent}  "), &key, &value, depth + 1, text)?;
    }
    Ok(())
}

/// Escapes what TAP gives a meaning.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => escaped.push_str("\\\\"),
            '#' => escaped.push_str("\\#"),
            '\n' => escaped.push_str("\\\\n"),
            '\t' => escaped.push_str("\\\\t"),
            '\r' => escaped.push_str("\\\\r"),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use rquickjs::{Context, Object, Runtime};

    use super::{escape, yaml};

    #[test]
    fn values_are_written_as_yaml() {
        Context::full(&Runtime::new().expect("a runtime")).expect("a context").with(|ctx| {
            let object: Object<'_> = ctx
                .eval("({ a: 1, b: [1, 'x'], c: 'two\\nlines', d: \"it's\", e: null })")
                .expect("an object");
            let mut text = String::new();
            yaml("  ", "actual", object.as_value(), 0, &mut text).expect("it is written");
            let expected = "  actual:\n    a: 1\n    b:\n      0: 1\n      1: 'x'\n    c: |-\n      two\n      \
                            lines\n    d: 'it\\'s'\n    e: null\n";
            assert_eq!(text, expected);
        });
        assert_eq!(escape("a # \\ b\nc"), "a \\# \\\\ b\\\\nc");
    }
}
