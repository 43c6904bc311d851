//! biscuit-auth: a token of two blocks, read and verified.

mod clock;

use biscuit_auth::{Biscuit, KeyPair, builder::BlockBuilder};

fn main() {
    let root = KeyPair::new();
    let token = Biscuit::builder()
        .fact("right(\"/a/file\", \"read\")")
        .expect("a fact")
        .build(&root)
        .expect("signs");
    let block = BlockBuilder::new()
        .check("check if resource(\"/a/file\")")
        .expect("a check");
    let token = token
        .append(block)
        .expect("signs")
        .to_vec()
        .expect("encodes");
    clock::time(|| {
        Biscuit::from(&token, root.public()).expect("valid");
    });
}
