/*
 * lanner.h: Ed25519 (RFC 8032), X25519 (RFC 7748), Ristretto255 (RFC 9496), and FN-DSA with Falcon.
 *
 * Conventions, kept by every function; README.md has the reasons:
 *
 * - Functions that can fail return an int: LANNER_OK (0), or a negative value of enum
 *   lanner_status, for which lanner_strerror has a text.
 * - Pointers must not be NULL (LANNER_ERROR_NULL), except for a piece of data whose length is 0, and
 *   where the comment says so.
 * - Outputs are written last: zeros if the function fails, but where nobody knows how much of them (a *length that is
 *   NULL, a key pair of no known variant or degree). They may overlap the inputs. Byte pointers need no alignment.
 * - Nothing is allocated for the caller. Objects (lanner_ed25519_key and the like) are the caller's
 *   memory; they may be copied with memcpy, hold no other resources, and are wiped by their ..._clear
 *   function, which accepts NULL and objects in any state. No object holds a pointer to a function. An
 *   object that was cleared, or filled with zeros, is refused by every function but those that
 *   initialise it (LANNER_ERROR_STATE). One that takes a message in pieces is cleared where a piece is refused, so that
 *   no verdict and no signature comes of the others. What was on the stack before goes into no object.
 * - Every function may be called by any number of threads at once, on the same object too as long
 *   as the pointer to it is const.
 * - What touches secrets runs in constant time in them; what sees public data only need not.
 *
 * LANNER_BARE_METAL, defined before this header is included, leaves out what a library without an
 * operating system does not have.
 */
#ifndef LANNER_H
#define LANNER_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* No parameter is declared nonnull: NULL in the wrong place is an error that every function returns, and compilers that
 * were promised that there is none would leave such checks out of callers. */

/* A result that must be looked at: compilers that know how to say so warn where it is not. Who has a reason
 * not to look defines LANNER_CHECKED as nothing before this header is included. */
#if !defined(LANNER_CHECKED)
#if defined(__GNUC__)
#define LANNER_CHECKED __attribute__((__warn_unused_result__))
#else
#define LANNER_CHECKED
#endif
#endif

/* ------------------------------------------------------------------------------------------------
 * The library
 */

#define LANNER_VERSION_MAJOR 0
#define LANNER_VERSION_MINOR 1
#define LANNER_VERSION_PATCH 0
#define LANNER_VERSION "0.1.0"
#define LANNER_VERSION_NUMBER \
    (LANNER_VERSION_MAJOR * 1000000 + LANNER_VERSION_MINOR * 1000 + LANNER_VERSION_PATCH)

/* The version of the library that the program runs with; LANNER_VERSION is that of the header that
 * it was compiled with. */
const char *lanner_version(void);
uint32_t lanner_version_number(void);

/* What functions return. Values are never reused; new ones may be added. */
enum lanner_status {
    LANNER_OK = 0,
    /* The signature is not valid. Why not is nobody's business. */
    LANNER_ERROR_SIGNATURE = -1,
    /* A pointer is NULL that must not be. */
    LANNER_ERROR_NULL = -2,
    /* A length is out of range. */
    LANNER_ERROR_LENGTH = -3,
    /* A key is malformed, or its halves do not belong together. */
    LANNER_ERROR_KEY = -4,
    /* There is no such profile. */
    LANNER_ERROR_PROFILE = -5,
    /* A context has a length that the scheme does not allow: of Ed25519ctx, 0 too. */
    LANNER_ERROR_CONTEXT = -6,
    /* An object is not initialised, or was cleared. */
    LANNER_ERROR_STATE = -7,
    /* The output buffer or the scratch is too small, or the scratch overlaps what the function reads; *length says how much
     * room an output needs, and lanner_fn_dsa_..._scratch_bytes how much scratch. */
    LANNER_ERROR_BUFFER = -8,
    /* This is no key file of the wanted kind. */
    LANNER_ERROR_ENCODING = -9,
    /* The source of randomness failed, or there is none. */
    LANNER_ERROR_RANDOM = -10,
    /* The message changed between the two passes of a signature. */
    LANNER_ERROR_MESSAGE_CHANGED = -11,
    /* The caller's function reported a failure. */
    LANNER_ERROR_CALLBACK = -12,
    /* The other party's key has small order, so that the shared secret would be zero. */
    LANNER_ERROR_NON_CONTRIBUTORY = -13,
    /* An object is not aligned as its type demands. */
    LANNER_ERROR_ALIGNMENT = -14,
    /* Not supported: a degree other than 512 and 1024, an unknown variant (or hash, or encoding), a key of another
     * scheme, or what this build lacks (a backend, for one). */
    LANNER_ERROR_UNSUPPORTED = -15,
    /* The system has not enough memory. */
    LANNER_ERROR_MEMORY = -16,
    /* These bytes encode no element, or no scalar, of the group. */
    LANNER_ERROR_ELEMENT = -17,
    /* The result would be the neutral element, or zero has no inverse. */
    LANNER_ERROR_ZERO = -18,
    /* A signature was made twice, and came out differently, or is not valid: the processor or the memory failed. */
    LANNER_ERROR_FAULT = -19
};

/* A text in English, for every int; never NULL. The text is static. */
const char *lanner_strerror(int status);

/* Fills out with length bytes, all of them, and returns 0; anything else on failure. It may be called
 * by several threads at once. */
typedef int (*lanner_random_source)(void *out, size_t length);

/* From now on this copy of the library takes randomness from this function, in all threads; NULL goes back to the operating
 * system's generator, which is to be done before the function is unloaded. A bare-metal library has no generator of its own.
 *
 * Where a process has several copies, each has a source of its own: liblanner.so and liblanner-core.so are two, and the static
 * library in a plugin (ELF) is one more if the plugin is linked with -Wl,--exclude-libs,liblanner.a. Otherwise the plugin exports
 * the library's names, and calls those of its host, if that has them. */
void lanner_set_random_source(lanner_random_source source);

/* Random bytes from the source in force. */
int lanner_random_bytes(void *out, size_t length) LANNER_CHECKED;

/* Wipes length bytes at data: secrets outside of objects. It is not left out, as compilers do with a memset of
 * what is not read again. NULL is allowed, with any length. */
void lanner_wipe(void *data, size_t length);

/* Backends: which instructions do the work, in every scheme. All of them are in the library, and the
 * fastest that the processor can run is chosen at the first use. All give the same results; choosing one
 * by hand is for tests, measurements and audits. */

/* The name of one that can run here, the fastest first: "avx512", "avx2", "adx", "portable64",
 * "sse2" on a new x86-64 processor. NULL where index has passed the last one. Static text. */
const char *lanner_backend_name(size_t index);

/* The name of the one at work. Static text. */
const char *lanner_backend_active(void);

/* Lets the one with this name do all the work of this copy of the library from now on, in all threads.
 * LANNER_ERROR_UNSUPPORTED if none of that name can run here; nothing changes then. */
int lanner_backend_force(const char *name) LANNER_CHECKED;

#if defined(LANNER_BARE_METAL)
/* The library has no error that only a panic could report, and no input leads to one. Should it
 * happen all the same, this function is told why, and does not need to return; else the processor
 * stays in an endless loop. */
typedef void (*lanner_panic_function)(const char *message);
void lanner_set_panic_function(lanner_panic_function function);
#endif

/* ------------------------------------------------------------------------------------------------
 * Ed25519: keys
 */

#define LANNER_ED25519_SEED_BYTES 32
#define LANNER_ED25519_PUBLIC_BYTES 32
#define LANNER_ED25519_PAIR_BYTES 64
#define LANNER_ED25519_SIGNATURE_BYTES 64

/* A secret key, with all that is derived from it once: the public key, the scalar, the prefix. It
 * holds secrets: clear it when it is no longer needed. */
typedef struct lanner_ed25519_key {
    uint64_t opaque[64];
} lanner_ed25519_key;

/* The key of a seed, any 32 bytes (RFC 8032 calls it the private key). */
int lanner_ed25519_key_from_seed(lanner_ed25519_key *key,
                                 const unsigned char seed[LANNER_ED25519_SEED_BYTES]) LANNER_CHECKED;

/* The key of a seed and its public key, 64 bytes as many libraries store them. LANNER_ERROR_KEY if
 * they do not belong together. */
int lanner_ed25519_key_from_pair(lanner_ed25519_key *key,
                                 const unsigned char pair[LANNER_ED25519_PAIR_BYTES]) LANNER_CHECKED;

/* A new random key. */
int lanner_ed25519_key_generate(lanner_ed25519_key *key) LANNER_CHECKED;

/* The seed, 32 bytes. */
int lanner_ed25519_key_seed(const lanner_ed25519_key *key,
                            unsigned char seed[LANNER_ED25519_SEED_BYTES]) LANNER_CHECKED;

/* The seed and the public key, 64 bytes. */
int lanner_ed25519_key_pair(const lanner_ed25519_key *key,
                            unsigned char pair[LANNER_ED25519_PAIR_BYTES]) LANNER_CHECKED;

/* The public key, 32 bytes. */
int lanner_ed25519_key_public(const lanner_ed25519_key *key,
                              unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES]) LANNER_CHECKED;

void lanner_ed25519_key_clear(lanner_ed25519_key *key);

/* The keys of count seeds of 32 bytes, one after the other: what lanner_ed25519_key_from_seed makes of
 * each, faster. keys has room for count objects, which must not overlap the seeds. */
int lanner_ed25519_key_from_seed_each(lanner_ed25519_key *keys, const unsigned char *seeds,
                                      size_t count) LANNER_CHECKED;

/* The public key of a seed, without an object. */
int lanner_ed25519_public_from_seed(const unsigned char seed[LANNER_ED25519_SEED_BYTES],
                                    unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES]) LANNER_CHECKED;

/* The public keys of count seeds of 32 bytes, one after the other: what lanner_ed25519_public_from_seed
 * makes of each, faster. public_keys has 32 times count bytes; it may be seeds, but must not overlap them
 * otherwise. */
int lanner_ed25519_public_from_seed_each(const unsigned char *seeds, size_t count,
                                         unsigned char *public_keys) LANNER_CHECKED;

enum lanner_ed25519_property {
    /* The key has small order: anybody can sign under it. */
    LANNER_ED25519_WEAK = 1,
    /* The bytes are the canonical encoding of their point. */
    LANNER_ED25519_CANONICAL = 2,
    /* The point has no component of small order, as every honest key. */
    LANNER_ED25519_TORSION_FREE = 4
};

/* The properties of a public key, as a sum. LANNER_ERROR_KEY if the bytes are no point. */
int lanner_ed25519_public_properties(const unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES],
                                     unsigned int *properties) LANNER_CHECKED;

/* The X25519 public key of whoever holds this key's secret, 32 bytes. LANNER_ERROR_KEY if the key is
 * weak or not torsion-free. */
int lanner_ed25519_public_to_x25519(const unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES],
                                    unsigned char x25519_public[32]) LANNER_CHECKED;

/* The X25519 secret key that belongs to it, 32 bytes. */
int lanner_ed25519_key_to_x25519(const lanner_ed25519_key *key,
                                 unsigned char x25519_secret[32]) LANNER_CHECKED;

/* ------------------------------------------------------------------------------------------------
 * Ed25519: signing. Signatures have 64 bytes.
 */

/* Signs (RFC 8032 section 5.1.6). The same message gives the same signature. */
int lanner_ed25519_sign(const lanner_ed25519_key *key, const unsigned char *message,
                        size_t message_length,
                        unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* Signs as lanner_ed25519_sign does, and gives the signature out only if it is the right one, whatever single fault
 * of the processor or of memory happened meanwhile: it is made twice, from the seed on, compared, and verified.
 * LANNER_ERROR_FAULT if it is not right, and zeros for a signature: this key or this machine should sign no more before the
 * reason is found. */
int lanner_ed25519_sign_checked(const lanner_ed25519_key *key, const unsigned char *message,
                                size_t message_length,
                                unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* One of many messages, and the key that signs it. */
typedef struct lanner_ed25519_message {
    const lanner_ed25519_key *key;
    const unsigned char *message;
    size_t message_length;
} lanner_ed25519_message;

/* Signs count messages, any number from 0 on, by one key or by many: the signatures of lanner_ed25519_sign,
 * faster. signatures has 64 times count bytes, which must not overlap what the messages point to. All
 * are zeros if the function fails. */
int lanner_ed25519_sign_each(const lanner_ed25519_message *messages, size_t count,
                             unsigned char *signatures) LANNER_CHECKED;

/* Signs with Ed25519ctx: bound to a context of 1 to 255 bytes. */
int lanner_ed25519_sign_ctx(const lanner_ed25519_key *key, const unsigned char *context,
                            size_t context_length, const unsigned char *message,
                            size_t message_length,
                            unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* The same, made twice, compared and verified, as lanner_ed25519_sign_checked does. */
int lanner_ed25519_sign_ctx_checked(const lanner_ed25519_key *key, const unsigned char *context,
                                    size_t context_length, const unsigned char *message,
                                    size_t message_length,
                                    unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* Signs with fresh randomness in the nonce as well, which hardens against faults and power analysis.
 * Verified as any other. */
int lanner_ed25519_sign_hedged(const lanner_ed25519_key *key, const unsigned char *message,
                               size_t message_length,
                               unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* Signs with a seed, without an object: derives the public key each time. */
int lanner_ed25519_sign_seed(const unsigned char seed[LANNER_ED25519_SEED_BYTES],
                             const unsigned char *message, size_t message_length,
                             unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* Takes the pieces of a message. */
typedef struct lanner_sink lanner_sink;

/* Absorbs a piece. Pieces may be cut anywhere. Only to be called by a lanner_feed, with the sink that
 * it was given. */
int lanner_sink_update(lanner_sink *sink, const unsigned char *piece,
                       size_t piece_length) LANNER_CHECKED;

/* The caller's function that hands over a whole message: it calls lanner_sink_update for each piece
 * and returns 0, or anything else to give up. It must return: no longjmp, no C++ exception. */
typedef int (*lanner_feed)(void *user, lanner_sink *sink);

/* Signs a message in pieces, in constant memory. The result is that of lanner_ed25519_sign if the context is NULL and
 * context_length 0, and else that of lanner_ed25519_sign_ctx on the whole, which refuses a context of length 0 that is not
 * NULL (LANNER_ERROR_CONTEXT). Ed25519 reads a message twice, so feed is
 * called twice and must hand over the same bytes both times: of a file, it reads from the start.
 * LANNER_ERROR_MESSAGE_CHANGED if it does not, LANNER_ERROR_CALLBACK if it gives up. */
int lanner_ed25519_sign_feed(const lanner_ed25519_key *key, const unsigned char *context,
                             size_t context_length, lanner_feed feed, void *user,
                             unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* ------------------------------------------------------------------------------------------------
 * Ed25519: verification
 */

/* Who accepts what: named rules that never change. All accept every honest signature. */
enum lanner_ed25519_profile {
    /* "strict", the default choice: cofactorless, S below L, no key or R of small order. */
    LANNER_ED25519_STRICT = 0,
    /* "dalek": the rule of ed25519-dalek, Go, OpenSSL, BoringSSL. */
    LANNER_ED25519_DALEK = 1,
    /* "rfc8032": RFC 8032 to the letter, cofactored. */
    LANNER_ED25519_RFC8032 = 2,
    /* "rfc8032-cofactorless": the same with the cofactorless equation. */
    LANNER_ED25519_RFC8032_COFACTORLESS = 3,
    /* "zip215": made for consensus; cofactored, any encoding of a point. */
    LANNER_ED25519_ZIP215 = 4,
    /* "donna": the rule of ed25519-donna; S below 2^253. */
    LANNER_ED25519_DONNA = 5,
    /* "libsodium": as strict, and the key must be encoded canonically. */
    LANNER_ED25519_LIBSODIUM = 6
};

/* The profile with a name, or LANNER_ERROR_PROFILE. */
int lanner_ed25519_profile_by_name(const char *name) LANNER_CHECKED;

/* The name of a profile, or NULL where there is none. The text is static. */
const char *lanner_ed25519_profile_name(int profile);

/* The profile that the names of ed25519.h follow: LANNER_ED25519_DALEK, or LANNER_ED25519_DONNA in a
 * library with the feature legacy_compatibility. */
int lanner_ed25519_donna_profile(void);

/* LANNER_OK if the signature is valid. LANNER_ERROR_KEY if the public key is no point of the curve,
 * LANNER_ERROR_SIGNATURE if the signature is not valid. */
int lanner_ed25519_verify(int profile, const unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES],
                          const unsigned char *message, size_t message_length,
                          const unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* Verifies a signature of Ed25519ctx, under a context of 1 to 255 bytes. */
int lanner_ed25519_verify_ctx(int profile,
                              const unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES],
                              const unsigned char *context, size_t context_length,
                              const unsigned char *message, size_t message_length,
                              const unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* A verification under way, of a message that comes in pieces. */
typedef struct lanner_ed25519_verifier {
    uint64_t opaque[128];
} lanner_ed25519_verifier;

/* Begins. It fails already here if the key or the signature can be refused without the message. */
int lanner_ed25519_verifier_init(lanner_ed25519_verifier *verifier, int profile,
                                 const unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES],
                                 const unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* Begins for Ed25519ctx. */
int lanner_ed25519_verifier_init_ctx(lanner_ed25519_verifier *verifier, int profile,
                                     const unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES],
                                     const unsigned char *context, size_t context_length,
                                     const unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* Absorbs a piece. Nothing of the message may be used before the verdict. If the piece is refused, the object is cleared. */
int lanner_ed25519_verifier_update(lanner_ed25519_verifier *verifier, const unsigned char *piece,
                                   size_t piece_length) LANNER_CHECKED;

/* The verdict. Clears the object. */
int lanner_ed25519_verifier_final(lanner_ed25519_verifier *verifier) LANNER_CHECKED;

void lanner_ed25519_verifier_clear(lanner_ed25519_verifier *verifier);

/* One signature of a batch. */
typedef struct lanner_ed25519_item {
    const unsigned char *public_key;
    const unsigned char *signature;
    const unsigned char *message;
    size_t message_length;
} lanner_ed25519_item;

/* Verifies count signatures, any number from 0 on, together: exactly the verdicts of
 * lanner_ed25519_verify, faster. LANNER_OK if all are valid. verdicts has count bytes, which become 1
 * or 0, or is NULL. For LANNER_ERROR_SIGNATURE they tell which; for any other error they are all 0.
 * verdicts must not overlap what the items point to. Memory of the library's own is bounded, whatever
 * count is; where the system has none, signatures are verified one after the other. */
int lanner_ed25519_verify_batch(int profile, const lanner_ed25519_item *items, size_t count,
                                unsigned char *verdicts) LANNER_CHECKED;

#if !defined(LANNER_NO_TABLES)
/* A public key with tables, for many signatures under one key. */
typedef struct lanner_ed25519_prepared {
    uint64_t opaque[1024];
} lanner_ed25519_prepared;

/* Decodes the key and computes its tables. LANNER_ERROR_KEY if the bytes are no point of the curve. */
int lanner_ed25519_prepared_init(lanner_ed25519_prepared *prepared,
                                 const unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES]) LANNER_CHECKED;

/* LANNER_OK if the signature of 64 bytes is valid under the profile, the verdict of
 * lanner_ed25519_verify, faster. LANNER_ERROR_SIGNATURE if it is not valid. */
int lanner_ed25519_prepared_verify(const lanner_ed25519_prepared *prepared, int profile,
                                   const unsigned char *message, size_t message_length,
                                   const unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* One signature of a batch under keys with tables. */
typedef struct lanner_ed25519_prepared_item {
    const lanner_ed25519_prepared *key;
    const unsigned char *signature;
    const unsigned char *message;
    size_t message_length;
} lanner_ed25519_prepared_item;

/* Verifies count signatures, any number from 0 on, under keys with tables, which may repeat: exactly the
 * verdicts of lanner_ed25519_prepared_verify, faster. What it returns, and verdicts, are those of
 * lanner_ed25519_verify_batch. It needs no memory of its own but some of the stack. */
int lanner_ed25519_prepared_verify_batch(int profile, const lanner_ed25519_prepared_item *items,
                                         size_t count, unsigned char *verdicts) LANNER_CHECKED;

void lanner_ed25519_prepared_clear(lanner_ed25519_prepared *prepared);
#endif

/* ------------------------------------------------------------------------------------------------
 * Ed25519ph: signatures of SHA-512 of a message, which is read once. The context has 0 to 255 bytes.
 */

int lanner_ed25519ph_sign(const lanner_ed25519_key *key, const unsigned char *context,
                          size_t context_length, const unsigned char *message,
                          size_t message_length,
                          unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* The same, made twice, compared and verified, as lanner_ed25519_sign_checked does. The message is hashed once: a fault in
 * that is not seen. */
int lanner_ed25519ph_sign_checked(const lanner_ed25519_key *key, const unsigned char *context,
                                  size_t context_length, const unsigned char *message,
                                  size_t message_length,
                                  unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

int lanner_ed25519ph_verify(int profile,
                            const unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES],
                            const unsigned char *context, size_t context_length,
                            const unsigned char *message, size_t message_length,
                            const unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* The hash of a message that comes in pieces, to be signed or verified at the end. */
typedef struct lanner_ed25519ph_state {
    uint64_t opaque[40];
} lanner_ed25519ph_state;

int lanner_ed25519ph_init(lanner_ed25519ph_state *state) LANNER_CHECKED;

/* Absorbs a piece. If it is refused, the state is cleared. */
int lanner_ed25519ph_update(lanner_ed25519ph_state *state, const unsigned char *piece,
                            size_t piece_length) LANNER_CHECKED;

/* Signs what was absorbed. Clears the state. */
int lanner_ed25519ph_final_sign(lanner_ed25519ph_state *state, const lanner_ed25519_key *key,
                                const unsigned char *context, size_t context_length,
                                unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* The same, made twice, compared and verified, as lanner_ed25519ph_sign_checked does. */
int lanner_ed25519ph_final_sign_checked(lanner_ed25519ph_state *state, const lanner_ed25519_key *key,
                                        const unsigned char *context, size_t context_length,
                                        unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* Verifies a signature of what was absorbed. Clears the state. */
int lanner_ed25519ph_final_verify(lanner_ed25519ph_state *state, int profile,
                                  const unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES],
                                  const unsigned char *context, size_t context_length,
                                  const unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

void lanner_ed25519ph_clear(lanner_ed25519ph_state *state);

/* ------------------------------------------------------------------------------------------------
 * Secret keys of Ed25519 without a seed, as BIP32-Ed25519 (Khovratovich, Law) derives them: 64 bytes, the scalar kL, which is
 * taken modulo L and not clamped, and the prefix kR. Both are secret. Two prefixes for one scalar do no harm; a prefix that
 * others know reveals the scalar with the first signature. A scalar of 0 modulo L is not refused: 64 zeros, as in a buffer
 * that was cleared, have the neutral element as their public key, under which anybody can sign what LANNER_ED25519_DALEK
 * accepts.
 */

#define LANNER_ED25519_EXPANDED_BYTES 64

/* The public key of such a key: [kL]B. */
int lanner_ed25519_expanded_public(const unsigned char expanded[LANNER_ED25519_EXPANDED_BYTES],
                                   unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES]) LANNER_CHECKED;

/* Signs under that public key, which is derived on the way. lanner_ed25519_verify verifies. */
int lanner_ed25519_expanded_sign(const unsigned char expanded[LANNER_ED25519_EXPANDED_BYTES],
                                 const unsigned char *message, size_t message_length,
                                 unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* ------------------------------------------------------------------------------------------------
 * XEdDSA: signatures of 64 bytes by the keys of X25519, as Signal specifies them ("The XEdDSA and VXEdDSA Signature Schemes",
 * revision 1).
 */

#define LANNER_XEDDSA_RANDOM_BYTES 64

/* Signs with a secret key of X25519, any 32 bytes, which are clamped inside, and 64 random bytes. */
int lanner_xeddsa_sign(const unsigned char x25519_secret[32], const unsigned char *message,
                       size_t message_length,
                       unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* The same with 64 random bytes of the caller's, Z of the specification, new for each signature. */
int lanner_xeddsa_sign_from_random(const unsigned char x25519_secret[32],
                                   const unsigned char random[LANNER_XEDDSA_RANDOM_BYTES],
                                   const unsigned char *message, size_t message_length,
                                   unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* LANNER_OK if the signature is valid by the specification: S below 2^253, u below p. LANNER_ERROR_KEY if the public key of
 * X25519 is not the coordinate of a point of the curve, or not reduced; LANNER_ERROR_SIGNATURE otherwise. */
int lanner_xeddsa_verify(const unsigned char x25519_public[32], const unsigned char *message,
                         size_t message_length,
                         const unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* The same for signatures in whose highest bit stands the sign of x, as libsignal makes them, and u modulo p;
 * LANNER_ERROR_SIGNATURE whatever is wrong. What lanner_xeddsa_sign makes is valid here too. */
int lanner_xeddsa_verify_with_sign(const unsigned char x25519_public[32],
                                   const unsigned char *message, size_t message_length,
                                   const unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;

/* ------------------------------------------------------------------------------------------------
 * Ristretto255 (RFC 9496): a group of prime order L. An element is 32 bytes, of which each has one encoding; the neutral
 * element is 32 zeros. A scalar is an integer modulo L, 32 bytes, little-endian; results are below L, and inputs may be any
 * integer below 2^256. Bytes that encode no element are LANNER_ERROR_ELEMENT. All of it runs in constant time, but for
 * whether the bytes encode an element and whether a result is refused.
 */

#define LANNER_RISTRETTO255_BYTES 32
#define LANNER_RISTRETTO255_HASH_BYTES 64
#define LANNER_RISTRETTO255_SCALAR_BYTES 32
#define LANNER_RISTRETTO255_WIDE_SCALAR_BYTES 64

/* LANNER_OK if the bytes are the encoding of an element, the neutral one included. */
int lanner_ristretto255_check(const unsigned char point[LANNER_RISTRETTO255_BYTES]) LANNER_CHECKED;

/* p + q, and p - q. */
int lanner_ristretto255_add(const unsigned char p[LANNER_RISTRETTO255_BYTES],
                            const unsigned char q[LANNER_RISTRETTO255_BYTES],
                            unsigned char sum[LANNER_RISTRETTO255_BYTES]) LANNER_CHECKED;
int lanner_ristretto255_sub(const unsigned char p[LANNER_RISTRETTO255_BYTES],
                            const unsigned char q[LANNER_RISTRETTO255_BYTES],
                            unsigned char difference[LANNER_RISTRETTO255_BYTES]) LANNER_CHECKED;

/* The element of 64 bytes of a hash (RFC 9496, section 4.3.4): nobody knows its logarithm. */
int lanner_ristretto255_from_hash(const unsigned char hash[LANNER_RISTRETTO255_HASH_BYTES],
                                  unsigned char point[LANNER_RISTRETTO255_BYTES]) LANNER_CHECKED;

/* A random element. */
int lanner_ristretto255_random(unsigned char point[LANNER_RISTRETTO255_BYTES]) LANNER_CHECKED;

/* [scalar]point, and [scalar]B for the base point B. The highest bit of the scalar does not count. LANNER_ERROR_ZERO if the
 * product is the neutral element. */
int lanner_ristretto255_mul(const unsigned char scalar[LANNER_RISTRETTO255_SCALAR_BYTES],
                            const unsigned char point[LANNER_RISTRETTO255_BYTES],
                            unsigned char product[LANNER_RISTRETTO255_BYTES]) LANNER_CHECKED;
int lanner_ristretto255_mul_base(const unsigned char scalar[LANNER_RISTRETTO255_SCALAR_BYTES],
                                 unsigned char product[LANNER_RISTRETTO255_BYTES]) LANNER_CHECKED;

/* LANNER_OK if the integer is below L; else LANNER_ERROR_ELEMENT. */
int lanner_ristretto255_scalar_check(const unsigned char scalar[LANNER_RISTRETTO255_SCALAR_BYTES]) LANNER_CHECKED;

/* A random scalar, not zero. */
int lanner_ristretto255_scalar_random(unsigned char scalar[LANNER_RISTRETTO255_SCALAR_BYTES]) LANNER_CHECKED;

/* 64 bytes, little-endian, modulo L. */
int lanner_ristretto255_scalar_reduce(const unsigned char wide[LANNER_RISTRETTO255_WIDE_SCALAR_BYTES],
                                      unsigned char scalar[LANNER_RISTRETTO255_SCALAR_BYTES]) LANNER_CHECKED;

/* 1 / x; LANNER_ERROR_ZERO if x is a multiple of L. */
int lanner_ristretto255_scalar_invert(const unsigned char x[LANNER_RISTRETTO255_SCALAR_BYTES],
                                      unsigned char inverse[LANNER_RISTRETTO255_SCALAR_BYTES]) LANNER_CHECKED;

/* -x, and 1 - x. */
int lanner_ristretto255_scalar_negate(const unsigned char x[LANNER_RISTRETTO255_SCALAR_BYTES],
                                      unsigned char negative[LANNER_RISTRETTO255_SCALAR_BYTES]) LANNER_CHECKED;
int lanner_ristretto255_scalar_complement(const unsigned char x[LANNER_RISTRETTO255_SCALAR_BYTES],
                                          unsigned char complement[LANNER_RISTRETTO255_SCALAR_BYTES]) LANNER_CHECKED;

/* x + y, x - y, and x y. */
int lanner_ristretto255_scalar_add(const unsigned char x[LANNER_RISTRETTO255_SCALAR_BYTES],
                                   const unsigned char y[LANNER_RISTRETTO255_SCALAR_BYTES],
                                   unsigned char sum[LANNER_RISTRETTO255_SCALAR_BYTES]) LANNER_CHECKED;
int lanner_ristretto255_scalar_sub(const unsigned char x[LANNER_RISTRETTO255_SCALAR_BYTES],
                                   const unsigned char y[LANNER_RISTRETTO255_SCALAR_BYTES],
                                   unsigned char difference[LANNER_RISTRETTO255_SCALAR_BYTES]) LANNER_CHECKED;
int lanner_ristretto255_scalar_mul(const unsigned char x[LANNER_RISTRETTO255_SCALAR_BYTES],
                                   const unsigned char y[LANNER_RISTRETTO255_SCALAR_BYTES],
                                   unsigned char product[LANNER_RISTRETTO255_SCALAR_BYTES]) LANNER_CHECKED;

#if !defined(LANNER_BARE_METAL)
/* ------------------------------------------------------------------------------------------------
 * EdDSA over this curve with another hash than SHA-512, for systems that chose one (BLAKE2b, say):
 * not Ed25519. Whether it is safe depends on the hash.
 */

/* A hash function with 64 bytes of output. Its state lies in memory of state_size bytes, at most
 * 65536, aligned to 16, which stays in its place and is wiped afterwards; LANNER_ERROR_MEMORY if the
 * system has none. The functions may be called by several threads at once, on different states. */
typedef struct lanner_hash {
    size_t state_size;
    void (*init)(void *state);
    void (*update)(void *state, const unsigned char *data, size_t length);
    void (*final)(void *state, unsigned char *output);
} lanner_hash;

int lanner_ed25519_hash_public(const lanner_hash *hash,
                               const unsigned char seed[LANNER_ED25519_SEED_BYTES],
                               unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES]) LANNER_CHECKED;
int lanner_ed25519_hash_sign(const lanner_hash *hash,
                             const unsigned char seed[LANNER_ED25519_SEED_BYTES],
                             const unsigned char *message, size_t message_length,
                             unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;
/* The rule is that of lanner_ed25519_donna_profile. */
int lanner_ed25519_hash_verify(const lanner_hash *hash,
                               const unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES],
                               const unsigned char *message, size_t message_length,
                               const unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES]) LANNER_CHECKED;
#endif

/* ------------------------------------------------------------------------------------------------
 * X25519. Secret keys, public keys and shared secrets have 32 bytes.
 */

#define LANNER_X25519_BYTES 32

/* A new random secret key. */
int lanner_x25519_generate(unsigned char secret[LANNER_X25519_BYTES]) LANNER_CHECKED;

/* The public key of a secret key, any 32 bytes, which are clamped inside. */
int lanner_x25519_public(const unsigned char secret[LANNER_X25519_BYTES],
                         unsigned char public_key[LANNER_X25519_BYTES]) LANNER_CHECKED;

/* The public keys of count secret keys, 32 bytes each, one after the other: what lanner_x25519_public makes
 * of each, faster. public_keys has 32 times count bytes; it may be secrets, but must not overlap them
 * otherwise. */
int lanner_x25519_public_each(const unsigned char *secrets, size_t count,
                              unsigned char *public_keys) LANNER_CHECKED;

/* The secret that is shared with the owner of a public key. LANNER_ERROR_NON_CONTRIBUTORY if that key
 * has small order. Not uniformly random: derive keys from it, and from both public keys, with a key
 * derivation function. */
int lanner_x25519(const unsigned char secret[LANNER_X25519_BYTES],
                  const unsigned char their_public[LANNER_X25519_BYTES],
                  unsigned char shared[LANNER_X25519_BYTES]) LANNER_CHECKED;

/* The shared secret without that check: for a key of small order it is 32 zeros, and LANNER_OK. */
int lanner_x25519_unchecked(const unsigned char secret[LANNER_X25519_BYTES],
                            const unsigned char their_public[LANNER_X25519_BYTES],
                            unsigned char shared[LANNER_X25519_BYTES]) LANNER_CHECKED;

/* The point with the coordinate u, times an integer that is not clamped: all 256 bits of the scalar count. For protocols
 * whose scalars are not keys of X25519. Times a scalar that is not a multiple of 8, a point with a component of small order
 * tells what the scalar is modulo 8. The neutral element is 32 zeros, and LANNER_OK. */
int lanner_x25519_unclamped(const unsigned char scalar[LANNER_X25519_BYTES],
                            const unsigned char u[LANNER_X25519_BYTES],
                            unsigned char product[LANNER_X25519_BYTES]) LANNER_CHECKED;

/* The shared secrets of count pairs, any number from 0 on: secrets and publics are arrays of count
 * keys, and shared becomes an array of count secrets, those of lanner_x25519_unchecked. Several times as
 * fast as one after the other where the processor has wide vectors. LANNER_ERROR_NON_CONTRIBUTORY if one
 * or more of the results are 32 zeros; the others are in their places all the same. shared may be the
 * same array as secrets or publics, but must not overlap them otherwise. */
int lanner_x25519_each(const unsigned char *secrets, const unsigned char *publics, size_t count,
                       unsigned char *shared) LANNER_CHECKED;

/* ------------------------------------------------------------------------------------------------
 * FN-DSA, before its standard is out, and Falcon: two schemes, with keys for one each. Degrees are 512 and
 * 1024.
 *
 * Keys cross the boundary as bytes. Objects hold them decoded, which saves the decoding of many
 * signatures under one key. Most of the memory is on the stack unless the caller lends it: scratch points to
 * scratch_length bytes, in which nothing is kept and everything is wiped, or is NULL. Nothing that the function reads (key,
 * seed, context, message) may overlap them, not with one byte: LANNER_ERROR_BUFFER, and nothing is touched. Outputs may,
 * since they are written when the scratch is not needed any more.
 *
 *                          scratch, degree 512 / 1024    stack beside it, on x86-64
 *    key generation              23 / 46 kB             11 / 11 kB
 *    decoding a secret key        8 / 17 kB             40 / 40 kB
 *    signing                     36 / 72 kB             16 / 16 kB
 *    signing, checked            36 / 72 kB             20 / 24 kB
 *    decoding a public key            -                 17 / 22 kB
 *    verification                     -                  5 /  7 kB
 */

/* Which scheme a key is for. An object keeps it, and the functions of another scheme refuse it
 * (LANNER_ERROR_UNSUPPORTED).
 *
 * Keys of LANNER_FN_DSA_MAIN and of LANNER_FALCON have the same bytes. Whoever decodes a key pair as both,
 * and signs with both, opens it to forgery: a Falcon signature of the hash of the public key, two zeros and
 * a message m is an FN-DSA signature of m. A pair is for one of them. */
enum lanner_fn_dsa_variant {
    /* FN-DSA as the crates fn-dsa 0.2 and 0.3 have it. */
    LANNER_FN_DSA_MAIN = 0,
    /* FN-DSA as the crate fn-dsa 0.4 (July 2026) has it: a guess at the draft, which will change. */
    LANNER_FN_DSA_DRAFT2026 = 1,
    /* Falcon as NIST's third round had it, for the functions lanner_falcon_... */
    LANNER_FALCON = 2
};

#define LANNER_FN_DSA_SEED_BYTES 32
#define LANNER_FN_DSA_512_SECRET_BYTES 1281
#define LANNER_FN_DSA_512_PUBLIC_BYTES 897
#define LANNER_FN_DSA_512_SIGNATURE_BYTES 666
#define LANNER_FN_DSA_1024_SECRET_BYTES 2305
#define LANNER_FN_DSA_1024_PUBLIC_BYTES 1793
#define LANNER_FN_DSA_1024_SIGNATURE_BYTES 1280
/* Secret keys of LANNER_FN_DSA_DRAFT2026 are longer: they hold a hash of the public key. */
#define LANNER_FN_DSA_DRAFT2026_512_SECRET_BYTES 1345
#define LANNER_FN_DSA_DRAFT2026_1024_SECRET_BYTES 2369

/* The sizes, or 0 where there is no such variant or degree. */
size_t lanner_fn_dsa_secret_bytes(int variant, unsigned int degree);
size_t lanner_fn_dsa_public_bytes(unsigned int degree);
size_t lanner_fn_dsa_signature_bytes(unsigned int degree);
size_t lanner_fn_dsa_keygen_scratch_bytes(unsigned int degree);
size_t lanner_fn_dsa_key_scratch_bytes(unsigned int degree);
size_t lanner_fn_dsa_sign_scratch_bytes(unsigned int degree);

/* A new random key pair. LANNER_ERROR_UNSUPPORTED for another degree or variant, LANNER_ERROR_BUFFER
 * if scratch is too small. */
int lanner_fn_dsa_keygen(int variant, unsigned int degree, unsigned char *secret,
                         unsigned char *public_key, void *scratch,
                         size_t scratch_length) LANNER_CHECKED;

/* The key pair of a seed of 32 bytes: the same one everywhere, that of fn-dsa 0.3 (without its feature shake256x4; fn-dsa
 * 0.2 derives another) and of fn-dsa 0.4. */
int lanner_fn_dsa_keygen_seeded(int variant, unsigned int degree,
                                const unsigned char seed[LANNER_FN_DSA_SEED_BYTES],
                                unsigned char *secret, unsigned char *public_key, void *scratch,
                                size_t scratch_length) LANNER_CHECKED;

/* A secret key. It holds secrets: clear it when it is no longer needed. */
typedef struct lanner_fn_dsa_key {
    uint64_t opaque[896];
} lanner_fn_dsa_key;

/* Decodes a secret key; the bytes tell the degree. LANNER_ERROR_KEY if they are not canonical,
 * LANNER_ERROR_BUFFER if scratch is smaller than lanner_fn_dsa_key_scratch_bytes says. */
int lanner_fn_dsa_key_from_bytes(lanner_fn_dsa_key *key, int variant, const unsigned char *secret,
                                 size_t secret_length, void *scratch,
                                 size_t scratch_length) LANNER_CHECKED;

/* The encoded secret key and the public key that belongs to it. *length is the room at out, and
 * becomes what is needed; if out is NULL, that is all. LANNER_ERROR_BUFFER if the room is too
 * small. */
int lanner_fn_dsa_key_secret(const lanner_fn_dsa_key *key, unsigned char *out,
                             size_t *length) LANNER_CHECKED;
int lanner_fn_dsa_key_public(const lanner_fn_dsa_key *key, unsigned char *out,
                             size_t *length) LANNER_CHECKED;

void lanner_fn_dsa_key_clear(lanner_fn_dsa_key *key);

/* A public key. */
typedef struct lanner_fn_dsa_public {
    uint64_t opaque[288];
} lanner_fn_dsa_public;

int lanner_fn_dsa_public_from_bytes(lanner_fn_dsa_public *public_key, int variant,
                                    const unsigned char *bytes, size_t length) LANNER_CHECKED;
int lanner_fn_dsa_public_to_bytes(const lanner_fn_dsa_public *public_key, unsigned char *out,
                                  size_t *length) LANNER_CHECKED;
void lanner_fn_dsa_public_clear(lanner_fn_dsa_public *public_key);

/* What is signed: the message itself, or its hash, which the caller computed. */
enum lanner_fn_dsa_hash {
    LANNER_FN_DSA_RAW = 0,
    LANNER_FN_DSA_SHA256 = 1,
    LANNER_FN_DSA_SHA384 = 2,
    LANNER_FN_DSA_SHA512 = 3,
    LANNER_FN_DSA_SHA512_256 = 4,
    LANNER_FN_DSA_SHA3_256 = 5,
    LANNER_FN_DSA_SHA3_384 = 6,
    LANNER_FN_DSA_SHA3_512 = 7,
    LANNER_FN_DSA_SHAKE128 = 8,
    LANNER_FN_DSA_SHAKE256 = 9,
    /* The 64 bytes of lanner_fn_dsa_draft2026_mu; the context is ignored. LANNER_FN_DSA_DRAFT2026
     * alone has this. */
    LANNER_FN_DSA_EXTERNAL_MU = 10
};

/* Signs under a context of 0 to 255 bytes. The signature has lanner_fn_dsa_signature_bytes bytes.
 * Draws randomness; constant time but for the number of attempts, which does not depend on the key.
 * The same whatever the thread's direction of rounding is (fesetround), as with all functions that sign.
 * LANNER_ERROR_LENGTH if the message is a hash and has not the length of such a one.
 * If the key object itself is refused, the signature is left as it is. */
int lanner_fn_dsa_sign(const lanner_fn_dsa_key *key, const unsigned char *context,
                       size_t context_length, int hash, const unsigned char *message,
                       size_t message_length, unsigned char *signature, void *scratch,
                       size_t scratch_length) LANNER_CHECKED;

/* Signs as lanner_fn_dsa_sign does, and gives the signature out only if it is right, whatever single fault of the processor
 * or of memory happened meanwhile: it is made twice of 32 random bytes, compared, and verified. LANNER_ERROR_FAULT
 * if it is not right. */
int lanner_fn_dsa_sign_checked(const lanner_fn_dsa_key *key, const unsigned char *context,
                               size_t context_length, int hash, const unsigned char *message,
                               size_t message_length, unsigned char *signature, void *scratch,
                               size_t scratch_length) LANNER_CHECKED;

/* Signs under a context of 0 to 255 bytes, with randomness derived from a seed of the caller's, at
 * least one byte: for tests, and where all randomness has one source. What lanner_fn_dsa_sign draws from the source of
 * randomness (40 bytes, for LANNER_FN_DSA_MAIN again for each further attempt) is here the output of
 * SHAKE256 on the seed. Two messages must not be signed with one seed. These are no known answers of
 * other implementations: those come from lanner_fn_dsa_sign_from_random. */
int lanner_fn_dsa_sign_seeded(const lanner_fn_dsa_key *key, const unsigned char *seed,
                              size_t seed_length, const unsigned char *context,
                              size_t context_length, int hash, const unsigned char *message,
                              size_t message_length, unsigned char *signature, void *scratch,
                              size_t scratch_length) LANNER_CHECKED;

/* Signs with the very bytes that would be drawn from a generator, and no others, in the way of the crates
 * whose variant it is: with the random bytes of their known answers come their known answers. For
 * LANNER_FN_DSA_DRAFT2026 these are 40 bytes, as fn-dsa 0.4 takes them, and the signature is that of
 * lanner_fn_dsa_sign for them; for LANNER_FN_DSA_MAIN 96 bytes for each attempt, as fn-dsa 0.3
 * takes them: a nonce of 40 and a seed of 56. LANNER_ERROR_RANDOM if there are too few; what is left over
 * is not looked at. For tests: bytes that were not random, or were used for another message, can give the
 * key away. */
int lanner_fn_dsa_sign_from_random(const lanner_fn_dsa_key *key, const unsigned char *random,
                                   size_t random_length, const unsigned char *context,
                                   size_t context_length, int hash, const unsigned char *message,
                                   size_t message_length, unsigned char *signature) LANNER_CHECKED;

/* Signs a message in pieces (LANNER_FN_DSA_RAW). feed is called once for each attempt, so nearly
 * always once, and hands over the whole message each time. */
int lanner_fn_dsa_sign_feed(const lanner_fn_dsa_key *key, const unsigned char *context,
                            size_t context_length, lanner_feed feed, void *user,
                            unsigned char *signature) LANNER_CHECKED;

/* LANNER_OK if the signature is valid, LANNER_ERROR_SIGNATURE if not; LANNER_ERROR_LENGTH if the message is a hash
 * and has not the length of such a one. */
int lanner_fn_dsa_verify(const lanner_fn_dsa_public *public_key, const unsigned char *context,
                         size_t context_length, int hash, const unsigned char *message,
                         size_t message_length, const unsigned char *signature,
                         size_t signature_length) LANNER_CHECKED;

/* A verification under way, of a message that comes in pieces. It refers to the public key and to
 * the signature, which must stay as they are until it is over. */
typedef struct lanner_fn_dsa_verifier {
    uint64_t opaque[96];
} lanner_fn_dsa_verifier;

/* Begins. It fails already here if the signature can be refused without the message. */
int lanner_fn_dsa_verifier_init(lanner_fn_dsa_verifier *verifier,
                                const lanner_fn_dsa_public *public_key,
                                const unsigned char *context, size_t context_length, int hash,
                                const unsigned char *signature,
                                size_t signature_length) LANNER_CHECKED;

/* Absorbs a piece. If it is refused, the object is cleared. */
int lanner_fn_dsa_verifier_update(lanner_fn_dsa_verifier *verifier, const unsigned char *piece,
                                  size_t piece_length) LANNER_CHECKED;

/* The verdict; LANNER_ERROR_LENGTH if the pieces are a hash and together have another length than it. Clears the object. */
int lanner_fn_dsa_verifier_final(lanner_fn_dsa_verifier *verifier) LANNER_CHECKED;
void lanner_fn_dsa_verifier_clear(lanner_fn_dsa_verifier *verifier);

/* mu, 64 bytes: what LANNER_FN_DSA_DRAFT2026 makes of public key, context and message, to be signed
 * elsewhere. */
int lanner_fn_dsa_draft2026_mu(const lanner_fn_dsa_public *public_key, const unsigned char *context,
                               size_t context_length, int hash, const unsigned char *message,
                               size_t message_length, unsigned char mu[64]) LANNER_CHECKED;

/* Falcon as NIST's third round had it, with keys of LANNER_FALCON: how signatures are encoded. */
enum lanner_falcon_encoding {
    /* Compressed, and padded to a fixed length. */
    LANNER_FALCON_PADDED = 0,
    /* Compressed, of a length that varies. */
    LANNER_FALCON_COMPRESSED = 1,
    /* Of a fixed width each coefficient, for signatures that are secrets. */
    LANNER_FALCON_CONSTANT_TIME = 2
};

/* The most bytes of a signature, or 0. */
size_t lanner_falcon_signature_bytes(int encoding, unsigned int degree);

/* Signs. *length is the room at signature, and becomes the signature's length. (With NULL for the
 * signature, one is made and thrown away: ask lanner_falcon_signature_bytes for the room.) The scratch is
 * that of lanner_fn_dsa_sign. */
int lanner_falcon_sign(const lanner_fn_dsa_key *key, int encoding, const unsigned char *message,
                       size_t message_length, unsigned char *signature, size_t *length,
                       void *scratch, size_t scratch_length) LANNER_CHECKED;

/* Signs as lanner_falcon_sign does, and gives the signature out only if it is right, whatever single fault of the processor
 * or of memory happened meanwhile: it is made twice of 32 random bytes, compared, and verified. LANNER_ERROR_FAULT
 * if it is not right. */
int lanner_falcon_sign_checked(const lanner_fn_dsa_key *key, int encoding,
                               const unsigned char *message, size_t message_length,
                               unsigned char *signature, size_t *length, void *scratch,
                               size_t scratch_length) LANNER_CHECKED;

/* Verifies a signature in the encoding that is demanded, and in no other: the first choice. A signature then
 * has one form, and nobody can make another of it. */
int lanner_falcon_verify_as(const lanner_fn_dsa_public *public_key, int encoding,
                            const unsigned char *message, size_t message_length,
                            const unsigned char *signature, size_t signature_length) LANNER_CHECKED;

/* Malleable: verifies a signature in any of the encodings, into each of which anybody can turn it. For
 * where several arrive, and nothing depends on the bytes of a signature. */
int lanner_falcon_verify(const lanner_fn_dsa_public *public_key, const unsigned char *message,
                         size_t message_length, const unsigned char *signature,
                         size_t signature_length) LANNER_CHECKED;

/* Begins to verify a signature in the encoding that is demanded, of a message in pieces, which go to
 * lanner_fn_dsa_verifier_update. */
int lanner_falcon_verifier_init_as(lanner_fn_dsa_verifier *verifier,
                                   const lanner_fn_dsa_public *public_key, int encoding,
                                   const unsigned char *signature,
                                   size_t signature_length) LANNER_CHECKED;

/* Malleable: begins to verify a signature in any of the encodings, of a message in pieces, which go to
 * lanner_fn_dsa_verifier_update. */
int lanner_falcon_verifier_init(lanner_fn_dsa_verifier *verifier,
                                const lanner_fn_dsa_public *public_key,
                                const unsigned char *signature,
                                size_t signature_length) LANNER_CHECKED;

/* The signed message of NIST's interface: verifies it, and points to the message inside. */
int lanner_falcon_open(const lanner_fn_dsa_public *public_key, const unsigned char *signed_message,
                       size_t signed_length, const unsigned char **message,
                       size_t *message_length) LANNER_CHECKED;

/* Makes such a signed message. The room that suffices is lanner_falcon_signature_bytes of the
 * compressed encoding, 2, and the message. */
int lanner_falcon_seal(const lanner_fn_dsa_key *key, const unsigned char *message,
                       size_t message_length, unsigned char *signed_message,
                       size_t *length) LANNER_CHECKED;

/* Deterministic Falcon of degree 1024, as Algorand has it. Signatures are made compressed. The memory for signing is on the stack. */
int lanner_falcon_det1024_sign(const lanner_fn_dsa_key *key, const unsigned char *message,
                               size_t message_length, unsigned char *signature,
                               size_t *length) LANNER_CHECKED;

/* The same, made twice, compared, and verified, as lanner_falcon_sign_checked is. */
int lanner_falcon_det1024_sign_checked(const lanner_fn_dsa_key *key, const unsigned char *message,
                                       size_t message_length, unsigned char *signature,
                                       size_t *length) LANNER_CHECKED;

/* Verifies one in the encoding that is demanded, compressed or constant-time: the first choice. */
int lanner_falcon_det1024_verify_as(const lanner_fn_dsa_public *public_key, int encoding,
                                    const unsigned char *message, size_t message_length,
                                    const unsigned char *signature,
                                    size_t signature_length) LANNER_CHECKED;

/* Malleable: verifies one in either of them. */
int lanner_falcon_det1024_verify(const lanner_fn_dsa_public *public_key,
                                 const unsigned char *message, size_t message_length,
                                 const unsigned char *signature,
                                 size_t signature_length) LANNER_CHECKED;

/* ------------------------------------------------------------------------------------------------
 * Hybrid signatures: Ed25519 and FN-DSA in one, both of which must be valid (docs/hybrid.md). Experimental. Nothing is
 * allocated. Degrees are 512 and 1024 (LANNER_ERROR_UNSUPPORTED). Scratch for signing is NULL, or as many bytes as
 * lanner_fn_dsa_sign_scratch_bytes says, in which nothing is kept and everything is wiped. Nothing that the function reads
 * may overlap them, not with one byte: LANNER_ERROR_BUFFER, and they are not touched. The signature may.
 *
 *                     degree 512 / 1024: stack beside scratch, on x86-64
 *    hybrid key of a seed                   72 / 104 kB
 *    hybrid signing                         21 / 21 kB
 *    hybrid signing, checked                30 / 42 kB
 *    hybrid verification                    20 / 24 kB
 */

#define LANNER_HYBRID_SEED_BYTES 32
#define LANNER_HYBRID_512_PUBLIC_BYTES 929
#define LANNER_HYBRID_512_SIGNATURE_BYTES 730
#define LANNER_HYBRID_1024_PUBLIC_BYTES 1825
#define LANNER_HYBRID_1024_SIGNATURE_BYTES 1344
#define LANNER_HYBRID_DIGEST_BYTES 64

/* A secret key of either degree: a seed, and the keys of both halves, which are derived from it. There is no way to take a half
 * out. It holds secrets: clear it when it is no longer needed. */
typedef struct lanner_hybrid_key {
    uint64_t opaque[896];
} lanner_hybrid_key;

/* A new random key. */
int lanner_hybrid_key_generate(lanner_hybrid_key *key, unsigned int degree) LANNER_CHECKED;

/* The key that a seed is. The same seed is another key with the other degree. It takes as long as making a new one: keep the
 * object for many signatures. */
int lanner_hybrid_key_from_seed(lanner_hybrid_key *key, unsigned int degree,
                                const unsigned char seed[LANNER_HYBRID_SEED_BYTES]) LANNER_CHECKED;

/* The seed, 32 bytes: all that has to be stored, with the degree. */
int lanner_hybrid_key_seed(const lanner_hybrid_key *key,
                           unsigned char seed[LANNER_HYBRID_SEED_BYTES]) LANNER_CHECKED;

/* The public key. *length is the room at out, and becomes what is needed; if out is NULL, that is all.
 * LANNER_ERROR_BUFFER if the room is too small. */
int lanner_hybrid_key_public(const lanner_hybrid_key *key, unsigned char *out,
                             size_t *length) LANNER_CHECKED;

void lanner_hybrid_key_clear(lanner_hybrid_key *key);

/* Signs under a context of 0 to 255 bytes, on which signer and verifier agree. The signature has
 * LANNER_HYBRID_512_SIGNATURE_BYTES or LANNER_HYBRID_1024_SIGNATURE_BYTES. Draws randomness for its half of FN-DSA; constant time
 * but for the number of that half's attempts, which does not depend on the key. If the key object itself is refused, the signature
 * is left as it is. */
int lanner_hybrid_sign(const lanner_hybrid_key *key, const unsigned char *context,
                       size_t context_length, const unsigned char *message, size_t message_length,
                       unsigned char *signature, void *scratch,
                       size_t scratch_length) LANNER_CHECKED;

/* Signs as lanner_hybrid_sign does, and gives the signature out only if it is right, whatever single fault of the processor
 * or of memory happened meanwhile: both halves are made twice, compared, and verified, for which the message is hashed once
 * more. LANNER_ERROR_FAULT if it is not right. */
int lanner_hybrid_sign_checked(const lanner_hybrid_key *key, const unsigned char *context,
                               size_t context_length, const unsigned char *message,
                               size_t message_length, unsigned char *signature, void *scratch,
                               size_t scratch_length) LANNER_CHECKED;

/* Both for the message with this SHA-512, of 64 bytes: for messages that come in pieces, and for programs that have the
 * hash. */
int lanner_hybrid_sign_digest(const lanner_hybrid_key *key, const unsigned char *context,
                              size_t context_length,
                              const unsigned char digest[LANNER_HYBRID_DIGEST_BYTES],
                              unsigned char *signature, void *scratch,
                              size_t scratch_length) LANNER_CHECKED;
int lanner_hybrid_sign_digest_checked(const lanner_hybrid_key *key, const unsigned char *context,
                                      size_t context_length,
                                      const unsigned char digest[LANNER_HYBRID_DIGEST_BYTES],
                                      unsigned char *signature, void *scratch,
                                      size_t scratch_length) LANNER_CHECKED;

/* LANNER_OK if both halves of the signature are valid for the message and the context, of 0 to 255 bytes, under the
 * encoded public key; LANNER_ERROR_SIGNATURE if one is not, or if the signature has another length;
 * LANNER_ERROR_KEY if the public key is malformed; LANNER_ERROR_CONTEXT if the context is too long. */
int lanner_hybrid_verify(unsigned int degree, const unsigned char *public_key,
                         size_t public_key_length, const unsigned char *context,
                         size_t context_length, const unsigned char *message, size_t message_length,
                         const unsigned char *signature, size_t signature_length) LANNER_CHECKED;

/* The same for the message with this SHA-512, of 64 bytes. */
int lanner_hybrid_verify_digest(unsigned int degree, const unsigned char *public_key,
                                size_t public_key_length, const unsigned char *context,
                                size_t context_length,
                                const unsigned char digest[LANNER_HYBRID_DIGEST_BYTES],
                                const unsigned char *signature,
                                size_t signature_length) LANNER_CHECKED;

#if !defined(LANNER_BARE_METAL)
/* ------------------------------------------------------------------------------------------------
 * Key files: PKCS#8 for secret keys, SubjectPublicKeyInfo for public keys (RFC 8410), in DER and PEM.
 * Files of LANNER_FALCON are those of Open Quantum Safe's provider and of Bouncy Castle. FN-DSA has no
 * identifier yet: files of LANNER_FN_DSA_MAIN have one of Lanner's own, and there are none for
 * LANNER_FN_DSA_DRAFT2026. What a file is for, the object that is read from it is for. Hybrid keys have identifiers of Lanner's
 * own as well, and their secret keys are seeds.
 *
 * Functions ..._from_... read length bytes. PEM need not end with NUL, and length may count one; behind the
 * last boundary (and before the NUL) there may be spaces and blank lines, and nothing else. Its lines have 64 characters, or 76
 * as mailers wrap them, or there is one; all but the last have the same. What PEM encodes has at most 8192 bytes.
 *
 * Functions ..._to_... take the room at out in *length and set it to what is needed. If out is NULL
 * that is all they do; LANNER_ERROR_BUFFER if the room is too small. PEM is written with a NUL, which
 * *length counts. The constants are the room that always suffices.
 */

#define LANNER_SECRET_DER_BYTES 48
#define LANNER_SECRET_DER_V2_BYTES 83
#define LANNER_SECRET_PEM_BYTES 128
#define LANNER_PUBLIC_DER_BYTES 44
#define LANNER_PUBLIC_PEM_BYTES 128
/* Keys of FN-DSA and of Falcon, of either degree. */
#define LANNER_FN_DSA_SECRET_DER_BYTES 4124
#define LANNER_FN_DSA_SECRET_PEM_BYTES 5641
#define LANNER_FN_DSA_PUBLIC_DER_BYTES 1813
#define LANNER_FN_DSA_PUBLIC_PEM_BYTES 2511
/* Hybrid keys, of either degree. */
#define LANNER_HYBRID_SECRET_DER_BYTES 50
#define LANNER_HYBRID_SECRET_PEM_BYTES 125
#define LANNER_HYBRID_PUBLIC_DER_BYTES 1845
#define LANNER_HYBRID_PUBLIC_PEM_BYTES 2552

/* Reads PKCS#8 version 1 or 2, with or without attributes, and what old versions of ring wrote; a
 * public key beside the secret one must match. */
int lanner_ed25519_key_from_der(lanner_ed25519_key *key, const unsigned char *der,
                                size_t length) LANNER_CHECKED;
int lanner_ed25519_key_from_pem(lanner_ed25519_key *key, const char *pem,
                                size_t length) LANNER_CHECKED;

/* Writes PKCS#8 version 1, which every version of OpenSSL reads. */
int lanner_ed25519_key_to_der(const lanner_ed25519_key *key, unsigned char *out,
                              size_t *length) LANNER_CHECKED;
int lanner_ed25519_key_to_pem(const lanner_ed25519_key *key, char *out,
                              size_t *length) LANNER_CHECKED;

/* Writes version 2, with the public key. OpenSSL before 3.5 does not read it. */
int lanner_ed25519_key_to_der_v2(const lanner_ed25519_key *key, unsigned char *out,
                                 size_t *length) LANNER_CHECKED;

int lanner_ed25519_public_from_der(unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES],
                                   const unsigned char *der, size_t length) LANNER_CHECKED;
int lanner_ed25519_public_from_pem(unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES],
                                   const char *pem, size_t length) LANNER_CHECKED;
int lanner_ed25519_public_to_der(const unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES],
                                 unsigned char *out, size_t *length) LANNER_CHECKED;
int lanner_ed25519_public_to_pem(const unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES],
                                 char *out, size_t *length) LANNER_CHECKED;

int lanner_x25519_secret_from_der(unsigned char secret[LANNER_X25519_BYTES],
                                  const unsigned char *der, size_t length) LANNER_CHECKED;
int lanner_x25519_secret_from_pem(unsigned char secret[LANNER_X25519_BYTES], const char *pem,
                                  size_t length) LANNER_CHECKED;
int lanner_x25519_secret_to_der(const unsigned char secret[LANNER_X25519_BYTES], unsigned char *out,
                                size_t *length) LANNER_CHECKED;
int lanner_x25519_secret_to_pem(const unsigned char secret[LANNER_X25519_BYTES], char *out,
                                size_t *length) LANNER_CHECKED;
int lanner_x25519_public_from_der(unsigned char public_key[LANNER_X25519_BYTES],
                                  const unsigned char *der, size_t length) LANNER_CHECKED;
int lanner_x25519_public_from_pem(unsigned char public_key[LANNER_X25519_BYTES], const char *pem,
                                  size_t length) LANNER_CHECKED;
int lanner_x25519_public_to_der(const unsigned char public_key[LANNER_X25519_BYTES],
                                unsigned char *out, size_t *length) LANNER_CHECKED;
int lanner_x25519_public_to_pem(const unsigned char public_key[LANNER_X25519_BYTES], char *out,
                                size_t *length) LANNER_CHECKED;

int lanner_fn_dsa_key_from_der(lanner_fn_dsa_key *key, const unsigned char *der,
                               size_t length) LANNER_CHECKED;
int lanner_fn_dsa_key_from_pem(lanner_fn_dsa_key *key, const char *pem,
                               size_t length) LANNER_CHECKED;
int lanner_fn_dsa_key_to_der(const lanner_fn_dsa_key *key, unsigned char *out,
                             size_t *length) LANNER_CHECKED;
int lanner_fn_dsa_key_to_pem(const lanner_fn_dsa_key *key, char *out,
                             size_t *length) LANNER_CHECKED;
int lanner_fn_dsa_public_from_der(lanner_fn_dsa_public *public_key, const unsigned char *der,
                                  size_t length) LANNER_CHECKED;
int lanner_fn_dsa_public_from_pem(lanner_fn_dsa_public *public_key, const char *pem,
                                  size_t length) LANNER_CHECKED;
int lanner_fn_dsa_public_to_der(const lanner_fn_dsa_public *public_key, unsigned char *out,
                                size_t *length) LANNER_CHECKED;
int lanner_fn_dsa_public_to_pem(const lanner_fn_dsa_public *public_key, char *out,
                                size_t *length) LANNER_CHECKED;

int lanner_hybrid_key_from_der(lanner_hybrid_key *key, const unsigned char *der,
                               size_t length) LANNER_CHECKED;
int lanner_hybrid_key_from_pem(lanner_hybrid_key *key, const char *pem,
                               size_t length) LANNER_CHECKED;
int lanner_hybrid_key_to_der(const lanner_hybrid_key *key, unsigned char *out,
                             size_t *length) LANNER_CHECKED;
int lanner_hybrid_key_to_pem(const lanner_hybrid_key *key, char *out,
                             size_t *length) LANNER_CHECKED;

/* A public key of hybrid signatures is bytes, whose number tells the degree: LANNER_HYBRID_512_PUBLIC_BYTES or
 * LANNER_HYBRID_1024_PUBLIC_BYTES. Functions that read one take the room at public_key in *public_key_length and set it to what
 * is needed, as those that write do; functions that write one say LANNER_ERROR_KEY of bytes that are none. */
int lanner_hybrid_public_from_der(unsigned char *public_key, size_t *public_key_length,
                                  const unsigned char *der, size_t length) LANNER_CHECKED;
int lanner_hybrid_public_from_pem(unsigned char *public_key, size_t *public_key_length,
                                  const char *pem, size_t length) LANNER_CHECKED;
int lanner_hybrid_public_to_der(const unsigned char *public_key, size_t public_key_length,
                                unsigned char *out, size_t *length) LANNER_CHECKED;
int lanner_hybrid_public_to_pem(const unsigned char *public_key, size_t public_key_length,
                                char *out, size_t *length) LANNER_CHECKED;
#endif

#if defined(__cplusplus)
}
#endif

#endif /* LANNER_H */
