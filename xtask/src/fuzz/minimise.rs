//! Shrinks a script as long as the libraries differ on it.

use super::compare::{Difference, Verdict, compare};
use super::run::Runner;
use super::script::{Arg, Script};

/// Returns the smallest script found, and its traces.
pub fn minimise(
    runner: &Runner,
    mut script: Script,
    mut difference: Difference,
) -> Result<(Script, Difference), String> {
    loop {
        let before = (script.clone(), script.len());
        let mut attempt = |candidate: Script| -> Result<Option<Script>, String> {
            match compare(runner, &candidate)? {
                Verdict::Different(found) => {
                    difference = found;
                    Ok(Some(candidate))
                }
                _ => Ok(None),
            }
        };
        for routine in 0..script.routines.len() {
            script = fewer_ops(script, routine, &mut attempt)?;
        }
        script = smaller_numbers(script, &mut attempt)?;
        if (script.clone(), script.len()) == before {
            return Ok((script, difference));
        }
    }
}

type Attempt<'a> = dyn FnMut(Script) -> Result<Option<Script>, String> + 'a;

/// Removes runs of operations: first halves of the routine, finally single operations.
fn fewer_ops(mut script: Script, routine: usize, attempt: &mut Attempt) -> Result<Script, String> {
    let mut size = script.routines[routine].ops.len();
    while size > 0 {
        let mut at = 0;
        while at < script.routines[routine].ops.len() {
            let mut candidate = script.clone();
            let ops = &mut candidate.routines[routine].ops;
            ops.drain(at..(at + size).min(ops.len()));
            match attempt(candidate)? {
                Some(smaller) => script = smaller,
                None => at += size,
            }
        }
        size /= 2;
    }
    Ok(script)
}

/// Lowers fuel and arguments: numbers, loops and routines. Handles keep their kind.
fn smaller_numbers(mut script: Script, attempt: &mut Attempt) -> Result<Script, String> {
    for routine in 0..script.routines.len() {
        while script.routines[routine].fuel > usize::from(routine == 0) {
            let mut candidate = script.clone();
            candidate.routines[routine].fuel -= 1;
            let Some(smaller) = attempt(candidate)? else { break };
            script = smaller;
        }
        for op in 0..script.routines[routine].ops.len() {
            for arg in 0..script.routines[routine].ops[op].args.len() {
                let mut candidate = script.clone();
                let arg = &mut candidate.routines[routine].ops[op].args[arg];
                *arg = match *arg {
                    Arg::Loop(n) if n > 0 => Arg::Loop(0),
                    Arg::Routine(n) if n > 0 => Arg::Routine(0),
                    Arg::Number(n) if n > 0 => Arg::Number(n - 1),
                    _ => continue,
                };
                if let Some(smaller) = attempt(candidate)? {
                    script = smaller;
                }
            }
        }
    }
    Ok(script)
}
