//! Generates a program from a seed.

use super::super::random::Random;
use super::program::{Block, Program, Statement, Verb};
use super::verbs::{EVENTS, NUMBERS, VERBS};

/// The largest number of statements around another one.
const DEPTH: usize = 5;

/// The number of timers and immediates with a name.
const HANDLES: usize = 4;

pub fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let size = random.between(4, 24);
    let mut generator = Generator { random, left: size };
    let listeners = EVENTS
        .iter()
        .filter(|(_, percent)| generator.random.chance(*percent))
        .copied()
        .collect::<Vec<_>>();
    let mut main = Block::new();
    let listeners = listeners
        .into_iter()
        .map(|(event, _)| {
            let size = generator.random.below(3);
            (event, generator.block(size, 2))
        })
        .collect();
    while generator.left > 0 {
        let count = generator.random.between(1, 4);
        main.extend(generator.block(count, 0));
    }
    Program { main, listeners }
}

struct Generator {
    random: Random,
    /// The number of statements that are still generated.
    left: usize,
}

impl Generator {
    fn block(&mut self, size: usize, depth: usize) -> Block {
        let mut block = Block::new();
        for _ in 0..size.min(self.left) {
            let verb = self.random.pick_weighted(&VERBS, |verb| verb.weight);
            // The main block goes on, so that programs do not end at once.
            if verb.is_last() && depth == 0 {
                continue;
            }
            self.left = self.left.saturating_sub(1);
            block.push(self.statement(verb, depth));
            if verb.is_last() {
                break;
            }
        }
        block
    }

    fn statement(&mut self, verb: &'static Verb, depth: usize) -> Statement {
        let number = *self.random.pick(NUMBERS);
        let handle = self.random.below(HANDLES);
        let blocks = (0..verb.blocks())
            .map(|_| {
                let size = if depth < DEPTH { self.random.below(4) } else { 0 };
                self.block(size, depth + 1)
            })
            .collect();
        Statement { verb, number, handle, blocks }
    }
}

#[cfg(test)]
mod tests {
    use super::program;

    #[test]
    fn a_seed_always_generates_the_same_program() {
        assert_eq!(program(3), program(3));
        assert_ne!(program(3).to_string(), program(4).to_string());
    }
}
