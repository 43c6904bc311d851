//! ring and aws-lc-rs.

use lanner_ed25519 as own;
use lanner_ed25519::pkcs8::{DecodePrivateKey as _, EncodePrivateKey as _};
use lanner_ed25519::profile::Rfc8032Cofactorless;
use lanner_interop::{array, bytes, start};
use lanner_x25519 as own_x25519;

use crate::odd;
use crate::page::{Rows, new, old};

/// The same code on each of the two.
macro_rules! on_both {
    ($library:ident, $run:block) => {{
        {
            use ::ring as $library;
            $run
        }
        {
            use ::aws_lc_rs as $library;
            $run
        }
    }};
}

/// Shared secrets of low order are those of these u-coordinates (RFC 7748, section 6.1).
const LOW_ORDER: [[u8; 32]; 2] = [[0; 32], lanner_interop::encodings::P];

#[test]
fn from_ring_and_aws_lc_rs() {
    let random = &mut start("ring");
    let mut rows = Rows::default();
    rows.row(|| {
        on_both!(library, {
            use library::signature::{Ed25519KeyPair, KeyPair as _};
            let rng = library::rand::SystemRandom::new();
            let theirs = old!(Ed25519KeyPair::generate_pkcs8(&rng)).expect("generates");
            use own::SigningKey;
            let read = SigningKey::from_pkcs8_der(theirs.as_ref())?;
            // The same file, and so in the other direction, too.
            assert_eq!(read.to_pkcs8_v2_der()?.as_bytes(), theirs.as_ref());
            let key = new!(SigningKey::generate_from_os()?);
            let ours = new!(key.to_pkcs8_v2_der()?);
            let read = Ed25519KeyPair::from_pkcs8(ours.as_bytes()).expect("reads");
            let expected = key.verifying_key().to_bytes();
            assert_eq!(read.public_key().as_ref(), expected);
        });
        Ok(())
    });
    rows.row(|| {
        let theirs_of_ring = |der: &[u8]| {
            use ::ring::signature::{Ed25519KeyPair, KeyPair as _};
            old!(Ed25519KeyPair::from_pkcs8(der))
                .map(|pair| pair.public_key().as_ref().to_vec())
                .ok()
        };
        let theirs_of_aws = |der: &[u8]| {
            use ::aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
            old!(Ed25519KeyPair::from_pkcs8(der))
                .map(|pair| pair.public_key().as_ref().to_vec())
                .ok()
        };
        let ours = |der: &[u8]| -> Result<Vec<u8>, own::pkcs8::Error> {
            use own::SigningKey;
            let key = new!(SigningKey::from_pkcs8_der(der)?);
            Ok(key.verifying_key().to_bytes().to_vec())
        };
        let key = own::SigningKey::from_bytes(&array(random));
        let public = key.verifying_key().to_bytes().to_vec();
        let second = key.to_pkcs8_v2_der()?;
        let second = second.as_bytes();
        assert_eq!(theirs_of_ring(second).as_ref(), Some(&public));
        assert_eq!(theirs_of_aws(second).as_ref(), Some(&public));
        assert_eq!(ours(second)?, public);
        // Cut short, and with a public key that is another's.
        let mut bad = Vec::new();
        bad.extend((0..second.len()).map(|length| second[..length].to_vec()));
        bad.push(second.to_vec());
        *bad.last_mut().and_then(|der| der.last_mut()).expect("some") ^= 1;
        for bad in bad {
            assert_eq!(theirs_of_ring(&bad), None, "{bad:02x?}");
            assert_eq!(theirs_of_aws(&bad), None, "{bad:02x?}");
            assert!(ours(&bad).is_err(), "{bad:02x?}");
        }
        // What the page says of bytes behind the end, and of files without a public key.
        let longer = [second, &[0]].concat();
        assert_eq!(theirs_of_ring(&longer), None);
        assert_eq!(theirs_of_aws(&longer).as_ref(), Some(&public));
        assert!(ours(&longer).is_err());
        let first = key.to_pkcs8_der()?;
        assert_eq!(ours(first.as_bytes())?, public);
        assert_eq!(theirs_of_ring(first.as_bytes()), None);
        assert_eq!(theirs_of_aws(first.as_bytes()).as_ref(), Some(&public));
        Ok(())
    });
    rows.row(|| {
        on_both!(library, {
            use library::signature::{Ed25519KeyPair, KeyPair as _};
            for _ in 0..20 {
                let seed: [u8; 32] = array(random);
                let theirs = old!(Ed25519KeyPair::from_seed_unchecked(&seed)).expect("a seed");
                use own::SigningKey;
                let ours = new!(SigningKey::from_bytes(&seed));
                let expected = theirs.public_key().as_ref();
                assert_eq!(ours.verifying_key().as_bytes(), expected);
            }
        });
        Ok(())
    });
    rows.row(|| {
        on_both!(library, {
            for length in 0..40 {
                let (seed, m) = (array::<32>(random), &*bytes(random, length * 7));
                let pair = library::signature::Ed25519KeyPair::from_seed_unchecked(&seed);
                let pair = pair.expect("a seed");
                use own::Signer as _;
                let key = own::SigningKey::from_bytes(&seed);
                assert_eq!(new!(key.sign(m)).to_bytes(), old!(pair.sign(m)).as_ref());
            }
        });
        Ok(())
    });
    rows.row(|| {
        on_both!(library, {
            use library::signature::KeyPair as _;
            let seed = array::<32>(random);
            let pair = library::signature::Ed25519KeyPair::from_seed_unchecked(&seed);
            let pair = pair.expect("a seed");
            let key = own::SigningKey::from_bytes(&seed);
            let theirs: &[u8] = old!(pair.public_key().as_ref());
            assert_eq!(new!(key.verifying_key().to_bytes()), theirs);
        });
        Ok(())
    });
    rows.row(|| {
        let theirs = |signed: &odd::Signed| {
            use ::ring::signature::{ED25519, UnparsedPublicKey};
            let (bytes, m, sig) = (&signed.key, &signed.message, &signed.signature);
            old!(UnparsedPublicKey::new(&ED25519, bytes).verify(m, sig)).is_ok()
        };
        let ours = |signed: &odd::Signed| -> Result<(), own::SignatureError> {
            use own::{Signature, Verifier as _, VerifyingKey};
            let (bytes, m) = (signed.key, &*signed.message);
            let sig = Signature::from_bytes(&signed.signature);
            new!(VerifyingKey::from_bytes(&bytes)?.verify(m, &sig)?);
            Ok(())
        };
        odd::agree(random, theirs, |signed| ours(signed).is_ok());
        let theirs = |signed: &odd::Signed| {
            use ::aws_lc_rs::signature::{ED25519, UnparsedPublicKey};
            let (bytes, m, sig) = (&signed.key, &signed.message, &signed.signature);
            old!(UnparsedPublicKey::new(&ED25519, bytes).verify(m, sig)).is_ok()
        };
        let ours = |signed: &odd::Signed| -> Result<(), own::SignatureError> {
            use own::{Signature, VerifyingKey};
            let (bytes, m) = (signed.key, &*signed.message);
            let sig = Signature::from_bytes(&signed.signature);
            new!(VerifyingKey::verify_from_bytes(
                &bytes,
                Rfc8032Cofactorless,
                m,
                &sig
            )?);
            Ok(())
        };
        odd::agree(random, theirs, |signed| ours(signed).is_ok());
        Ok(())
    });
    rows.row(|| {
        on_both!(library, {
            use library::agreement::{EphemeralPrivateKey, X25519};
            let rng = library::rand::SystemRandom::new();
            let theirs = old!(EphemeralPrivateKey::generate(&X25519, &rng));
            assert!(theirs.is_ok());
        });
        use own_x25519::EphemeralSecret;
        let [one, other] = [(); 2].map(|()| {
            || -> Result<_, own_x25519::NoRandomness> {
                Ok(new!(EphemeralSecret::generate_from_os()?))
            }
        });
        let [one, other] = [one()?, other()?].map(|secret| own_x25519::PublicKey::from(&secret));
        assert_ne!(one.as_bytes(), other.as_bytes());
        Ok(())
    });
    rows.row(|| {
        // Theirs keep their secrets to themselves: the next row says whether their public keys are right.
        on_both!(library, {
            let rng = library::rand::SystemRandom::new();
            let algorithm = &library::agreement::X25519;
            let private = library::agreement::EphemeralPrivateKey::generate(algorithm, &rng);
            let private = private.expect("generates");
            let theirs = old!(private.compute_public_key()).expect("has one");
            assert_eq!(theirs.as_ref().len(), 32);
        });
        // Of one secret, by the function of aws-lc-rs that takes one.
        let bytes: [u8; 32] = array(random);
        let theirs = ::aws_lc_rs::agreement::PrivateKey::from_private_key(
            &::aws_lc_rs::agreement::X25519,
            &bytes,
        )?;
        let theirs = theirs.compute_public_key()?;
        use own_x25519::PublicKey;
        let secret = own_x25519::StaticSecret::from(bytes);
        assert_eq!(new!(PublicKey::from(&secret)).as_bytes(), theirs.as_ref());
        Ok(())
    });
    rows.row(|| {
        let of_ring = |their_public: [u8; 32], share: &mut dyn FnMut([u8; 32])| {
            use ::ring::agreement::{
                EphemeralPrivateKey, UnparsedPublicKey, X25519, agree_ephemeral,
            };
            let rng = ::ring::rand::SystemRandom::new();
            let private = EphemeralPrivateKey::generate(&X25519, &rng).expect("generates");
            let public = private.compute_public_key().expect("has one");
            share(public.as_ref().try_into().expect("32 bytes"));
            let theirs = UnparsedPublicKey::new(&X25519, their_public);
            let kdf = |shared: &[u8]| shared.to_vec();
            old!(agree_ephemeral(private, &theirs, kdf)).ok()
        };
        let of_aws = |their_public: [u8; 32], share: &mut dyn FnMut([u8; 32])| {
            use ::aws_lc_rs::agreement::{
                EphemeralPrivateKey, UnparsedPublicKey, X25519, agree_ephemeral,
            };
            let rng = ::aws_lc_rs::rand::SystemRandom::new();
            let private = EphemeralPrivateKey::generate(&X25519, &rng).expect("generates");
            let public = private.compute_public_key().expect("has one");
            share(public.as_ref().try_into().expect("32 bytes"));
            let theirs = UnparsedPublicKey::new(&X25519, their_public);
            let (error, kdf) = ((), |shared: &[u8]| Ok(shared.to_vec()));
            old!(agree_ephemeral(private, theirs, error, kdf)).ok()
        };
        let ours = |secret: own_x25519::EphemeralSecret, public: [u8; 32]| -> Result<_, _> {
            let theirs = own_x25519::PublicKey::from(public);
            let shared = new!(secret.diffie_hellman_checked(&theirs)?);
            Ok::<_, own_x25519::NonContributory>(shared.to_bytes().to_vec())
        };
        let generate = own_x25519::EphemeralSecret::generate_from_os;
        // With this public key, and telling its own.
        type Agree<'f> = &'f dyn Fn([u8; 32], &mut dyn FnMut([u8; 32])) -> Option<Vec<u8>>;
        let old: [Agree<'_>; 2] = [&of_ring, &of_aws];
        for old in old {
            for _ in 0..10 {
                let secret = generate()?;
                let public = own_x25519::PublicKey::from(&secret).to_bytes();
                let mut theirs = [0; 32];
                let shared = old(public, &mut |public| theirs = public);
                assert_eq!(shared, Some(ours(secret, theirs)?));
            }
            for public in LOW_ORDER {
                assert_eq!(old(public, &mut |_| {}), None);
                assert!(ours(generate()?, public).is_err());
            }
        }
        Ok(())
    });
    rows.are_those_of("## ring and aws-lc-rs");
}
