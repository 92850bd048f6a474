//! Scripts: routines of operations, in the syntax of the interpreter.

use std::fmt;

/// One operation: a verb of the interpreter and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    pub verb: &'static str,
    pub args: Vec<Arg>,
}

/// The type of an argument, and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg {
    Handle(usize),
    Loop(usize),
    Routine(usize),
    Number(usize),
}

/// A sequence of operations. It runs at most `fuel` times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Routine {
    pub fuel: usize,
    pub ops: Vec<Op>,
}

/// Routine 0 is the main program. Callbacks call the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    pub routines: Vec<Routine>,
}

impl Script {
    /// The number of operations.
    pub fn len(&self) -> usize {
        self.routines.iter().map(|routine| routine.ops.len()).sum()
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.verb)?;
        self.args.iter().try_for_each(|arg| match arg {
            Arg::Handle(n) => write!(f, " h{n}"),
            Arg::Loop(n) => write!(f, " l{n}"),
            Arg::Routine(n) => write!(f, " r{n}"),
            Arg::Number(n) => write!(f, " {n}"),
        })
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, routine) in self.routines.iter().enumerate() {
            if number > 0 && routine.ops.is_empty() && routine.fuel == 0 {
                continue;
            }
            writeln!(f, "routine r{number} fuel {}", routine.fuel)?;
            for op in &routine.ops {
                writeln!(f, "  {op}")?;
            }
        }
        Ok(())
    }
}
