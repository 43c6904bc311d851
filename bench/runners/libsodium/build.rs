//! Compiles the program in C.

fn main() {
    let include = std::env::var_os("DEP_SODIUM_INCLUDE").expect("libsodium was built");
    let sources = ["../c/serve.c", "../c/sodium.c"];
    for source in sources.into_iter().chain(["../c/peer.h"]) {
        println!("cargo::rerun-if-changed={source}");
    }
    cc::Build::new()
        .std("c99")
        .files(sources)
        .include(include)
        .compile("peer");
}
