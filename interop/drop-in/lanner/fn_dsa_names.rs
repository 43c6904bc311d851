// The one edit: the generator of the operating system comes from the crate itself. (A manifest would give
// each of the other names to lanner-fn-dsa by `package =`; one manifest can do so for one name only.)
pub(crate) use fn_dsa::OsRng;
pub(crate) use {
    fn_dsa as fn_dsa_comm, fn_dsa as fn_dsa_kgen, fn_dsa as fn_dsa_sign, fn_dsa as fn_dsa_vrfy,
};
// Or the one expression in each call, where a generator of rand_core 0.6 stays.
pub(crate) use fn_dsa::Rng06 as taken;
#[allow(clippy::single_component_path_imports)] // the other build has another name here
pub(crate) use old_rand_chacha;
// The traits of rand_core 0.6, for a generator of the program's own.
pub(crate) use fn_dsa::rand_core_06::{self as traits, Error as RngError};
