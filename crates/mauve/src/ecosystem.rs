#![doc = include_str!("ecosystem.md")]

#[allow(unused_imports)] // Of the links.
use crate::{LoopHandle, ThreadBound, spawn_blocking};
