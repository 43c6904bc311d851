//! The constants of the sampler.

/// 1 / sigma, indexed by logn, as bit patterns: the inverse of the deviation of a signature
/// (specification, section 2.6 and table 3.3; the smaller degrees by the same formula).
pub(crate) const INVERSE_SIGMA: [u64; 11] = [
    0,
    0x3f7c_48eb_7e24_1699,
    0x3f7b_e50a_548c_aed8,
    0x3f7b_852e_e09e_762b,
    0x3f7a_fc5e_d3ca_da35,
    0x3f7a_7b3b_0976_b3ec,
    0x3f7a_0112_82ca_9c97,
    0x3f79_8d49_ce5f_2735,
    0x3f79_1f57_c56e_d9ed,
    0x3f78_b6c2_de64_c7c9,
    0x3f78_531e_f631_1ae2,
];

/// sigma_min, indexed by logn, as bit patterns: the smallest deviation of a sample.
pub(crate) const SIGMA_MIN: [u64; 11] = [
    0,
    0x3ff1_dd38_0644_568b,
    0x3ff2_1d2e_dcad_8626,
    0x3ff2_5c46_e1aa_7c7a,
    0x3ff2_b95c_574a_fb25,
    0x3ff3_14ab_c7fe_22b6,
    0x3ff3_6e4e_3475_d7c3,
    0x3ff3_c65a_66a1_c224,
    0x3ff4_1ce5_358c_b3a0,
    0x3ff4_7201_bf1f_7a75,
    0x3ff4_c5c1_9990_c764,
];

/// 1 / (2 sigma_max^2), with sigma_max = 1.8205.
pub(super) const INVERSE_2_SIGMA_MAX_SQUARED: u64 = 0x3fc3_4f8b_c183_bbc2;

/// ln 2 and its inverse.
pub(super) const LN_2: u64 = 0x3fe6_2e42_fefa_39ef;
pub(super) const INVERSE_LN_2: u64 = 0x3ff7_1547_652b_82fe;

/// 1 / q.
pub(crate) const INVERSE_Q: u64 = 0x3f15_54e3_9097_a782;

/// A reverse cumulative distribution table: z0, the sample of the half-Gaussian, is the number of entries
/// above a uniform integer. An entry is high * 2^48 + middle * 2^24 + low; the zeros at the end are above
/// nothing.
pub(super) struct Rcdt {
    pub(super) high: [u32; 24],
    pub(super) middle: [u32; 24],
    pub(super) low: [u32; 24],
}

/// 72 bits (specification, table 3.1).
#[rustfmt::skip]
pub(super) static RCDT72: Rcdt = Rcdt {
    high: [ 10745844, 5559083, 2260429, 708981, 169348, 30538, 4132, 417, 31, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 ],
    middle: [ 3068844, 1580863, 13669192, 4421575, 7122675, 13063405, 14505003, 16768101, 8444042, 12844466, 1232676, 38047, 870, 14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 ],
    low: [ 3741698, 8248194, 2736639, 10046180, 4136815, 7650655, 7826148, 11363290, 8086568, 265321, 13644283, 9111839, 6138264, 12545723, 3104126, 28824, 198, 1, 0, 0, 0, 0, 0, 0 ],
};

/// 79 bits, of fn-dsa 0.4.0.
#[rustfmt::skip]
pub(super) static RCDT79: Rcdt = Rcdt {
    high: [ 1375468055, 711562636, 289335016, 90749601, 21676598, 3908963, 529006, 53503, 4032, 225, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 ],
    middle: [ 6936092, 1023934, 4826132, 12313548, 5732767, 11171514, 11146683, 15610582, 7095613, 16701698, 6787688, 4870085, 111406, 1887, 23, 0, 0, 0, 0, 0, 0, 0, 0, 0 ],
    low: [ 9176346, 15582455, 14746371, 10843417, 9419414, 6206010, 11891888, 11661180, 11671091, 407118, 1638204, 8687822, 13946073, 12017202, 11452285, 3689579, 25354, 129, 0, 0, 0, 0, 0, 0 ],
};

/// A table in two parts: entry = high * 2^`BITS` + low, high below 2^63.
pub(super) struct Parts<const BITS: u32> {
    pub(super) high: [u64; 18],
    pub(super) low: [u64; 18],
}

pub(super) const fn parts<const BITS: u32>(table: &Rcdt) -> Parts<BITS> {
    let mut parts = Parts {
        high: [0; 18],
        low: [0; 18],
    };
    let mut i = 0;
    while i < 18 {
        let (high, middle, low) = (table.high[i], table.middle[i], table.low[i]);
        let entry = (high as u128) << 48 | (middle as u128) << 24 | low as u128;
        parts.high[i] = (entry >> BITS) as u64;
        parts.low[i] = (entry & ((1 << BITS) - 1)) as u64;
        i += 1;
    }
    parts
}

pub(super) static PARTS72: Parts<9> = parts(&RCDT72);

/// exp(-r) for |r| <= (ln 2) / 2 (1 + 2^-20): 1 - r + r^2 p(r), the coefficients of p from the lowest.
///
/// Remez' algorithm, in 60 digits, makes the largest relative error of such a polynomial as small as it can be,
/// which is 2^-57.9; the coefficients are then rounded to doubles, and the error is below 2^-56. The test
/// `the_coefficients_keep_their_bound` proves that bound over the whole interval, in integers.
pub(super) const EXP: [u64; 10] = [
    0x3fe0_0000_0000_000a,
    0xbfc5_5555_5555_54fa,
    0x3fa5_5555_5555_088c,
    0xbf81_1111_1112_7b9e,
    0x3f56_c16c_1842_6765,
    0xbf2a_01a0_12a6_8f86,
    0x3efa_0199_a16c_661c,
    0xbec7_1df2_53bd_594c,
    0x3e92_8ad6_8bdb_3a3f,
    0xbe5a_d7f7_8591_017f,
];

/// The encoding of 1.
pub(super) const ONE: u64 = 0x3ff0_0000_0000_0000;

/// The encoding of 1/2.
pub(super) const HALF: u64 = 0x3fe0_0000_0000_0000;

/// 1 / (2 sigma_max^2 ln 2).
pub(super) const INVERSE_2_SIGMA_MAX_SQUARED_LN_2: u64 = 0x3fcb_dc07_78b2_2b9c;

/// log2(m) for 1 <= m < 2: the coefficients of a polynomial from the lowest, by Remez' algorithm. Its largest error is
/// 2^-16.28.
pub(super) const LOG_2: [u64; 6] = [
    0xc006_6725_20b7_5e4f,
    0x4014_5de9_34e7_0523,
    0xc00c_6805_7984_aded,
    0x3ffa_192e_8f77_434c,
    0xbfda_a8f9_8a6b_051b,
    0x3fa6_f9ab_3a1f_76cf,
];
