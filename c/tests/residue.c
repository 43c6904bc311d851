/*
 * What calls leave on the stack: each function that handles secrets runs on a stack of its own, painted
 * before, which is then searched for every window of eight bytes of every secret and derived secret. Windows
 * that a run with other secrets shows too do not count. What the functions of Ristretto255, of XEdDSA and of
 * expanded secrets leave must be the same in both runs, byte for byte: the arithmetic of elements clears no stack of
 * its own, and what it leaves there has no form that could be looked for.
 *
 * And what calls take from the stack: an object that is made on one that was painted differently must be the same, byte for
 * byte, or it carries along what a program had there before.
 *
 * Only for a build with the released optimisation. Names of functions behind the program's name restrict it
 * to those that contain one of them.
 */
#define _GNU_SOURCE
#include <ucontext.h>

#include "check.h"
#include "curve25519.h"
#include "ed25519.h"
#include "ed25519_donna_tor.h"
/* What is asked here is what calls leave behind, whatever they say. */
#define LANNER_CHECKED
#include "lanner.h"

typedef unsigned char byte;

enum { STACK = 1 << 20, PAINT = 0xa5, WINDOW = 8 };

/* ---- SHA-512 and arithmetic modulo L, for what is derived from a seed ---- */

static uint64_t rotated(uint64_t x, int by)
{
    return x >> by | x << (64 - by);
}

/* The first 64 bits of the fraction of a prime's root, by binary search: its square or cube is prime. */
static uint64_t root_bits(unsigned prime, int cube)
{
    /* A fixed-point number with 64 bits behind the point, as 16-bit digits. */
    uint64_t whole = 1, fraction = 0, bit;
    while (cube ? (whole + 1) * (whole + 1) * (whole + 1) <= prime
                : (whole + 1) * (whole + 1) <= prime)
        whole++;
    for (bit = (uint64_t)1 << 63; bit != 0; bit >>= 1) {
        uint64_t tried = fraction | bit;
        uint32_t x[3], product[12] = {0}, power[12] = {0};
        int i, j, times;
        x[0] = (uint32_t)tried;
        x[1] = (uint32_t)(tried >> 32);
        x[2] = (uint32_t)whole;
        power[0] = 1;
        for (times = 0; times < (cube ? 3 : 2); times++) {
            memset(product, 0, sizeof product);
            for (i = 0; i < 9; i++) {
                uint64_t carry = 0;
                for (j = 0; j < 3; j++) {
                    carry += (uint64_t)power[i] * x[j] + product[i + j];
                    product[i + j] = (uint32_t)carry;
                    carry >>= 32;
                }
                product[i + 3] = (uint32_t)carry;
            }
            memcpy(power, product, sizeof power);
        }
        /* Its whole part stands behind two digits for each factor. */
        if (product[cube ? 6 : 4] < prime)
            fraction = tried;
    }
    return fraction;
}

static uint64_t sha_k[80], sha_start[8];

static void sha_tables(void)
{
    unsigned number = 2, found = 0, divisor;
    for (; found < 80; number++) {
        for (divisor = 2; divisor * divisor <= number && number % divisor != 0; divisor++)
            ;
        if (divisor * divisor <= number)
            continue;
        if (found < 8)
            sha_start[found] = root_bits(number, 0);
        sha_k[found++] = root_bits(number, 1);
    }
}

static void sha512(const byte *data, size_t length, byte out[64])
{
    uint64_t state[8], w[80], v[8];
    byte padded[512] = {0};
    size_t blocks = (length + 17 + 127) / 128, b;
    int i, j;
    if (blocks > 4)
        abort();
    memcpy(padded, data, length);
    padded[length] = 0x80;
    for (i = 0; i < 4; i++)
        padded[128 * blocks - 1 - (size_t)i] = (byte)(8 * length >> 8 * i);
    memcpy(state, sha_start, sizeof state);
    for (b = 0; b < blocks; b++) {
        for (i = 0; i < 80; i++) {
            if (i < 16) {
                w[i] = 0;
                for (j = 0; j < 8; j++)
                    w[i] = w[i] << 8 | padded[128 * b + 8 * (size_t)i + (size_t)j];
            } else {
                uint64_t x = w[i - 15], y = w[i - 2];
                w[i] = w[i - 16] + (rotated(x, 1) ^ rotated(x, 8) ^ x >> 7) + w[i - 7] +
                       (rotated(y, 19) ^ rotated(y, 61) ^ y >> 6);
            }
        }
        memcpy(v, state, sizeof v);
        for (i = 0; i < 80; i++) {
            uint64_t one = v[7] + (rotated(v[4], 14) ^ rotated(v[4], 18) ^ rotated(v[4], 41)) +
                           ((v[4] & v[5]) ^ (~v[4] & v[6])) + sha_k[i] + w[i];
            uint64_t two = (rotated(v[0], 28) ^ rotated(v[0], 34) ^ rotated(v[0], 39)) +
                           ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
            memmove(v + 1, v, 7 * sizeof *v);
            v[4] += one;
            v[0] = one + two;
        }
        for (i = 0; i < 8; i++)
            state[i] += v[i];
    }
    for (i = 0; i < 64; i++)
        out[i] = (byte)(state[i / 8] >> (56 - 8 * (i % 8)));
}

/* 64 bytes, little-endian, modulo the order of the base point: 2^252 + 27742...; bit by bit. */
static void modulo_l(const byte *wide, byte out[32])
{
    static const byte order[33] = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7,
                                   0xa2, 0xde, 0xf9, 0xde, 0x14, 0,    0,    0,    0,    0,    0,
                                   0,    0,    0,    0,    0,    0,    0,    0,    0,    0x10, 0};
    byte rest[33] = {0};
    int bit, i;
    for (bit = 511; bit >= 0; bit--) {
        int carry = wide[bit / 8] >> bit % 8 & 1, borrow = 0;
        byte less[33];
        for (i = 0; i < 33; i++) {
            carry |= rest[i] << 1;
            rest[i] = (byte)carry;
            carry >>= 8;
        }
        for (i = 0; i < 33; i++) {
            borrow = rest[i] - order[i] - borrow;
            less[i] = (byte)borrow;
            borrow = borrow < 0;
        }
        if (!borrow)
            memcpy(rest, less, sizeof rest);
    }
    memcpy(out, rest, 32);
}

/* ---- The secrets, twice: one set that is looked for, and another one ---- */

enum { N = 512, HYBRID = 3 };

static const byte text[] = "what is signed";
enum { TEXT = sizeof text - 1 };

typedef struct {
    byte seed[32], hashed[64], clamped[64], scalar[32], nonce[32], nonce_donna[32];
    byte pair[64], public_key[32], their_public[32], x_clamped[32], shared[32], x_public[32];
    byte der[64], random[96 * 8];
    char pem[160];
    size_t der_length, pem_length;
    byte element[32], product[32], refused[32];
    byte x_der[64];
    char x_pem[160];
    size_t x_der_length, x_pem_length;
    lanner_ed25519_key key;
    byte lattice_secret[3][2400], lattice_public[3][900];
    signed char polynomials[3][4][N];
    short wide[3][4][N];
    lanner_fn_dsa_key lattice[3];
    byte lattice_der[4600];
    char lattice_pem[6400];
    size_t lattice_der_length, lattice_pem_length;
    lanner_hybrid_key hybrid;
    byte hybrid_der[LANNER_HYBRID_SECRET_DER_BYTES];
    char hybrid_pem[LANNER_HYBRID_SECRET_PEM_BYTES];
    byte hybrid_seeds[64], hybrid_hashed[64], hybrid_secret[1281];
    signed char hybrid_polynomials[3][N];
    short hybrid_wide[3][N];
} secrets;

static secrets sets[2];
/* The set that a run works with, always in the same place, so that its address tells no set from another. */
static secrets current, *const now = &current;

#define WANT(call)                                            \
    do {                                                      \
        if ((call) != LANNER_OK) {                            \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #call); \
            abort();                                          \
        }                                                     \
    } while (0)

/* Fixed-width fields of a key's encoding. Byte order and bit order differ between the variants. */
static long field(const byte *bytes, size_t bits, size_t index, int least_first)
{
    size_t i, at = index * bits;
    long value = 0;
    for (i = 0; i < bits; i++, at++) {
        long bit = bytes[at / 8] >> (least_first ? at % 8 : 7 - at % 8) & 1;
        value |= bit << (least_first ? i : bits - 1 - i);
    }
    return value;
}

static signed char small(const byte *bytes, size_t bits, size_t index, int least_first)
{
    long value = field(bytes, bits, index, least_first);
    return (signed char)(value >> (bits - 1) ? value - (1l << bits) : value);
}

/* f, g and F stand in the key; G is F times h modulo q, with h = g / f in the public key. */
static void read_polynomials(secrets *set, int variant)
{
    const byte *secret = set->lattice_secret[variant] + 1;
    const byte *public_bytes = set->lattice_public[variant] + 1;
    int least_first = variant == LANNER_FN_DSA_DRAFT2026, i, j;
    for (i = 0; i < N; i++) {
        set->polynomials[variant][0][i] = small(secret, 6, (size_t)i, least_first);
        set->polynomials[variant][1][i] = small(secret + N * 6 / 8, 6, (size_t)i, least_first);
        set->polynomials[variant][2][i] = small(secret + 2 * (N * 6 / 8), 8, (size_t)i, least_first);
    }
    if (!least_first)
        for (i = 0; i < N; i++) {
            long sum = 0;
            for (j = 0; j < N; j++) {
                long h = field(public_bytes, 14, (size_t)((i - j) & (N - 1)), 0);
                long product = set->polynomials[variant][2][j] * h;
                sum += j <= i ? product : -product;
            }
            sum = (sum % 12289 + 12289) % 12289;
            if (sum > 6144)
                sum -= 12289;
            if (sum < -128 || sum > 127)
                abort();
            set->polynomials[variant][3][i] = (signed char)sum;
        }
    else
        /* Its public keys are in another representation; three polynomials are enough there. */
        memcpy(set->polynomials[variant][3], set->polynomials[variant][2], N);
    for (j = 0; j < 4; j++)
        for (i = 0; i < N; i++)
            set->wide[variant][j][i] = set->polynomials[variant][j][i];
}

/* The keys of both halves (docs/hybrid.md). */
static void prepare_hybrid(secrets *set)
{
    static const char label[] = "LannerHybridSignature2026\x1e" "Ed25519+FN-DSA-512-main-SHA512";
    byte text_of_seeds[sizeof label - 1 + 32], ignored[900];
    size_t length;
    int i, j;
    WANT(lanner_hybrid_key_from_seed(&set->hybrid, 512, set->seed));
    length = sizeof set->hybrid_der;
    WANT(lanner_hybrid_key_to_der(&set->hybrid, set->hybrid_der, &length));
    length = sizeof set->hybrid_pem;
    WANT(lanner_hybrid_key_to_pem(&set->hybrid, set->hybrid_pem, &length));
    memcpy(text_of_seeds, label, sizeof label - 1);
    memcpy(text_of_seeds + sizeof label - 1, set->seed, 32);
    sha512(text_of_seeds, sizeof text_of_seeds, set->hybrid_seeds);
    sha512(set->hybrid_seeds, 32, set->hybrid_hashed);
    WANT(lanner_fn_dsa_keygen_seeded(0, 512, set->hybrid_seeds + 32, set->hybrid_secret, ignored,
                                     NULL, 0));
    for (i = 0; i < N; i++) {
        const byte *secret = set->hybrid_secret + 1;
        set->hybrid_polynomials[0][i] = small(secret, 6, (size_t)i, 0);
        set->hybrid_polynomials[1][i] = small(secret + N * 6 / 8, 6, (size_t)i, 0);
        set->hybrid_polynomials[2][i] = small(secret + 2 * (N * 6 / 8), 8, (size_t)i, 0);
    }
    for (j = 0; j < 3; j++)
        for (i = 0; i < N; i++)
            set->hybrid_wide[j][i] = set->hybrid_polynomials[j][i];
}

static void prepare(secrets *set)
{
    static const size_t lengths[3] = {1281, 1345, 1281};
    byte message[32 + TEXT], wide[64] = {0};
    int variant;
    check_random_bytes(set->seed, 32);
    check_random_bytes(set->random, sizeof set->random);
    sha512(set->seed, 32, set->hashed);
    WANT(ed25519_donna_seckey_expand(set->clamped, set->seed));
    if (memcmp(set->hashed + 32, set->clamped + 32, 32) != 0)
        abort();
    memcpy(wide, set->clamped, 32);
    modulo_l(wide, set->scalar);
    memcpy(message, set->clamped + 32, 32);
    memcpy(message + 32, text, TEXT);
    sha512(message, sizeof message, wide);
    modulo_l(wide, set->nonce);
    WANT(lanner_ed25519_key_from_seed(&set->key, set->seed));
    WANT(lanner_ed25519_key_pair(&set->key, set->pair));
    memcpy(set->public_key, set->pair + 32, 32);
    memcpy(set->x_clamped, set->seed, 32);
    set->x_clamped[0] &= 248;
    set->x_clamped[31] = (byte)((set->x_clamped[31] & 127) | 64);
    WANT(lanner_x25519_public(set->hashed, set->their_public));
    WANT(lanner_x25519_public(set->seed, set->x_public));
    WANT(lanner_x25519(set->seed, set->their_public, set->shared));
    WANT(lanner_ristretto255_from_hash(set->hashed, set->element));
    WANT(lanner_ristretto255_mul(set->seed, set->element, set->product));
    memcpy(set->refused, set->element, 32);
    set->refused[0] |= 1;
    set->der_length = sizeof set->der;
    WANT(lanner_ed25519_key_to_der(&set->key, set->der, &set->der_length));
    set->pem_length = sizeof set->pem;
    WANT(lanner_ed25519_key_to_pem(&set->key, set->pem, &set->pem_length));
    set->x_der_length = sizeof set->x_der;
    WANT(lanner_x25519_secret_to_der(set->seed, set->x_der, &set->x_der_length));
    set->x_pem_length = sizeof set->x_pem;
    WANT(lanner_x25519_secret_to_pem(set->seed, set->x_pem, &set->x_pem_length));
    for (variant = 0; variant < 3; variant++) {
        WANT(lanner_fn_dsa_keygen_seeded(variant, 512, set->seed, set->lattice_secret[variant],
                                         set->lattice_public[variant], NULL, 0));
        WANT(lanner_fn_dsa_key_from_bytes(&set->lattice[variant], variant,
                                          set->lattice_secret[variant], lengths[variant], NULL, 0));
        read_polynomials(set, variant);
    }
    set->lattice_der_length = sizeof set->lattice_der;
    WANT(lanner_fn_dsa_key_to_der(&set->lattice[0], set->lattice_der, &set->lattice_der_length));
    set->lattice_pem_length = sizeof set->lattice_pem;
    WANT(lanner_fn_dsa_key_to_pem(&set->lattice[0], set->lattice_pem, &set->lattice_pem_length));
    prepare_hybrid(set);
}

/* ---- The functions ---- */

static byte out[8192], more[8192];
static size_t room;
/* Whether the source fails, and whether it gives other bytes than the seed, which is looked for. */
static int source_fails, source_is_apart;
static lanner_ed25519_key made_key;
static lanner_ed25519ph_state state;
static lanner_fn_dsa_key made_lattice;
static lanner_hybrid_key made_hybrid;
static const byte digest[LANNER_HYBRID_DIGEST_BYTES] = {1, 2, 3};

/* Many at once: more than a group, all of the same seed or by the same key. */
enum { MANY = 17 };
static lanner_ed25519_key many_keys[MANY];

static const byte *many_seeds(void)
{
    static byte seeds[32 * MANY];
    size_t i;
    for (i = 0; i < sizeof seeds; i++)
        seeds[i] = now->seed[i % 32];
    return seeds;
}

static const lanner_ed25519_message *many_messages(void)
{
    static lanner_ed25519_message messages[MANY];
    size_t i;
    for (i = 0; i < MANY; i++) {
        messages[i].key = &now->key;
        messages[i].message = text;
        messages[i].message_length = TEXT;
    }
    return messages;
}

static int source(void *to, size_t length)
{
    size_t i;
    /* Keys are made of these bytes, so they are the seed. */
    for (i = 0; i < length; i++)
        ((byte *)to)[i] = source_is_apart ? now->random[i % 32] : now->seed[i % 32];
    return source_fails;
}

static int feed(void *user, lanner_sink *sink)
{
    (void)user;
    return lanner_sink_update(sink, text, TEXT);
}

static int feed_breaks(void *user, lanner_sink *sink)
{
    (void)lanner_sink_update(sink, text, 3);
    (void)user;
    return 1;
}

#define IN_OUT out, (room = sizeof out, &room)
#define CALL(name, expression)            \
    static void run_##name(void)          \
    {                                     \
        (void)(expression);               \
    }

CALL(key_from_seed, lanner_ed25519_key_from_seed(&made_key, now->seed))
CALL(key_from_pair, lanner_ed25519_key_from_pair(&made_key, now->pair))
CALL(key_from_pair_refused,
     (memcpy(more, now->pair, 64), more[40] ^= 1, lanner_ed25519_key_from_pair(&made_key, more)))
CALL(key_generate, lanner_ed25519_key_generate(&made_key))
CALL(key_seed, lanner_ed25519_key_seed(&now->key, out))
CALL(key_pair, lanner_ed25519_key_pair(&now->key, out))
CALL(key_clear, lanner_ed25519_key_from_seed(&made_key, now->seed) +
                    (lanner_ed25519_key_clear(&made_key), 0))
CALL(key_to_x25519, lanner_ed25519_key_to_x25519(&now->key, out))
CALL(public_from_seed, lanner_ed25519_public_from_seed(now->seed, out))
CALL(key_from_seed_each, lanner_ed25519_key_from_seed_each(many_keys, many_seeds(), MANY))
CALL(public_from_seed_each, lanner_ed25519_public_from_seed_each(many_seeds(), MANY, out))
CALL(sign_each, lanner_ed25519_sign_each(many_messages(), MANY, out))
CALL(sign, lanner_ed25519_sign(&now->key, text, TEXT, out))
CALL(sign_checked, lanner_ed25519_sign_checked(&now->key, text, TEXT, out))
CALL(sign_ctx, lanner_ed25519_sign_ctx(&now->key, text, 3, text, TEXT, out))
CALL(sign_ctx_checked, lanner_ed25519_sign_ctx_checked(&now->key, text, 3, text, TEXT, out))
CALL(sign_hedged, lanner_ed25519_sign_hedged(&now->key, text, TEXT, out))
CALL(sign_hedged_refused,
     (source_fails = 1, (void)lanner_ed25519_sign_hedged(&now->key, text, TEXT, out),
      source_fails = 0))
CALL(sign_seed, lanner_ed25519_sign_seed(now->seed, text, TEXT, out))
CALL(sign_feed, lanner_ed25519_sign_feed(&now->key, NULL, 0, feed, NULL, out))
CALL(sign_feed_refused, lanner_ed25519_sign_feed(&now->key, NULL, 0, feed_breaks, NULL, out))
CALL(ph_sign, lanner_ed25519ph_sign(&now->key, NULL, 0, text, TEXT, out))
CALL(ph_final_sign,
     (lanner_ed25519ph_init(&state), lanner_ed25519ph_update(&state, text, TEXT),
      lanner_ed25519ph_final_sign(&state, &now->key, NULL, 0, out)))
CALL(ph_sign_checked, lanner_ed25519ph_sign_checked(&now->key, NULL, 0, text, TEXT, out))
CALL(ph_final_sign_checked,
     (lanner_ed25519ph_init(&state), lanner_ed25519ph_update(&state, text, TEXT),
      lanner_ed25519ph_final_sign_checked(&state, &now->key, NULL, 0, out)))
CALL(key_to_der, lanner_ed25519_key_to_der(&now->key, IN_OUT))
CALL(key_to_der_v2, lanner_ed25519_key_to_der_v2(&now->key, IN_OUT))
CALL(key_to_pem, lanner_ed25519_key_to_pem(&now->key, (char *)out, (room = sizeof out, &room)))
CALL(key_from_der, lanner_ed25519_key_from_der(&made_key, now->der, now->der_length))
CALL(key_from_pem, lanner_ed25519_key_from_pem(&made_key, now->pem, now->pem_length - 1))
CALL(key_from_der_refused, lanner_ed25519_key_from_der(&made_key, now->der, now->der_length - 1))
CALL(key_from_pem_refused, lanner_ed25519_key_from_pem(&made_key, now->pem, now->pem_length - 9))
CALL(donna_publickey, (ed25519_publickey(now->seed, out), 0))
CALL(donna_sign, (ed25519_sign(text, TEXT, now->seed, NULL, out), 0))
CALL(tor_seckey, ed25519_donna_seckey(out))
CALL(tor_seckey_expand, ed25519_donna_seckey_expand(out, now->seed))
CALL(tor_pubkey, ed25519_donna_pubkey(out, now->clamped))
CALL(tor_keygen, ed25519_donna_keygen(out, out + 32))
CALL(tor_sign, ed25519_donna_sign(out, text, TEXT, now->clamped, NULL))
CALL(tor_blind_secret_key, ed25519_donna_blind_secret_key(out, now->clamped, now->public_key))
CALL(random_bytes, lanner_random_bytes(out, 32))

CALL(x25519_generate, lanner_x25519_generate(out))
CALL(x25519_public, lanner_x25519_public(now->seed, out))
CALL(x25519_public_each, lanner_x25519_public_each(many_seeds(), MANY, out))
CALL(x25519, lanner_x25519(now->seed, now->their_public, out))
CALL(x25519_unchecked, lanner_x25519_unchecked(now->seed, now->their_public, out))
CALL(x25519_unclamped, lanner_x25519_unclamped(now->seed, now->their_public, out))
CALL(x25519_each, lanner_x25519_each(now->seed, now->their_public, 1, out))
CALL(x25519_secret_to_der, lanner_x25519_secret_to_der(now->seed, IN_OUT))
CALL(x25519_secret_to_pem,
     lanner_x25519_secret_to_pem(now->seed, (char *)out, (room = sizeof out, &room)))
CALL(x25519_secret_from_der,
     lanner_x25519_secret_from_der(out, now->x_der, now->x_der_length))
CALL(x25519_secret_from_pem,
     lanner_x25519_secret_from_pem(out, now->x_pem, now->x_pem_length - 1))
CALL(donna_x25519, curve25519_donna(out, now->seed, now->their_public))
CALL(donna_x25519_raw, (curve25519_donna_raw(out, now->seed, now->their_public), 0))
CALL(donna_x25519_basepoint, curve25519_donna_basepoint(out, now->seed))
CALL(donna_scalarmult_basepoint, (curved25519_scalarmult_basepoint(out, now->seed), 0))
CALL(expanded_public, lanner_ed25519_expanded_public(now->clamped, out))
CALL(expanded_sign, lanner_ed25519_expanded_sign(now->clamped, text, TEXT, out))
CALL(xeddsa_sign, lanner_xeddsa_sign(now->seed, text, TEXT, out))
CALL(xeddsa_sign_from_random,
     lanner_xeddsa_sign_from_random(now->seed, now->random, text, TEXT, out))

CALL(ristretto_check, lanner_ristretto255_check(now->element))
CALL(ristretto_check_refused, (void)lanner_ristretto255_check(now->refused))
CALL(ristretto_add, lanner_ristretto255_add(now->element, now->product, out))
CALL(ristretto_sub, lanner_ristretto255_sub(now->element, now->product, out))
CALL(ristretto_add_refused, (void)lanner_ristretto255_add(now->element, now->refused, out))
CALL(ristretto_from_hash, lanner_ristretto255_from_hash(now->hashed, out))
CALL(ristretto_random, lanner_ristretto255_random(out))
CALL(ristretto_mul, lanner_ristretto255_mul(now->seed, now->element, out))
/* Times zero. */
CALL(ristretto_mul_refused,
     (memset(more, 0, 32), (void)lanner_ristretto255_mul(more, now->element, out)))
CALL(ristretto_mul_base, lanner_ristretto255_mul_base(now->seed, out))
CALL(ristretto_scalar_check, lanner_ristretto255_scalar_check(now->scalar))
CALL(ristretto_scalar_check_refused,
     (memcpy(more, now->scalar, 32), more[31] |= 0xf0, lanner_ristretto255_scalar_check(more)))
CALL(ristretto_scalar_random, lanner_ristretto255_scalar_random(out))
CALL(ristretto_scalar_reduce, lanner_ristretto255_scalar_reduce(now->hashed, out))
CALL(ristretto_scalar_invert, lanner_ristretto255_scalar_invert(now->scalar, out))
CALL(ristretto_scalar_negate, lanner_ristretto255_scalar_negate(now->scalar, out))
CALL(ristretto_scalar_complement, lanner_ristretto255_scalar_complement(now->scalar, out))
CALL(ristretto_scalar_add, lanner_ristretto255_scalar_add(now->scalar, now->nonce, out))
CALL(ristretto_scalar_sub, lanner_ristretto255_scalar_sub(now->scalar, now->nonce, out))
CALL(ristretto_scalar_mul, lanner_ristretto255_scalar_mul(now->scalar, now->nonce, out))

#define LATTICE(name, variant)                                                                   \
    CALL(name##_keygen, lanner_fn_dsa_keygen(variant, 512, out, more, NULL, 0))                  \
    CALL(name##_keygen_seeded,                                                                   \
         lanner_fn_dsa_keygen_seeded(variant, 512, now->seed, out, more, NULL, 0))               \
    CALL(name##_key_from_bytes,                                                                  \
         lanner_fn_dsa_key_from_bytes(&made_lattice, variant, now->lattice_secret[variant],      \
                                      lanner_fn_dsa_secret_bytes(variant, 512), NULL, 0))                 \
    CALL(name##_key_from_bytes_refused,                                                          \
         (memcpy(more, now->lattice_secret[variant], 1281), more[900] ^= 1,                      \
          lanner_fn_dsa_key_from_bytes(&made_lattice, variant, more, 1281, NULL, 0)))                     \
    CALL(name##_key_secret, lanner_fn_dsa_key_secret(&now->lattice[variant], IN_OUT))            \
    CALL(name##_key_public, lanner_fn_dsa_key_public(&now->lattice[variant], IN_OUT))
LATTICE(fn_dsa, 0)
LATTICE(draft, 1)
LATTICE(falcon, 2)
#define SIGNS(name, variant)                                                                     \
    CALL(name##_sign,                                                                            \
         lanner_fn_dsa_sign(&now->lattice[variant], NULL, 0, 0, text, TEXT, out, NULL, 0))       \
    CALL(name##_sign_refused,                                                                    \
         (source_fails = 1,                                                                      \
          (void)lanner_fn_dsa_sign(&now->lattice[variant], NULL, 0, 0, text, TEXT, out, NULL, 0), \
          source_fails = 0))                                                                     \
    CALL(name##_sign_checked,                                                                    \
         lanner_fn_dsa_sign_checked(&now->lattice[variant], NULL, 0, 0, text, TEXT, out, NULL, 0)) \
    CALL(name##_sign_seeded,                                                                     \
         lanner_fn_dsa_sign_seeded(&now->lattice[variant], now->seed, 32, NULL, 0, 0, text, TEXT, \
                                   out, NULL, 0))                                                \
    CALL(name##_sign_from_random,                                                                \
         lanner_fn_dsa_sign_from_random(&now->lattice[variant], now->random, sizeof now->random, \
                                        NULL, 0, 0, text, TEXT, out))                            \
    CALL(name##_sign_feed,                                                                       \
         lanner_fn_dsa_sign_feed(&now->lattice[variant], NULL, 0, feed, NULL, out))              \
    CALL(name##_sign_feed_refused,                                                               \
         lanner_fn_dsa_sign_feed(&now->lattice[variant], NULL, 0, feed_breaks, NULL, out))
SIGNS(fn_dsa, 0)
SIGNS(draft, 1)
CALL(falcon_sign, lanner_falcon_sign(&now->lattice[2], 0, text, TEXT, IN_OUT, NULL, 0))
CALL(falcon_sign_constant, lanner_falcon_sign(&now->lattice[2], 2, text, TEXT, IN_OUT, NULL, 0))
CALL(falcon_sign_checked,
     lanner_falcon_sign_checked(&now->lattice[2], 0, text, TEXT, IN_OUT, NULL, 0))
CALL(falcon_seal, lanner_falcon_seal(&now->lattice[2], text, TEXT, IN_OUT))
CALL(fn_dsa_key_to_der, lanner_fn_dsa_key_to_der(&now->lattice[0], IN_OUT))
CALL(fn_dsa_key_to_pem,
     lanner_fn_dsa_key_to_pem(&now->lattice[0], (char *)out, (room = sizeof out, &room)))
CALL(fn_dsa_key_from_der,
     lanner_fn_dsa_key_from_der(&made_lattice, now->lattice_der, now->lattice_der_length))
CALL(fn_dsa_key_from_pem,
     lanner_fn_dsa_key_from_pem(&made_lattice, now->lattice_pem, now->lattice_pem_length - 1))

CALL(hybrid_key_from_seed, lanner_hybrid_key_from_seed(&made_hybrid, 512, now->seed))
CALL(hybrid_key_generate, lanner_hybrid_key_generate(&made_hybrid, 512))
CALL(hybrid_key_seed, lanner_hybrid_key_seed(&now->hybrid, out))
CALL(hybrid_key_public, lanner_hybrid_key_public(&now->hybrid, IN_OUT))
CALL(hybrid_key_to_der, lanner_hybrid_key_to_der(&now->hybrid, IN_OUT))
CALL(hybrid_key_to_pem,
     lanner_hybrid_key_to_pem(&now->hybrid, (char *)out, (room = sizeof out, &room)))
CALL(hybrid_key_from_der,
     lanner_hybrid_key_from_der(&made_hybrid, now->hybrid_der, sizeof now->hybrid_der))
CALL(hybrid_key_from_pem,
     lanner_hybrid_key_from_pem(&made_hybrid, now->hybrid_pem, sizeof now->hybrid_pem))
CALL(hybrid_key_from_pem_refused,
     lanner_hybrid_key_from_pem(&made_hybrid, now->hybrid_pem, sizeof now->hybrid_pem - 9))
/* What is drawn is the nonce of FN-DSA's half, which stands in the signature. */
#define APART(call) (source_is_apart = 1, (void)(call), source_is_apart = 0)
CALL(hybrid_sign, APART(lanner_hybrid_sign(&now->hybrid, NULL, 0, text, TEXT, out, NULL, 0)))
CALL(hybrid_sign_refused,
     (source_fails = 1, (void)lanner_hybrid_sign(&now->hybrid, NULL, 0, text, TEXT, out, NULL, 0),
      source_fails = 0))
CALL(hybrid_sign_checked,
     APART(lanner_hybrid_sign_checked(&now->hybrid, NULL, 0, text, TEXT, out, NULL, 0)))
CALL(hybrid_sign_digest,
     APART(lanner_hybrid_sign_digest(&now->hybrid, NULL, 0, digest, out, NULL, 0)))
CALL(hybrid_sign_digest_checked,
     APART(lanner_hybrid_sign_digest_checked(&now->hybrid, NULL, 0, digest, out, NULL, 0)))

/* The positive control: what it must find. */
static void run_control(void)
{
    volatile byte copy[64];
    size_t i;
    for (i = 0; i < 32; i++)
        copy[i] = now->seed[i];
    (void)copy[7];
}

typedef struct {
    const char *name;
    void (*run)(void);
    /* The variant of the lattice key, -1 for the curve, or both halves of a hybrid key. */
    int lattice;
} function;

#define CURVE(name) {#name, run_##name, -1}
static const function functions[] = {
    CURVE(key_from_seed), CURVE(key_from_pair), CURVE(key_from_pair_refused), CURVE(key_generate),
    CURVE(key_seed), CURVE(key_pair), CURVE(key_clear), CURVE(key_to_x25519),
    CURVE(key_from_seed_each), CURVE(public_from_seed_each), CURVE(sign_each),
    CURVE(x25519_public_each), CURVE(public_from_seed), CURVE(sign), CURVE(sign_checked),
    CURVE(sign_ctx), CURVE(sign_ctx_checked), CURVE(sign_hedged),
    CURVE(sign_hedged_refused), CURVE(sign_seed), CURVE(sign_feed), CURVE(sign_feed_refused),
    CURVE(ph_sign), CURVE(ph_final_sign), CURVE(ph_sign_checked), CURVE(ph_final_sign_checked),
    CURVE(key_to_der), CURVE(key_to_der_v2),
    CURVE(key_to_pem), CURVE(key_from_der), CURVE(key_from_pem), CURVE(key_from_der_refused),
    CURVE(key_from_pem_refused), CURVE(donna_publickey), CURVE(donna_sign), CURVE(tor_seckey),
    CURVE(tor_seckey_expand), CURVE(tor_pubkey), CURVE(tor_keygen), CURVE(tor_sign),
    CURVE(tor_blind_secret_key), CURVE(random_bytes), CURVE(x25519_generate), CURVE(x25519_public),
    CURVE(x25519), CURVE(x25519_unchecked), CURVE(x25519_unclamped), CURVE(x25519_each), CURVE(x25519_secret_to_der),
    CURVE(x25519_secret_to_pem), CURVE(x25519_secret_from_der), CURVE(x25519_secret_from_pem),
    CURVE(donna_x25519), CURVE(donna_x25519_raw), CURVE(donna_x25519_basepoint),
    CURVE(donna_scalarmult_basepoint), CURVE(expanded_public), CURVE(expanded_sign),
    CURVE(xeddsa_sign), CURVE(xeddsa_sign_from_random), CURVE(ristretto_check),
    CURVE(ristretto_check_refused), CURVE(ristretto_add), CURVE(ristretto_add_refused), CURVE(ristretto_sub),
    CURVE(ristretto_from_hash), CURVE(ristretto_random), CURVE(ristretto_mul),
    CURVE(ristretto_mul_refused), CURVE(ristretto_mul_base), CURVE(ristretto_scalar_check),
    CURVE(ristretto_scalar_check_refused), CURVE(ristretto_scalar_random),
    CURVE(ristretto_scalar_reduce), CURVE(ristretto_scalar_invert),
    CURVE(ristretto_scalar_negate), CURVE(ristretto_scalar_complement),
    CURVE(ristretto_scalar_add), CURVE(ristretto_scalar_sub), CURVE(ristretto_scalar_mul),
#define COMMON(name, variant)                                                             \
    {#name "_keygen", run_##name##_keygen, variant},                                      \
        {#name "_keygen_seeded", run_##name##_keygen_seeded, variant},                    \
        {#name "_key_from_bytes", run_##name##_key_from_bytes, variant},                  \
        {#name "_key_from_bytes_refused", run_##name##_key_from_bytes_refused, variant},  \
        {#name "_key_secret", run_##name##_key_secret, variant},                          \
        {#name "_key_public", run_##name##_key_public, variant}
#define SIGNING(name, variant)                                                            \
    {#name "_sign", run_##name##_sign, variant},                                          \
        {#name "_sign_refused", run_##name##_sign_refused, variant},                      \
        {#name "_sign_checked", run_##name##_sign_checked, variant},                      \
        {#name "_sign_seeded", run_##name##_sign_seeded, variant},                        \
        {#name "_sign_from_random", run_##name##_sign_from_random, variant},              \
        {#name "_sign_feed", run_##name##_sign_feed, variant},                            \
        {#name "_sign_feed_refused", run_##name##_sign_feed_refused, variant}
    COMMON(fn_dsa, 0), COMMON(draft, 1), COMMON(falcon, 2), SIGNING(fn_dsa, 0), SIGNING(draft, 1),
    {"falcon_sign", run_falcon_sign, 2}, {"falcon_sign_constant", run_falcon_sign_constant, 2},
    {"falcon_sign_checked", run_falcon_sign_checked, 2},
    {"falcon_seal", run_falcon_seal, 2}, {"fn_dsa_key_to_der", run_fn_dsa_key_to_der, 0},
    {"fn_dsa_key_to_pem", run_fn_dsa_key_to_pem, 0},
    {"fn_dsa_key_from_der", run_fn_dsa_key_from_der, 0},
    {"fn_dsa_key_from_pem", run_fn_dsa_key_from_pem, 0},
#define BOTH(name) {#name, run_##name, HYBRID}
    BOTH(hybrid_key_from_seed), BOTH(hybrid_key_generate), BOTH(hybrid_key_seed),
    BOTH(hybrid_key_public), BOTH(hybrid_key_to_der), BOTH(hybrid_key_to_pem),
    BOTH(hybrid_key_from_der), BOTH(hybrid_key_from_pem), BOTH(hybrid_key_from_pem_refused),
    BOTH(hybrid_sign), BOTH(hybrid_sign_refused), BOTH(hybrid_sign_checked),
    BOTH(hybrid_sign_digest), BOTH(hybrid_sign_digest_checked),
};

/* ---- Painting, running and searching ---- */

static byte stack[STACK], left_before[STACK];
static int paint = PAINT;
static ucontext_t here, there;
static void (*runs)(void);

static void enter(void)
{
    runs();
    /* Nothing more is called on this stack. */
    swapcontext(&there, &here);
}

/* Runs with the current set. Registers that the function saves hold nothing that depends on which one it is. */
static void run_painted(void (*run)(void))
{
    memset(stack, paint, sizeof stack);
    runs = run;
    if (getcontext(&there) != 0)
        abort();
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    there.uc_link = NULL;
    makecontext(&there, enter, 0);
    swapcontext(&here, &there);
}

enum { WINDOWS = 40000 };

typedef struct {
    uint64_t value;
    const char *of;
    int excluded, found;
} window;

static window windows[WINDOWS];
static size_t window_count;
/* Whether a window may begin with these two bytes. */
static byte begins[8192];

/* All windows, but those that a small number beside zeros is, such as the end of a signature and its padding. */
static void add(const char *of, const void *secret, size_t length)
{
    size_t i, j;
    for (i = 0; i + WINDOW <= length; i++) {
        window *next = &windows[window_count];
        size_t nonzero = 0;
        for (j = 0; j < WINDOW; j++)
            nonzero += ((const byte *)secret)[i + j] != 0;
        if (nonzero < 2)
            continue;
        window_count++;
        if (window_count > WINDOWS)
            abort();
        memcpy(&next->value, (const byte *)secret + i, WINDOW);
        next->of = of;
        next->excluded = next->found = 0;
    }
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = ((const window *)a)->value, y = ((const window *)b)->value;
    return x < y ? -1 : x > y;
}

/* The windows of everything that the function could leave of these secrets. */
static void collect(const secrets *set, const char *name, int lattice)
{
    size_t i;
    window_count = 0;
    /* What Falcon and the main variant draw for a signature is the nonce, which stands in it. */
    if (lattice < 0 || strstr(name, "hybrid_key") != NULL || strstr(name, "keygen") != NULL || strstr(name, "seeded") != NULL ||
        lattice == LANNER_FN_DSA_DRAFT2026)
        add("seed", set->seed, 32);
    add("hash of the seed", set->hashed, 64);
    if (lattice < 0) {
        add("scalar and prefix", set->clamped, 64);
        add("scalar modulo L", set->scalar, 32);
        add("nonce", set->nonce, 32);
        add("clamped secret", set->x_clamped, 32);
        add("shared secret", set->shared, 32);
        add("element", set->element, 32);
        /* It is what a call answers, and then another's input. */
        if (strcmp(name, "ristretto_add") == 0 || strcmp(name, "ristretto_sub") == 0)
            add("product", set->product, 32);
        add("DER", set->der + 12, set->der_length - 12);
        add("PEM", set->pem + 40, 48);
    } else if (lattice == HYBRID) {
        static const char *const names[3] = {"f", "g", "F"};
        add("DER", set->hybrid_der + 18, 32);
        add("PEM", set->hybrid_pem + 40, 48);
        add("seeds of the halves", set->hybrid_seeds, 64);
        add("hash of the half of Ed25519", set->hybrid_hashed, 64);
        add("encoded key of FN-DSA", set->hybrid_secret + 1, 1280);
        for (i = 0; i < 3; i++) {
            add(names[i], set->hybrid_polynomials[i], N);
            add(names[i], set->hybrid_wide[i], 2 * N);
        }
    } else {
        static const char *const names[4] = {"f", "g", "F", "G"};
        add("encoded key", set->lattice_secret[lattice] + 1, 1280);
        for (i = 0; i < 4; i++) {
            add(names[i], set->polynomials[lattice][i], N);
            add(names[i], set->wide[lattice][i], 2 * N);
        }
    }
    qsort(windows, window_count, sizeof *windows, by_value);
    memset(begins, 0, sizeof begins);
    for (i = 0; i < window_count; i++) {
        byte bytes[WINDOW];
        unsigned two;
        memcpy(bytes, &windows[i].value, WINDOW);
        two = bytes[0] | (unsigned)bytes[1] << 8;
        begins[two / 8] |= (byte)(1u << two % 8);
    }
}

/* Marks the windows that lie in the stack, and says how deep it was used. */
static size_t search(int exclude)
{
    size_t low = 0, at;
    while (low + WINDOW < sizeof stack && stack[low] == PAINT)
        low++;
    for (at = low; at + WINDOW <= sizeof stack; at++) {
        unsigned two = stack[at] | (unsigned)stack[at + 1] << 8;
        window wanted, *first;
        if (!(begins[two / 8] >> two % 8 & 1))
            continue;
        memcpy(&wanted.value, stack + at, WINDOW);
        first = (window *)bsearch(&wanted, windows, window_count, sizeof *windows, by_value);
        if (first == NULL)
            continue;
        while (first > windows && first[-1].value == wanted.value)
            first--;
        for (; first < windows + window_count && first->value == wanted.value; first++) {
            if (exclude)
                first->excluded = 1;
            else
                first->found = 1;
        }
    }
    return sizeof stack - low;
}

/* How many bytes of the stack are others than after the run before. */
static unsigned long differing(const char *name, const char *backend)
{
    unsigned long count = 0;
    size_t at, lowest = 0;
    for (at = sizeof stack; at-- > 0;)
        if (stack[at] != left_before[at]) {
            count++;
            lowest = at;
        }
    if (count > 0)
        printf("%s, %s: %lu bytes depend on the secrets, to a depth of %lu\n", name, backend, count,
               (unsigned long)(sizeof stack - lowest));
    return count;
}

/* Whether public keys or signatures lie there afterwards, which differ because the secrets do: then nothing but the windows
   is looked for. After all other functions the stack is the same, byte for byte. */
static int leaves_public_results(const char *name)
{
    static const char *const names[] = {
        "key_from_seed_each", "public_from_seed_each", "sign_each", "tor_keygen",
        /* The public key, and its hash, stand in a key file. */
        "fn_dsa_key_to_der", "fn_dsa_key_to_pem", "fn_dsa_key_from_der", "fn_dsa_key_from_pem",
        "fn_dsa_keygen", "fn_dsa_keygen_seeded", "fn_dsa_key_public",
        "draft_keygen", "draft_keygen_seeded", "draft_key_public",
        "falcon_keygen", "falcon_keygen_seeded", "falcon_key_public",
        "fn_dsa_sign", "fn_dsa_sign_checked", "fn_dsa_sign_seeded", "fn_dsa_sign_from_random",
        "fn_dsa_sign_feed",
        "draft_sign", "draft_sign_checked", "draft_sign_seeded", "draft_sign_from_random",
        "draft_sign_feed", "falcon_seal",
        "hybrid_key_from_seed", "hybrid_key_generate", "hybrid_key_public", "hybrid_key_from_der",
        "hybrid_key_from_pem",
        /* The hash of the public key stands in what the halves sign. */
        "hybrid_sign", "hybrid_sign_refused", "hybrid_sign_checked", "hybrid_sign_digest",
        "hybrid_sign_digest_checked"};
    size_t i;
    for (i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    return 0;
}

/* How many windows a function leaves, or bytes; says which. */
static unsigned long leaves(const char *name, const char *backend, void (*run)(void), int lattice)
{
    unsigned long found = 0;
    size_t depth, i, j;
    collect(&sets[0], name, lattice);
    current = sets[1];
    run_painted(run);
    (void)search(1);
    memcpy(left_before, stack, sizeof stack);
    current = sets[0];
    run_painted(run);
    depth = search(0);
    if (strcmp(name, "control") != 0 && !leaves_public_results(name))
        found += differing(name, backend);
    for (i = 0; i < window_count; i++)
        if (windows[i].found && !windows[i].excluded) {
            unsigned long of_this = 0;
            for (j = i; j < window_count; j++)
                if (windows[j].of == windows[i].of && windows[j].found && !windows[j].excluded) {
                    of_this++;
                    windows[j].found = 0;
                }
            printf("%s, %s: %lu windows of %s (%lu bytes deep)\n", name, backend, of_this,
                   windows[i].of, (unsigned long)depth);
            found += of_this;
        }
    return found;
}

/* ---- Objects, made on stacks that were painted differently ---- */

static lanner_ed25519_verifier verifier;
static lanner_ed25519_prepared prepared;
static lanner_fn_dsa_public made_public;
static lanner_fn_dsa_verifier lattice_verifier;
/* What verifications under way are about. */
static lanner_fn_dsa_public lattice_public[3];
static byte curve_signature[64], lattice_signature[3][700];
static size_t falcon_length = sizeof lattice_signature[2];

CALL(ph_init, lanner_ed25519ph_init(&state))
CALL(ph_update, (lanner_ed25519ph_init(&state), lanner_ed25519ph_update(&state, text, TEXT)))
CALL(ph_update_blocks,
     (lanner_ed25519ph_init(&state), lanner_ed25519ph_update(&state, now->lattice_public[0], 900)))
CALL(verifier_init, lanner_ed25519_verifier_init(&verifier, LANNER_ED25519_STRICT, now->public_key,
                                                 curve_signature))
/* It keeps a point in the place of bytes. */
CALL(verifier_init_cofactored,
     lanner_ed25519_verifier_init(&verifier, LANNER_ED25519_RFC8032, now->public_key,
                                  curve_signature))
CALL(verifier_init_ctx,
     lanner_ed25519_verifier_init_ctx(&verifier, LANNER_ED25519_STRICT, now->public_key, text, 3,
                                      curve_signature))
CALL(verifier_update, (run_verifier_init(), lanner_ed25519_verifier_update(&verifier, text, TEXT)))
CALL(prepared_init, lanner_ed25519_prepared_init(&prepared, now->public_key))
#define LATTICE_OBJECTS(name, variant)                                                            \
    CALL(name##_key_lent,                                                                         \
         lanner_fn_dsa_key_from_bytes(&made_lattice, variant, now->lattice_secret[variant],       \
                                      lanner_fn_dsa_secret_bytes(variant, 512), more, 8192))      \
    CALL(name##_public, lanner_fn_dsa_public_from_bytes(&made_public, variant,                    \
                                                        now->lattice_public[variant], 897))
LATTICE_OBJECTS(fn_dsa, 0)
LATTICE_OBJECTS(draft, 1)
LATTICE_OBJECTS(falcon, 2)
#define LATTICE_VERIFIER(name, variant)                                                           \
    CALL(name##_verifier_init,                                                                    \
         lanner_fn_dsa_verifier_init(&lattice_verifier, &lattice_public[variant], NULL, 0, 0,     \
                                     lattice_signature[variant], 666))
LATTICE_VERIFIER(fn_dsa, 0)
LATTICE_VERIFIER(draft, 1)
CALL(falcon_verifier_init,
     lanner_falcon_verifier_init(&lattice_verifier, &lattice_public[2], lattice_signature[2],
                                 falcon_length))
CALL(fn_dsa_verifier_update,
     (run_fn_dsa_verifier_init(),
      lanner_fn_dsa_verifier_update(&lattice_verifier, now->lattice_secret[0], 900)))
CALL(falcon_verifier_update,
     (run_falcon_verifier_init(), lanner_fn_dsa_verifier_update(&lattice_verifier, text, TEXT)))

/* The control: an object of which eight bytes are never written. */
static void run_control_object(void)
{
    volatile byte nothing[64];
    size_t i;
    nothing[0] = 1;
    for (i = 0; i < 8; i++)
        out[i] = nothing[40 + i];
}

typedef struct {
    const char *name;
    void (*run)(void);
    void *object;
    size_t size;
} object;

#define OBJECT(name, of) {#name, run_##name, &of, sizeof of}
static const object objects[] = {
    OBJECT(key_from_seed, made_key), OBJECT(key_from_pair, made_key),
    OBJECT(key_generate, made_key), OBJECT(key_from_der, made_key), OBJECT(key_from_pem, made_key),
    OBJECT(key_from_seed_each, many_keys), OBJECT(ph_init, state), OBJECT(ph_update, state),
    OBJECT(ph_update_blocks, state), OBJECT(verifier_init, verifier),
    OBJECT(verifier_init_cofactored, verifier), OBJECT(verifier_init_ctx, verifier),
    OBJECT(verifier_update, verifier), OBJECT(prepared_init, prepared),
    OBJECT(fn_dsa_key_from_bytes, made_lattice), OBJECT(draft_key_from_bytes, made_lattice),
    OBJECT(falcon_key_from_bytes, made_lattice), OBJECT(fn_dsa_key_from_der, made_lattice),
    OBJECT(fn_dsa_key_from_pem, made_lattice), OBJECT(hybrid_key_from_seed, made_hybrid),
    OBJECT(hybrid_key_generate, made_hybrid), OBJECT(hybrid_key_from_der, made_hybrid),
    OBJECT(hybrid_key_from_pem, made_hybrid), OBJECT(fn_dsa_key_lent, made_lattice),
    OBJECT(draft_key_lent, made_lattice), OBJECT(falcon_key_lent, made_lattice),
    OBJECT(fn_dsa_public, made_public), OBJECT(draft_public, made_public),
    OBJECT(falcon_public, made_public), OBJECT(fn_dsa_verifier_init, lattice_verifier),
    OBJECT(draft_verifier_init, lattice_verifier), OBJECT(falcon_verifier_init, lattice_verifier),
    OBJECT(fn_dsa_verifier_update, lattice_verifier),
    OBJECT(falcon_verifier_update, lattice_verifier),
};

static void sign_what_is_verified(void)
{
    int variant;
    WANT(lanner_ed25519_sign(&now->key, text, TEXT, curve_signature));
    for (variant = 0; variant < 3; variant++)
        WANT(lanner_fn_dsa_public_from_bytes(&lattice_public[variant], variant,
                                             now->lattice_public[variant], 897));
    for (variant = 0; variant < 2; variant++)
        WANT(lanner_fn_dsa_sign(&now->lattice[variant], NULL, 0, 0, text, TEXT,
                                lattice_signature[variant], NULL, 0));
    WANT(lanner_falcon_sign(&now->lattice[2], 0, text, TEXT, lattice_signature[2], &falcon_length,
                            NULL, 0));
}

/* How many bytes of an object depend on what was on the stack, or in its place. */
static unsigned long carries(const object *made, const char *backend)
{
    static byte first[sizeof many_keys];
    const byte *bytes = (const byte *)made->object;
    unsigned long count = 0;
    size_t i;
    for (i = 0; i < 2; i++) {
        paint = i == 0 ? PAINT : 0x5a;
        memset(made->object, paint, made->size);
        memset(more, 0, sizeof more);
        run_painted(made->run);
        if (i == 0)
            memcpy(first, bytes, made->size);
    }
    paint = PAINT;
    for (i = 0; i < made->size; i++)
        count += first[i] != bytes[i];
    if (count > 0)
        printf("%s, %s: %lu bytes of the stack are in the object\n", made->name, backend, count);
    /* An object that could not be made is all zeros. */
    return is_zero(bytes, made->size) ? made->size : count;
}

int main(int argc, char **argv)
{
    static const object control = {"control", run_control_object, out, 8};
    const char *backend;
    size_t i, b;
    int a;
    sha_tables();
    prepare(&sets[0]);
    prepare(&sets[1]);
    lanner_set_random_source(source);
    printf("the control, which must be found:\n");
    CHECK(leaves("control", "any", run_control, -1) >= 25);
    CHECK(differing("control", "any") >= 25);
    CHECK(carries(&control, "any") == 8);
    current = sets[0];
    sign_what_is_verified();
    for (b = 0; (backend = lanner_backend_name(b)) != NULL; b++) {
        CHECK_IS(lanner_backend_force(backend), LANNER_OK);
        current = sets[0];
        for (i = 0; argc < 2 && i < sizeof objects / sizeof *objects; i++)
            CHECK(carries(&objects[i], backend) == 0);
        for (i = 0; i < sizeof functions / sizeof *functions; i++) {
            int wanted = argc < 2;
            for (a = 1; a < argc; a++)
                wanted |= strstr(functions[i].name, argv[a]) != NULL;
            /* The lattice has three ways: the first backend's, vectors of 128 bits, and one lane. */
            if (functions[i].lattice >= 0 && b > 0 && strcmp(backend, "sse2") != 0 &&
                strcmp(backend, "neon") != 0 && strncmp(backend, "portable", 8) != 0)
                continue;
            if (!wanted)
                continue;
            CHECK(leaves(functions[i].name, backend, functions[i].run, functions[i].lattice) == 0);
        }
    }
    return check_report("residue");
}
