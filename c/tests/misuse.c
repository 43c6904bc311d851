/*
 * What a careless caller does: NULL everywhere, objects that were never initialised, outputs on top
 * of inputs, lengths out of range, and bytes that mean nothing, to every function. Nothing of it may
 * crash, and every refusal must leave zeros behind.
 */
#include "check.h"
#include "curve25519.h"
#include "ed25519.h"
#include "ed25519_donna_tor.h"
/* Rubbish may give any result. */
#define LANNER_CHECKED
#include "lanner.h"

static unsigned char some[64];
static const size_t too_long = (size_t)-1;

/* What a function leaves that returns nothing, and that could make no public key: no rule takes anything under it.
 * (Under zeros, which have order 4, "donna" takes a signature of zeros for one message of four.) */
static void no_public_key(void)
{
    static const unsigned char zeros[64] = {0};
    unsigned char out[33];
    unsigned properties;
    lanner_ed25519_prepared prepared;
    int profile, valid = 5, forged = 0;
    size_t i, length = 32;
    const unsigned char *m = some, *pk = out, *rs = zeros;
    memset(out, 1, sizeof out);
    ed25519_publickey(NULL, out);
    CHECK(out[0] == 2 && is_zero(out + 1, 31) && out[32] == 1);
    CHECK_IS(lanner_ed25519_public_properties(out, &properties), LANNER_ERROR_KEY);
    CHECK_IS(lanner_ed25519_prepared_init(&prepared, out), LANNER_ERROR_KEY);
    for (profile = 0; lanner_ed25519_profile_name(profile) != NULL; profile++)
        for (i = 0; i <= sizeof some; i++) {
            CHECK_IS(lanner_ed25519_verify(profile, out, some, i, zeros), LANNER_ERROR_KEY);
            forged += lanner_ed25519_verify(profile, zeros, some, i, zeros) == LANNER_OK;
        }
    CHECK(profile > LANNER_ED25519_LIBSODIUM && forged > 0);
    CHECK_IS(ed25519_sign_open(some, 32, out, zeros), -1);
    CHECK_IS(ed25519_sign_open_batch(&m, &length, &pk, &rs, 1, &valid), 1);
    CHECK_IS(valid, 0);
}

static void null_pointers(void)
{
    unsigned char out[64];
    char pem[256];
    unsigned properties;
    size_t length = sizeof pem;
    lanner_ed25519_key key;
    lanner_ed25519_verifier verifier;
    lanner_ed25519_prepared prepared;
    lanner_ed25519ph_state state;
    lanner_hash hash;
    memset(&hash, 0, sizeof hash);

    CHECK_IS(lanner_ed25519_key_from_seed(NULL, some), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_key_from_seed(&key, NULL), LANNER_ERROR_NULL);
    CHECK_ZERO(&key, sizeof key);
    CHECK_IS(lanner_ed25519_key_from_pair(&key, NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_key_generate(NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_key_seed(NULL, out), LANNER_ERROR_NULL);
    CHECK_ZERO(out, 32);
    CHECK_IS(lanner_ed25519_key_from_seed(&key, some), LANNER_OK);
    CHECK_IS(lanner_ed25519_key_seed(&key, NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_key_pair(&key, NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_key_public(&key, NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_public_from_seed(NULL, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_public_from_seed(some, NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_public_properties(NULL, &properties), LANNER_ERROR_NULL);
    CHECK_IS(properties, 0);
    CHECK_IS(lanner_ed25519_public_properties(some, NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_public_to_x25519(NULL, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_key_to_x25519(NULL, out), LANNER_ERROR_NULL);

    memset(out, 1, sizeof out);
    CHECK_IS(lanner_ed25519_sign(&key, NULL, 1, out), LANNER_ERROR_NULL);
    CHECK_ZERO(out, 64);
    CHECK_IS(lanner_ed25519_sign(NULL, some, 1, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_sign(&key, some, 1, NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_sign(&key, some, too_long, out), LANNER_ERROR_LENGTH);
    CHECK_ZERO(out, 64);
    CHECK_IS(lanner_ed25519_sign(&key, NULL, 0, out), LANNER_OK);
    CHECK_IS(lanner_ed25519_sign_ctx(&key, NULL, 1, some, 1, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_sign_checked(&key, NULL, 1, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_sign_checked(NULL, some, 1, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_sign_ctx_checked(&key, NULL, 1, some, 1, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_sign_ctx_checked(NULL, some, 1, some, 1, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_sign_hedged(&key, NULL, 1, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_sign_seed(NULL, some, 1, out), LANNER_ERROR_NULL);
    CHECK_ZERO(out, 64);
    CHECK_IS(lanner_ed25519_sign_feed(&key, NULL, 1, NULL, NULL, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_sink_update(NULL, some, 1), LANNER_ERROR_NULL);

    CHECK_IS(lanner_ed25519_verify(0, NULL, some, 1, some), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_verify(0, some, NULL, 1, some), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_verify(0, some, some, 1, NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_verify(0, some, some, too_long, some), LANNER_ERROR_LENGTH);
    CHECK_IS(lanner_ed25519_verify(-1, some, some, 1, some), LANNER_ERROR_PROFILE);
    CHECK_IS(lanner_ed25519_verify_ctx(0, some, NULL, 1, some, 1, some), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_verify_ctx(0, some, some, too_long, some, 1, some),
             LANNER_ERROR_CONTEXT);
    /* Signing has the same error for the same length. */
    CHECK_IS(lanner_ed25519_sign_ctx(&key, some, too_long, some, 1, out), LANNER_ERROR_CONTEXT);
    CHECK_IS(lanner_ed25519_sign_ctx_checked(&key, some, too_long, some, 1, out),
             LANNER_ERROR_CONTEXT);
    CHECK_IS(lanner_ed25519ph_sign_checked(&key, some, too_long, some, 1, out),
             LANNER_ERROR_CONTEXT);
    CHECK_IS(lanner_ed25519_sign_feed(&key, some, too_long, NULL, NULL, out),
             LANNER_ERROR_CONTEXT);
    CHECK_IS(lanner_ed25519ph_sign(&key, some, too_long, some, 1, out), LANNER_ERROR_CONTEXT);
    CHECK_IS(lanner_ed25519_verifier_init_ctx(&verifier, 0, some, some, too_long, some),
             LANNER_ERROR_CONTEXT);
    CHECK_IS(lanner_ed25519_verifier_init(NULL, 0, some, some), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_verifier_init(&verifier, 0, NULL, some), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_verifier_init(&verifier, 0, some, NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_verifier_update(&verifier, some, 1), LANNER_ERROR_STATE);
    CHECK_IS(lanner_ed25519_verifier_update(NULL, some, 1), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_verifier_final(NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_prepared_init(NULL, some), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_prepared_init(&prepared, NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_prepared_verify(NULL, 0, some, 1, some), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_prepared_verify(&prepared, 0, some, 1, some), LANNER_ERROR_STATE);
    lanner_ed25519_prepared_clear(NULL);

    /* Many at once: of none there is nothing to say, else outputs are zeros. */
    {
        static lanner_ed25519_key many[2];
        static lanner_ed25519_message messages[2];
        static lanner_ed25519_prepared_item items[2];
        unsigned char results[128];
        CHECK_IS(lanner_ed25519_key_from_seed_each(NULL, NULL, 0), LANNER_OK);
        CHECK_IS(lanner_ed25519_key_from_seed_each(NULL, some, 1), LANNER_ERROR_NULL);
        CHECK_IS(lanner_ed25519_key_from_seed_each(many, some, 1), LANNER_OK);
        CHECK_IS(lanner_ed25519_key_from_seed_each(many, NULL, 2), LANNER_ERROR_NULL);
        CHECK_ZERO(many, sizeof many);
        memset(many, 1, sizeof many);
        CHECK_IS(lanner_ed25519_key_from_seed_each((lanner_ed25519_key *)((char *)many + 1), some, 1),
                 LANNER_ERROR_ALIGNMENT);
        CHECK_ZERO((char *)many + 1, sizeof *many);
        CHECK_IS(lanner_ed25519_public_from_seed_each(NULL, 0, NULL), LANNER_OK);
        CHECK_IS(lanner_ed25519_public_from_seed_each(some, 1, NULL), LANNER_ERROR_NULL);
        memset(results, 1, sizeof results);
        CHECK_IS(lanner_ed25519_public_from_seed_each(NULL, 2, results), LANNER_ERROR_NULL);
        CHECK_ZERO(results, 64);
        CHECK_IS(lanner_x25519_public_each(NULL, 0, NULL), LANNER_OK);
        CHECK_IS(lanner_x25519_public_each(some, 1, NULL), LANNER_ERROR_NULL);
        memset(results, 1, sizeof results);
        CHECK_IS(lanner_x25519_public_each(NULL, 2, results), LANNER_ERROR_NULL);
        CHECK_ZERO(results, 64);
        CHECK_IS(lanner_ed25519_sign_each(NULL, 0, NULL), LANNER_OK);
        CHECK_IS(lanner_ed25519_sign_each(messages, 1, NULL), LANNER_ERROR_NULL);
        memset(results, 1, sizeof results);
        CHECK_IS(lanner_ed25519_sign_each(NULL, 2, results), LANNER_ERROR_NULL);
        CHECK_ZERO(results, 128);
        memset(results, 1, sizeof results);
        CHECK_IS(lanner_ed25519_sign_each(messages, 2, results), LANNER_ERROR_NULL);
        CHECK_ZERO(results, 128);
        messages[0].key = messages[1].key = &many[0];
        CHECK_IS(lanner_ed25519_sign_each(messages, 2, results), LANNER_ERROR_STATE);
        CHECK_IS(lanner_ed25519_key_from_seed(&many[0], some), LANNER_OK);
        CHECK_IS(lanner_ed25519_sign_each(messages, 2, results), LANNER_OK);
        messages[1].message_length = 1;
        CHECK_IS(lanner_ed25519_sign_each(messages, 2, results), LANNER_ERROR_NULL);
        CHECK_ZERO(results, 128);
        messages[1].message = some;
        messages[1].message_length = (size_t)-1;
        CHECK_IS(lanner_ed25519_sign_each(messages, 2, results), LANNER_ERROR_LENGTH);
        CHECK_IS(lanner_ed25519_sign_each((lanner_ed25519_message *)((char *)messages + 1), 1, results),
                 LANNER_ERROR_ALIGNMENT);
        CHECK_IS(lanner_ed25519_prepared_verify_batch(99, NULL, 0, NULL), LANNER_ERROR_PROFILE);
        CHECK_IS(lanner_ed25519_prepared_verify_batch(0, NULL, 0, NULL), LANNER_OK);
        memset(results, 1, sizeof results);
        CHECK_IS(lanner_ed25519_prepared_verify_batch(99, items, 2, results), LANNER_ERROR_PROFILE);
        CHECK_ZERO(results, 2);
        memset(results, 1, sizeof results);
        CHECK_IS(lanner_ed25519_prepared_verify_batch(0, NULL, 2, results), LANNER_ERROR_NULL);
        CHECK_ZERO(results, 2);
        CHECK_IS(lanner_ed25519_prepared_verify_batch(0, items, 2, NULL), LANNER_ERROR_NULL);
        items[0].key = items[1].key = &prepared;
        CHECK_IS(lanner_ed25519_prepared_verify_batch(0, items, 2, results), LANNER_ERROR_STATE);
        CHECK_IS(lanner_ed25519_prepared_verify_batch(
                     0, (lanner_ed25519_prepared_item *)((char *)items + 1), 1, results),
                 LANNER_ERROR_ALIGNMENT);
    }

    CHECK_IS(lanner_ed25519ph_init(NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519ph_update(NULL, some, 1), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519ph_init(&state), LANNER_OK);
    CHECK_IS(lanner_ed25519ph_update(&state, NULL, 1), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519ph_init(&state), LANNER_OK);
    CHECK_IS(lanner_ed25519ph_update(&state, some, too_long), LANNER_ERROR_LENGTH);
    CHECK_IS(lanner_ed25519ph_init(&state), LANNER_OK);
    CHECK_IS(lanner_ed25519ph_final_sign(&state, NULL, NULL, 0, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519ph_final_verify(NULL, 0, some, NULL, 0, some), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519ph_sign(NULL, NULL, 0, some, 1, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519ph_sign_checked(NULL, NULL, 0, some, 1, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519ph_verify(0, some, NULL, 0, NULL, 1, some), LANNER_ERROR_NULL);

    CHECK_IS(lanner_ed25519_hash_public(NULL, some, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_hash_public(&hash, some, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_hash_sign(&hash, some, some, 1, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_hash_verify(&hash, some, some, 1, some), LANNER_ERROR_NULL);

    CHECK_IS(lanner_x25519_generate(NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_x25519_public(NULL, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_x25519_public(some, NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_x25519(NULL, some, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_x25519(some, NULL, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_x25519_unchecked(some, some, NULL), LANNER_ERROR_NULL);
    memset(out, 1, sizeof out);
    CHECK_IS(lanner_x25519_unclamped(some, NULL, out), LANNER_ERROR_NULL);
    CHECK(is_zero(out, 32) && out[32] == 1);
    CHECK_IS(lanner_x25519_unclamped(NULL, some, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_x25519_unclamped(some, some, NULL), LANNER_ERROR_NULL);

    CHECK_IS(lanner_ed25519_key_from_der(&key, NULL, 3), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_key_from_der(&key, NULL, 0), LANNER_ERROR_ENCODING);
    CHECK_IS(lanner_ed25519_key_from_pem(NULL, "", 0), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_key_to_der(&key, NULL, NULL), LANNER_ERROR_NULL);
    /* Zeros are written as far as the function could have written, which is less than the room. */
    memset(pem, 0, sizeof pem);
    memset(pem, 1, 64);
    CHECK_IS(lanner_ed25519_key_to_pem(NULL, pem, &length), LANNER_ERROR_NULL);
    CHECK_IS(length, 0);
    CHECK_ZERO(pem, sizeof pem);
    CHECK_IS(lanner_ed25519_public_from_pem(out, NULL, 5), LANNER_ERROR_NULL);
    CHECK_IS(lanner_x25519_public_to_der(NULL, out, &length), LANNER_ERROR_NULL);

    /* The donna names have no status; they leave zeros, or bytes that are no key, and touch nothing through NULL. */
    no_public_key();
    memset(out, 1, sizeof out);
    ed25519_sign(some, 1, NULL, some, out);
    CHECK_ZERO(out, 64);
    memset(out, 1, sizeof out);
    ed25519_sign(NULL, 1, some, some, out);
    CHECK_ZERO(out, 64);
    ed25519_publickey(some, NULL);
    ed25519_sign(some, 1, some, some, NULL);
    CHECK_IS(ed25519_sign_open(NULL, 1, some, some), -1);
    CHECK_IS(ed25519_sign_open(some, 1, NULL, some), -1);
    CHECK_IS(ed25519_sign_open(some, 1, some, NULL), -1);
    CHECK_IS(ed25519_sign_open(some, too_long, some, some), -1);
    CHECK(ed25519_sign_open_batch(NULL, NULL, NULL, NULL, 1, NULL) != 0);
    CHECK_IS(ed25519_sign_open_batch(NULL, NULL, NULL, NULL, 0, NULL), 0);
    curved25519_scalarmult_basepoint(out, NULL);
    CHECK_ZERO(out, 32);
    curved25519_scalarmult_basepoint(NULL, some);
    memset(out, 1, sizeof out);
    curve25519_donna(out, some, NULL);
    CHECK_ZERO(out, 32);
    curve25519_donna(NULL, some, some);
    memset(out, 1, sizeof out);
    curve25519_donna_raw(out, NULL, some);
    CHECK_ZERO(out, 32);
    curve25519_donna_raw(NULL, some, some);
    curve25519_donna_basepoint(NULL, some);
    ed25519_randombytes_unsafe(NULL, 0);
}

/* Functions with two outputs, of which one is NULL: the other is there, and holds nothing. What has a *length holds
 * nothing that is known without it. cargo xtask's own tests look whether all such functions are here. */
static void two_outputs(void)
{
    static unsigned char out[8192], one[8192];
    static lanner_fn_dsa_key lattice;
    static lanner_fn_dsa_public lattice_public;
    static lanner_hybrid_key hybrid;
    lanner_ed25519_key key;
    lanner_ed25519ph_state state;
    const unsigned char *inside = some;
    unsigned char *place;
    size_t length, *told;
    unsigned degree;
    int variant;
    memset(&key, 0, sizeof key);
    for (variant = LANNER_FN_DSA_MAIN; variant <= LANNER_FALCON; variant++)
        for (degree = 512; degree <= 1024; degree *= 2) {
            size_t secret = lanner_fn_dsa_secret_bytes(variant, degree);
            size_t whole = lanner_fn_dsa_public_bytes(degree);
#define ONE_HALF(call_without_public, call_without_secret)    \
    do {                                                      \
        memset(out, 1, sizeof out);                           \
        CHECK_IS(call_without_public, LANNER_ERROR_NULL);     \
        CHECK(is_zero(out, secret) && out[secret] == 1);      \
        memset(out, 1, sizeof out);                           \
        CHECK_IS(call_without_secret, LANNER_ERROR_NULL);     \
        CHECK(is_zero(out, whole) && out[whole] == 1);        \
    } while (0)
            ONE_HALF(lanner_fn_dsa_keygen(variant, degree, out, NULL, NULL, 0),
                     lanner_fn_dsa_keygen(variant, degree, NULL, out, NULL, 0));
            ONE_HALF(lanner_fn_dsa_keygen_seeded(variant, degree, some, out, NULL, NULL, 0),
                     lanner_fn_dsa_keygen_seeded(variant, degree, some, NULL, out, NULL, 0));
#undef ONE_HALF
        }
    /* Of which nobody knows how long they are. */
    memset(out, 1, sizeof out);
    CHECK_IS(lanner_fn_dsa_keygen(LANNER_FN_DSA_MAIN, 256, out, out, NULL, 0),
             LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_fn_dsa_keygen_seeded(7, 512, some, out, out, NULL, 0),
             LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(out[0], 1);

    memset(out, 1, sizeof out);
    CHECK_IS(ed25519_donna_keygen(NULL, out), -1);
    CHECK(is_zero(out, 64) && out[64] == 1);
    memset(out, 1, sizeof out);
    CHECK_IS(ed25519_donna_keygen(out, NULL), -1);
    CHECK(is_zero(out, 32) && out[32] == 1);
    CHECK_IS(ed25519_donna_keygen(NULL, NULL), -1);

    length = 5;
    CHECK_IS(lanner_falcon_open(&lattice_public, some, 64, NULL, &length), LANNER_ERROR_NULL);
    CHECK_IS(length, 0);
    CHECK_IS(lanner_falcon_open(&lattice_public, some, 64, &inside, NULL), LANNER_ERROR_NULL);
    CHECK(inside == NULL);

    /* A state is used up whatever happens. */
    CHECK_IS(lanner_ed25519ph_init(&state), LANNER_OK);
    CHECK_IS(lanner_ed25519ph_final_sign(&state, &key, NULL, 0, NULL), LANNER_ERROR_NULL);
    CHECK_ZERO(&state, sizeof state);
    CHECK_IS(lanner_ed25519ph_init(&state), LANNER_OK);
    CHECK_IS(lanner_ed25519ph_final_sign_checked(&state, &key, NULL, 0, NULL), LANNER_ERROR_NULL);
    CHECK_ZERO(&state, sizeof state);
    memset(out, 1, sizeof out);
    CHECK_IS(lanner_ed25519ph_final_sign(NULL, &key, NULL, 0, out), LANNER_ERROR_NULL);
    CHECK(is_zero(out, 64) && out[64] == 1);
    memset(out, 1, sizeof out);
    CHECK_IS(lanner_ed25519ph_final_sign_checked(NULL, &key, NULL, 0, out), LANNER_ERROR_NULL);
    CHECK(is_zero(out, 64) && out[64] == 1);

    memset(one, 1, sizeof one);
#define HANDS_OUT(call)                          \
    do {                                         \
        memset(out, 1, sizeof out);              \
        place = out;                             \
        told = NULL;                             \
        CHECK_IS(call, LANNER_ERROR_NULL);       \
        CHECK_BYTES(out, one, sizeof out);       \
        place = NULL;                            \
        told = &length;                          \
        length = sizeof out;                     \
        CHECK((call) != LANNER_OK);              \
        CHECK_IS(length, 0);                     \
    } while (0)
    HANDS_OUT(lanner_ed25519_key_to_der(&key, place, told));
    HANDS_OUT(lanner_ed25519_key_to_der_v2(&key, place, told));
    HANDS_OUT(lanner_ed25519_key_to_pem(&key, (char *)place, told));
    HANDS_OUT(lanner_ed25519_public_to_der(NULL, place, told));
    HANDS_OUT(lanner_ed25519_public_to_pem(NULL, (char *)place, told));
    HANDS_OUT(lanner_x25519_secret_to_der(NULL, place, told));
    HANDS_OUT(lanner_x25519_secret_to_pem(NULL, (char *)place, told));
    HANDS_OUT(lanner_x25519_public_to_der(NULL, place, told));
    HANDS_OUT(lanner_x25519_public_to_pem(NULL, (char *)place, told));
    HANDS_OUT(lanner_fn_dsa_key_secret(&lattice, place, told));
    HANDS_OUT(lanner_fn_dsa_key_public(&lattice, place, told));
    HANDS_OUT(lanner_fn_dsa_key_to_der(&lattice, place, told));
    HANDS_OUT(lanner_fn_dsa_key_to_pem(&lattice, (char *)place, told));
    HANDS_OUT(lanner_fn_dsa_public_to_bytes(&lattice_public, place, told));
    HANDS_OUT(lanner_fn_dsa_public_to_der(&lattice_public, place, told));
    HANDS_OUT(lanner_fn_dsa_public_to_pem(&lattice_public, (char *)place, told));
    HANDS_OUT(lanner_hybrid_key_public(&hybrid, place, told));
    HANDS_OUT(lanner_hybrid_key_to_der(&hybrid, place, told));
    HANDS_OUT(lanner_hybrid_key_to_pem(&hybrid, (char *)place, told));
    HANDS_OUT(lanner_hybrid_public_from_der(place, told, some, 20));
    HANDS_OUT(lanner_hybrid_public_from_pem(place, told, (const char *)some, 20));
    HANDS_OUT(lanner_hybrid_public_to_der(some, 0, place, told));
    HANDS_OUT(lanner_hybrid_public_to_pem(some, 0, (char *)place, told));
    HANDS_OUT(lanner_falcon_sign(&lattice, 0, some, 3, place, told, NULL, 0));
    HANDS_OUT(lanner_falcon_seal(&lattice, some, 3, place, told));
    HANDS_OUT(lanner_falcon_det1024_sign(&lattice, some, 3, place, told));
    HANDS_OUT(lanner_falcon_sign_checked(&lattice, 0, some, 3, place, told, NULL, 0));
    HANDS_OUT(lanner_falcon_det1024_sign_checked(&lattice, some, 3, place, told));
#undef HANDS_OUT
}

/* Hybrid keys that are none, and what they sign. */
static void hybrid_keys(void)
{
    static unsigned char out[LANNER_HYBRID_1024_SIGNATURE_BYTES];
    static lanner_hybrid_key key, *odd = (lanner_hybrid_key *)((char *)&key + 1);
    static const unsigned degrees[] = {0, 1, 9, 10, 511, 513, 1023, 2048, (unsigned)-1};
    size_t i, length = sizeof out;
    const unsigned char *z = some;
    CHECK_IS(lanner_hybrid_key_from_seed(NULL, 512, some), LANNER_ERROR_NULL);
    CHECK_IS(lanner_hybrid_key_generate(NULL, 512), LANNER_ERROR_NULL);
    CHECK_IS(lanner_hybrid_key_seed(NULL, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_hybrid_key_public(NULL, out, &length), LANNER_ERROR_NULL);
    lanner_hybrid_key_clear(NULL);
    for (i = 0; i < sizeof degrees / sizeof *degrees; i++) {
        memset(&key, 1, sizeof key);
        CHECK_IS(lanner_hybrid_key_from_seed(&key, degrees[i], some), LANNER_ERROR_UNSUPPORTED);
        CHECK_ZERO(&key, sizeof key);
        memset(&key, 1, sizeof key);
        CHECK_IS(lanner_hybrid_key_generate(&key, degrees[i]), LANNER_ERROR_UNSUPPORTED);
        CHECK_ZERO(&key, sizeof key);
    }
    memset(&key, 1, sizeof key);
    CHECK_IS(lanner_hybrid_key_from_seed(&key, 512, NULL), LANNER_ERROR_NULL);
    CHECK_ZERO(&key, sizeof key);
    /* Cleared, filled with anything, of another type, or not aligned. */
    for (i = 0; i < 4; i++) {
        const lanner_hybrid_key *bad = i < 3 ? &key : odd;
        int wanted = i < 3 ? LANNER_ERROR_STATE : LANNER_ERROR_ALIGNMENT;
        memset(&key, i == 1 ? 0xff : 0, sizeof key);
        if (i == 2)
            CHECK_IS(lanner_ed25519_key_from_seed((lanner_ed25519_key *)(void *)&key, some),
                     LANNER_OK);
        memset(out, 1, sizeof out);
        CHECK_IS(lanner_hybrid_sign(bad, z, 1, z, 1, out, NULL, 0), wanted);
        CHECK_IS(lanner_hybrid_sign_checked(bad, z, 1, z, 1, out, NULL, 0), wanted);
        CHECK_IS(lanner_hybrid_sign_digest(bad, z, 1, z, out, NULL, 0), wanted);
        CHECK_IS(lanner_hybrid_sign_digest_checked(bad, z, 1, z, out, NULL, 0), wanted);
        CHECK(out[0] == 1 && out[LANNER_HYBRID_512_SIGNATURE_BYTES - 1] == 1);
        CHECK_IS(lanner_hybrid_key_seed(bad, out), wanted);
        CHECK_ZERO(out, 32);
    }
    CHECK_IS(lanner_hybrid_key_from_seed(&key, 512, some), LANNER_OK);
    CHECK_IS(lanner_hybrid_sign(&key, z, 1, z, 1, NULL, NULL, 0), LANNER_ERROR_NULL);
    CHECK_IS(lanner_hybrid_sign_digest(&key, z, 1, z, NULL, NULL, 0), LANNER_ERROR_NULL);
#define REFUSES(call, status)                                    \
    do {                                                         \
        memset(out, 1, sizeof out);                              \
        CHECK_IS(call, status);                                  \
        CHECK_ZERO(out, LANNER_HYBRID_512_SIGNATURE_BYTES);      \
        CHECK(out[LANNER_HYBRID_512_SIGNATURE_BYTES] == 1);      \
    } while (0)
    REFUSES(lanner_hybrid_sign(&key, NULL, 1, z, 1, out, NULL, 0), LANNER_ERROR_NULL);
    REFUSES(lanner_hybrid_sign(&key, z, 1, NULL, 1, out, NULL, 0), LANNER_ERROR_NULL);
    REFUSES(lanner_hybrid_sign(&key, z, too_long, z, 1, out, NULL, 0), LANNER_ERROR_CONTEXT);
    REFUSES(lanner_hybrid_sign(&key, z, 1, z, too_long, out, NULL, 0), LANNER_ERROR_LENGTH);
    REFUSES(lanner_hybrid_sign_checked(&key, z, 1, z, too_long, out, NULL, 0), LANNER_ERROR_LENGTH);
    REFUSES(lanner_hybrid_sign_digest(&key, z, 1, NULL, out, NULL, 0), LANNER_ERROR_NULL);
    REFUSES(lanner_hybrid_sign_digest_checked(&key, z, 256, z, out, NULL, 0), LANNER_ERROR_CONTEXT);
    REFUSES(lanner_hybrid_sign(&key, z, 1, z, 1, out, out, 0), LANNER_ERROR_BUFFER);
    REFUSES(lanner_hybrid_sign(&key, z, 1, z, 1, out, out, too_long), LANNER_ERROR_LENGTH);
#undef REFUSES
    /* The signature may lie on what is signed, and on the key. */
    memcpy(out, some, 64);
    CHECK_IS(lanner_hybrid_sign(&key, out, 9, out, 64, out, NULL, 0), LANNER_OK);
    length = LANNER_HYBRID_512_PUBLIC_BYTES;
    {
        unsigned char public_key[LANNER_HYBRID_512_PUBLIC_BYTES];
        CHECK_IS(lanner_hybrid_key_public(&key, public_key, &length), LANNER_OK);
        CHECK_IS(lanner_hybrid_verify(512, public_key, length, some, 9, some, 64, out,
                                      LANNER_HYBRID_512_SIGNATURE_BYTES),
                 LANNER_OK);
    }
    CHECK_IS(lanner_hybrid_sign(&key, z, 1, z, 1, (unsigned char *)&key, NULL, 0), LANNER_OK);
    CHECK_IS(lanner_hybrid_sign(&key, z, 1, z, 1, out, NULL, 0), LANNER_ERROR_STATE);
}

/* Hybrid signatures: nothing is written, so the answer is all there is. */
static void hybrids(void)
{
    static const unsigned char zeros[LANNER_HYBRID_1024_PUBLIC_BYTES] = {0};
    static const unsigned degrees[] = {0, 1, 9, 10, 511, 513, 1023, 2048, (unsigned)-1};
    size_t i, kl = LANNER_HYBRID_512_PUBLIC_BYTES, sl = LANNER_HYBRID_512_SIGNATURE_BYTES;
    const unsigned char *z = zeros;
    CHECK_IS(lanner_hybrid_verify(512, NULL, kl, z, 1, z, 1, z, sl), LANNER_ERROR_NULL);
    CHECK_IS(lanner_hybrid_verify(512, z, kl, NULL, 1, z, 1, z, sl), LANNER_ERROR_NULL);
    CHECK_IS(lanner_hybrid_verify(512, z, kl, z, 1, NULL, 1, z, sl), LANNER_ERROR_NULL);
    CHECK_IS(lanner_hybrid_verify(512, z, kl, z, 1, z, 1, NULL, sl), LANNER_ERROR_NULL);
    CHECK_IS(lanner_hybrid_verify(512, z, too_long, z, 1, z, 1, z, sl), LANNER_ERROR_LENGTH);
    CHECK_IS(lanner_hybrid_verify(512, z, kl, z, too_long, z, 1, z, sl), LANNER_ERROR_CONTEXT);
    CHECK_IS(lanner_hybrid_verify(512, z, kl, z, 1, z, too_long, z, sl), LANNER_ERROR_LENGTH);
    CHECK_IS(lanner_hybrid_verify(512, z, kl, z, 1, z, 1, z, too_long), LANNER_ERROR_LENGTH);
    CHECK_IS(lanner_hybrid_verify_digest(512, NULL, kl, z, 1, z, z, sl), LANNER_ERROR_NULL);
    CHECK_IS(lanner_hybrid_verify_digest(512, z, kl, NULL, 1, z, z, sl), LANNER_ERROR_NULL);
    CHECK_IS(lanner_hybrid_verify_digest(512, z, kl, z, 1, NULL, z, sl), LANNER_ERROR_NULL);
    CHECK_IS(lanner_hybrid_verify_digest(512, z, kl, z, 1, z, NULL, sl), LANNER_ERROR_NULL);
    CHECK_IS(lanner_hybrid_verify_digest(512, z, too_long, z, 1, z, z, sl), LANNER_ERROR_LENGTH);
    CHECK_IS(lanner_hybrid_verify_digest(512, z, kl, z, too_long, z, z, sl), LANNER_ERROR_CONTEXT);
    CHECK_IS(lanner_hybrid_verify_digest(512, z, kl, z, 1, z, z, too_long), LANNER_ERROR_LENGTH);
    for (i = 0; i < sizeof degrees / sizeof *degrees; i++) {
        CHECK_IS(lanner_hybrid_verify(degrees[i], z, kl, z, 1, z, 1, z, sl),
                 LANNER_ERROR_UNSUPPORTED);
        CHECK_IS(lanner_hybrid_verify_digest(degrees[i], z, kl, z, 1, z, z, sl),
                 LANNER_ERROR_UNSUPPORTED);
    }
    /* No length makes a key of zeros, and none of 0 reads anything. */
    for (i = 0; i <= sizeof zeros; i++) {
        CHECK_IS(lanner_hybrid_verify(512, i ? z : NULL, i, NULL, 0, NULL, 0, NULL, 0),
                 LANNER_ERROR_KEY);
        CHECK_IS(lanner_hybrid_verify(1024, i ? z : NULL, i, NULL, 0, NULL, 0, NULL, 0),
                 LANNER_ERROR_KEY);
    }
}

/* Lengths that cannot be right: nothing is written where they would lead. */
static void impossible_lengths(void)
{
    static unsigned char pairs[64];
    /* What follows is no memory of ours, so a step too far ends the process. */
    unsigned char out[64], *heap = (unsigned char *)malloc(8192);
    lanner_ed25519_key key;
    lanner_fn_dsa_key lattice;
    lanner_fn_dsa_public public_key;
    lanner_ed25519_item item;
    size_t length, i;
    int verdict = 5;
    static const size_t counts[] = {(size_t)-1, (size_t)-1 / 2, (size_t)-1 / 32,
                                    (size_t)-1 / 64 + 1};
    if (heap == NULL)
        abort();
    for (i = 0; i < 4; i++) {
        CHECK_IS(lanner_x25519_each(NULL, pairs, counts[i], out), LANNER_ERROR_LENGTH);
        CHECK_IS(lanner_x25519_each(pairs, NULL, counts[i], out), LANNER_ERROR_LENGTH);
        CHECK_IS(lanner_x25519_each(pairs, pairs, counts[i], out), LANNER_ERROR_LENGTH);
        CHECK_IS(lanner_x25519_each(NULL, NULL, counts[i], NULL), LANNER_ERROR_LENGTH);
        CHECK_IS(lanner_x25519_public_each(NULL, counts[i], out), LANNER_ERROR_LENGTH);
        CHECK_IS(lanner_x25519_public_each(pairs, counts[i], out), LANNER_ERROR_LENGTH);
        CHECK_IS(lanner_ed25519_public_from_seed_each(NULL, counts[i], out), LANNER_ERROR_LENGTH);
        CHECK_IS(lanner_ed25519_key_from_seed_each(&key, NULL, counts[i]), LANNER_ERROR_LENGTH);
        CHECK_IS(lanner_ed25519_sign_each(NULL, counts[i], out), LANNER_ERROR_LENGTH);
    }
    for (i = 0; i < 2; i++) {
        CHECK_IS(lanner_ed25519_prepared_verify_batch(0, NULL, counts[i], out), LANNER_ERROR_LENGTH);
        CHECK_IS(lanner_ed25519_verify_batch(0, &item, counts[i], out), LANNER_ERROR_LENGTH);
        CHECK_IS(lanner_ed25519_verify_batch(0, NULL, counts[i], out), LANNER_ERROR_LENGTH);
        CHECK_IS(ed25519_sign_open_batch(NULL, NULL, NULL, NULL, counts[i], &verdict), 1);
        CHECK_IS(ed25519_sign_open_batch(NULL, NULL, NULL, NULL, counts[i], NULL), 1);
    }
    CHECK_IS(lanner_random_bytes(out, (size_t)-1), LANNER_ERROR_LENGTH);
    /* A room that was never set, and a function that fails: zeros where the result would be. */
    memset(&key, 0, sizeof key);
    memset(&lattice, 0, sizeof lattice);
    memset(&public_key, 0, sizeof public_key);
#define FAILS(call, most)                                 \
    do {                                                  \
        memset(heap, 1, 8192);                            \
        length = (size_t)-1;                              \
        CHECK((call) != LANNER_OK);                       \
        CHECK_IS(length, 0);                              \
        for (i = most; i < 8192; i++)                     \
            if (heap[i] != 1)                             \
                break;                                    \
        CHECK_IS(i, 8192);                                \
        CHECK_IS(heap[0], 0);                             \
    } while (0)
    FAILS(lanner_ed25519_key_to_der(&key, heap, &length), LANNER_SECRET_DER_BYTES);
    FAILS(lanner_ed25519_key_to_der_v2(&key, heap, &length), LANNER_SECRET_DER_V2_BYTES);
    FAILS(lanner_ed25519_key_to_pem(&key, (char *)heap, &length), LANNER_SECRET_PEM_BYTES);
    FAILS(lanner_ed25519_public_to_der(NULL, heap, &length), LANNER_PUBLIC_DER_BYTES);
    FAILS(lanner_ed25519_public_to_pem(NULL, (char *)heap, &length), LANNER_PUBLIC_PEM_BYTES);
    FAILS(lanner_x25519_secret_to_der(NULL, heap, &length), LANNER_SECRET_DER_BYTES);
    FAILS(lanner_x25519_secret_to_pem(NULL, (char *)heap, &length), LANNER_SECRET_PEM_BYTES);
    FAILS(lanner_x25519_public_to_der(NULL, heap, &length), LANNER_PUBLIC_DER_BYTES);
    FAILS(lanner_x25519_public_to_pem(NULL, (char *)heap, &length), LANNER_PUBLIC_PEM_BYTES);
    FAILS(lanner_fn_dsa_key_secret(&lattice, heap, &length), 2369);
    FAILS(lanner_fn_dsa_key_public(&lattice, heap, &length), 1793);
    FAILS(lanner_fn_dsa_public_to_bytes(&public_key, heap, &length), 1793);
    FAILS(lanner_fn_dsa_key_to_der(&lattice, heap, &length), LANNER_FN_DSA_SECRET_DER_BYTES);
    FAILS(lanner_fn_dsa_key_to_pem(&lattice, (char *)heap, &length), LANNER_FN_DSA_SECRET_PEM_BYTES);
    FAILS(lanner_fn_dsa_public_to_der(&public_key, heap, &length), LANNER_FN_DSA_PUBLIC_DER_BYTES);
    FAILS(lanner_fn_dsa_public_to_pem(&public_key, (char *)heap, &length), LANNER_FN_DSA_PUBLIC_PEM_BYTES);
    FAILS(lanner_falcon_sign(&lattice, 0, pairs, 3, heap, &length, NULL, 0), 1600);
    FAILS(lanner_falcon_det1024_sign(&lattice, pairs, 3, heap, &length), 1600);
    FAILS(lanner_falcon_seal(&lattice, pairs, 3, heap, &length), 1600);
#undef FAILS
    /* A message that cannot be there has no signed form either. */
    memset(heap, 1, 8192);
    length = (size_t)-1;
    CHECK_IS(lanner_falcon_seal(&lattice, pairs, (size_t)-1, heap, &length), LANNER_ERROR_STATE);
    CHECK_IS(heap[0], 1);
    free(heap);
}

/* One of the pointers in a batch's arrays. */
static void null_in_batch(void)
{
    unsigned char seed[32], public_key[32], sig[64];
    const unsigned char *m[5], *pk[5], *rs[5];
    size_t mlen[5];
    int valid[5], i;
    check_random_bytes(seed, 32);
    ed25519_publickey(seed, public_key);
    ed25519_sign(seed, 32, seed, public_key, sig);
    for (i = 0; i < 5; i++) {
        m[i] = seed;
        mlen[i] = 32;
        pk[i] = public_key;
        rs[i] = sig;
    }
    m[1] = NULL;
    pk[2] = NULL;
    rs[3] = NULL;
    CHECK(ed25519_sign_open_batch(m, mlen, pk, rs, 5, valid) != 0);
    for (i = 0; i < 5; i++)
        CHECK_IS(valid[i], i == 0 || i == 4);
}

/* Objects that hold anything but what they should. */
static void objects(void)
{
    union {
        lanner_ed25519_key key;
        lanner_ed25519_verifier verifier;
        lanner_ed25519_prepared prepared;
        lanner_ed25519ph_state state;
        unsigned char bytes[9000];
    } u;
    unsigned char out[64];
    memset(&u, 0, sizeof u);
    CHECK_IS(lanner_ed25519_sign(&u.key, some, 1, out), LANNER_ERROR_STATE);
    CHECK_ZERO(out, 64);
    CHECK_IS(lanner_ed25519_verifier_final(&u.verifier), LANNER_ERROR_STATE);
    CHECK_IS(lanner_ed25519ph_update(&u.state, some, 1), LANNER_ERROR_STATE);
    memset(&u, 0xaa, sizeof u);
    CHECK_IS(lanner_ed25519_sign(&u.key, some, 1, out), LANNER_ERROR_STATE);
    CHECK_IS(lanner_ed25519_prepared_verify(&u.prepared, 0, some, 1, some), LANNER_ERROR_STATE);
    /* One kind of object in the place of another. */
    CHECK_IS(lanner_ed25519_key_generate(&u.key), LANNER_OK);
    CHECK_IS(lanner_ed25519_verifier_update(&u.verifier, some, 1), LANNER_ERROR_STATE);
    CHECK_IS(lanner_ed25519ph_final_sign(&u.state, &u.key, NULL, 0, out), LANNER_ERROR_STATE);
    CHECK_IS(lanner_ed25519ph_init(&u.state), LANNER_OK);
    CHECK_IS(lanner_ed25519_key_seed(&u.key, out), LANNER_ERROR_STATE);
    lanner_ed25519ph_clear(&u.state);
    CHECK_ZERO(&u, sizeof(lanner_ed25519ph_state));
    /* Not aligned: no such object is used, but all are wiped, those of keys that were copied there too. */
    {
        lanner_ed25519_key whole;
        lanner_ed25519_key *crooked;
        unsigned char *at = u.bytes + 1;
        memcpy(&crooked, &at, sizeof at);
        memset(&u, 0xaa, sizeof u);
        CHECK_IS(lanner_ed25519_key_from_seed(crooked, some), LANNER_ERROR_ALIGNMENT);
        CHECK_ZERO(at, sizeof whole);
        CHECK_IS(lanner_ed25519_key_from_seed(&whole, some), LANNER_OK);
        memcpy(at, &whole, sizeof whole);
        CHECK_IS(lanner_ed25519_sign(crooked, some, 1, out), LANNER_ERROR_ALIGNMENT);
        CHECK_ZERO(out, 64);
    }
#define CLEARS(type, clear)                                        \
    do {                                                           \
        size_t offset;                                             \
        for (offset = 0; offset < 8; offset++) {                   \
            unsigned char *at = u.bytes + 8 + offset;              \
            type *crooked;                                         \
            memcpy(&crooked, &at, sizeof at);                      \
            memset(&u, 0xaa, sizeof u);                            \
            clear(crooked);                                        \
            CHECK_ZERO(at, sizeof(type));                          \
            CHECK(at[-1] == 0xaa && at[sizeof(type)] == 0xaa);     \
        }                                                          \
    } while (0)
    CLEARS(lanner_ed25519_key, lanner_ed25519_key_clear);
    CLEARS(lanner_ed25519_verifier, lanner_ed25519_verifier_clear);
    CLEARS(lanner_ed25519_prepared, lanner_ed25519_prepared_clear);
    CLEARS(lanner_ed25519ph_state, lanner_ed25519ph_clear);
    CLEARS(lanner_fn_dsa_key, lanner_fn_dsa_key_clear);
    CLEARS(lanner_fn_dsa_public, lanner_fn_dsa_public_clear);
    CLEARS(lanner_fn_dsa_verifier, lanner_fn_dsa_verifier_clear);
#undef CLEARS
}

/* Outputs on top of inputs, as programs of this API have always done it. */
static void overlaps(void)
{
    unsigned char seed[32], buffer[300], expected[300], public_key[32], sig[64];
    lanner_ed25519_key key;
    size_t offset;
    check_random_bytes(seed, 32);

    ed25519_publickey(seed, public_key);
    memcpy(buffer, seed, 32);
    ed25519_publickey(buffer, buffer);
    CHECK_BYTES(buffer, public_key, 32);
    memcpy(buffer, seed, 32);
    ed25519_publickey(buffer, buffer + 5);
    CHECK_BYTES(buffer + 5, public_key, 32);

    curve25519_donna_basepoint(expected, seed);
    memcpy(buffer, seed, 32);
    curve25519_donna_basepoint(buffer, buffer);
    CHECK_BYTES(buffer, expected, 32);
    memcpy(buffer, seed, 32);
    curve25519_donna(expected, seed, seed);
    curve25519_donna(buffer, buffer, buffer);
    CHECK_BYTES(buffer, expected, 32);
    memcpy(buffer, seed, 32);
    curve25519_donna_raw(expected, seed, seed);
    curve25519_donna_raw(buffer, buffer, buffer);
    CHECK_BYTES(buffer, expected, 32);
    memcpy(buffer, public_key, 32);
    CHECK_IS(lanner_x25519(seed, public_key, expected), LANNER_OK);
    CHECK_IS(lanner_x25519(seed, buffer, buffer), LANNER_OK);
    CHECK_BYTES(buffer, expected, 32);

    /* The signature over the message, at every distance, and over the secret key. */
    CHECK_IS(lanner_ed25519_key_from_seed(&key, seed), LANNER_OK);
    check_random_bytes(expected, 200);
    ed25519_sign(expected, 100, seed, public_key, sig);
    for (offset = 0; offset <= 164; offset++) {
        unsigned char room[300];
        memcpy(room + 64, expected, 100);
        ed25519_sign(room + 64, 100, seed, public_key, room + offset);
        CHECK_BYTES(room + offset, sig, 64);
        memcpy(room + 64, expected, 100);
        CHECK_IS(lanner_ed25519_sign(&key, room + 64, 100, room + offset), LANNER_OK);
        CHECK_BYTES(room + offset, sig, 64);
    }
    memcpy(buffer, seed, 32);
    ed25519_sign(expected, 100, buffer, public_key, buffer);
    CHECK_BYTES(buffer, sig, 64);
    memcpy(buffer, public_key, 32);
    ed25519_sign(expected, 100, seed, buffer, buffer);
    CHECK_BYTES(buffer, sig, 64);

    /* A seed in the object that is made of it, a public key into the object itself. */
    {
        lanner_ed25519_key inside;
        unsigned char *bytes = (unsigned char *)&inside;
        memcpy(bytes + 100, seed, 32);
        CHECK_IS(lanner_ed25519_key_from_seed(&inside, bytes + 100), LANNER_OK);
        CHECK_IS(lanner_ed25519_key_public(&inside, bytes + 200), LANNER_OK);
        CHECK_BYTES(bytes + 200, public_key, 32);
    }
    /* Batch: the verdicts over an array that was used. */
    {
        lanner_ed25519_item items[2];
        items[0].public_key = items[1].public_key = public_key;
        items[0].signature = items[1].signature = sig;
        items[0].message = items[1].message = expected;
        items[0].message_length = 100;
        items[1].message_length = 99;
        CHECK_IS(lanner_ed25519_verify_batch(0, items, 2, sig + 0), LANNER_ERROR_SIGNATURE);
    }
}

/* The same for FN-DSA: bytes of the right length behind the right header. */
static void rubbish_lattice(void)
{
    static unsigned char in[2400], out[2400];
    static const unsigned char headers[] = {0x09, 0x0a, 0x59, 0x5a, 0x39, 0x3a, 0x29, 0x2a};
    static const size_t lengths[] = {897, 1793, 1281, 2305, 1345, 2369, 666, 1280, 809, 1577};
    static lanner_fn_dsa_public public_key, falcon_key;
    /* The same key behind one of Ed25519. */
    static unsigned char hybrid[LANNER_HYBRID_512_PUBLIC_BYTES];
    static lanner_hybrid_key hybrid_key;
    static int made;
    size_t length = lengths[check_random() % 10], got = sizeof out;
    const unsigned char *inside;
    int variant = (int)(check_random() % 3), status;
    lanner_fn_dsa_key key;
    lanner_fn_dsa_public other;
    lanner_fn_dsa_verifier verifier;
    if (!made) {
        unsigned char seed[32], secret[1281], encoded[897];
        check_random_bytes(seed, 32);
        CHECK_IS(lanner_fn_dsa_keygen_seeded(0, 512, seed, secret, encoded, NULL, 0), LANNER_OK);
        CHECK_IS(lanner_fn_dsa_public_from_bytes(&public_key, 0, encoded, 897), LANNER_OK);
        CHECK_IS(lanner_fn_dsa_public_from_bytes(&falcon_key, LANNER_FALCON, encoded, 897),
                 LANNER_OK);
        memcpy(hybrid, some, 32);
        memcpy(hybrid + 32, encoded, 897);
        made = 1;
    }
    check_random_bytes(in, sizeof in);
    in[0] = headers[check_random() % 8];
    if (check_random() % 3 == 0)
        memset(in + 41, check_random() % 2 ? 0 : 0xff, length - 41);
    status = lanner_fn_dsa_key_from_bytes(&key, variant, in, length, NULL, 0);
    CHECK(status == LANNER_ERROR_KEY || status == LANNER_OK);
    if (status == LANNER_OK)
        (void)lanner_fn_dsa_sign(&key, in, 3, 0, in, 100, out, NULL, 0);
    (void)lanner_fn_dsa_public_from_bytes(&other, variant, in, length);
    status = lanner_fn_dsa_verify(&public_key, in, 9, 0, in, 50, in, length);
    CHECK(status == LANNER_ERROR_SIGNATURE);
    CHECK_IS(lanner_falcon_verify(&falcon_key, in, 50, in, length), LANNER_ERROR_SIGNATURE);
    CHECK_IS(lanner_falcon_verify_as(&falcon_key, in[50] % 3, in, 50, in, length),
             LANNER_ERROR_SIGNATURE);
    CHECK_IS(lanner_falcon_open(&falcon_key, in, length, &inside, &got), LANNER_ERROR_SIGNATURE);
    status = lanner_fn_dsa_verifier_init(&verifier, &public_key, NULL, 0, 0, in, length);
    if (status == LANNER_OK) {
        CHECK_IS(lanner_fn_dsa_verifier_update(&verifier, in, 77), LANNER_OK);
        CHECK_IS(lanner_fn_dsa_verifier_final(&verifier), LANNER_ERROR_SIGNATURE);
    }
    CHECK_IS(lanner_hybrid_verify(512, hybrid, sizeof hybrid, in, 9, in, 50, in,
                                  LANNER_HYBRID_512_SIGNATURE_BYTES),
             LANNER_ERROR_SIGNATURE);
    CHECK_IS(lanner_hybrid_verify_digest(512, hybrid, sizeof hybrid, in, 9, in, in, length),
             LANNER_ERROR_SIGNATURE);
    CHECK_IS(lanner_hybrid_verify(1024, hybrid, sizeof hybrid, in, 9, in, 50, in, length),
             LANNER_ERROR_KEY);
    memcpy(out, hybrid, sizeof hybrid);
    out[in[60] % 40] ^= (unsigned char)(1u << in[61] % 8);
    status = lanner_hybrid_verify(512, out, sizeof hybrid, in, 9, in, 50, in,
                                  LANNER_HYBRID_512_SIGNATURE_BYTES);
    CHECK(status == LANNER_ERROR_KEY || status == LANNER_ERROR_SIGNATURE);
    CHECK(lanner_fn_dsa_key_from_der(&key, in, length) == LANNER_ERROR_ENCODING);
    CHECK(lanner_fn_dsa_public_from_der(&other, in, length) == LANNER_ERROR_ENCODING);
    CHECK(lanner_hybrid_key_from_der(&hybrid_key, in, length) == LANNER_ERROR_ENCODING);
    CHECK(lanner_hybrid_public_from_der(out, &got, in, length) == LANNER_ERROR_ENCODING);
    (void)lanner_fn_dsa_keygen_scratch_bytes(check_random());
    (void)lanner_fn_dsa_key_scratch_bytes(check_random());
}

/* Meaningless bytes to every function that reads some, many times. Whatever they answer, the process
 * lives and the answer is a known one. */
static void rubbish(unsigned long rounds)
{
    unsigned long i;
    unsigned long valid_keys = 0, read_keys = 0;
    for (i = 0; i < rounds; i++) {
        unsigned char in[200], out[256];
        char pem[300];
        size_t length = check_random() % sizeof in, room;
        int profile = (int)(check_random() % 12) - 2, status;
        unsigned properties;
        lanner_ed25519_key key;
        lanner_ed25519_verifier verifier;
        lanner_ed25519_prepared prepared;
        lanner_ed25519_item item;
        check_random_bytes(in, sizeof in);
        if (i % 3 == 0) {
            /* Close to something: the beginning of a key file, a small coordinate, all ones. */
            static const unsigned char head[] = {0x30, 0x2e, 2,    1,    0,    0x30, 5,    6,
                                                 3,    0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20};
            memcpy(in, head, sizeof head);
            if (check_random() % 4)
                in[check_random() % sizeof head] ^= (unsigned char)(1u << check_random() % 8);
            length = 48;
        } else if (i % 3 == 1) {
            memset(in, i % 2 ? 0 : 0xff, 96);
            in[check_random() % 96] ^= (unsigned char)(1u << check_random() % 8);
        }
        status = lanner_ed25519_verify(profile, in, in + 96, length % 100, in + 32);
        CHECK(status == LANNER_ERROR_SIGNATURE || status == LANNER_ERROR_KEY ||
              status == LANNER_ERROR_PROFILE || (status == LANNER_OK && i % 3 == 1));
        status = lanner_ed25519_verifier_init(&verifier, profile, in, in + 32);
        if (status == LANNER_OK) {
            (void)lanner_ed25519_verifier_update(&verifier, in, length);
            (void)lanner_ed25519_verifier_final(&verifier);
        }
        if (lanner_ed25519_prepared_init(&prepared, in) == LANNER_OK)
            (void)lanner_ed25519_prepared_verify(&prepared, profile, in, length, in + 32);
        item.public_key = in;
        item.signature = in + 32;
        item.message = in;
        item.message_length = length;
        (void)lanner_ed25519_verify_batch(profile, &item, 1, out);
        (void)lanner_ed25519_verify_ctx(profile, in, in, length, in, length, in + 32);
        (void)lanner_ed25519ph_verify(profile, in, in, length, in, length, in + 32);
        status = lanner_ed25519_public_properties(in, &properties);
        valid_keys += status == LANNER_OK;
        (void)lanner_ed25519_public_to_x25519(in, out);
        (void)lanner_x25519(in, in + 32, out);
        (void)lanner_ed25519_key_from_pair(&key, in);
        (void)ed25519_sign_open(in, length, in, in + 32);
        status = lanner_ed25519_key_from_der(&key, in, length);
        read_keys += status == LANNER_OK;
        CHECK(status == LANNER_OK || status == LANNER_ERROR_ENCODING);
        (void)lanner_ed25519_public_from_der(out, in, length);
        (void)lanner_x25519_secret_from_der(out, in, length);
        (void)lanner_x25519_public_from_der(out, in, length);
        room = sizeof pem;
        if (lanner_ed25519_key_from_seed(&key, in) == LANNER_OK &&
            lanner_ed25519_key_to_pem(&key, pem, &room) == LANNER_OK) {
            pem[check_random() % room] ^= (char)(1u << check_random() % 7);
            (void)lanner_ed25519_key_from_pem(&key, pem, room - 1);
            (void)lanner_ed25519_public_from_pem(out, pem, room - 1);
            (void)lanner_x25519_secret_from_pem(out, pem, room - 1);
            (void)lanner_x25519_public_from_pem(out, pem, room - 1);
            (void)lanner_ed25519_key_from_pem(&key, pem, check_random() % room);
        }
        if (i % 8 == 0)
            rubbish_lattice();
        in[40] = '\0';
        (void)lanner_ed25519_profile_by_name((const char *)in);
        (void)lanner_strerror((int)check_random() - 30000);
    }
    CHECK(rounds < 100 || (valid_keys > 0 && valid_keys < rounds));
    CHECK(rounds < 100 || (read_keys > 0 && read_keys < rounds));
}

/* What is made of Ristretto255, of X25519's keys that sign, and of secrets without a seed. */
static void null_in_groups(void)
{
    typedef int (*one_of)(const unsigned char *, unsigned char *);
    typedef int (*two_of)(const unsigned char *, const unsigned char *, unsigned char *);
    static const one_of ones[] = {
        lanner_ristretto255_from_hash,     lanner_ristretto255_mul_base,
        lanner_ristretto255_scalar_reduce, lanner_ristretto255_scalar_invert,
        lanner_ristretto255_scalar_negate, lanner_ristretto255_scalar_complement,
        lanner_ed25519_expanded_public,
    };
    static const two_of twos[] = {
        lanner_ristretto255_add,        lanner_ristretto255_sub,
        lanner_ristretto255_mul,        lanner_ristretto255_scalar_add,
        lanner_ristretto255_scalar_sub, lanner_ristretto255_scalar_mul,
    };
    unsigned char out[64], bytes[64] = {0};
    size_t i;
    for (i = 0; i < sizeof ones / sizeof *ones; i++) {
        memset(out, 1, sizeof out);
        CHECK_IS(ones[i](NULL, out), LANNER_ERROR_NULL);
        CHECK_ZERO(out, 32);
        CHECK_IS(out[32], 1);
        CHECK_IS(ones[i](some, NULL), LANNER_ERROR_NULL);
    }
    for (i = 0; i < sizeof twos / sizeof *twos; i++) {
        memset(out, 1, sizeof out);
        CHECK_IS(twos[i](NULL, bytes, out), LANNER_ERROR_NULL);
        CHECK_ZERO(out, 32);
        CHECK_IS(out[32], 1);
        memset(out, 1, sizeof out);
        CHECK_IS(twos[i](bytes, NULL, out), LANNER_ERROR_NULL);
        CHECK_ZERO(out, 32);
        CHECK_IS(twos[i](bytes, bytes, NULL), LANNER_ERROR_NULL);
    }
    CHECK_IS(lanner_ristretto255_check(NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ristretto255_scalar_check(NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ristretto255_random(NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ristretto255_scalar_random(NULL), LANNER_ERROR_NULL);

    memset(out, 1, sizeof out);
    CHECK_IS(lanner_ed25519_expanded_sign(NULL, some, 1, out), LANNER_ERROR_NULL);
    CHECK_ZERO(out, 64);
    CHECK_IS(lanner_ed25519_expanded_sign(bytes, NULL, 1, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_expanded_sign(bytes, some, 1, NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_expanded_sign(bytes, some, too_long, out), LANNER_ERROR_LENGTH);
    CHECK_IS(lanner_ed25519_expanded_sign(bytes, NULL, 0, out), LANNER_OK);
    memset(out, 1, sizeof out);
    CHECK_IS(lanner_xeddsa_sign(NULL, some, 1, out), LANNER_ERROR_NULL);
    CHECK_ZERO(out, 64);
    CHECK_IS(lanner_xeddsa_sign(some, NULL, 1, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_xeddsa_sign(some, some, 1, NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_xeddsa_sign(some, some, too_long, out), LANNER_ERROR_LENGTH);
    CHECK_IS(lanner_xeddsa_sign_from_random(some, NULL, some, 1, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_xeddsa_sign_from_random(NULL, bytes, some, 1, out), LANNER_ERROR_NULL);
    CHECK_ZERO(out, 64);
    CHECK_IS(lanner_xeddsa_sign(some, NULL, 0, out), LANNER_OK);
    CHECK_IS(lanner_xeddsa_verify(NULL, some, 1, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_xeddsa_verify(some, NULL, 1, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_xeddsa_verify(some, some, 1, NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_xeddsa_verify(some, some, too_long, out), LANNER_ERROR_LENGTH);
    CHECK_IS(lanner_xeddsa_verify_with_sign(NULL, some, 1, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_xeddsa_verify_with_sign(some, NULL, 1, out), LANNER_ERROR_NULL);
    CHECK_IS(lanner_xeddsa_verify_with_sign(some, some, 1, NULL), LANNER_ERROR_NULL);
}

int main(int argc, char **argv)
{
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
    check_random_bytes(some, sizeof some);
    ed25519_publickey(some, some);
    null_pointers();
    two_outputs();
    hybrids();
    hybrid_keys();
    impossible_lengths();
    null_in_batch();
    null_in_groups();
    objects();
    overlaps();
    rubbish(rounds);
    return check_report("misuse");
}
