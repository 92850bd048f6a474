//! Hashes and what is made of them: HMAC, PBKDF2 and HKDF.

use hkdf::SimpleHkdf;
use hmac::digest::{FixedOutput, OutputSizeUser, Update};
use hmac::{Hmac, KeyInit, SimpleHmac};

use super::algorithm::Algorithm;

/// The state of a hash or an HMAC.
pub(super) trait Hasher {
    fn update(&mut self, data: &[u8]);
    fn copy(&self) -> Box<dyn Hasher>;
    fn finish(self: Box<Self>) -> Vec<u8>;
}

impl<T: Update + FixedOutput + Clone + 'static> Hasher for T {
    fn update(&mut self, data: &[u8]) {
        Update::update(self, data);
    }

    fn copy(&self) -> Box<dyn Hasher> {
        Box::new(self.clone())
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        self.finalize_fixed().to_vec()
    }
}

/// Evaluates an expression with `$Hash` and `$Mac` as the types of an algorithm.
macro_rules! with_types {
    ($algorithm:expr, |$Hash:ident, $Mac:ident| $value:expr) => {
        with_types! { @ $algorithm, $Hash, $Mac, $value;
            Md5: Hmac<md5::Md5>,
            Sha1: Hmac<sha1::Sha1>,
            Sha224: Hmac<sha2::Sha224>,
            Sha256: Hmac<sha2::Sha256>,
            Sha384: Hmac<sha2::Sha384>,
            Sha512: Hmac<sha2::Sha512>,
            Sha512_224: Hmac<sha2::Sha512_224>,
            Sha512_256: Hmac<sha2::Sha512_256>,
            Sha3_224: SimpleHmac<sha3::Sha3_224>,
            Sha3_256: SimpleHmac<sha3::Sha3_256>,
            Sha3_384: SimpleHmac<sha3::Sha3_384>,
            Sha3_512: SimpleHmac<sha3::Sha3_512>,
            Ripemd160: Hmac<ripemd::Ripemd160>,
        }
    };
    (@ $algorithm:expr, $Hash:ident, $Mac:ident, $value:expr; $($name:ident: $mac:ident<$hash:ty>,)*) => {
        match $algorithm {
            $(Algorithm::$name => {
                #[allow(dead_code)]
                type $Hash = $hash;
                #[allow(dead_code)]
                type $Mac = $mac<$hash>;
                $value
            })*
        }
    };
}

/// Starts a hash, or an HMAC if there is a key.
pub(super) fn create(algorithm: Algorithm, key: Option<&[u8]>) -> Box<dyn Hasher> {
    with_types!(algorithm, |Hash, Mac| match key {
        Some(key) => Box::new(mac::<Mac>(key)),
        None => Box::new(Hash::default()),
    })
}

/// The size of a hash in bytes.
pub(super) fn output_size(algorithm: Algorithm) -> usize {
    with_types!(algorithm, |Hash, Mac| Hash::output_size())
}

/// Derives `size` bytes from a password.
pub(super) fn pbkdf2(
    algorithm: Algorithm,
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    size: usize,
) -> Vec<u8> {
    let mut key = vec![0; size];
    let done = with_types!(algorithm, |Hash, Mac| {
        pbkdf2::pbkdf2::<Mac>(password, salt, iterations, &mut key)
    });
    done.expect("a MAC accepts keys of any size");
    key
}

/// Derives `size` bytes from a key. Returns `None` if they are more than the hash allows.
pub(super) fn hkdf(
    algorithm: Algorithm,
    key: &[u8],
    salt: &[u8],
    info: &[u8],
    size: usize,
) -> Option<Vec<u8>> {
    let mut derived = vec![0; size];
    let done = with_types!(algorithm, |Hash, Mac| {
        SimpleHkdf::<Hash>::new(Some(salt), key).expand(info, &mut derived)
    });
    done.is_ok().then_some(derived)
}

fn mac<M: KeyInit>(key: &[u8]) -> M {
    M::new_from_slice(key).expect("a MAC accepts keys of any size")
}
