//! The names of hashes.

use rquickjs::{Ctx, Exception, FromJs, Result, Value};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Algorithm {
    Md5,
    Sha1,
    Sha224,
    Sha256,
    Sha384,
    Sha512,
    Sha512_224,
    Sha512_256,
    Sha3_224,
    Sha3_256,
    Sha3_384,
    Sha3_512,
    Ripemd160,
}

use Algorithm::*;

/// The names that `crypto.getHashes` lists.
const NAMES: &[(&str, Algorithm)] = &[
    ("RSA-MD5", Md5),
    ("RSA-RIPEMD160", Ripemd160),
    ("RSA-SHA1", Sha1),
    ("RSA-SHA1-2", Sha1),
    ("RSA-SHA224", Sha224),
    ("RSA-SHA256", Sha256),
    ("RSA-SHA3-224", Sha3_224),
    ("RSA-SHA3-256", Sha3_256),
    ("RSA-SHA3-384", Sha3_384),
    ("RSA-SHA3-512", Sha3_512),
    ("RSA-SHA384", Sha384),
    ("RSA-SHA512", Sha512),
    ("RSA-SHA512/224", Sha512_224),
    ("RSA-SHA512/256", Sha512_256),
    ("id-rsassa-pkcs1-v1_5-with-sha3-224", Sha3_224),
    ("id-rsassa-pkcs1-v1_5-with-sha3-256", Sha3_256),
    ("id-rsassa-pkcs1-v1_5-with-sha3-384", Sha3_384),
    ("id-rsassa-pkcs1-v1_5-with-sha3-512", Sha3_512),
    ("md5", Md5),
    ("md5WithRSAEncryption", Md5),
    ("ripemd", Ripemd160),
    ("ripemd160", Ripemd160),
    ("ripemd160WithRSA", Ripemd160),
    ("rmd160", Ripemd160),
    ("sha1", Sha1),
    ("sha1WithRSAEncryption", Sha1),
    ("sha224", Sha224),
    ("sha224WithRSAEncryption", Sha224),
    ("sha256", Sha256),
    ("sha256WithRSAEncryption", Sha256),
    ("sha3-224", Sha3_224),
    ("sha3-256", Sha3_256),
    ("sha3-384", Sha3_384),
    ("sha3-512", Sha3_512),
    ("sha384", Sha384),
    ("sha384WithRSAEncryption", Sha384),
    ("sha512", Sha512),
    ("sha512-224", Sha512_224),
    ("sha512-224WithRSAEncryption", Sha512_224),
    ("sha512-256", Sha512_256),
    ("sha512-256WithRSAEncryption", Sha512_256),
    ("sha512WithRSAEncryption", Sha512),
    ("ssl3-md5", Md5),
    ("ssl3-sha1", Sha1),
];

/// Further names that OpenSSL has for them.
const ALIASES: &[(&str, Algorithm)] = &[
    ("SHA-1", Sha1),
    ("RIPEMD-160", Ripemd160),
    ("SHA-224", Sha224),
    ("SHA2-224", Sha224),
    ("SHA-256", Sha256),
    ("SHA2-256", Sha256),
    ("SHA-384", Sha384),
    ("SHA2-384", Sha384),
    ("SHA-512", Sha512),
    ("SHA2-512", Sha512),
    ("SHA-512/224", Sha512_224),
    ("SHA2-512/224", Sha512_224),
    ("SHA-512/256", Sha512_256),
    ("SHA2-512/256", Sha512_256),
];

pub(super) fn names() -> Vec<&'static str> {
    NAMES.iter().map(|(name, _)| *name).collect()
}

/// Finds an algorithm by its name, in upper or lower case.
pub(super) fn find(wanted: &str) -> Option<Algorithm> {
    let mut all = NAMES.iter().chain(ALIASES);
    all.find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, algorithm)| *algorithm)
}

impl<'js> FromJs<'js> for Algorithm {
    fn from_js(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        let name: String = value.get()?;
        find(&name).ok_or_else(|| Exception::throw_message(ctx, &format!("No such hash: {name}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case() {
        assert_eq!(find("sha256"), Some(Sha256));
        assert_eq!(find("Sha-512/256"), Some(Sha512_256));
        assert_eq!(find("rsa-sha1"), Some(Sha1));
        assert_eq!(find("sha"), None);
    }
}
