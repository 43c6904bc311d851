/*
 * Tor's additions to ed25519-donna, as Tor uses them: expanded keys, blinding, conversion, the test
 * of the order.
 */
#include "check.h"
#include "ed25519.h"
#include "ed25519_donna_tor.h"
#include "lanner.h"

static void pairs(void)
{
    unsigned char seed[32], sk[64], pk[32], expected[32], sig[64], plain[64], message[50];
    size_t i;
    for (i = 0; i < 20; i++) {
        check_random_bytes(seed, 32);
        check_random_bytes(message, sizeof message);
        CHECK_IS(ed25519_donna_seckey_expand(sk, seed), 0);
        CHECK((sk[0] & 7) == 0 && (sk[31] & 0xc0) == 0x40);
        CHECK_IS(ed25519_donna_pubkey(pk, sk), 0);
        ed25519_publickey(seed, expected);
        CHECK_BYTES(pk, expected, 32);
        CHECK_IS(ed25519_donna_sign(sig, message, sizeof message, sk, pk), 0);
        ed25519_sign(message, sizeof message, seed, pk, plain);
        CHECK_BYTES(sig, plain, 64);
        CHECK_IS(ed25519_donna_open(sig, message, sizeof message, pk), 0);
        sig[i] ^= 1;
        CHECK_IS(ed25519_donna_open(sig, message, sizeof message, pk), -1);
        /* The public key that is given does not count. */
        CHECK_IS(ed25519_donna_sign(sig, message, sizeof message, sk, seed), 0);
        CHECK_BYTES(sig, plain, 64);
    }
    CHECK_IS(ed25519_donna_keygen(pk, sk), 0);
    CHECK_IS(ed25519_donna_pubkey(expected, sk), 0);
    CHECK_BYTES(pk, expected, 32);
    CHECK_IS(ed25519_donna_sign(sig, message, 0, sk, pk), 0);
    CHECK_IS(ed25519_donna_open(sig, NULL, 0, pk), 0);
    CHECK_IS(ed25519_donna_seckey(sk), 0);
    CHECK_IS(ed25519_donna_pubkey(pk, sk), 0);
    CHECK(memcmp(pk, expected, 32) != 0);
}

static void blinding(void)
{
    unsigned char seed[32], sk[64], pk[32], param[32], blind_sk[64], blind_pk[32], derived[32];
    unsigned char sig[64];
    int i;
    for (i = 0; i < 20; i++) {
        check_random_bytes(seed, 32);
        check_random_bytes(param, 32);
        CHECK_IS(ed25519_donna_seckey_expand(sk, seed), 0);
        CHECK_IS(ed25519_donna_pubkey(pk, sk), 0);
        CHECK_IS(ed25519_donna_blind_secret_key(blind_sk, sk, param), 0);
        CHECK_IS(ed25519_donna_blind_public_key(blind_pk, pk, param), 0);
        CHECK_IS(ed25519_donna_pubkey(derived, blind_sk), 0);
        CHECK_BYTES(derived, blind_pk, 32);
        CHECK(memcmp(blind_pk, pk, 32) != 0);
        CHECK_IS(ed25519_donna_sign(sig, (const unsigned char *)"descriptor", 10, blind_sk,
                                    blind_pk),
                 0);
        CHECK_IS(ed25519_donna_open(sig, (const unsigned char *)"descriptor", 10, blind_pk), 0);
        CHECK_IS(ed25519_donna_open(sig, (const unsigned char *)"descriptor", 10, pk), -1);
        /* In place. */
        CHECK_IS(ed25519_donna_blind_secret_key(sk, sk, param), 0);
        CHECK_BYTES(sk, blind_sk, 64);
        CHECK_IS(ed25519_donna_blind_public_key(pk, pk, param), 0);
        CHECK_BYTES(pk, blind_pk, 32);
    }
}

static void orders(void)
{
    static const unsigned char neutral[32] = {1};
    /* y = -1: the point of order 2. */
    static const unsigned char order2[32] = {0xec, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                             0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                             0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                             0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f};
    static const unsigned char no_point[32] = {2};
    unsigned char seed[32], sk[64], pk[32], out[32];
    unsigned properties;
    check_random_bytes(seed, 32);
    CHECK_IS(ed25519_donna_seckey_expand(sk, seed), 0);
    CHECK_IS(ed25519_donna_pubkey(pk, sk), 0);
    CHECK_IS(ed25519_donna_scalarmult_with_group_order(out, pk), 0);
    CHECK_BYTES(out, neutral, 32);
    /* L is odd. */
    CHECK_IS(ed25519_donna_scalarmult_with_group_order(out, order2), 0);
    CHECK_BYTES(out, order2, 32);
    CHECK_IS(ed25519_donna_scalarmult_with_group_order(out, no_point), -1);
    CHECK_ZERO(out, 32);
    CHECK_IS(ed25519_donna_blind_public_key(out, no_point, seed), -1);
    CHECK_ZERO(out, 32);
    CHECK_IS(ed25519_donna_open(sk, sk, 1, no_point), -1);

    CHECK_IS(lanner_ed25519_public_properties(pk, &properties), LANNER_OK);
    CHECK_IS(properties, LANNER_ED25519_CANONICAL | LANNER_ED25519_TORSION_FREE);
    CHECK_IS(lanner_ed25519_public_properties(order2, &properties), LANNER_OK);
    CHECK_IS(properties, LANNER_ED25519_CANONICAL | LANNER_ED25519_WEAK);
}

static void conversion(void)
{
    unsigned char seed[32], sk[64], pk[32], x[32], out[32];
    int i, refused = 0;
    for (i = 0; i < 20; i++) {
        check_random_bytes(seed, 32);
        CHECK_IS(ed25519_donna_seckey_expand(sk, seed), 0);
        CHECK_IS(ed25519_donna_pubkey(pk, sk), 0);
        /* One scalar, seen as a point of either shape. */
        curved25519_scalarmult_basepoint_donna(x, sk);
        CHECK_IS(ed25519_donna_pubkey_from_curve25519_pubkey(out, x, pk[31] >> 7), 0);
        CHECK_BYTES(out, pk, 32);
        CHECK_IS(ed25519_donna_pubkey_from_curve25519_pubkey(out, x, !(pk[31] >> 7)), 0);
        CHECK_BYTES(out, pk, 31);
        CHECK_IS(out[31], pk[31] ^ 0x80);
        /* Any value other than 0 is a sign. */
        CHECK_IS(ed25519_donna_pubkey_from_curve25519_pubkey(out, x, 256), 0);
        CHECK_IS(out[31] >> 7, 1);
        check_random_bytes(x, 32);
        if (ed25519_donna_pubkey_from_curve25519_pubkey(out, x, 0) != 0) {
            refused++;
            CHECK_ZERO(out, 32);
        }
    }
    /* About half of all coordinates belong to the twist. */
    CHECK(refused > 2 && refused < 18);
}

static void without(void)
{
    unsigned char b[64] = {1};
    CHECK_IS(ed25519_donna_seckey(NULL), -1);
    CHECK_IS(ed25519_donna_seckey_expand(NULL, b), -1);
    CHECK_IS(ed25519_donna_seckey_expand(b, NULL), -1);
    CHECK_ZERO(b, 64);
    CHECK_IS(ed25519_donna_pubkey(NULL, b), -1);
    CHECK_IS(ed25519_donna_pubkey(b, NULL), -1);
    CHECK_IS(ed25519_donna_keygen(NULL, b), -1);
    CHECK_IS(ed25519_donna_keygen(b, NULL), -1);
    CHECK_IS(ed25519_donna_open(NULL, b, 1, b), -1);
    CHECK_IS(ed25519_donna_open(b, NULL, 1, b), -1);
    CHECK_IS(ed25519_donna_open(b, b, 1, NULL), -1);
    CHECK_IS(ed25519_donna_sign(NULL, b, 1, b, b), -1);
    CHECK_IS(ed25519_donna_sign(b, NULL, 1, b, b), -1);
    CHECK_IS(ed25519_donna_sign(b, b, 1, NULL, b), -1);
    CHECK_IS(ed25519_donna_blind_secret_key(b, b, NULL), -1);
    CHECK_IS(ed25519_donna_blind_secret_key(b, NULL, b), -1);
    CHECK_IS(ed25519_donna_blind_public_key(b, NULL, b), -1);
    CHECK_IS(ed25519_donna_blind_public_key(b, b, NULL), -1);
    CHECK_IS(ed25519_donna_pubkey_from_curve25519_pubkey(b, NULL, 0), -1);
    CHECK_IS(ed25519_donna_pubkey_from_curve25519_pubkey(NULL, b, 0), -1);
    CHECK_IS(ed25519_donna_scalarmult_with_group_order(b, NULL), -1);
    CHECK_IS(ed25519_donna_scalarmult_with_group_order(NULL, b), -1);
}

int main(void)
{
    CHECK_IS(ed25519_donna_selftest(), 0);
    pairs();
    blinding();
    orders();
    conversion();
    without();
    return check_report("tor");
}
