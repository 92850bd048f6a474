//! Starting a child with `fork`.

pub(crate) use crate::process::spawn::fork as start;
