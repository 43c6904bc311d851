//! FN-DSA and Falcon against fn-dsa 0.2, 0.3 and 0.4, and PQClean's Falcon (pqcrypto-falcon): the same keys,
//! the same signatures where they are determined, and the same verdicts.
//!
//! The names of all tests here begin with `fn_dsa`, so that a run which is about the backends of the
//! curve can leave them out.

mod fn_dsa_0_2;
mod fn_dsa_0_3;
mod fn_dsa_0_4;
mod fn_dsa_falcon;
mod replay;
