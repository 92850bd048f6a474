//! Internals of values that only the engine can access.

use mauve_quickjs::{Local, NativeCall, native_function};
use rquickjs::promise::PromiseState;
use rquickjs::{Array, Ctx, Object, Result, Value};
use unicode_width::UnicodeWidthChar;

use super::columns::{self, Limits};
use super::define;
use crate::host::text::Text;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    object.set("classId", native_function(object.ctx(), c"classId", 1, class_id)?)?;
    define(object, "promiseDetails", promise_details)?;
    define(object, "proxyDetails", proxy_details)?;
    define(object, "findCall", super::call_source::find)?;
    define(object, "parseKeys", super::keys::parse)?;
    define(object, "parseArgs", super::parse_args::parse)?;
    define(object, "groupInColumns", group_in_columns)?;
    define(object, "drawTable", draw_table)?;
    define(object, "stringWidth", |text: String| string_width(&text))?;
    define(object, "assertionMessage", super::assertion::message)?;
    super::tables::fill(object)
}

/// `classId(value)` is a number that objects of one class of the engine have in common.
fn class_id<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    Ok(Local::number(call.ctx(), f64::from(call.arg(0).class_id())))
}

/// Returns `[state, value]` of a promise (0 pending, 1 fulfilled, 2 rejected), or `null` for other
/// values.
fn promise_details<'js>(ctx: Ctx<'js>, value: Value<'js>) -> Result<Option<Array<'js>>> {
    let Some(promise) = value.as_promise() else { return Ok(None) };
    let details = Array::new(ctx.clone())?;
    match promise.state() {
        PromiseState::Pending => details.set(0, 0)?,
        PromiseState::Resolved => {
            details.set(0, 1)?;
            details.set(1, promise.result::<Value<'js>>().transpose()?)?;
        }
        PromiseState::Rejected => {
            details.set(0, 2)?;
            // `result` of a rejected promise throws the reason.
            if let Some(Err(_)) = promise.result::<Value<'js>>() {
                details.set(1, ctx.catch())?;
            }
        }
    }
    Ok(Some(details))
}

/// `settings` are the number of entries with the one about those that are not shown, the width of a
/// line, the indentation and `compact`.
fn group_in_columns(
    entries: Vec<String>,
    widths: Vec<usize>,
    right: bool,
    settings: Vec<f64>,
) -> Option<Vec<String>> {
    let [count, line, indentation, compact] = settings[..] else { return None };
    let limits = Limits { line, indentation, compact };
    columns::group(&entries, &widths, count as usize, right, &limits)
}

/// The table of `console.table`. All columns have the same number of cells. `widths` are those of the head, and of
/// the cells of each column.
fn draw_table(head: Vec<Text>, columns: Vec<Vec<Text>>, widths: Vec<Vec<usize>>) -> String {
    let Some((head_widths, cell_widths)) = widths.split_first() else { return String::new() };
    let width_of = |(title, column): (&usize, &Vec<usize>)| {
        column.iter().copied().max().unwrap_or(0).max(*title) + 2
    };
    let all: Vec<usize> = head_widths.iter().zip(cell_widths).map(width_of).collect();
    let bar = |open: &str, middle: &str, close: &str| {
        let bars: Vec<String> = all.iter().map(|width| "─".repeat(*width)).collect();
        format!("{open}{}{close}", bars.join(middle))
    };
    let line = |cells: Vec<(&Text, usize)>| {
        let cell = |((Text(text), width), all): ((&Text, usize), &usize)| {
            format!(" {text}{}", " ".repeat(all - width - 1))
        };
        let cells: Vec<String> = cells.into_iter().zip(&all).map(cell).collect();
        format!("│{}│", cells.join("│"))
    };
    let titles = head.iter().zip(head_widths.iter().copied()).collect();
    let mut lines = vec![bar("┌", "┬", "┐"), line(titles), bar("├", "┼", "┤")];
    for row in 0..columns.first().map_or(0, Vec::len) {
        let cells = columns.iter().zip(cell_widths);
        lines.push(line(cells.map(|(texts, widths)| (&texts[row], widths[row])).collect()));
    }
    lines.push(bar("└", "┴", "┘"));
    lines.join("\n")
}

/// Columns of a string on a terminal. Like Node, it adds up characters: a sequence of emoji that a
/// terminal may draw as one counts each of them, and control characters take no columns.
fn string_width(text: &str) -> usize {
    let width = |character: char| match character {
        // Node's widths of the soft hyphen and of the letters that flags are made of.
        '\u{ad}' => 1,
        '\u{1f1e6}'..='\u{1f1ff}' => 2,
        _ => character.width().unwrap_or(0),
    };
    text.chars().map(width).sum()
}

/// Returns `[target, handler]` of a proxy, both `null` if it was revoked, or `null` for other
/// values. The engine does not report the target of a function or array proxy; then the proxy
/// itself is used.
fn proxy_details<'js>(ctx: Ctx<'js>, value: Value<'js>) -> Result<Option<Array<'js>>> {
    if !value.is_proxy() {
        return Ok(None);
    }
    let details = Array::new(ctx.clone())?;
    let Some(proxy) = value.as_proxy() else {
        details.set(0, value)?;
        details.set(1, Object::new(ctx)?)?;
        return Ok(Some(details));
    };
    if let (Ok(target), Ok(handler)) = (proxy.target(), proxy.handler()) {
        details.set(0, target)?;
        details.set(1, handler)?;
    } else {
        // The proxy was revoked: discards the exception.
        ctx.catch();
        details.set(0, Value::new_null(ctx.clone()))?;
        details.set(1, Value::new_null(ctx))?;
    }
    Ok(Some(details))
}
