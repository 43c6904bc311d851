//! Builds OpenSSL, and compiles the program in C.

fn main() {
    let openssl = openssl_src::Build::new().build();
    let sources = ["../c/serve.c", "../c/openssl.c"];
    for source in sources.into_iter().chain(["../c/peer.h"]) {
        println!("cargo::rerun-if-changed={source}");
    }
    cc::Build::new()
        .std("c99")
        .files(sources)
        .include(openssl.include_dir())
        .compile("peer");
    // After what calls it: linkers go from left to right.
    openssl.print_cargo_metadata();
}
