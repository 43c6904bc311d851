//! Lengths of encodings, in bytes (RFC 8032 section 5.1).

/// Length of a signature, in bytes: the encoding of R, then that of S.
pub const SIGNATURE_LENGTH: usize = 64;

/// Length of a [`SecretKey`](crate::SecretKey), in bytes.
pub const SECRET_KEY_LENGTH: usize = 32;

/// Length of an encoded [`VerifyingKey`](crate::VerifyingKey), in bytes.
pub const PUBLIC_KEY_LENGTH: usize = 32;

/// Length of a key pair, in bytes: the secret key, then the public key.
pub const KEYPAIR_LENGTH: usize = SECRET_KEY_LENGTH + PUBLIC_KEY_LENGTH;

/// Length of an expanded secret key, in bytes: the SHA-512 hash of a
/// [`SecretKey`](crate::SecretKey).
pub const EXPANDED_SECRET_KEY_LENGTH: usize = 64;
