//! `Math.random` with a seed, for `mauve sim --random`.

use std::cell::Cell;

use rquickjs::prelude::Func;
use rquickjs::{Context, Object, Result};

/// Replaces `Math.random`, so that its numbers depend on `seed` only.
pub fn seed(context: &Context, seed: u64) -> Result<()> {
    let state = Cell::new(seed);
    let random = move || {
        let (next, number) = step(state.get());
        state.set(next);
        // 53 bits, which a number has exactly.
        (number >> 11) as f64 / (1u64 << 53) as f64
    };
    context
        .with(|ctx| ctx.globals().get::<_, Object<'_>>("Math")?.set("random", Func::from(random)))
}

/// The generator SplitMix64: the next state, and a number.
fn step(state: u64) -> (u64, u64) {
    let next = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (next ^ (next >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (next, z ^ (z >> 31))
}
