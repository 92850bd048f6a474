//! Generates the script of a seed.

use super::random::Random;
use super::script::{Arg, Op, Routine, Script};
use super::verbs::{AREAS, Area, KINDS, Kind, Param, VERBS, Verb};

const SLOTS: usize = 12;
const LOOPS: usize = 3;

/// Builds one script.
struct Generator {
    random: Random,
    verbs: Vec<&'static Verb>,
    /// The kind of each handle, for the whole script.
    kinds: Vec<&'static Kind>,
    loops: usize,
    routines: usize,
    /// The first operations of certain routines.
    first: Vec<(usize, Op)>,
}

/// The script of `seed`. It uses only `areas`, or areas that the seed selects if there are none.
pub fn script(seed: u64, areas: &[Area]) -> Script {
    let mut random = Random::new(seed);
    let chosen = if areas.is_empty() { choose(&mut random) } else { areas.to_vec() };
    let available: Vec<_> = chosen.iter().flat_map(|area| kinds_of(area)).collect();
    let kinds = (0..random.between(2, SLOTS)).map(|_| *random.pick(&available)).collect();
    let verbs = VERBS.iter();
    let verbs =
        verbs.filter(|verb| verb.areas.iter().any(|area| *area == "loop" || chosen.contains(area)));
    let loops = if random.chance(50) { 1 } else { random.between(1, LOOPS) };
    let routines = random.between(1, 10);
    Generator { verbs: verbs.collect(), random, kinds, loops, routines, first: Vec::new() }.script()
}

/// The kinds of handles of an area.
fn kinds_of(area: Area) -> impl Iterator<Item = &'static Kind> {
    KINDS.iter().filter(move |kind| kind.areas.contains(&area))
}

/// Selects one to three areas with handles, and sometimes threads, forks, nested runs and embedding.
fn choose(random: &mut Random) -> Vec<Area> {
    let with_handles: Vec<Area> =
        AREAS.iter().copied().filter(|area| kinds_of(area).next().is_some()).collect();
    let mut chosen: Vec<Area> =
        (0..random.between(1, 3)).map(|_| *random.pick(&with_handles)).collect();
    let others = [("thread", 15), ("fork", 15), ("nested", 15), ("embed", 15), ("jump", 10)];
    for (area, percent) in others {
        if random.chance(percent) {
            chosen.push(area);
        }
    }
    chosen
}

impl Generator {
    fn script(mut self) -> Script {
        let mut routines = vec![Routine { fuel: 1, ops: self.program() }];
        for number in 1..=self.routines {
            let fuel = self.random.between(1, 3);
            let first = self.first.iter().filter(|(routine, _)| *routine == number);
            let mut ops: Vec<Op> = first.map(|(_, op)| op.clone()).collect();
            for _ in 0..self.random.between(0, 4) {
                ops.extend(self.op());
            }
            routines.push(Routine { fuel, ops });
        }
        Script { routines }
    }

    /// Routine 0: initialises most handles, then alternates between operations and `uv_run`.
    fn program(&mut self) -> Vec<Op> {
        let mut ops = Vec::new();
        for slot in 0..self.kinds.len() {
            if self.random.chance(90) {
                ops.push(self.init(slot));
            }
        }
        self.connect_some(&mut ops);
        for _ in 0..self.random.between(1, 3) {
            for _ in 0..self.random.between(2, 16) {
                ops.extend(self.op());
            }
            let arg = self.arg(&Param::Loop).expect("a loop");
            let mode = if self.random.chance(60) { 0 } else { self.random.between(1, 2) };
            ops.push(Op { verb: "run", args: vec![arg, Arg::Number(mode)] });
        }
        ops
    }

    /// Connects some streams with each other, which random operations rarely do.
    fn connect_some(&mut self, ops: &mut Vec<Op>) {
        let of = |kinds: &[&Kind], kind| -> Vec<usize> {
            (0..kinds.len()).filter(|slot| kinds[*slot].name == kind).collect()
        };
        let handles = |slots: &[usize]| slots.iter().map(|slot| Arg::Handle(*slot)).collect();
        for pair in of(&self.kinds, "pipe").chunks_exact(2) {
            if self.random.chance(60) {
                ops.push(Op { verb: "pair", args: handles(pair) });
            }
        }
        for kind in ["tcp", "pipe"] {
            for three in of(&self.kinds, kind).rchunks_exact(3) {
                if self.random.chance(30) {
                    continue;
                }
                let (accept, connect) =
                    (self.random.between(1, self.routines), self.random.between(0, self.routines));
                let mut args: Vec<Arg> = handles(&three[..1]);
                args.push(Arg::Routine(accept));
                ops.push(Op { verb: "listen", args });
                self.first.push((accept, Op { verb: "accept", args: handles(&three[..2]) }));
                let mut args: Vec<Arg> = handles(&[three[2], three[0]]);
                args.push(Arg::Routine(connect));
                ops.push(Op { verb: "connect", args });
            }
        }
    }

    fn init(&mut self, slot: usize) -> Op {
        let kind = self.kinds[slot];
        let of = if self.random.chance(60) { 0 } else { self.random.below(self.loops) };
        let more = kind.params.iter().map(|param| self.arg(param).expect("no handle is needed"));
        let args = [Arg::Handle(slot), Arg::Loop(of)].into_iter().chain(more).collect();
        Op { verb: kind.init, args }
    }

    /// A random operation, or `None` if the script has no handle of its kind.
    fn op(&mut self) -> Option<Op> {
        if self.random.chance(10) {
            let slot = self.random.below(self.kinds.len());
            return Some(self.init(slot));
        }
        let verb = *self.random.pick_weighted(&self.verbs, |verb| verb.weight);
        let args = verb.params.iter().map(|param| self.arg(param)).collect::<Option<_>>()?;
        Some(Op { verb: verb.name, args })
    }

    fn arg(&mut self, param: &Param) -> Option<Arg> {
        Some(match param {
            Param::Any => Arg::Handle(self.random.below(self.kinds.len())),
            Param::Of(kinds) => {
                let fitting: Vec<usize> = (0..self.kinds.len())
                    .filter(|slot| kinds.contains(&self.kinds[*slot].name))
                    .collect();
                if fitting.is_empty() {
                    return None;
                }
                Arg::Handle(*self.random.pick(&fitting))
            }
            Param::Loop if self.random.chance(60) => Arg::Loop(0),
            Param::Loop => Arg::Loop(self.random.below(self.loops)),
            Param::Routine => Arg::Routine(self.random.between(0, self.routines)),
            Param::Number(limit) => Arg::Number(self.random.between(0, *limit)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_generates_the_same_script() {
        assert_eq!(script(7, &[]), script(7, &[]));
        assert_ne!(script(7, &[]), script(8, &[]));
    }

    #[test]
    fn every_operation_is_generated() {
        let scripts: Vec<Script> = (0..500).map(|seed| script(seed, AREAS)).collect();
        for verb in &*VERBS {
            let found = scripts.iter().flat_map(|script| &script.routines);
            let mut ops = found.flat_map(|routine| &routine.ops);
            assert!(ops.any(|op| op.verb == verb.name), "{} never occurs", verb.name);
        }
    }
}
