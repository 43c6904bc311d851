//! graviola, on processors that it runs on.

use lanner_ed25519 as own;
use lanner_ed25519::pkcs8::{
    DecodePrivateKey as _, DecodePublicKey as _, EncodePrivateKey as _, EncodePublicKey as _,
};
use lanner_ed25519::profile::Rfc8032Cofactorless;
use lanner_interop::encodings::P;
use lanner_interop::{array, bytes, start};
use lanner_x25519 as own_x25519;

use crate::odd;
use crate::page::{Rows, new, old};

/// Its documentation has the list.
#[cfg(target_arch = "x86_64")]
fn runs_here() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("aes")
        && has!("ssse3")
        && has!("pclmulqdq")
        && has!("bmi1")
        && has!("bmi2")
        && has!("adx")
        && has!("avx")
        && has!("avx2")
}

#[cfg(not(target_arch = "x86_64"))]
fn runs_here() -> bool {
    true
}

#[test]
fn from_graviola() {
    if !runs_here() {
        lanner_interop::skip("graviola does not run on this processor");
        return;
    }
    let rng = &mut start("graviola");
    let mut rows = Rows::default();
    rows.row(|| {
        use graviola::signing::eddsa::Ed25519SigningKey;
        let theirs = old!(Ed25519SigningKey::generate()?);
        use own::SigningKey;
        let ours = new!(SigningKey::generate_from_os()?);
        assert_ne!(ours.to_bytes(), theirs.as_seed());
        Ok(())
    });
    rows.row(|| {
        for _ in 0..20 {
            let seed: [u8; 32] = array(rng);
            use graviola::signing::eddsa::Ed25519SigningKey;
            let theirs = old!(Ed25519SigningKey::from_bytes(&seed)?);
            use own::SigningKey;
            let ours = new!(SigningKey::from_bytes(&seed));
            assert_eq!(ours.to_bytes(), theirs.as_seed());
        }
        Ok(())
    });
    rows.row(|| {
        let theirs = |der: &[u8]| -> Result<[u8; 32], graviola::Error> {
            use graviola::signing::eddsa::Ed25519SigningKey;
            Ok(old!(Ed25519SigningKey::from_pkcs8_der(der)?).as_seed())
        };
        let ours = |der: &[u8]| -> Result<[u8; 32], own::pkcs8::Error> {
            use own::SigningKey;
            Ok(new!(SigningKey::from_pkcs8_der(der)?).to_bytes())
        };
        let key = own::SigningKey::from_bytes(&array(rng));
        for whole in [key.to_pkcs8_der()?, key.to_pkcs8_v2_der()?] {
            let whole = whole.as_bytes();
            assert_eq!(theirs(whole).ok(), Some(key.to_bytes()));
            assert_eq!(ours(whole)?, key.to_bytes());
            let mut bad = Vec::new();
            bad.extend((0..whole.len()).map(|length| whole[..length].to_vec()));
            if whole.len() > 48 {
                let mut of_another = whole.to_vec();
                *of_another.last_mut().expect("some") ^= 1;
                bad.push(of_another);
            }
            for bad in bad {
                assert!(theirs(&bad).is_err(), "{bad:02x?}");
                assert!(ours(&bad).is_err(), "{bad:02x?}");
            }
            // What the page says of bytes behind the end.
            let longer = [whole, &[0]].concat();
            assert!(theirs(&longer).is_ok() && ours(&longer).is_err());
        }
        Ok(())
    });
    rows.row(|| {
        let seed: [u8; 32] = array(rng);
        let theirs = {
            let key = graviola::signing::eddsa::Ed25519SigningKey::from_bytes(&seed)?;
            let mut buffer = [0; 128];
            old!(key.to_pkcs8_der(&mut buffer)?).to_vec()
        };
        let key = own::SigningKey::from_bytes(&seed);
        assert_eq!(new!(key.to_pkcs8_v2_der()?).as_bytes(), theirs);
        Ok(())
    });
    rows.row(|| {
        for length in 0..40 {
            let (seed, m) = (array::<32>(rng), &*bytes(rng, length * 7));
            let theirs = {
                let key = graviola::signing::eddsa::Ed25519SigningKey::from_bytes(&seed)?;
                old!(key.sign(m))
            };
            use own::Signer as _;
            let key = own::SigningKey::from_bytes(&seed);
            assert_eq!(new!(key.sign(m).to_bytes()), theirs);
        }
        Ok(())
    });
    rows.row(|| {
        let seed: [u8; 32] = array(rng);
        let theirs = {
            let key = graviola::signing::eddsa::Ed25519SigningKey::from_bytes(&seed)?;
            old!(key.public_key().as_bytes())
        };
        let key = own::SigningKey::from_bytes(&seed);
        assert_eq!(new!(key.verifying_key().to_bytes()), theirs);
        Ok(())
    });
    rows.row(|| {
        let theirs = |signed: &odd::Signed| -> Result<(), graviola::Error> {
            use graviola::signing::eddsa::Ed25519VerifyingKey;
            let (bytes, m, sig) = (signed.key, &*signed.message, signed.signature);
            old!(Ed25519VerifyingKey::from_bytes(&bytes)?.verify(&sig, m)?);
            Ok(())
        };
        let ours = |signed: &odd::Signed| -> Result<(), own::SignatureError> {
            use own::VerifyingKey;
            let (bytes, m) = (signed.key, &*signed.message);
            let sig = own::Signature::from_bytes(&signed.signature);
            new!(VerifyingKey::verify_from_bytes(
                &bytes,
                Rfc8032Cofactorless,
                m,
                &sig
            )?);
            Ok(())
        };
        odd::agree(rng, |s| theirs(s).is_ok(), |s| ours(s).is_ok());
        Ok(())
    });
    rows.row(|| {
        use graviola::signing::eddsa::Ed25519VerifyingKey;
        let seed: [u8; 32] = array(rng);
        let public = own::SigningKey::from_bytes(&seed).verifying_key();
        let der = {
            let key = Ed25519VerifyingKey::from_bytes(public.as_bytes())?;
            let mut buffer = [0; 64];
            old!(key.to_spki_der(&mut buffer)?).to_vec()
        };
        let key = public;
        assert_eq!(new!(key.to_public_key_der()?).as_bytes(), der);
        Ok(())
    });
    rows.row(|| {
        let theirs = |der: &[u8]| -> Result<[u8; 32], graviola::Error> {
            use graviola::signing::eddsa::Ed25519VerifyingKey;
            Ok(old!(Ed25519VerifyingKey::from_spki_der(der)?).as_bytes())
        };
        let ours = |der: &[u8]| -> Result<[u8; 32], own::pkcs8::spki::Error> {
            use own::VerifyingKey;
            Ok(new!(VerifyingKey::from_public_key_der(der)?).to_bytes())
        };
        let public = own::SigningKey::from_bytes(&array(rng)).verifying_key();
        let der = public.to_public_key_der()?;
        let der = der.as_bytes();
        assert_eq!(theirs(der).ok(), Some(public.to_bytes()));
        assert_eq!(ours(der)?, public.to_bytes());
        let longer = [der, &[0]].concat();
        for bad in (0..der.len())
            .map(|length| &der[..length])
            .chain([&*longer])
        {
            assert!(theirs(bad).is_err() && ours(bad).is_err(), "{bad:02x?}");
        }
        Ok(())
    });
    rows.row(|| {
        use graviola::key_agreement::x25519::PrivateKey;
        let theirs = old!(PrivateKey::new_random()?).public_key();
        use own_x25519::EphemeralSecret;
        let secret = new!(EphemeralSecret::generate_from_os()?);
        let ours = own_x25519::PublicKey::from(&secret);
        assert_ne!(*ours.as_bytes(), theirs.as_bytes());
        Ok(())
    });
    rows.row(|| {
        for _ in 0..20 {
            let secret: [u8; 32] = array(rng);
            use graviola::key_agreement::x25519::StaticPrivateKey;
            let theirs = old!(StaticPrivateKey::from_array(&secret));
            use own_x25519::StaticSecret;
            let ours = new!(StaticSecret::from(secret));
            let expected = theirs.public_key().as_bytes();
            assert_eq!(own_x25519::PublicKey::from(&ours).to_bytes(), expected);
        }
        Ok(())
    });
    rows.row(|| {
        let bytes: [u8; 32] = array(rng);
        let theirs = {
            let key = graviola::key_agreement::x25519::StaticPrivateKey::from_array(&bytes);
            old!(key.public_key().as_bytes())
        };
        use own_x25519::PublicKey;
        let secret = own_x25519::StaticSecret::from(bytes);
        assert_eq!(new!(PublicKey::from(&secret).to_bytes()), theirs);
        Ok(())
    });
    rows.row(|| {
        let theirs = |secret: &[u8; 32], public: &[u8; 32]| -> Result<_, graviola::Error> {
            use graviola::key_agreement::x25519::{PublicKey, StaticPrivateKey};
            let key = StaticPrivateKey::from_array(secret);
            let theirs = PublicKey::from_array(public);
            Ok(old!(key.diffie_hellman(&theirs)?).as_bytes())
        };
        let ours = |secret: [u8; 32], public: [u8; 32]| -> Result<_, own_x25519::NonContributory> {
            let secret = own_x25519::StaticSecret::from(secret);
            let theirs = own_x25519::PublicKey::from(public);
            Ok(new!(secret.diffie_hellman_checked(&theirs)?).to_bytes())
        };
        let mut refused = 0;
        for round in 0..40 {
            let secret = array(rng);
            let public = match round {
                0 => [0; 32],
                1 => P,
                _ => array(rng),
            };
            let expected = theirs(&secret, &public).ok();
            refused += u32::from(expected.is_none());
            assert_eq!(ours(secret, public).ok(), expected);
        }
        assert_eq!(refused, 2);
        Ok(())
    });
    rows.are_those_of("## graviola");
}
