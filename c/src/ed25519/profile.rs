//! Verification profiles by number and by name: `enum lanner_ed25519_profile` of `lanner.h`.
#![allow(unsafe_code)]

use core::ffi::{CStr, c_char, c_int};

use lanner_ed25519::profile::ProfileName;

use crate::status::Error;

/// The profiles in the order of their numbers in C, with their names as C strings.
const PROFILES: [(ProfileName, &CStr); 7] = [
    (ProfileName::Strict, c"strict"),
    (ProfileName::Dalek, c"dalek"),
    (ProfileName::Rfc8032, c"rfc8032"),
    (ProfileName::Rfc8032Cofactorless, c"rfc8032-cofactorless"),
    (ProfileName::Zip215, c"zip215"),
    (ProfileName::Donna, c"donna"),
    (ProfileName::Libsodium, c"libsodium"),
];

/// The rule of the donna names, as a number.
const DROP_IN_NUMBER: c_int = if cfg!(feature = "legacy_compatibility") {
    5
} else {
    1
};

/// The rule of the donna names.
#[cfg(feature = "donna-names")]
pub(crate) const DROP_IN: ProfileName = PROFILES[DROP_IN_NUMBER as usize].0;

/// The profile with that number.
pub(super) fn by_number(number: c_int) -> Result<ProfileName, Error> {
    usize::try_from(number)
        .ok()
        .and_then(|number| PROFILES.get(number))
        .map(|(profile, _)| *profile)
        .ok_or(Error::Profile)
}

/// `lanner_ed25519_profile_by_name` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_profile_by_name(name: *const c_char) -> c_int {
    if name.is_null() {
        return Error::Null.code();
    }
    // SAFETY: not NULL, and the caller promises that it ends with NUL.
    let name = unsafe { CStr::from_ptr(name) };
    let number = PROFILES.iter().position(|(_, known)| *known == name);
    number.map_or(Error::Profile.code(), |number| number as c_int)
}

/// `lanner_ed25519_profile_name` of `lanner.h`.
#[unsafe(no_mangle)]
extern "C" fn lanner_ed25519_profile_name(number: c_int) -> *const c_char {
    usize::try_from(number)
        .ok()
        .and_then(|number| PROFILES.get(number))
        .map_or(core::ptr::null(), |(_, name)| name.as_ptr())
}

/// `lanner_ed25519_donna_profile` of `lanner.h`.
#[unsafe(no_mangle)]
extern "C" fn lanner_ed25519_donna_profile() -> c_int {
    DROP_IN_NUMBER
}

#[cfg(test)]
mod tests {
    use super::{PROFILES, ProfileName};

    #[test]
    fn the_names_are_those_of_the_other_faces() {
        for (profile, name) in PROFILES {
            assert_eq!(name.to_str(), Ok(profile.as_str()));
        }
        // A new profile must get a number here. (`simd0376-2026` is outside semantic versioning.)
        let stable = ProfileName::ALL
            .iter()
            .filter(|profile| !profile.as_str().starts_with("simd0376"));
        assert_eq!(stable.count(), PROFILES.len());
    }
}
