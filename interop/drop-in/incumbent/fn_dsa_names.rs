// What the program's manifest and its one edit decide: where the generator of the operating system comes
// from, and the crates that fn-dsa is split into.
pub(crate) use rand_core::OsRng;
#[allow(clippy::single_component_path_imports)] // the other build has other names here
pub(crate) use {fn_dsa_comm, fn_dsa_kgen, fn_dsa_sign, fn_dsa_vrfy};
// The traits that a generator of the program's own has.
pub(crate) use fn_dsa as traits;
pub(crate) use fn_dsa_comm::RngError;
pub(crate) use rand_chacha as old_rand_chacha;

/// A generator, in the form in which a call takes it.
pub(crate) fn taken<R>(rng: R) -> R {
    rng
}
