//! What blocks of assembly, and what the compiler makes of several operations, is compared with, on unknowns.

use lanner_proof::Number;

/// What a step of the ladder leaves, x_2, z_2, x_3 and z_3, of x_2, z_2, x_3, z_3 and x_1, the points exchanged first if `swap`
/// (RFC 7748, section 5).
pub(super) fn ladder_step(inputs: &[Number], swap: bool) -> [Number; 4] {
    let [x2, z2, x3, z3, x1] = inputs else {
        panic!("five inputs");
    };
    let [x2, z2, x3, z3] = if swap {
        [x3, z3, x2, z2]
    } else {
        [x2, z2, x3, z3]
    };
    let square = |x: &Number| x * x;
    let (aa, bb) = (square(&(x2 + z2)), square(&(x2 - z2)));
    let e = &aa - &bb;
    let (da, cb) = (&(x3 - z3) * &(x2 + z2), &(x3 + z3) * &(x2 - z2));
    [
        &aa * &bb,
        &e * &(&aa + &(&e * &Number::from(121_665))),
        square(&(&da + &cb)),
        x1 * &square(&(&da - &cb)),
    ]
}
