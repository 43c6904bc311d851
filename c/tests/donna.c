/*
 * A program as one writes it for ed25519-donna and curve25519-donna, and what those document: batches
 * of every size with some bad signatures, messages of no bytes, pointers without alignment; and the
 * two deliberate differences.
 */
#include "ed25519.h"
#include "curve25519.h"

#include "check.h"
#include "ed25519_donna_tor.h"
#include "lanner.h"

enum { MAX = 200 };

static ed25519_secret_key sks[MAX];
static ed25519_public_key pks[MAX];
static ed25519_signature sigs[MAX];
static unsigned char messages[MAX][MAX];
static const unsigned char *m[MAX], *pk[MAX], *rs[MAX];
static size_t mlen[MAX];

static void make_batch(size_t num)
{
    size_t i;
    for (i = 0; i < num; i++) {
        check_random_bytes(sks[i], sizeof(ed25519_secret_key));
        check_random_bytes(messages[i], i);
        ed25519_publickey(sks[i], pks[i]);
        /* Message 0 has no bytes. */
        ed25519_sign(messages[i], i, sks[i], pks[i], sigs[i]);
        m[i] = messages[i];
        mlen[i] = i;
        pk[i] = pks[i];
        rs[i] = sigs[i];
    }
}

static void batches(void)
{
    static const size_t sizes[] = {0, 1, 2, 3, 4, 5, 63, 64, 65, 66, 67, 68, 127, 128, 129, MAX};
    static int valid[MAX + 1];
    size_t s, i;
    make_batch(MAX);
    for (s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t num = sizes[s], bad;
        valid[num] = 77;
        for (i = 0; i < num; i++)
            valid[i] = 99;
        CHECK_IS(ed25519_sign_open_batch(m, mlen, pk, rs, num, valid), 0);
        for (i = 0; i < num; i++)
            CHECK_IS(valid[i], 1);
        CHECK_IS(valid[num], 77);
        if (num == 0)
            continue;
        /* One bad signature: in its first half, so that R still is a point or no longer is. */
        bad = check_random() % num;
        sigs[bad][63] ^= 4;
        i = (size_t)ed25519_sign_open_batch(m, mlen, pk, rs, num, valid);
        CHECK((i & 1) == 1);
        /* A remainder of up to three is verified singly: nothing else but bit 0 is set. */
        CHECK_IS(i, bad / 64 * 64 + 3 < num ? 3 : 1);
        for (i = 0; i < num; i++)
            CHECK_IS(valid[i], i != bad);
        CHECK_IS(ed25519_sign_open_batch_donna(m, mlen, pk, rs, num, valid),
                 bad / 64 * 64 + 3 < num ? 3 : 1);
        sigs[bad][63] ^= 4;
    }
    /* A key that is no point makes its own signature invalid, and the equation is not looked at. */
    memset(pks[5], 0, 32);
    pks[5][0] = 2;
    CHECK_IS(ed25519_sign_open_batch(m, mlen, pk, rs, 64, valid), 1);
    for (i = 0; i < 64; i++)
        CHECK_IS(valid[i], i != 5);
    /* All bad. */
    for (i = 0; i < MAX; i++)
        sigs[i][40] ^= 1;
    CHECK(ed25519_sign_open_batch(m, mlen, pk, rs, MAX, valid) != 0);
    for (i = 0; i < MAX; i++)
        CHECK_IS(valid[i], 0);
}

static void unaligned(void)
{
    /* Every input and output at every offset from a word. */
    unsigned char room[8 + 32 + 32 + 64 + 32 + 64], seed[32], public_key[32], sig[64], message[16];
    size_t offset;
    check_random_bytes(seed, 32);
    check_random_bytes(message, sizeof message);
    ed25519_publickey(seed, public_key);
    ed25519_sign(message, sizeof message, seed, public_key, sig);
    for (offset = 0; offset < 8; offset++) {
        unsigned char *sk_at = room + offset, *pk_at = sk_at + 33, *sig_at = pk_at + 33;
        unsigned char *m_at = sig_at + 65, *x_at = m_at + 17;
        unsigned char x[32];
        memcpy(sk_at, seed, 32);
        memcpy(m_at, message, sizeof message);
        ed25519_publickey(sk_at, pk_at);
        CHECK_BYTES(pk_at, public_key, 32);
        ed25519_sign(m_at, sizeof message, sk_at, pk_at, sig_at);
        CHECK_BYTES(sig_at, sig, 64);
        CHECK_IS(ed25519_sign_open(m_at, sizeof message, pk_at, sig_at), 0);
        curved25519_scalarmult_basepoint(x_at, sk_at);
        CHECK_IS(curve25519_donna_basepoint(x, seed), 0);
        CHECK_BYTES(x_at, x, 32);
        /* Programs look at what the original returns. */
        CHECK_IS(curve25519_donna(x_at, sk_at, pk_at), 0);
        CHECK_IS(curve25519_donna(x, seed, public_key), 0);
        CHECK_BYTES(x_at, x, 32);
    }
}

static void differences(void)
{
    /* L, little-endian. */
    static const unsigned char order[32] = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58,
                                            0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
                                            0,    0,    0,    0,    0,    0,    0,    0,
                                            0,    0,    0,    0,    0,    0,    0,    0x10};
    ed25519_secret_key sk;
    ed25519_public_key right, wrong;
    ed25519_signature sig, other;
    unsigned carry = 0;
    size_t i;
    check_random_bytes(sk, 32);
    ed25519_publickey(sk, right);

    /* The public key that is given does not count. */
    memcpy(wrong, right, 32);
    wrong[7] ^= 0x10;
    ed25519_sign((const unsigned char *)"m", 1, sk, right, sig);
    ed25519_sign((const unsigned char *)"m", 1, sk, wrong, other);
    CHECK_BYTES(sig, other, 64);
    ed25519_sign((const unsigned char *)"m", 1, sk, NULL, other);
    CHECK_BYTES(sig, other, 64);

    /* S + L: valid for ed25519-donna, for this library if it was built so. */
    memcpy(other, sig, 64);
    for (i = 0; i < 32; i++) {
        carry += (unsigned)other[32 + i] + order[i];
        other[32 + i] = (unsigned char)carry;
        carry >>= 8;
    }
    CHECK_IS(ed25519_sign_open((const unsigned char *)"m", 1, right, sig), 0);
    CHECK_IS(ed25519_sign_open((const unsigned char *)"m", 1, right, other),
             lanner_ed25519_donna_profile() == LANNER_ED25519_DONNA ? 0 : -1);
    CHECK_IS(lanner_ed25519_verify(LANNER_ED25519_DONNA, right, (const unsigned char *)"m", 1,
                                   other),
             LANNER_OK);
    /* S of 253 bits is refused by everybody. */
    other[63] |= 0x20;
    CHECK_IS(ed25519_sign_open((const unsigned char *)"m", 1, right, other), -1);
}

static void random_bytes(void)
{
    unsigned char a[64], b[64];
    memset(a, 0, sizeof a);
    ed25519_randombytes_unsafe(a, sizeof a);
    ed25519_randombytes_unsafe(b, sizeof b);
    CHECK(memcmp(a, b, sizeof a) != 0);
    CHECK(!is_zero(a + 32, 32));
    ed25519_randombytes_unsafe(NULL, 0);
    a[1] = 0;
    b[0] = a[2];
    ed25519_randombytes_unsafe(a + 1, 0);
    CHECK(a[1] == 0 && a[2] == b[0]);
}

static void agreement(void)
{
    curve25519_key alice, bob, alice_public, bob_public, one, two, clamped;
    int i;
    for (i = 0; i < 20; i++) {
        check_random_bytes(alice, 32);
        check_random_bytes(bob, 32);
        curve25519_donna_basepoint(alice_public, alice);
        curve25519_donna_basepoint(bob_public, bob);
        curve25519_donna(one, alice, bob_public);
        curve25519_donna(two, bob, alice_public);
        CHECK_BYTES(one, two, 32);
        /* Clamping happens inside, so doing it outside changes nothing. */
        memcpy(clamped, alice, 32);
        clamped[0] &= 248;
        clamped[31] &= 127;
        clamped[31] |= 64;
        curve25519_donna(two, clamped, bob_public);
        CHECK_BYTES(one, two, 32);
        /* The top bit of a coordinate does not count. */
        bob_public[31] ^= 0x80;
        curve25519_donna(two, alice, bob_public);
        CHECK_BYTES(one, two, 32);
    }
}

int main(void)
{
    batches();
    unaligned();
    differences();
    random_bytes();
    agreement();
    return check_report("donna");
}
