//! Compression for `node:zlib`. A stream of JavaScript has a codec, whose steps run on the thread pool.
//!
//! JavaScript has checked the options. A step takes the input that is left, and fills one buffer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rquickjs::convert::List;
use rquickjs::{Array, Ctx, IntoJs, Object, Result, Value};

use super::define;
use super::pool_request::PoolRequest;
use crate::host::views::{self, Bytes};

mod brotli;
mod deflate;

/// The number of bytes by which the output of a step grows.
const OUTPUT_STEP: usize = 16 << 10;

/// Creates the codec of a mode, a number of `zlib.constants`. The rest is a list of numbers that the mode
/// needs, and the dictionary of DEFLATE.
pub(super) fn fill<'js>(object: &Object<'js>) -> Result<()> {
    define(
        object,
        "create",
        |ctx: Ctx<'js>, mode: u8, settings: Vec<f64>, dictionary: Option<Bytes>| {
            let settings: Vec<i32> = settings.into_iter().map(|value| value as i32).collect();
            let codec: Option<Box<dyn Codec>> = match mode {
                BROTLI_DECODE => Some(Box::new(brotli::Decoder::new())),
                BROTLI_ENCODE => brotli::Encoder::new(&settings)
                    .map(|encoder| -> Box<dyn Codec> { Box::new(encoder) }),
                _ => deflate::create(mode, &settings, dictionary.map(|bytes| bytes.0)),
            };
            codec.map(|codec| codec_object(ctx, codec)).transpose()
        },
    )?;
    define(object, "crc32", |data: Bytes, start: f64| {
        f64::from(zlib_rs::crc32::crc32(start as u32, &data.0))
    })
}

const BROTLI_DECODE: u8 = 8;
const BROTLI_ENCODE: u8 = 9;

/// A state of compression or decompression.
trait Codec: Send {
    /// Takes input and appends output until one of them is used up.
    fn step(&mut self, input: &[u8], output: &mut [u8], flush: u8) -> Progress;

    fn reset(&mut self);

    /// Changes the level and the strategy. Only DEFLATE has them.
    fn set_params(&mut self, _level: i32, _strategy: i32) {}
}

/// What a step has used.
struct Progress {
    taken: usize,
    written: usize,
    failure: Option<Failure>,
}

/// An error: the number and the name of its code, and the message.
struct Failure {
    errno: i32,
    code: String,
    message: String,
}

impl Failure {
    fn new(errno: i32, code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { errno, code: code.into(), message: message.into() }
    }

    /// The input ends before the stream does.
    fn end_of_file() -> Self {
        Self::new(-5, "Z_BUF_ERROR", "unexpected end of file")
    }
}

/// A codec and the input that it has not taken.
struct State {
    codec: Box<dyn Codec>,
    input: Vec<u8>,
    taken: usize,
}

impl State {
    /// Produces at most `limit` bytes.
    fn write(&mut self, chunk: Option<Vec<u8>>, flush: u8, limit: usize) -> Written {
        if let Some(chunk) = chunk {
            (self.input, self.taken) = (chunk, 0);
        }
        let mut output = Vec::new();
        loop {
            let start = output.len();
            output.resize(limit.min(start + OUTPUT_STEP.max(start)), 0);
            let input = &self.input[self.taken..];
            let progress = self.codec.step(input, &mut output[start..], flush);
            self.taken += progress.taken;
            let is_full = start + progress.written == output.len();
            output.truncate(start + progress.written);
            if !is_full || output.len() == limit || progress.failure.is_some() {
                let left = self.input.len() - self.taken;
                return Written { output, left, is_full, failure: progress.failure };
            }
        }
    }
}

/// The result of a write: the output, the number of bytes of input that are left, whether the output has the size
/// of the limit, and the error.
struct Written {
    output: Vec<u8>,
    left: usize,
    is_full: bool,
    failure: Option<Failure>,
}

impl<'js> IntoJs<'js> for Written {
    fn into_js(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        let list = Array::new(ctx.clone())?;
        list.set(0, views::array(ctx, self.output)?)?;
        list.set(1, self.left as f64)?;
        list.set(2, self.is_full)?;
        if let Some(Failure { errno, code, message }) = self.failure {
            list.set(3, List((errno, code, message)))?;
        }
        Ok(list.into_value())
    }
}

/// Creates an object whose functions share a codec. A codec has at most one step at a time, because JavaScript waits
/// for its callback.
fn codec_object<'js>(ctx: Ctx<'js>, codec: Box<dyn Codec>) -> Result<Object<'js>> {
    let object = Object::new(ctx)?;
    let state = Arc::new(Mutex::new(State { codec, input: Vec::new(), taken: 0 }));
    let with = state.clone();
    define(
        &object,
        "write",
        move |flush: u8, chunk: Option<Bytes>, limit: f64, request: PoolRequest<'js>| {
            let state = with.clone();
            let chunk = chunk.map(|chunk| chunk.0);
            request.run(move || Ok(lock(&state).write(chunk, flush, limit as usize)))
        },
    )?;
    let with = state.clone();
    define(&object, "reset", move || lock(&with).codec.reset())?;
    define(&object, "setParams", move |level: i32, strategy: i32| {
        lock(&state).codec.set_params(level, strategy);
    })?;
    Ok(object)
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINISH: u8 = 4;

    fn state(mode: u8, settings: &[i32]) -> State {
        let codec = match mode {
            BROTLI_DECODE => Box::new(brotli::Decoder::new()) as Box<dyn Codec>,
            BROTLI_ENCODE => Box::new(brotli::Encoder::new(settings).expect("valid parameters")),
            _ => deflate::create(mode, settings, None).expect("a mode of DEFLATE"),
        };
        State { codec, input: Vec::new(), taken: 0 }
    }

    #[test]
    fn every_format_is_reversible_in_buffers_of_any_size() {
        let text: Vec<u8> = (0..100_000_u32).map(|value| (value / 7 % 251) as u8).collect();
        for (compress, decompress, finish) in
            [(1, 2, 4), (3, 4, 4), (5, 6, 4), (3, 7, 4), (9, 8, 2)]
        {
            let settings: &[i32] = if compress == 9 { &[1, 5] } else { &[6, 15, 8, 0] };
            for limit in [1, 100, usize::MAX] {
                let mut packed = Vec::new();
                let mut compressor = state(compress, settings);
                let mut written = compressor.write(Some(text.clone()), finish, limit);
                packed.append(&mut written.output);
                while written.is_full {
                    written = compressor.write(None, finish, limit);
                    packed.append(&mut written.output);
                }
                assert!(packed.len() < text.len() / 2, "{compress} compresses");
                let written =
                    state(decompress, &[6, 15, 8, 0]).write(Some(packed), finish, 1 << 20);
                assert!(written.failure.is_none() && written.left == 0);
                assert!(written.output == text, "{decompress} decompresses");
            }
        }
    }

    #[test]
    fn a_truncated_stream_is_an_error_only_at_its_end() {
        let packed = state(3, &[6, 15, 8, 0]).write(Some(b"hello".to_vec()), FINISH, 100).output;
        let mut decompressor = state(4, &[6, 15, 8, 0]);
        let part = Some(packed[..15].to_vec());
        assert!(decompressor.write(part, 0, 100).failure.is_none());
        let failure = decompressor.write(Some(Vec::new()), FINISH, 100).failure;
        assert_eq!(failure.expect("an error").message, "unexpected end of file");
    }
}
