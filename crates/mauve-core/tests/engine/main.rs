//! The engine, driven by a clock and events that the tests make up: nothing here sleeps.
//!
//! * [`fake`]: a driver whose system the test moves.
//! * [`real`] and [`model`]: the engine, and a simple loop with callbacks that says what it
//!   should do. [`random`] has both play the same scripts.
//! * [`files`]: file operations that the loop attempts, and that nothing can tell them from plain ones.
//! * [`corks`]: corked writes, and that nothing can tell them from plain ones.
//! * The rest: single rules, by the part of the engine they are about.

mod asyncs;
mod corks;
mod fake;
mod files;
mod harness;
mod hooks;
mod model;
mod nested;
mod polls;
mod random;
mod real;
mod runs;
mod script;
mod streams;
mod timers;
mod why;
mod works;
