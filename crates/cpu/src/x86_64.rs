//! Witnesses for x86-64.

cpufeatures::new!(adx_bmi2, "adx", "bmi2");

/// Proof that the processor has ADX and BMI2: `mulx`, and the two independent
/// carry chains of `adcx` and `adox`.
#[derive(Clone, Copy, Debug)]
pub struct Adx(());

impl Adx {
    /// The witness, where the processor has both features.
    #[inline]
    #[must_use]
    pub fn detect() -> Option<Self> {
        adx_bmi2::get().then_some(Self(()))
    }
}
