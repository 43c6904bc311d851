//! x25519-dalek 2: the three kinds of secret, and the bare function.

use x25519_dalek_2::{
    EphemeralSecret, PublicKey, ReusableSecret, SharedSecret, StaticSecret, X25519_BASEPOINT_BYTES,
    x25519,
};

use zeroize::Zeroize;

use crate::story::{Sequence, Story};

pub(crate) fn tell(story: &mut Story) {
    let mut rng = Sequence(3);
    story.bytes("base point", X25519_BASEPOINT_BYTES);
    for _ in 0..4 {
        let fixed = StaticSecret::random_from_rng(&mut rng);
        let public = PublicKey::from(&fixed);
        story.bytes("secret", fixed.as_bytes());
        story.bytes("public", public.as_bytes());
        story.value(
            "as bytes",
            AsRef::<[u8]>::as_ref(&public) == public.to_bytes(),
        );

        let once = EphemeralSecret::random_from_rng(&mut rng);
        let once_public = PublicKey::from(&once);
        let shared: SharedSecret = once.diffie_hellman(&public);
        story.bytes("shared", shared.as_bytes());
        story.value("contributory", shared.was_contributory());
        let other = fixed.diffie_hellman(&once_public);
        story.value("agreed", other.to_bytes() == shared.to_bytes());

        let again = ReusableSecret::random_from_rng(&mut rng);
        let again_public = PublicKey::from(&again);
        story.bytes("reusable", again.clone().diffie_hellman(&public).to_bytes());
        story.bytes("and again", fixed.diffie_hellman(&again_public).as_ref());

        let (secret, point) = (rng.array(), rng.array());
        story.bytes("bare", x25519(secret, point));
        let exported = StaticSecret::from(secret);
        story.bytes("exported as it came", exported.to_bytes());
        let weak = exported.diffie_hellman(&PublicKey::from([0; 32]));
        story.value("not contributory", weak.was_contributory());

        #[expect(deprecated, reason = "it is there")]
        let mut wiped = StaticSecret::new(&mut rng);
        wiped.zeroize();
        story.bytes("wiped", wiped.as_bytes());
        let mut wiped = fixed.diffie_hellman(&public);
        wiped.zeroize();
        story.value("wiped", wiped.was_contributory());
        let mut wiped = public;
        wiped.zeroize();
        story.value("wiped", wiped);

        let json = serde_json::to_string(&(&fixed, &public)).expect("serialises");
        let (read, read_public): (StaticSecret, PublicKey) =
            serde_json::from_str(&json).expect("reads");
        story.value("serialised", json);
        story.value(
            "read",
            (read.to_bytes() == fixed.to_bytes(), read_public == public),
        );
        let mut set = std::collections::HashSet::new();
        set.insert(public);
        story.value(
            "hashes",
            (set.contains(&public), set.contains(&again_public)),
        );
    }
}
