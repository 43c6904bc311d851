//! Instruction sets that a build was told to leave out.

use iced_x86::CpuidFeature;

use crate::flow::decode;
use crate::objects::Program;

/// The instruction sets by which a feature of the processor is asked for here. Vectors of 128 bits have none: every
/// processor has them, and the compiler uses them in all code.
fn family(feature: CpuidFeature) -> Option<&'static str> {
    match feature {
        CpuidFeature::ADX => Some("adx"),
        CpuidFeature::AVX2 => Some("avx2"),
        CpuidFeature::AVX512F
        | CpuidFeature::AVX512VL
        | CpuidFeature::AVX512DQ
        | CpuidFeature::AVX512BW
        | CpuidFeature::AVX512_IFMA => Some("avx512"),
        _ => None,
    }
}

/// The findings: functions of the house with instructions of the families that are named.
pub(crate) fn check(program: &Program, bits: u32, names: &[&str]) -> Vec<String> {
    let mut findings = Vec::new();
    for function in &program.functions {
        // Other crates have settings of their own.
        if !function.name.contains("lanner_") {
            continue;
        }
        let instructions = decode(function, bits);
        let unwanted = instructions.iter().find_map(|instruction| {
            let families = instruction.cpuid_features().iter().copied();
            families
                .filter_map(family)
                .find(|family| names.contains(family))
                .map(|family| (family, instruction.mnemonic()))
        });
        if let Some((family, mnemonic)) = unwanted {
            findings.push(format!(
                "{mnemonic:?} of {family}, which the build leaves out, in {}",
                function.name
            ));
        }
    }
    findings
}
