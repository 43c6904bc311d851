//! BoringSSL's EVP test files for Ed25519 and X25519, as stanzas: `Key` groups
//! name keys (`PKCS8`, `SPKI`, `RawPrivate`, `RawPublic`), other groups use them.

use std::collections::BTreeMap;

use crate::outside::Outside;
use crate::stanza::Stanza;

/// One of the files.
#[derive(Clone, Debug)]
pub struct Evp {
    /// The keys by their names.
    pub keys: BTreeMap<String, Stanza>,
    /// Every group that is not a key, in order.
    pub operations: Vec<Stanza>,
}

impl Evp {
    fn parse(text: &str) -> Self {
        let (keys, operations) = Stanza::parse(text)
            .into_iter()
            .partition::<Vec<_>, _>(|s| s.kind() == "Key");
        Self {
            keys: keys
                .into_iter()
                .map(|key| (key.text("Key").to_owned(), key))
                .collect(),
            operations,
        }
    }

    /// The key that a group names: `Name`, `Name/Private` or `Name/PublicOnly`.
    /// The flag is false for `PublicOnly`: the private half may not be used.
    pub fn key(&self, reference: &str) -> (&Stanza, bool) {
        let (name, half) = reference.split_once('/').unwrap_or((reference, "Private"));
        let key = self
            .keys
            .get(name)
            .unwrap_or_else(|| panic!("no key named {name}"));
        (key, half != "PublicOnly")
    }
}

impl Outside {
    /// `evp_ed25519_tests.txt`.
    pub fn boringssl_ed25519(&self) -> Evp {
        Evp::parse(&self.text("boringssl/evp_ed25519_tests.txt"))
    }

    /// `evp_x25519_tests.txt`.
    pub fn boringssl_x25519(&self) -> Evp {
        Evp::parse(&self.text("boringssl/evp_x25519_tests.txt"))
    }
}
