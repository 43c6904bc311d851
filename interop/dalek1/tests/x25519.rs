//! x25519-dalek 1.

use lanner_interop::encodings::{small, top_bit, unreduced};
use lanner_interop::{array, start};
use lanner_x25519 as own;
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::page::{Rows, new, note, old};
use crate::{generator, same_generator};

/// Random points, and those that are refused by name or not reduced.
fn points(rng: &mut fastrand::Rng) -> Vec<[u8; 32]> {
    let random = (0..50).map(|_| array(rng)).collect::<Vec<_>>();
    let small = [small(0), small(1)];
    let edges = unreduced().chain(small).flat_map(|it| [it, top_bit(it)]);
    edges.chain(random).collect()
}

#[test]
fn from_x25519_dalek_1() {
    let rng = &mut start("x25519-dalek 1");
    let mut rows = Rows::default();
    rows.row(|| {
        for seed in 0..20 {
            let theirs = {
                use x25519_dalek_1::EphemeralSecret;
                let rng = generator(seed);
                old!(EphemeralSecret::new(rng))
            };
            let ours = {
                use own::EphemeralSecret;
                let mut rng = same_generator(seed);
                new!(EphemeralSecret::random_from_rng(&mut rng))
            };
            let publics = [
                x25519_dalek_1::PublicKey::from(&theirs).to_bytes(),
                own::PublicKey::from(&ours).to_bytes(),
            ];
            assert_eq!(publics[1], publics[0]);
            let point = array(rng);
            let shared = theirs.diffie_hellman(&point.into()).to_bytes();
            assert_eq!(ours.diffie_hellman(&point.into()).to_bytes(), shared);
        }
        Ok(())
    });
    rows.row(|| {
        for seed in 0..20 {
            let theirs = {
                use x25519_dalek_1::StaticSecret;
                let rng = generator(seed);
                old!(StaticSecret::new(rng))
            };
            let ours = {
                use own::StaticSecret;
                let mut rng = same_generator(seed);
                new!(StaticSecret::random_from_rng(&mut rng))
            };
            let publics = [
                x25519_dalek_1::PublicKey::from(&theirs).to_bytes(),
                own::PublicKey::from(&ours).to_bytes(),
            ];
            assert_eq!(publics[1], publics[0]);
        }
        Ok(())
    });
    rows.row(|| {
        {
            use x25519_dalek_1::StaticSecret;
            old!(type StaticSecret);
        }
        use own::StaticSecret;
        new!(type StaticSecret);
        Ok(())
    });
    rows.row(|| {
        for _ in 0..20 {
            let bytes: [u8; 32] = array(rng);
            let theirs = {
                use x25519_dalek_1::StaticSecret;
                let secret = old!(StaticSecret::from(bytes));
                let public = x25519_dalek_1::PublicKey::from(&secret).to_bytes();
                (old!(secret.to_bytes()), public)
            };
            use own::StaticSecret;
            let secret = new!(StaticSecret::from(bytes));
            assert_eq!(new!(secret.to_bytes()), bytes);
            assert_eq!(new!(secret.as_bytes()), &bytes);
            let mut clamped = bytes;
            clamped[0] &= 0xf8;
            clamped[31] = clamped[31] & 0x7f | 0x40;
            // Both are of the same public key, and each library takes the other one's bytes.
            assert_eq!(theirs.0, clamped);
            assert_eq!(own::PublicKey::from(&secret).to_bytes(), theirs.1);
            let again = StaticSecret::from(clamped);
            assert_eq!(own::PublicKey::from(&again).to_bytes(), theirs.1);
        }
        Ok(())
    });
    rows.row(|| {
        for bytes in points(rng) {
            let scalar: [u8; 32] = array(rng);
            let theirs = {
                use x25519_dalek_1::PublicKey;
                let secret = x25519_dalek_1::StaticSecret::from(scalar);
                let public = [old!(PublicKey::from(bytes)), old!(PublicKey::from(&secret))];
                public.map(|it| it.to_bytes())
            };
            use own::PublicKey;
            let secret = own::StaticSecret::from(scalar);
            let public = [new!(PublicKey::from(bytes)), new!(PublicKey::from(&secret))];
            assert_eq!(public.map(|it| it.to_bytes()), theirs);
        }
        Ok(())
    });
    rows.row(|| {
        for point in points(rng) {
            let scalar: [u8; 32] = array(rng);
            let theirs = {
                let public = x25519_dalek_1::PublicKey::from(point);
                let secret = x25519_dalek_1::StaticSecret::from(scalar);
                old!(secret.diffie_hellman(&public)).to_bytes()
            };
            let public = own::PublicKey::from(point);
            let secret = own::StaticSecret::from(scalar);
            let shared = new!(secret.diffie_hellman(&public));
            assert_eq!(shared.to_bytes(), theirs);
            let checked = || -> Result<_, own::NonContributory> {
                Ok(new!(secret.diffie_hellman_checked(&public)?).to_bytes())
            };
            assert_eq!(checked().ok(), (theirs != [0; 32]).then_some(theirs));
        }
        Ok(())
    });
    rows.row(|| {
        let base = small(9);
        for u in points(rng).into_iter().chain([base]) {
            let k = array(rng);
            let theirs = {
                use x25519_dalek_1::{X25519_BASEPOINT_BYTES, x25519};
                let shared = old!(x25519(k, u));
                assert_eq!(old!(X25519_BASEPOINT_BYTES), base);
                shared
            };
            use own::{X25519_BASEPOINT_BYTES, x25519, x25519_checked};
            assert_eq!(new!(x25519(k, u)), theirs);
            assert_eq!(new!(X25519_BASEPOINT_BYTES), base);
            let checked = || -> Result<_, own::NonContributory> { Ok(new!(x25519_checked(k, u)?)) };
            assert_eq!(checked().ok(), (theirs != [0; 32]).then_some(theirs));
        }
        Ok(())
    });
    rows.row(|| {
        fn on_request<T: Zeroize>() {}
        fn when_dropped<T: ZeroizeOnDrop>() {}
        on_request::<x25519_dalek_1::EphemeralSecret>();
        on_request::<x25519_dalek_1::StaticSecret>();
        on_request::<x25519_dalek_1::SharedSecret>();
        note(true, "Zeroize");
        when_dropped::<own::EphemeralSecret>();
        when_dropped::<own::StaticSecret>();
        when_dropped::<own::SharedSecret>();
        note(false, "ZeroizeOnDrop");
        Ok(())
    });
    // Serde, in a row without code.
    rows.row(|| {
        let bytes: [u8; 32] = array(rng);
        let theirs = x25519_dalek_1::StaticSecret::from(bytes);
        let ours = own::StaticSecret::from(theirs.to_bytes());
        let publics = (
            x25519_dalek_1::PublicKey::from(&theirs),
            own::PublicKey::from(&ours),
        );
        let of_theirs = [bincode::serialize(&theirs)?, serde_json::to_vec(&theirs)?];
        let of_ours = [bincode::serialize(&ours)?, serde_json::to_vec(&ours)?];
        assert_eq!(of_ours, of_theirs);
        assert_eq!(of_ours[0], ours.to_bytes());
        let read: own::StaticSecret = bincode::deserialize(&of_theirs[0])?;
        assert_eq!(read.to_bytes(), ours.to_bytes());
        let read: own::StaticSecret = serde_json::from_slice(&of_theirs[1])?;
        assert_eq!(read.to_bytes(), ours.to_bytes());
        assert_eq!(
            bincode::serialize(&publics.0)?,
            bincode::serialize(&publics.1)?
        );
        assert_eq!(
            serde_json::to_vec(&publics.0)?,
            serde_json::to_vec(&publics.1)?
        );
        let read: own::PublicKey = bincode::deserialize(&bincode::serialize(&publics.0)?)?;
        assert_eq!(read, publics.1);
        Ok(())
    });
    rows.are_those_of("## x25519-dalek");
}
