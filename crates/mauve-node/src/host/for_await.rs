//! Rewrites `for await` loops, so that a body that throws awaits the iterator's `return()`.
//!
//! The script engine calls `return()` without awaiting its result, which the language requires. The
//! loop `for await (x of e) { body }` becomes:
//!
//! ```js
//! for await (x of $1 = forAwait.open(e)) { var $1; try { body } catch (error) {
//!   if ($1 = forAwait.close($1)) try { await $1.result; } catch {} throw error; } }
//! ```
//!
//! `js/internal/for_await.js` has the two functions. Lines stay the same. A body that is a simple
//! statement of one line becomes a block. A loop with another body is not changed.

use std::borrow::Cow;

use super::scan::{Scanner, Token};

/// Returns the source with rewritten loops.
pub(super) fn rewrite(source: &str) -> Cow<'_, str> {
    if !has_loop(source) {
        return Cow::Borrowed(source);
    }
    let mut insertions = Vec::new();
    let mut loops = 0;
    for token in Scanner::new(source, 0).filter(|token| token.text == "for") {
        if let Some(found) = ForAwait::parse(source, token.end) {
            loops += 1;
            found.insert(loops, &mut insertions);
        }
    }
    insertions.sort_by_key(|(at, _)| *at);
    let mut text = String::with_capacity(source.len() + 200 * loops);
    let mut copied = 0;
    for (at, inserted) in insertions {
        text += &source[copied..at];
        text += &inserted;
        copied = at;
    }
    text += &source[copied..];
    Cow::Owned(text)
}

/// Whether the text may have a loop. Most scripts have none.
fn has_loop(source: &str) -> bool {
    source.match_indices("await").any(|(at, _)| source[..at].trim_end().ends_with("for"))
}

/// The positions of a loop's parts.
struct ForAwait {
    /// Where the iterated expression starts.
    expression: usize,
    /// The closing parenthesis of the head.
    head_end: usize,
    /// The first byte of the body, and its closing brace or the end of its statement.
    body: usize,
    body_end: usize,
    is_block: bool,
}

/// The first words of statements that contain others.
const COMPOUND: &[&str] = &["if", "for", "while", "do", "try", "switch", "with", "{"];

impl ForAwait {
    /// Parses the loop whose keyword `for` ends at `at`.
    fn parse(source: &str, at: usize) -> Option<Self> {
        let mut scanner = Scanner::new(source, at);
        if scanner.next()?.text != "await" || scanner.next()?.text != "(" {
            return None;
        }
        let mut expression = None;
        let mut previous = "";
        let head_end = scanner.skip_to_close(|token: &Token<'_>, depth| {
            let is_binding = matches!(previous, "const" | "let" | "var");
            if depth == 0 && token.text == "of" && expression.is_none() && !is_binding {
                expression = Some(token.end);
            }
            previous = token.text;
        })?;
        let (expression, first) = (expression?, scanner.next()?);
        if first.text != "{" {
            let (body, body_end) = (head_end + 1, statement_end(source, head_end + 1)?);
            return Some(Self { expression, head_end, body, body_end, is_block: false });
        }
        let body_end = scanner.skip_to_close(|_, _| {})?;
        Some(Self { expression, head_end, body: first.end, body_end, is_block: true })
    }

    fn insert(&self, number: usize, insertions: &mut Vec<(usize, String)>) {
        let name = format!("__forAwait{number}");
        insertions.push((self.expression, format!(" {name} = __forAwait.open(")));
        insertions.push((self.head_end, ")".to_owned()));
        let (open, close) = if self.is_block { ("", "") } else { (" {", " }") };
        insertions.push((self.body, format!("{open} var {name}; try {{")));
        let catch = format!(
            "}} catch (__error) {{ if ({name} = __forAwait.close({name})) \
             try {{ await {name}.result; }} catch {{}} throw __error; }}{close}"
        );
        insertions.push((self.body_end, catch));
    }
}

/// The end of the simple statement at `at`: after its semicolon, or before the brace that closes the
/// block around it. `None` if a line break may end it, or if it contains statements.
fn statement_end(source: &str, at: usize) -> Option<usize> {
    let mut scanner = Scanner::new(source, at);
    let mut end = None;
    while let Some(token) = scanner.next() {
        let start = token.end - token.text.len();
        let has_break = end.is_some_and(|end: usize| source[end..start].contains('\n'));
        match token.text {
            "}" => return Some(start),
            _ if has_break || (end.is_none() && COMPOUND.contains(&token.text)) => return None,
            ";" => return Some(token.end),
            "(" | "[" | "{" => end = Some(scanner.skip_to_close(|_, _| {})? + 1),
            _ => end = Some(token.end),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::rewrite;

    /// The loop with the inserted text shortened.
    fn shortened(source: &str) -> String {
        let text = rewrite(source).into_owned();
        let catch =
            text.find("} catch (__error)").map(|at| (at, text[at..].find("throw __error; }")));
        match catch {
            Some((at, Some(length))) => {
                format!("{}}}CATCH{}", &text[..at], &text[at + length + 16..])
            }
            _ => text,
        }
    }

    #[test]
    fn the_body_of_a_loop_is_guarded() {
        assert_eq!(
            shortened("for await (const x of f(a)) { g(x); } h();"),
            "for await (const x of __forAwait1 = __forAwait.open( f(a))) \
             { var __forAwait1; try { g(x); }CATCH} h();"
        );
    }

    #[test]
    fn strings_comments_and_regular_expressions_do_not_end_a_body() {
        let body = r#"/* } */ "}" + '\'}' + `}${ {a: `}`} }` + (x / 2) /* / */ + /[/}]}/.test(y); // }
"#;
        let text = shortened(&format!("for await (const x of y) {{{body}}} after()"));
        assert!(text.ends_with(&format!("try {{{body}}}CATCH}} after()")), "{text}");
    }

    #[test]
    fn nested_loops_are_rewritten_separately() {
        let text = rewrite("for await (a of b) { for await (c of d) { e } }").into_owned();
        assert!(text.contains("__forAwait1 = __forAwait.open( b)"), "{text}");
        assert!(text.contains("__forAwait2 = __forAwait.open( d)"), "{text}");
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }

    #[test]
    fn a_body_of_one_statement_becomes_a_block() {
        assert_eq!(
            shortened("for await (a of b) f(a,\n{ c: d }); e();"),
            "for await (a of __forAwait1 = __forAwait.open( b)) { var __forAwait1; try { f(a,\n{ c: d });}CATCH } e();"
        );
        assert!(shortened("{ for await (a of b) throw a }").ends_with("try { throw a }CATCH }}"));
    }

    #[test]
    fn other_text_is_unchanged() {
        for source in [
            "for (const x of y) {}",
            "'for await (x of y) {}'",
            "// for await (x of y) {}",
            "for await (const x of y) f(x)\ng();",
            "for await (const x of y) if (x) f(x);",
            "for await (const x of y) { unbalanced",
        ] {
            assert_eq!(rewrite(source), source);
        }
    }
}
