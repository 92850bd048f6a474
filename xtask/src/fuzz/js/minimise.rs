//! Shrinks a program as long as node and mauve differ on it.

use super::program::{Block, Program};

/// Returns the smallest program found for which `differs` is true.
pub fn minimise(
    mut program: Program,
    mut differs: impl FnMut(&Program) -> Result<bool, String>,
) -> Result<Program, String> {
    'again: loop {
        for candidate in candidates(&program) {
            if differs(&candidate)? {
                program = candidate;
                continue 'again;
            }
        }
        return Ok(program);
    }
}

/// All programs that are one step smaller: without a listener, without a statement, or with the
/// blocks of a statement instead of it.
fn candidates(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    for index in 0..program.listeners.len() {
        let mut smaller = program.clone();
        smaller.listeners.remove(index);
        found.push(smaller);
        for block in smaller_blocks(&program.listeners[index].1) {
            let mut smaller = program.clone();
            smaller.listeners[index].1 = block;
            found.push(smaller);
        }
    }
    let blocks = smaller_blocks(&program.main);
    found.extend(blocks.into_iter().map(|main| Program { main, ..program.clone() }));
    found
}

fn smaller_blocks(block: &Block) -> Vec<Block> {
    let mut found = Vec::new();
    for index in 0..block.len() {
        let mut without = block.clone();
        let statement = without.remove(index);
        found.push(without.clone());
        for (at, inner) in statement.blocks.iter().enumerate() {
            if !inner.is_empty() {
                let mut replaced = without.clone();
                replaced.splice(index..index, inner.iter().cloned());
                found.push(replaced);
            }
            for smaller in smaller_blocks(inner) {
                let mut nested = block.clone();
                nested[index].blocks[at] = smaller;
                found.push(nested);
            }
        }
        if statement.number > 0 && statement.verb.text.contains('#') {
            let mut lower = block.clone();
            lower[index].number -= 1;
            found.push(lower);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::generate;
    use super::minimise;

    #[test]
    fn the_smallest_program_keeps_only_what_makes_the_difference() {
        let has_tick = |text: &str| text.contains("process.nextTick(() =>");
        let seed = (0..).find(|seed| has_tick(&generate::program(*seed).to_string()));
        let program = generate::program(seed.expect("a program with a tick"));
        let smallest = minimise(program, |program| Ok(has_tick(&program.to_string())));
        let smallest = smallest.expect("no error");
        assert_eq!(smallest.main.len() + smallest.listeners.len(), 1);
    }
}
