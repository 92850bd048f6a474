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

/// A kind of statement.
#[derive(Debug, PartialEq, Eq)]
pub struct Verb {
    /// How often it is generated, relative to the others.
    pub weight: usize,
    /// The text. `@0` and `@1` stand for blocks, `#` for the number, `$` for the handle, and `%` for
    /// a name that is unique in the program.
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
const PRELUDE: &str = "'use strict';
const fs = require('fs');
const net = require('net');
const timers = require('timers/promises');
const { AsyncLocalStorage, AsyncResource } = require('async_hooks');
const { spawn } = require('child_process');
const { once, on, EventEmitter } = require('events');
const { createServer, get } = require('http');
const { finished, pipeline, PassThrough, Readable, Transform, Writable } = require('stream');
const storage = new AsyncLocalStorage();
const { DELAY = 0, SCALE = 1 } = process.env;
const h = [];
let lines = 0;
fs.stat('/', () => {}); // Starts the threads of the pool, which takes different times.
function log(...args) {
  if (++lines > 300) process.kill(process.pid, 'SIGKILL'); // The program may not end by itself.
  delay();
  fs.writeSync(1, `${args.concat(storage.getStore() ?? []).join(' ')}\\n`);
}
function ms(duration) {
  delay();
  return duration > 1 ? duration * SCALE : duration;
}
function delay() {
  if (DELAY > 0) spin(DELAY * (lines * 7919 % 500));
}
const text = (e) => e instanceof Error ? e.message : e;
function spin(us) { for (const end = performance.now() + us / 1000; performance.now() < end;); }
function busy(ms) { for (const end = Date.now() + ms; Date.now() < end;); }
function iterator(name, count) {
  return {
    [Symbol.asyncIterator]() { return this; },
    async next() { log(name, 'next'); return { done: count-- === 0, value: count }; },
    async return() { log(name, 'return'); await null; log(name, 'returned'); return {}; },
  };
}
async function* generator(name, count) {
  try { while (count-- > 0) { log(name, 'yield'); yield count; } } finally { await null; log(name, 'finally'); }
}
async function* delegate(name) { yield* iterator(name, 2); yield* generator(name, 1); }
class Later extends Promise {
  then(...args) { log('then'); return super.then(...args); }
}
const source = (name, count) => new Readable({
  read() { log(name, 'read'); this.push(count-- > 0 ? 'data' : null); },
  destroy(e, done) { log(name, 'destroy'); done(e); },
}).on('close', () => log(name, 'closed'));
const middle = (name) => new Transform({
  transform(chunk, _, done) { log(name, 'transform'); done(null, chunk); },
  flush(done) { log(name, 'flush'); setImmediate(done); },
});
const sink = (name, isLate) => new Writable({
  write(chunk, _, done) { log(name, 'write', chunk); isLate ? process.nextTick(done) : done(); },
  final(done) { log(name, 'final'); done(); },
});
function http(name, request, response) {
  const server = createServer((req, res) => { request(); res.end(name); server.close(); });
  const path = `${__filename}.${name}`;
  server.listen(path, () => get({ socketPath: path, agent: false }, (res) => {
    res.on('data', () => log(name, 'body')).on('end', response).on('close', () => log(name, 'close'));
  }));
}
function pipe(name, callback) {
  const path = `${__filename}.${name}`;
  const server = net.createServer((peer) => { log(name, 'accepted'); peer.end('data'); server.close(); });
  server.listen(path, () => net.connect(path, callback)
    .on('data', (data) => log(name, data)).on('end', () => log(name, 'end')).on('close', () => log(name, 'close')));
}
";

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
