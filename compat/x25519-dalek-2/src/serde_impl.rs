//! `Serialize` and `Deserialize`: an array of 32 numbers, as version 2 writes it, which is what `lanner_x25519` writes.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::PublicKey;
#[cfg(feature = "static_secrets")]
use crate::StaticSecret;

macro_rules! transparent {
    ($name:ident) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                lanner_x25519::$name::deserialize(deserializer).map($name)
            }
        }
    };
}

transparent!(PublicKey);
#[cfg(feature = "static_secrets")]
transparent!(StaticSecret);
