//! Crates of the ecosystem on mauve's event loop.
//!
//! `tests/` has one test for each row of the table in the documentation of mauve. [`quinn`] has what
//! QUIC needs, to be copied into a program.

pub mod quinn;
