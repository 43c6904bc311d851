//! age: a short file, encrypted to one recipient and decrypted.

mod clock;

fn main() {
    let identity = age::x25519::Identity::generate();
    let recipient = identity.to_public();
    clock::time(|| {
        let file = age::encrypt(&recipient, b"a short file").expect("encrypts");
        let read = age::decrypt(&identity, &file).expect("decrypts");
        assert_eq!(read, b"a short file");
    });
}
