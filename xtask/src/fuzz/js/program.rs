//! A JavaScript program as a tree of statements, and its text.

use std::fmt;

/// A statement. The statements of its blocks run later, in callbacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub verb: &'static Verb,
    /// A duration in milliseconds, a number of repetitions or an exit code.
    pub number: usize,
    /// The index of a timer or immediate.
    pub handle: usize,
    pub blocks: Vec<Block>,
}

pub type Block = Vec<Statement>;

/// A row of [`VERBS`](super::verbs::VERBS).
#[derive(Debug, PartialEq, Eq)]
pub struct Verb {
    pub weight: usize,
    pub text: &'static str,
}

impl Verb {
    pub fn blocks(&self) -> usize {
        self.text.matches('@').count()
    }

    /// Whether no statement of the same block runs after it.
    pub fn is_last(&self) -> bool {
        self.text.starts_with("throw") || self.text.starts_with("process.exit(")
    }
}

/// A random program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub main: Block,
    /// Listeners of the process, whose blocks run in the first two calls.
    pub listeners: Vec<(&'static str, Block)>,
}

/// Helpers of all programs.
const PRELUDE: &str = include_str!("../../../fuzz/js/prelude.js.in");

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = Writer { text: PRELUDE.to_owned(), names: 0 };
        for (event, block) in &self.listeners {
            let event = format!("process.on('{event}', (e) => {{ log('{event}', text(e)); ");
            writer.text += "{ let calls = 0; ";
            writer.text += &event;
            writer.text += "if (calls++ > 1) return;\n";
            writer.block(block, 1);
            writer.text += "}); }\n";
        }
        writer.block(&self.main, 0);
        f.write_str(&writer.text)
    }
}

struct Writer {
    text: String,
    names: usize,
}

impl Writer {
    fn block(&mut self, block: &Block, depth: usize) {
        for statement in block {
            self.text += &"  ".repeat(depth);
            self.statement(statement, depth);
            self.text.push('\n');
        }
    }

    fn statement(&mut self, statement: &Statement, depth: usize) {
        self.names += 1;
        let name = format!("'{}'", self.names);
        let mut letters = statement.verb.text.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '@' => {
                    let index = letters.next().and_then(|digit| digit.to_digit(10));
                    let block = &statement.blocks[index.expect("a digit follows @") as usize];
                    self.text += &format!("log({name});\n");
                    self.block(block, depth + 1);
                    self.text += &"  ".repeat(depth);
                }
                '#' => self.text += &statement.number.to_string(),
                '$' => self.text += &format!("h[{}]", statement.handle),
                '%' => self.text += &name,
                other => self.text.push(other),
            }
        }
    }
}
