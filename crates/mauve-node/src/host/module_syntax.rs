//! Decides from the text of a script whether it is an ES module. Node does so for `.js` files whose
//! package does not say what they are.

use super::scan::{Scanner, Token};

/// What the text of a script shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModuleSyntax {
    None,
    /// `import`, `export` or `import.meta`.
    Certain,
    /// An `await` that seems to be outside of functions. It may also be a variable.
    Await,
}

/// A bracket that is open.
#[derive(Clone, Copy, Default)]
struct Open {
    is_function: bool,
    /// Whether an arrow function without braces has started in it.
    has_arrow: bool,
}

/// Keywords whose parentheses are followed by a block, not by the body of a function.
const BEFORE_BLOCK: &[&str] = &["if", "for", "while", "switch", "catch", "with", "await"];

pub(crate) fn module_syntax(source: &str) -> ModuleSyntax {
    scan(source, false)
}

/// Whether an ES module seems to wait for a promise outside of functions.
pub(crate) fn has_top_level_await(source: &str) -> bool {
    scan(source, true) == ModuleSyntax::Await
}

/// Looks only for `await` if the text is known to be a module.
fn scan(source: &str, is_module: bool) -> ModuleSyntax {
    let mut found = ModuleSyntax::None;
    let mut open = vec![Open::default()];
    // Whether each open parenthesis, and the one just closed, belongs to a keyword before a block.
    let (mut before_block, mut after_condition) = (Vec::new(), false);
    let (mut last, mut before_last) = ("", "");
    let mut tokens = Scanner::script(source).peekable();
    while let Some(Token { text, .. }) = tokens.next() {
        let next = tokens.peek().map_or("", |token| token.text);
        let is_arrow = before_last == "=" && last == ">";
        let within = open.last().copied().unwrap_or_default();
        match text {
            "(" => {
                before_block.push(BEFORE_BLOCK.contains(&last));
                open.push(Open {
                    is_function: within.is_function || within.has_arrow,
                    ..Open::default()
                });
            }
            "{" | "[" => {
                let is_body = is_arrow || (text == "{" && last == ")" && !after_condition);
                if is_arrow && text == "{" {
                    // The arrow function ends with its body.
                    if let Some(around) = open.last_mut() {
                        around.has_arrow = false;
                    }
                }
                let has_arrow = within.has_arrow && !(is_arrow && text == "{");
                open.push(Open {
                    is_function: within.is_function || has_arrow || is_body,
                    ..Open::default()
                });
            }
            ")" | "]" | "}" => {
                if open.len() > 1 {
                    open.pop();
                }
                if text == ")" {
                    after_condition = before_block.pop().unwrap_or(false);
                }
            }
            "," | ";" => {
                if let Some(around) = open.last_mut() {
                    around.has_arrow = false;
                }
            }
            ">" if last == "=" => {
                if let Some(around) = open.last_mut() {
                    around.has_arrow = true;
                }
            }
            "import" | "export" if is_module => {}
            "import" if last != "." && next == "." => return ModuleSyntax::Certain,
            "import" if last != "." && open.len() == 1 && next != "(" && next != ":" => {
                return ModuleSyntax::Certain;
            }
            "export" if last != "." && open.len() == 1 && next != ":" => {
                return ModuleSyntax::Certain;
            }
            "await" if last != "." && next != ":" && !within.is_function && !within.has_arrow => {
                found = ModuleSyntax::Await;
            }
            _ => {}
        }
        (before_last, last) = (last, text);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::ModuleSyntax::{Await, Certain, None};
    use super::{has_top_level_await, module_syntax};

    #[test]
    fn statements_of_modules_are_found() {
        for source in [
            "import fs from 'fs';",
            "#!/usr/bin/env node\nimport 'x'",
            "const a = 1\nexport { a }",
            "export default function () {}",
            "f(() => { import.meta.url })",
            "if (x) /'/.test(y); import { a } from 'b'",
        ] {
            assert_eq!(module_syntax(source), Certain, "{source}");
        }
    }

    #[test]
    fn an_await_outside_of_functions_is_found() {
        for source in [
            "const x = await f();",
            "for (const a of b) { await a; }",
            "if (await x) { y }",
            "for await (const a of b) {}",
            "const f = async () => { await x; }; await f()",
            "const f = async () => await x; await f()",
            "try { await x } catch (error) { await y }",
            "const a = { b: await c }",
        ] {
            assert_eq!(module_syntax(source), Await, "{source}");
        }
    }

    #[test]
    fn an_await_of_a_module_is_found_beside_its_imports() {
        assert!(has_top_level_await("import a from 'a'; export const b = await a();"));
        assert!(!has_top_level_await("export async function f() { await 1; } import a from 'a';"));
    }

    #[test]
    fn scripts_have_neither() {
        for source in [
            "",
            "require('x'); exports.a = 1;",
            "import('x').then(f)",
            "x.import = 1; x.export(); ({ import: 1, export: 2 })",
            "async function f() { if (a) { await b; } }",
            "const o = { async f() { await x }, g: async () => await y };",
            "class C { async m(a = {}) { for (;;) { await a } } }",
            "list.map(async (a) => { await a; }); list.map(async (a) => [await a, { b: await c }]);",
            "'import x'; // export x\n/* await x */ `await ${y}`",
            "a.await; ({ await: 1 })",
        ] {
            assert_eq!(module_syntax(source), None, "{source}");
        }
    }
}
