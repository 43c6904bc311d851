//! The named verification profiles: who accepts what.
//!
//! All rules accept every honestly made signature and, the weak keys of some
//! of them aside, reject every forgery. They differ on signatures that only a
//! dishonest signer makes: with points of small order or with a component of
//! small order, with encodings that are not canonical, with S that is not
//! reduced. Where parties must agree on validity (consensus, audit logs,
//! deduplication by signature), they must use the same profile.
//!
//! | profile | name | equation | A or R of small order | non-canonical A | non-canonical R | S |
//! |---|---|---|---|---|---|---|
//! | [`Rfc8032`] | `rfc8032` | cofactored | accepted | refused | refused | below L |
//! | [`Rfc8032Cofactorless`] | `rfc8032-cofactorless` | cofactorless | accepted | refused | refused | below L |
//! | [`Dalek`] | `dalek` | cofactorless | accepted | accepted | refused | below L |
//! | [`Strict`] | `strict` | cofactorless | refused | accepted | refused | below L |
//! | [`Zip215`] | `zip215` | cofactored | accepted | accepted | accepted | below L |
//! | [`Donna`] | `donna` | cofactorless | accepted | accepted | refused | below 2^253 |
//! | [`Libsodium`] | `libsodium` | cofactorless | refused | refused | refused | below L |
//!
//! *Cofactored* is \[8]\[S]B = \[8]R + \[8]\[k]A, *cofactorless* is
//! \[S]B = R + \[k]A; both are allowed by RFC 8032 section 5.1.7. A
//! cofactorless verifier computes \[S]B - \[k]A, encodes it and compares bytes
//! with R, which is why it refuses a non-canonical R. *Canonical* means y < p,
//! and no sign bit where x = 0.
//!
//! Which to choose: [`Strict`] where nothing else is prescribed, because it
//! refuses keys under which anybody can sign; [`Zip215`] where many parties
//! must agree, and batches are to be fast; the others for agreement with
//! existing systems.
//!
//! ```
//! use lanner_ed25519::{Signer, SigningKey, profile::{Profile, Zip215}};
//!
//! let signing_key = SigningKey::from_bytes(&[1; 32]);
//! let signature = signing_key.sign(b"message");
//! signing_key.verifying_key().under(Zip215).verify(b"message", &signature)?;
//! assert_eq!(Zip215::NAME.as_str(), "zip215");
//! # Ok::<(), lanner_ed25519::SignatureError>(())
//! ```

use core::fmt;
use core::str::FromStr;

mod rules;

use rules::{DALEK, RFC8032, STRICT, ZIP215, profile_table};
pub(crate) use rules::{Rules, ScalarRule};

/// The rule of the drop-in names `verify`, `verify_batch`, `verify_stream`…
pub(crate) const DROP_IN: Rules = Rules {
    scalar: DROP_IN_SCALAR,
    ..DALEK
};

/// The rule of the drop-in names `verify_strict`, `verify_prehashed_strict`.
pub(crate) const DROP_IN_STRICT: Rules = Rules {
    scalar: DROP_IN_SCALAR,
    ..STRICT
};

const DROP_IN_SCALAR: ScalarRule = if cfg!(feature = "legacy_compatibility") {
    ScalarRule::Below253Bits
} else {
    ScalarRule::Reduced
};

mod sealed {
    pub trait Sealed {}
}

/// A verification profile as a type, for programs that choose it when they are compiled: its one
/// value is given to [`VerifyingKey::under`](crate::VerifyingKey::under) and to batches. They
/// take a [`ProfileName`] too, for programs that choose when they run.
///
/// Sealed: a profile is a promise of this crate, and what a released profile
/// accepts never changes.
pub trait Profile:
    sealed::Sealed + Copy + fmt::Debug + Into<ProfileName> + Send + Sync + 'static
{
    /// The profile as a value.
    const NAME: ProfileName;
}

macro_rules! profiles {
    ($($(#[doc = $doc:literal])+ $(#[cfg($cfg:meta)])? $name:ident, $string:literal, $rules:expr;)+) => {
        $(
            $(#[doc = $doc])+
            $(#[cfg($cfg)])?
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub struct $name;

            $(#[cfg($cfg)])?
            impl sealed::Sealed for $name {}

            $(#[cfg($cfg)])?
            impl Profile for $name {
                const NAME: ProfileName = ProfileName::$name;
            }

            $(#[cfg($cfg)])?
            impl From<$name> for ProfileName {
                fn from(_: $name) -> ProfileName {
                    ProfileName::$name
                }
            }
        )+

        /// A profile chosen at run time, by its name.
        ///
        /// ```
        /// use lanner_ed25519::profile::ProfileName;
        ///
        /// let profile: ProfileName = "strict".parse()?;
        /// assert_eq!(profile, ProfileName::Strict);
        /// assert!("Strict".parse::<ProfileName>().is_err());
        /// # Ok::<(), lanner_ed25519::profile::UnknownProfile>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ProfileName {
            $(
                #[doc = concat!("`", $string, "`: [`", stringify!($name), "`].")]
                $(#[cfg($cfg)])?
                $name,
            )+
        }

        impl ProfileName {
            /// Every profile, in the order of the table above.
            pub const ALL: &'static [ProfileName] = &[
                $($(#[cfg($cfg)])? ProfileName::$name,)+
            ];

            /// The name, the same on every face of the library.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($(#[cfg($cfg)])? ProfileName::$name => $string,)+
                }
            }

            pub(crate) const fn rules(self) -> Rules {
                match self {
                    $($(#[cfg($cfg)])? ProfileName::$name => $rules,)+
                }
            }
        }
    };
}

profile_table!(profiles);

impl fmt::Display for ProfileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ProfileName {
    type Err = UnknownProfile;

    /// The profile of that name, spelled exactly as [`ProfileName::as_str`]
    /// does.
    fn from_str(name: &str) -> Result<Self, UnknownProfile> {
        ProfileName::ALL
            .iter()
            .copied()
            .find(|profile| profile.as_str() == name)
            .ok_or(UnknownProfile(()))
    }
}

/// The error of parsing a [`ProfileName`]: no profile has that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownProfile(());

impl fmt::Display for UnknownProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown verification profile; the profiles are")?;
        for (i, profile) in ProfileName::ALL.iter().enumerate() {
            let separator = if i == 0 { " " } else { ", " };
            write!(f, "{separator}{profile}")?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownProfile {}
