//! RFC 8032 section 7: tests of Ed25519, Ed25519ctx and Ed25519ph.

use lanner_ed25519::profile::Strict;
use lanner_ed25519::{Signature, Signer, SigningKey, Verifier};

fn bytes<const N: usize>(hex: &str) -> [u8; N] {
    hex::decode(hex).unwrap().try_into().unwrap()
}

/// Section 7.1, tests 1, 2, 3 and SHA(abc): secret key, public key, message,
/// signature.
#[test]
fn ed25519() {
    for (secret, public, message, signature) in [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
        ),
        (
            "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
            "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
            "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
        ),
    ] {
        let key = SigningKey::from_bytes(&bytes(secret));
        let message = hex::decode(message).unwrap();
        assert_eq!(key.verifying_key().to_bytes(), bytes(public));
        let made: Signature = key.sign(&message);
        assert_eq!(made.to_bytes(), bytes(signature));
        assert!(key.verifying_key().verify(&message, &made).is_ok());
        assert!(key.verifying_key().verify_strict(&message, &made).is_ok());
        let longer = [&message[..], &[0]].concat();
        assert!(key.verifying_key().verify(&longer, &made).is_err());
        assert!(key.verifying_key().verify_strict(&longer, &made).is_err());
    }
}

/// Section 7.2: message, context, signature; one key.
#[test]
fn ed25519ctx() {
    let key = SigningKey::from_bytes(&bytes(
        "0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6",
    ));
    let public = key.verifying_key();
    for (message, context, signature) in [
        (
            "f726936d19c800494e3fdaff20b276a8",
            b"foo",
            "55a4cc2f70a54e04288c5f4cd1e45a7bb520b36292911876cada7323198dd87a8b36950b95130022907a7fb7c4e9b2d5f6cca685a587b4b21f4b888e4e7edb0d",
        ),
        (
            "f726936d19c800494e3fdaff20b276a8",
            b"bar",
            "fc60d5872fc46b3aa69f8b5b4351d5808f92bcc044606db097abab6dbcb1aee3216c48e8b3b66431b5b186d1d28f8ee15a5ca2df6668346291c2043d4eb3e90d",
        ),
        (
            "508e9e6882b979fea900f62adceaca35",
            b"foo",
            "8b70c1cc8310e1de20ac53ce28ae6e7207f33c3295e03bb5c0732a1d20dc64908922a8b052cf99b7c4fe107a5abb5b2c4085ae75890d02df26269d8945f84b0b",
        ),
    ] {
        let message = hex::decode(message).unwrap();
        let made = key.sign_ctx(context, &message).unwrap();
        assert_eq!(made.to_bytes(), bytes(signature));
        assert!(
            public
                .under(Strict)
                .verify_ctx(context, &message, &made)
                .is_ok()
        );
        assert!(
            public
                .under(Strict)
                .verify_ctx(b"fox", &message, &made)
                .is_err()
        );
        // Neither plain Ed25519 nor the reverse.
        assert!(public.verify(&message, &made).is_err());
        assert!(
            public
                .under(Strict)
                .verify_ctx(context, &message, &key.sign(&message))
                .is_err()
        );
    }
}

#[test]
fn ed25519ctx_bounds_its_context() {
    let key = SigningKey::from_bytes(&[1; 32]);
    let signature = key.sign_ctx(&[2; 255], b"m").unwrap();
    assert!(
        key.verifying_key()
            .under(Strict)
            .verify_ctx(&[2; 255], b"m", &signature)
            .is_ok()
    );
    for wrong in [&[][..], &[2; 256]] {
        assert!(key.sign_ctx(wrong, b"m").is_err());
        assert!(
            key.verifying_key()
                .under(Strict)
                .verify_ctx(wrong, b"m", &signature)
                .is_err()
        );
    }
}

#[cfg(feature = "digest")]
mod ed25519ph {
    use super::*;
    use lanner_ed25519::{Context, Digest, DigestSigner, DigestVerifier, Sha512, VerifyingKey};

    /// Section 7.3.
    #[test]
    fn vector() {
        let key = SigningKey::from_bytes(&bytes(
            "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        ));
        let signature = bytes(
            "98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae4131f85042463c2a355a2003d062adf5aaa10b8c61e636062aaad11c2a26083406",
        );
        let hash = Sha512::new_with_prefix(b"abc");
        let made = key.sign_prehashed(hash.clone(), None).unwrap();
        assert_eq!(made.to_bytes(), signature);
        // No context is the empty context.
        assert_eq!(key.sign_prehashed(hash.clone(), Some(b"")).unwrap(), made);

        let public = key.verifying_key();
        let absorb = |h: &mut Sha512| {
            h.update(b"abc");
            Ok(())
        };
        assert!(public.verify_prehashed(hash.clone(), None, &made).is_ok());
        assert!(
            public
                .verify_prehashed_strict(hash.clone(), None, &made)
                .is_ok()
        );
        assert!(
            public
                .under(Strict)
                .verify_prehashed(hash.clone(), None, &made)
                .is_ok()
        );
        assert!(key.verify_prehashed(hash.clone(), None, &made).is_ok());
        assert!(public.verify_digest(absorb, &made).is_ok());
        assert_eq!(key.try_sign_digest(absorb).unwrap(), made);

        let other = Sha512::new_with_prefix(b"abd");
        assert!(public.verify_prehashed(other.clone(), None, &made).is_err());
        assert!(public.verify_prehashed_strict(other, None, &made).is_err());
        assert!(
            public
                .verify_prehashed(hash.clone(), Some(b"c"), &made)
                .is_err()
        );
        assert!(public.verify(b"abc", &made).is_err());
        assert!(public.verify(&hash.finalize(), &made).is_err());
    }

    #[test]
    fn context() {
        let key = SigningKey::from_bytes(&[3; 32]);
        let public = key.verifying_key();
        let hash = Sha512::new_with_prefix(b"message");
        let context = key.with_context(b"context").unwrap();
        assert_eq!(context.key(), &key);
        assert_eq!(context.value(), b"context");
        assert_eq!(Context::<SigningKey>::MAX_LENGTH, 255);
        let made: Signature = context.sign_digest(|h: &mut Sha512| h.update(b"message"));
        assert_eq!(
            made,
            key.sign_prehashed(hash.clone(), Some(b"context")).unwrap()
        );

        let absorb = |h: &mut Sha512| {
            h.update(b"message");
            Ok(())
        };
        let verify = |value: &[u8]| {
            public
                .with_context(value)
                .and_then(|context: Context<'_, '_, VerifyingKey>| {
                    context.verify_digest(absorb, &made)
                })
        };
        assert!(verify(b"context").is_ok());
        assert!(verify(b"contexT").is_err());
        assert!(verify(b"").is_err());

        // 255 bytes at most, everywhere.
        assert!(key.with_context(&[0; 255]).is_ok());
        assert!(key.with_context(&[0; 256]).is_err());
        assert!(public.with_context(&[0; 256]).is_err());
        assert!(key.sign_prehashed(hash.clone(), Some(&[0; 256])).is_err());
        assert!(
            public
                .verify_prehashed(hash.clone(), Some(&[0; 256]), &made)
                .is_err()
        );
        assert!(
            public
                .verify_prehashed_strict(hash, Some(&[0; 256]), &made)
                .is_err()
        );
    }
}
