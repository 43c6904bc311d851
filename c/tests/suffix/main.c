/*
 * Several versions in one program: the suffixed names of donna/ed25519.c beside the program's own
 * plain ones, which stand for another library; a custom hash function; custom randomness.
 */
#define ED25519_SUFFIX _lanner
#include "ed25519.h"
#define CURVE25519_SUFFIX _lanner
#include "curve25519.h"

#include "check.h"
#include "lanner.h"

/* Another library's functions with the plain names: not the real thing, so that a mix-up shows. */
void ed25519_publickey(const unsigned char *sk, unsigned char *pk);
void ed25519_sign(const unsigned char *m, size_t mlen, const unsigned char *sk,
                  const unsigned char *pk, unsigned char *sig);
void curve25519_donna(unsigned char *out, const unsigned char *secret, const unsigned char *point);

static int plain_calls;

void ed25519_publickey(const unsigned char *sk, unsigned char *pk)
{
    plain_calls++;
    memcpy(pk, sk, 32);
}

void ed25519_sign(const unsigned char *m, size_t mlen, const unsigned char *sk,
                  const unsigned char *pk, unsigned char *sig)
{
    plain_calls++;
    (void)m, (void)mlen, (void)sk, (void)pk;
    memset(sig, 7, 64);
}

void curve25519_donna(unsigned char *out, const unsigned char *secret, const unsigned char *point)
{
    plain_calls++;
    (void)secret, (void)point;
    memset(out, 8, 32);
}

/* Made with -DED25519_SUFFIX=_blake2b -DED25519_CUSTOMHASH -DED25519_CUSTOMRANDOM. */
void ed25519_publickey_blake2b(const unsigned char *sk, unsigned char *pk);
void ed25519_sign_blake2b(const unsigned char *m, size_t mlen, const unsigned char *sk,
                          const unsigned char *pk, unsigned char *sig);
int ed25519_sign_open_blake2b(const unsigned char *m, size_t mlen, const unsigned char *pk,
                              const unsigned char *sig);
int ed25519_sign_open_batch_blake2b(const unsigned char **m, size_t *mlen,
                                    const unsigned char **pk, const unsigned char **RS,
                                    size_t num, int *valid);
void ed25519_randombytes_unsafe_blake2b(void *out, size_t length);

static void suffixed(void)
{
    /* RFC 8032 section 7.1, test 2. */
    static const unsigned char seed[32] = {
        0x4c, 0xcd, 0x08, 0x9b, 0x28, 0xff, 0x96, 0xda, 0x9d, 0xb6, 0xc3, 0x46, 0xec, 0x11, 0x4e, 0x0f,
        0x5b, 0x8a, 0x31, 0x9f, 0x35, 0xab, 0xa6, 0x24, 0xda, 0x8c, 0xf6, 0xed, 0x4f, 0xb8, 0xa6, 0xfb};
    static const unsigned char expected[32] = {
        0x3d, 0x40, 0x17, 0xc3, 0xe8, 0x43, 0x89, 0x5a, 0x92, 0xb7, 0x0a, 0xa7, 0x4d, 0x1b, 0x7e, 0xbc,
        0x9c, 0x98, 0x2c, 0xcf, 0x2e, 0xc4, 0x96, 0x8c, 0xc0, 0xcd, 0x55, 0xf1, 0x2a, 0xf4, 0x66, 0x0c};
    enum { COUNT = 130 };
    static ed25519_signature sigs[COUNT];
    const unsigned char *m[COUNT], *pks[COUNT], *rs[COUNT];
    unsigned char three[32];
    size_t mlen[COUNT], i;
    int valid[COUNT];
    ed25519_public_key pk;
    curve25519_key one, two;
    ed25519_publickey_lanner(seed, pk);
    CHECK_BYTES(pk, expected, 32);
    for (i = 0; i < COUNT; i++) {
        ed25519_sign_lanner(seed, i % 32, seed, NULL, sigs[i]);
        CHECK_IS(ed25519_sign_open_lanner(seed, i % 32, pk, sigs[i]), 0);
        m[i] = seed;
        mlen[i] = i % 32;
        pks[i] = pk;
        rs[i] = sigs[i];
    }
    CHECK_IS(ed25519_sign_open_batch_lanner(m, mlen, pks, rs, COUNT, valid), 0);
    CHECK_IS(ed25519_sign_open_batch_lanner(m, mlen, pks, rs, 0, valid), 0);
    /* As the plain name: bit 0, and bit 1 where the combined equation would have failed. */
    sigs[70][63] ^= 4;
    CHECK_IS(ed25519_sign_open_batch_lanner(m, mlen, pks, rs, COUNT, valid), 3);
    for (i = 0; i < COUNT; i++)
        CHECK_IS(valid[i], i != 70);
    /* A remainder of up to three is verified singly. */
    CHECK_IS(ed25519_sign_open_batch_lanner(m + 4, mlen + 4, pks + 4, rs + 4, 67, valid), 1);
    /* An R that is no point: the equation is not looked at. */
    sigs[70][63] ^= 4;
    memset(sigs[70], 0, 32);
    sigs[70][0] = 2;
    CHECK_IS(ed25519_sign_open_batch_lanner(m, mlen, pks, rs, COUNT, valid), 1);
    /* What lacks a pointer spoils itself alone. */
    ed25519_sign_lanner(seed, 70 % 32, seed, NULL, sigs[70]);
    m[70] = NULL;
    pks[71] = NULL;
    rs[129] = NULL;
    CHECK_IS(ed25519_sign_open_batch_lanner(m, mlen, pks, rs, COUNT, valid), 1);
    for (i = 0; i < COUNT; i++)
        CHECK_IS(valid[i], i != 70 && i != 71 && i != 129);
    m[70] = seed;
    CHECK_IS(ed25519_sign_open_batch_lanner(m, mlen, pks, rs, COUNT, valid), 1);
    CHECK_IS(ed25519_sign_open_batch_lanner(NULL, mlen, pks, rs, COUNT, valid), 1);
    CHECK_IS(valid[0], 0);
    CHECK_IS(ed25519_sign_open_batch_lanner(m, mlen, pks, rs, COUNT, NULL), 1);
    ed25519_randombytes_unsafe_lanner(one, 32);
    CHECK(!is_zero(one, 32));
    curved25519_scalarmult_basepoint_lanner(one, seed);
    CHECK_IS(curve25519_donna_basepoint_lanner(two, seed), 0);
    CHECK_BYTES(one, two, 32);
    memset(two, 0, 32);
    two[0] = 9;
    CHECK_IS(curve25519_donna_lanner(two, seed, two), 0);
    CHECK_BYTES(one, two, 32);
    memset(one, 0, 32);
    one[0] = 8;
    curve25519_donna_raw_lanner(two, one, seed);
    one[0] = 4;
    curve25519_donna_raw_lanner(three, one, seed);
    one[0] = 2;
    curve25519_donna_raw_lanner(three, one, three);
    CHECK_BYTES(two, three, 32);

    /* Where no key can be made, none is. */
    ed25519_publickey_lanner(NULL, pk);
    CHECK(pk[0] == 2 && is_zero(pk + 1, 31));
    ed25519_publickey_lanner(seed, NULL);
    ed25519_sign_lanner(seed, 3, NULL, NULL, sigs[0]);
    CHECK_ZERO(sigs[0], 64);

    CHECK_IS(plain_calls, 0);
    ed25519_publickey(seed, pk);
    CHECK_BYTES(pk, seed, 32);
    CHECK_IS(plain_calls, 1);
}

static void custom_hash(void)
{
    /* The public key of 32 zeros in Nano, which takes BLAKE2b for SHA-512. */
    static const unsigned char expected[32] = {
        0x19, 0xd3, 0xd9, 0x19, 0x47, 0x5d, 0xee, 0xd4, 0x69, 0x6b, 0x5d, 0x13, 0x01, 0x81, 0x51, 0xd1,
        0xaf, 0x88, 0xb2, 0xbd, 0x3b, 0xcf, 0xf0, 0x48, 0xb4, 0x50, 0x31, 0xc1, 0xf3, 0x6d, 0x18, 0x58};
    static const unsigned char seed[32] = {0};
    unsigned char pk[32], sig[64], plain[64], message[300], random[4];
    const unsigned char *m[2], *pks[2], *rs[2];
    size_t mlen[2], length;
    int valid[2];
    ed25519_publickey_blake2b(seed, pk);
    CHECK_BYTES(pk, expected, 32);
    check_random_bytes(message, sizeof message);
    for (length = 0; length <= sizeof message; length += 50) {
        ed25519_sign_blake2b(message, length, seed, pk, sig);
        CHECK_IS(ed25519_sign_open_blake2b(message, length, pk, sig), 0);
        CHECK(ed25519_sign_open_lanner(message, length, pk, sig) != 0);
        ed25519_sign_lanner(message, length, seed, pk, plain);
        CHECK(memcmp(sig, plain, 64) != 0);
        sig[length % 64] ^= 8;
        CHECK(ed25519_sign_open_blake2b(message, length, pk, sig) != 0);
    }
    ed25519_sign_blake2b(message, 9, seed, pk, sig);
    m[0] = m[1] = message;
    pks[0] = pks[1] = pk;
    rs[0] = rs[1] = sig;
    mlen[0] = 9;
    mlen[1] = 8;
    CHECK(ed25519_sign_open_batch_blake2b(m, mlen, pks, rs, 2, valid) != 0);
    CHECK(valid[0] == 1 && valid[1] == 0);
    CHECK_IS(ed25519_sign_open_batch_blake2b(m, mlen, pks, rs, 1, valid), 0);
    pks[0] = NULL;
    mlen[1] = 9;
    CHECK_IS(ed25519_sign_open_batch_blake2b(m, mlen, pks, rs, 2, valid), 1);
    CHECK(valid[0] == 0 && valid[1] == 1);
    ed25519_publickey_blake2b(NULL, pk);
    CHECK(pk[0] == 2 && is_zero(pk + 1, 31));
    ed25519_publickey_blake2b(seed, NULL);
    /* The header's own randomness. */
    ed25519_randombytes_unsafe_blake2b(random, 4);
    CHECK(random[0] == 4 && random[3] == 4);
}

/* The context has its alignment wherever the allocator puts the library's memory. */
static void anywhere_on_the_heap(void)
{
    static const unsigned char seed[32] = {0};
    unsigned char expected[64], pk[32], sig[64];
    void *between[64];
    size_t i;
    ed25519_publickey_blake2b(seed, pk);
    ed25519_sign_blake2b(seed, 32, seed, pk, expected);
    for (i = 0; i < 64; i++) {
        between[i] = malloc(1200 + 16 * i);
        ed25519_sign_blake2b(seed, 32, seed, pk, sig);
        CHECK_BYTES(sig, expected, 64);
        CHECK_IS(ed25519_sign_open_blake2b(seed, 32, pk, sig), 0);
    }
    for (i = 0; i < 64; i++)
        free(between[i]);
}

static int broken(void *out, size_t length)
{
    (void)out, (void)length;
    return 1;
}

/* With an argument, what there is when randomness lacks, or has no place: an end, with a message. */
int main(int argc, char **argv)
{
    if (argc > 1) {
        unsigned char key[32];
        if (strcmp(argv[1], "nowhere") != 0)
            lanner_set_random_source(broken);
        ed25519_randombytes_unsafe_lanner(strcmp(argv[1], "nowhere") != 0 ? key : NULL, 32);
        printf("went on without randomness\n");
        return 0;
    }
    suffixed();
    custom_hash();
    anywhere_on_the_heap();
    return check_report("suffix");
}
