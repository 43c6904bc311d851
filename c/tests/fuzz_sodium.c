/*
 * Differential: liblanner and libsodium on the same random input. The argument is the number of
 * rounds.
 */
#include <sodium.h>

#include "check.h"
#include "curve25519.h"
#include "ed25519.h"
#include "lanner.h"

/* Ristretto255: the same elements, scalars and refusals. */
static void ristretto(unsigned long round, unsigned long *refused)
{
    unsigned char hash[64], p[32], q[32], x[32], y[32], ours[32], theirs[32];
    int status;
    check_random_bytes(hash, 64);
    CHECK_IS(lanner_ristretto255_from_hash(hash, p), LANNER_OK);
    crypto_core_ristretto255_from_hash(theirs, hash);
    CHECK_BYTES(p, theirs, 32);
    check_random_bytes(x, 32);
    check_random_bytes(y, 32);
    /* Scalars of every size: around 0, around L, and with the bits that are above it. */
    if (round % 4 == 1)
        memset(x, round % 8 == 1 ? 0 : 0xff, 31);
    if (round % 4 == 2) {
        static const unsigned char one[32] = {1};
        crypto_core_ristretto255_scalar_negate(x, one);
        x[0] = (unsigned char)(x[0] + check_random() % 4);
    }
    if (round % 64 == 3)
        memset(x, 0, 32);

    status = crypto_scalarmult_ristretto255_base(theirs, x);
    CHECK_IS(lanner_ristretto255_mul_base(x, ours), status == 0 ? LANNER_OK : LANNER_ERROR_ZERO);
    CHECK_BYTES(ours, theirs, 32);
    status = crypto_scalarmult_ristretto255(theirs, x, p);
    CHECK_IS(lanner_ristretto255_mul(x, p, ours), status == 0 ? LANNER_OK : LANNER_ERROR_ZERO);
    if (status == 0)
        CHECK_BYTES(ours, theirs, 32);
    *refused += status != 0;

    /* An element, or bytes that may be none. */
    CHECK_IS(lanner_ristretto255_random(q), LANNER_OK);
    CHECK_IS(crypto_core_ristretto255_is_valid_point(q), 1);
    if (round % 3 == 0)
        q[check_random() % 32] ^= (unsigned char)(1u << check_random() % 8);
    if (round % 3 == 1 && round % 2 == 0) {
        check_random_bytes(q, 32);
        q[0] &= 0xfe;
        q[31] &= 0x7f;
    }
    /* Versions before 1.0.19 ignore the highest bit, which RFC 9496, section 4.3.1, does not. */
    if (q[31] >> 7) {
        CHECK_IS(lanner_ristretto255_check(q), LANNER_ERROR_ELEMENT);
        q[31] &= 0x7f;
    }
    status = crypto_core_ristretto255_is_valid_point(q);
    CHECK_IS(lanner_ristretto255_check(q), status ? LANNER_OK : LANNER_ERROR_ELEMENT);
    *refused += !status;
    status = crypto_core_ristretto255_add(theirs, p, q);
    CHECK_IS(lanner_ristretto255_add(p, q, ours), status == 0 ? LANNER_OK : LANNER_ERROR_ELEMENT);
    if (status == 0)
        CHECK_BYTES(ours, theirs, 32);
    status = crypto_core_ristretto255_sub(theirs, q, p);
    CHECK_IS(lanner_ristretto255_sub(q, p, ours), status == 0 ? LANNER_OK : LANNER_ERROR_ELEMENT);
    if (status == 0)
        CHECK_BYTES(ours, theirs, 32);
    status = crypto_scalarmult_ristretto255(theirs, y, q);
    CHECK_IS(lanner_ristretto255_mul(y, q, ours), status == 0 ? LANNER_OK : LANNER_ERROR_ELEMENT);
    if (status == 0)
        CHECK_BYTES(ours, theirs, 32);

    /* Scalars: any integers, but sums below 2^256, whose carry libsodium loses. */
    CHECK_IS(lanner_ristretto255_scalar_reduce(hash, ours), LANNER_OK);
    crypto_core_ristretto255_scalar_reduce(theirs, hash);
    CHECK_BYTES(ours, theirs, 32);
    CHECK_IS(lanner_ristretto255_scalar_negate(x, ours), LANNER_OK);
    crypto_core_ristretto255_scalar_negate(theirs, x);
    CHECK_BYTES(ours, theirs, 32);
    CHECK_IS(lanner_ristretto255_scalar_complement(x, ours), LANNER_OK);
    crypto_core_ristretto255_scalar_complement(theirs, x);
    CHECK_BYTES(ours, theirs, 32);
    CHECK_IS(lanner_ristretto255_scalar_mul(x, y, ours), LANNER_OK);
    crypto_core_ristretto255_scalar_mul(theirs, x, y);
    CHECK_BYTES(ours, theirs, 32);
    /* libsodium calls zero the inverse of L, and refuses to invert 32 zeros. */
    status = crypto_core_ristretto255_scalar_invert(theirs, x);
    if (status != 0 || sodium_is_zero(theirs, 32)) {
        CHECK_IS(lanner_ristretto255_scalar_invert(x, ours), LANNER_ERROR_ZERO);
    } else {
        CHECK_IS(lanner_ristretto255_scalar_invert(x, ours), LANNER_OK);
        CHECK_BYTES(ours, theirs, 32);
    }
    x[31] &= 0x7f;
    y[31] &= 0x7f;
    CHECK_IS(lanner_ristretto255_scalar_add(x, y, ours), LANNER_OK);
    crypto_core_ristretto255_scalar_add(theirs, x, y);
    CHECK_BYTES(ours, theirs, 32);
    x[31] &= 0x1f;
    CHECK_IS(lanner_ristretto255_scalar_sub(x, y, ours), LANNER_OK);
    crypto_core_ristretto255_scalar_sub(theirs, x, y);
    CHECK_BYTES(ours, theirs, 32);
    CHECK_IS(lanner_ristretto255_scalar_random(ours), LANNER_OK);
    CHECK_IS(lanner_ristretto255_scalar_check(ours), LANNER_OK);
}

int main(int argc, char **argv)
{
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000, i;
    unsigned long valid = 0, invalid = 0, zero = 0, refused = 0;
    CHECK(sodium_init() >= 0);
    for (i = 0; i < rounds; i++) {
        unsigned char seed[32], theirs_pk[32], theirs_sk[64], pk[32], sig[64], other[64];
        unsigned char m[400], one[32], two[32], hash[64];
        unsigned long long length = 0;
        size_t mlen = check_random() % sizeof m;
        lanner_ed25519_key key;
        int a, b;
        check_random_bytes(seed, 32);
        check_random_bytes(m, mlen);
        crypto_sign_seed_keypair(theirs_pk, theirs_sk, seed);
        ed25519_publickey(seed, pk);
        CHECK_BYTES(pk, theirs_pk, 32);
        CHECK_IS(lanner_ed25519_key_from_pair(&key, theirs_sk), LANNER_OK);

        /* Signatures are the same bytes. */
        crypto_sign_detached(other, &length, m, mlen, theirs_sk);
        ed25519_sign(m, mlen, seed, pk, sig);
        CHECK_BYTES(sig, other, 64);
        CHECK_IS(lanner_ed25519_sign(&key, m, mlen, sig), LANNER_OK);
        CHECK_BYTES(sig, other, 64);
        {
            crypto_sign_ed25519ph_state state;
            crypto_sign_ed25519ph_init(&state);
            crypto_sign_ed25519ph_update(&state, m, mlen);
            crypto_sign_ed25519ph_final_create(&state, other, &length, theirs_sk);
            CHECK_IS(lanner_ed25519ph_sign(&key, NULL, 0, m, mlen, hash), LANNER_OK);
            CHECK_BYTES(hash, other, 64);
        }

        /* Verdicts are the same, on valid ones and on ones with a bit or a byte changed, in the
         * signature, the key or the message. */
        switch (check_random() % 6) {
        case 0:
            break;
        case 1:
            sig[check_random() % 64] ^= (unsigned char)(1u << check_random() % 8);
            break;
        case 2:
            pk[check_random() % 32] ^= (unsigned char)(1u << check_random() % 8);
            break;
        case 3:
            if (mlen > 0)
                m[check_random() % mlen] ^= 1;
            break;
        case 4:
            /* All but zero: small orders, and what is no point. */
            memset(pk, i % 2 ? 0 : 0xff, 32);
            pk[check_random() % 2 * 31] = (unsigned char)check_random();
            break;
        default:
            memset(sig, i % 2 ? 0 : 0xff, 32);
            sig[check_random() % 2 * 31] = (unsigned char)check_random();
        }
        a = crypto_sign_verify_detached(sig, m, mlen, pk) == 0;
        b = lanner_ed25519_verify(LANNER_ED25519_LIBSODIUM, pk, m, mlen, sig) == LANNER_OK;
        CHECK_IS(b, a);
        valid += (unsigned long)a;
        invalid += (unsigned long)!a;

        /* X25519, on random coordinates, of the curve and of its twist, and on small ones. */
        check_random_bytes(one, 32);
        if (i % 8 == 0) {
            /* Around 0 and around p: points of small order among them. */
            memset(one, i % 16 ? 0 : 0xff, 32);
            one[0] = (unsigned char)((i % 16 ? 0 : 0xec) + check_random() % 4);
            one[31] &= 0x7f;
        }
        a = crypto_scalarmult(two, seed, one);
        b = lanner_x25519(seed, one, other);
        CHECK_IS(b == LANNER_OK, a == 0);
        zero += a != 0;
        if (a == 0)
            CHECK_BYTES(other, two, 32);
        curve25519_donna(other, seed, one);
        if (a == 0)
            CHECK_BYTES(other, two, 32);
        else
            CHECK_ZERO(other, 32);
        crypto_scalarmult_base(two, seed);
        curve25519_donna_basepoint(one, seed);
        CHECK_BYTES(one, two, 32);
        /* From Ed25519 to X25519. */
        CHECK_IS(crypto_sign_ed25519_pk_to_curve25519(two, theirs_pk), 0);
        CHECK_IS(lanner_ed25519_public_to_x25519(theirs_pk, one), LANNER_OK);
        CHECK_BYTES(one, two, 32);
        crypto_sign_ed25519_sk_to_curve25519(two, theirs_sk);
        CHECK_IS(lanner_ed25519_key_to_x25519(&key, one), LANNER_OK);
        CHECK_BYTES(one, two, 32);
        ristretto(i, &refused);
        if (checks_failed > 20)
            break;
    }
    CHECK(rounds < 500 || (refused > rounds / 10 && refused < rounds));
    CHECK(rounds < 500 || (valid > rounds / 20 && invalid > rounds / 20 && zero > 0));
    return check_report("libsodium");
}
