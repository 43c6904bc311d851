// Signs and verifies from Go, by cgo; pkg-config says where the library is:
//
//	go run .
package main

// #cgo pkg-config: lanner-core
// #include <stdlib.h>
// #include <lanner.h>
import "C"

import (
	"errors"
	"fmt"
	"log"
	"unsafe"
)

// check turns what a function returns into an error.
func check(status C.int) error {
	if status == C.LANNER_OK {
		return nil
	}
	return errors.New(C.GoString(C.lanner_strerror(status)))
}

// bytes points to data for the time of a call; NULL where there is none.
func bytes(data []byte) *C.uchar {
	if len(data) == 0 {
		return nil
	}
	return (*C.uchar)(unsafe.Pointer(&data[0]))
}

// sign makes a key, signs with it and forgets it.
func sign(message []byte) (public, signature []byte, err error) {
	public = make([]byte, C.LANNER_ED25519_PUBLIC_BYTES)
	signature = make([]byte, C.LANNER_ED25519_SIGNATURE_BYTES)
	// Go may move what it has on its stacks, and leaves copies: a key that must leave none belongs into C.malloc's memory.
	key := (*C.lanner_ed25519_key)(C.malloc(C.sizeof_lanner_ed25519_key))
	defer C.free(unsafe.Pointer(key))
	if err = check(C.lanner_ed25519_key_generate(key)); err != nil {
		return
	}
	defer C.lanner_ed25519_key_clear(key)
	if err = check(C.lanner_ed25519_key_public(key, bytes(public))); err != nil {
		return
	}
	err = check(C.lanner_ed25519_sign(key, bytes(message), C.size_t(len(message)), bytes(signature)))
	return
}

func verify(public, message, signature []byte) error {
	return check(C.lanner_ed25519_verify(C.LANNER_ED25519_STRICT, bytes(public), bytes(message),
		C.size_t(len(message)), bytes(signature)))
}

func main() {
	message := []byte("a message")
	public, signature, err := sign(message)
	if err != nil {
		log.Fatal(err)
	}
	if err := verify(public, message, signature); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("the signature is valid: %x\n", signature)
	err = verify(public, []byte("another"), signature)
	if err == nil {
		log.Fatal("another message passes")
	}
	fmt.Println("of another message:", err)
	fmt.Println("done")
}
