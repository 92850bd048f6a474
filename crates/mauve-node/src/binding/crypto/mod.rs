//! Hashes, random bytes and keys derived from passwords, for `node:crypto`.
//!
//! JavaScript has checked the arguments, and that a hash has a known name (with `digestSize`).

use std::fmt::Write as _;

use mauve::Errno;
use rquickjs::{Ctx, IntoJs, Object, Result, Value};

use super::pool_request::PoolRequest;
use super::{define, throw};
use crate::host::views::{self, Bytes};
use algorithm::Algorithm;
use hasher::Hasher;

mod algorithm;
mod hasher;

pub(super) fn fill<'js>(object: &Object<'js>) -> Result<()> {
    define(object, "hashes", algorithm::names)?;
    define(object, "digestSize", |name: String| algorithm::find(&name).map(hasher::output_size))?;
    define(object, "createHash", |ctx: Ctx<'js>, name: Algorithm, key: Option<Bytes>| {
        hash_object(ctx, hasher::create(name, key.as_ref().map(|key| &key.0[..])))
    })?;
    define(
        object,
        "digest",
        |name: Algorithm, key: Option<Bytes>, data: Bytes, request: PoolRequest<'js>| {
            request.run(move || {
                let mut state = hasher::create(name, key.as_ref().map(|key| &key.0[..]));
                state.update(&data.0);
                Ok(Output(state.finish()))
            })
        },
    )?;
    define(object, "randomBytes", |size: usize, request: PoolRequest<'js>| {
        request.run(move || random(size).map(Output))
    })?;
    define(object, "randomBelow", |ctx: Ctx<'js>, range: f64| {
        random_below(range as u64).map(|value| value as f64).or_else(|error| throw(&ctx, error))
    })?;
    define(object, "randomUUID", |ctx: Ctx<'js>| {
        random(16).map(uuid).or_else(|error| throw(&ctx, error))
    })?;
    define(object, "isEqual", |a: Bytes, b: Bytes| is_equal(&a.0, &b.0))?;
    define(
        object,
        "pbkdf2",
        |password: Bytes,
         salt: Bytes,
         iterations: u32,
         size: usize,
         name: Algorithm,
         request: PoolRequest<'js>| {
            request.run(move || {
                Ok(Output(hasher::pbkdf2(name, &password.0, &salt.0, iterations, size)))
            })
        },
    )?;
    define(
        object,
        "hkdf",
        |name: Algorithm, key: Bytes, salt: Bytes, info: Bytes, size, request: PoolRequest<'js>| {
            request.run(move || {
                hasher::hkdf(name, &key.0, &salt.0, &info.0, size).map(Output).ok_or(Errno::EINVAL)
            })
        },
    )?;
    define(object, "scryptProblem", |cost: Vec<f64>, max_memory| {
        scrypt_problem(&cost, max_memory)
    })?;
    define(
        object,
        "scrypt",
        |password: Bytes, salt: Bytes, cost: Vec<u32>, size: usize, request: PoolRequest<'js>| {
            request.run(move || scrypt(&password.0, &salt.0, &cost, size).map(Output))
        },
    )
}

/// Bytes that become a `Uint8Array`.
struct Output(Vec<u8>);

impl<'js> IntoJs<'js> for Output {
    fn into_js(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        Ok(views::array(ctx, self.0)?.into_value())
    }
}

/// Creates an object whose functions share the state of a hash.
fn hash_object<'js>(ctx: Ctx<'js>, state: Box<dyn Hasher>) -> Result<Object<'js>> {
    let object = Object::new(ctx)?;
    let state = std::rc::Rc::new(std::cell::RefCell::new(state));
    let with = state.clone();
    define(&object, "update", move |data: Bytes| with.borrow_mut().update(&data.0))?;
    let with = state.clone();
    define(&object, "copy", move |ctx: Ctx<'js>| hash_object(ctx, with.borrow().copy()))?;
    define(&object, "digest", move || Output(state.borrow().copy().finish()))?;
    Ok(object)
}

/// Random bytes of the system.
fn random(size: usize) -> mauve::Result<Vec<u8>> {
    let mut bytes = vec![0; size];
    let mut filled = 0;
    while filled < size {
        let flags = rustix::rand::GetRandomFlags::empty();
        match rustix::rand::getrandom(&mut bytes[filled..], flags) {
            Ok(count) => filled += count,
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(Errno::from_raw(error.raw_os_error())),
        }
    }
    Ok(bytes)
}

/// A random number below `range`, which is at most 2^48.
fn random_below(range: u64) -> mauve::Result<u64> {
    // Numbers above the largest multiple of the range would make some results likelier.
    let limit = u64::MAX - u64::MAX % range;
    loop {
        let bytes = random(8)?.try_into().expect("there are 8 bytes");
        let value = u64::from_ne_bytes(bytes);
        if value < limit {
            return Ok(value % range);
        }
    }
}

/// Makes a UUID of version 4 of 16 random bytes.
fn uuid(mut bytes: Vec<u8>) -> String {
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let mut text = String::with_capacity(36);
    for (index, byte) in bytes.iter().enumerate() {
        let dash = if matches!(index, 4 | 6 | 8 | 10) { "-" } else { "" };
        write!(text, "{dash}{byte:02x}").expect("writing to a string cannot fail");
    }
    text
}

/// Compares slices of the same length, in a time that does not depend on their contents.
fn is_equal(a: &[u8], b: &[u8]) -> bool {
    let fold = |bits: u8, (a, b): (&u8, &u8)| std::hint::black_box(bits | (a ^ b));
    a.len() == b.len() && a.iter().zip(b).fold(0, fold) == 0
}

/// `cost` has N, r and p, which [`scrypt_problem`] has accepted.
fn scrypt(password: &[u8], salt: &[u8], cost: &[u32], size: usize) -> mauve::Result<Vec<u8>> {
    let mut key = vec![0; size];
    let params = scrypt::Params::new(cost[0].ilog2() as u8, cost[1], cost[2]);
    if size > 0 {
        let params = params.map_err(|_| Errno::EINVAL)?;
        scrypt::scrypt(password, salt, &params, &mut key).map_err(|_| Errno::EINVAL)?;
    }
    Ok(key)
}

/// The end of the message for parameters that OpenSSL refuses.
fn scrypt_problem(cost: &[f64], max_memory: f64) -> Option<&'static str> {
    let [n, r, p] = cost else { return Some("") };
    if *n < 2.0 || !(*n as u64).is_power_of_two() {
        return Some("");
    }
    let is_large = *p > f64::from((1 << 30) - 1) / r || n.log2() >= 16.0 * r;
    let memory = 128.0 * r * (p + n + 2.0);
    // Where the memory cannot be allocated, the crate would abort the process.
    let fits = || Vec::<u8>::new().try_reserve_exact(memory as usize).is_ok();
    (is_large || memory > max_memory || !fits())
        .then_some(": error:030000AC:digital envelope routines::memory limit exceeded")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_bytes_fill_the_whole_slice() {
        let bytes = random(1000).expect("the system has random bytes");
        assert!(bytes[900..].iter().any(|byte| *byte != 0));
        assert_ne!(bytes, random(1000).expect("again"));
    }

    #[test]
    fn costs_of_scrypt_are_limited_like_in_openssl() {
        assert_eq!(scrypt_problem(&[16384.0, 8.0, 1.0], 16_780_288.0), None);
        let problem = scrypt_problem(&[16384.0, 8.0, 1.0], 16_780_287.0);
        assert!(problem.is_some_and(|text| text.ends_with("memory limit exceeded")));
        assert!(scrypt_problem(&[2_f64.powi(31), 2_f64.powi(31), 1.0], 1e30).is_some());
        assert_eq!(scrypt_problem(&[3.0, 8.0, 1.0], 1e9), Some(""));
        assert!(scrypt_problem(&[2.0, 1.0, 2e9], 1e15).is_some_and(|text| !text.is_empty()));
    }

    #[test]
    fn a_uuid_has_its_version_and_variant() {
        assert_eq!(uuid(vec![0xff; 16]), "ffffffff-ffff-4fff-bfff-ffffffffffff");
        assert_eq!(uuid(vec![0; 16]), "00000000-0000-4000-8000-000000000000");
    }

    #[test]
    fn equal_slices_have_the_same_length_and_bytes() {
        assert!(is_equal(b"", b"") && is_equal(b"ab", b"ab"));
        assert!(!is_equal(b"ab", b"ac") && !is_equal(b"bb", b"ab") && !is_equal(b"a", b"ab"));
    }
}
