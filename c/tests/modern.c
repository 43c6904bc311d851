/*
 * lanner.h, part by part.
 */
#include "lanner.h"

#include "check.h"

static const unsigned char text[] = "a message of some length, cut into pieces here and there";
#define TEXT_LENGTH (sizeof text - 1)

static void library(void)
{
    int status;
    CHECK(strcmp(lanner_version(), LANNER_VERSION) == 0);
    CHECK_IS(lanner_version_number(), LANNER_VERSION_NUMBER);
    CHECK(strcmp(lanner_strerror(LANNER_OK), "success") == 0);
    for (status = -19; status < 0; status++) {
        int other;
        const char *said = lanner_strerror(status);
        CHECK(said != NULL && strcmp(said, lanner_strerror(1)) != 0);
        for (other = -19; other < status; other++)
            CHECK(strcmp(said, lanner_strerror(other)) != 0);
    }
    CHECK(strcmp(lanner_strerror(-20), lanner_strerror(1)) == 0);
    CHECK(lanner_strerror(-2147483647 - 1) != NULL);
}

static void wiping(void)
{
    unsigned char bytes[64];
    memset(bytes, 7, sizeof bytes);
    lanner_wipe(bytes, 0);
    lanner_wipe(NULL, 0);
    lanner_wipe(NULL, sizeof bytes);
    lanner_wipe(NULL, (size_t)-1);
    CHECK(bytes[0] == 7 && bytes[63] == 7);
    lanner_wipe(bytes + 1, 62);
    CHECK_ZERO(bytes + 1, 62);
    CHECK(bytes[0] == 7 && bytes[63] == 7);
    /* No memory is so long, and no byte of it is touched. */
    lanner_wipe(bytes + 63, (size_t)-1);
    CHECK_IS(bytes[63], 7);
}

static void backends(void)
{
    const char *preferred = lanner_backend_active(), *last;
    size_t i;
    CHECK(strcmp(preferred, lanner_backend_name(0)) == 0);
    for (i = 0; lanner_backend_name(i) != NULL; i++)
        CHECK(strcmp(lanner_backend_name(i), "unknown") != 0);
    CHECK(i >= 1 && i < 20 && lanner_backend_name((size_t)-1) == NULL);
    last = lanner_backend_name(i - 1);
    CHECK_IS(lanner_backend_force(last), LANNER_OK);
    CHECK(strcmp(lanner_backend_active(), last) == 0);
    CHECK_IS(lanner_backend_force("abacus"), LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_backend_force(""), LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_backend_force(NULL), LANNER_ERROR_NULL);
    CHECK(strcmp(lanner_backend_active(), last) == 0);
    CHECK_IS(lanner_backend_force(preferred), LANNER_OK);
}

static void profiles(void)
{
    static const char *const names[] = {"strict", "dalek", "rfc8032", "rfc8032-cofactorless",
                                        "zip215", "donna", "libsodium"};
    int i;
    for (i = 0; i < 7; i++) {
        CHECK_IS(lanner_ed25519_profile_by_name(names[i]), i);
        CHECK(strcmp(lanner_ed25519_profile_name(i), names[i]) == 0);
    }
    CHECK_IS(lanner_ed25519_profile_by_name("Strict"), LANNER_ERROR_PROFILE);
    CHECK_IS(lanner_ed25519_profile_by_name(""), LANNER_ERROR_PROFILE);
    CHECK_IS(lanner_ed25519_profile_by_name(NULL), LANNER_ERROR_NULL);
    CHECK(lanner_ed25519_profile_name(7) == NULL && lanner_ed25519_profile_name(-1) == NULL);
}

static void keys(void)
{
    unsigned char seed[32], out[64], pair[64], public_key[32];
    lanner_ed25519_key key, copy;
    check_random_bytes(seed, 32);
    CHECK_IS(lanner_ed25519_key_from_seed(&key, seed), LANNER_OK);
    CHECK_IS(lanner_ed25519_key_seed(&key, out), LANNER_OK);
    CHECK_BYTES(out, seed, 32);
    CHECK_IS(lanner_ed25519_key_public(&key, public_key), LANNER_OK);
    CHECK_IS(lanner_ed25519_public_from_seed(seed, out), LANNER_OK);
    CHECK_BYTES(out, public_key, 32);
    CHECK_IS(lanner_ed25519_key_pair(&key, pair), LANNER_OK);
    CHECK_BYTES(pair, seed, 32);
    CHECK_BYTES(pair + 32, public_key, 32);

    /* A copy is a key of its own. */
    memcpy(&copy, &key, sizeof key);
    lanner_ed25519_key_clear(&key);
    CHECK_ZERO(&key, sizeof key);
    CHECK_IS(lanner_ed25519_key_public(&key, out), LANNER_ERROR_STATE);
    CHECK_ZERO(out, 32);
    CHECK_IS(lanner_ed25519_key_public(&copy, out), LANNER_OK);
    CHECK_BYTES(out, public_key, 32);
    lanner_ed25519_key_clear(&copy);

    CHECK_IS(lanner_ed25519_key_from_pair(&key, pair), LANNER_OK);
    pair[40] ^= 1;
    CHECK_IS(lanner_ed25519_key_from_pair(&key, pair), LANNER_ERROR_KEY);
    /* What was there is gone. */
    CHECK_ZERO(&key, sizeof key);

    CHECK_IS(lanner_ed25519_key_generate(&key), LANNER_OK);
    CHECK_IS(lanner_ed25519_key_generate(&copy), LANNER_OK);
    CHECK_IS(lanner_ed25519_key_seed(&key, out), LANNER_OK);
    CHECK_IS(lanner_ed25519_key_seed(&copy, seed), LANNER_OK);
    CHECK(memcmp(out, seed, 32) != 0);
    lanner_ed25519_key_clear(&key);
    lanner_ed25519_key_clear(&copy);
    lanner_ed25519_key_clear(NULL);
}

/* A feed that does what it is told. */
typedef struct script {
    int calls;
    /* 0: the same each time; 1: changes; 2: gives up; 3: hands over NULL; 4: gives up in the second
     * pass. */
    int trick;
} script;

static int play(void *user, lanner_sink *sink)
{
    script *s = (script *)user;
    s->calls++;
    if (s->trick == 2 || (s->trick == 4 && s->calls == 2))
        return 5;
    if (s->trick == 3) {
        /* The caller overlooks it; the library must not. */
        CHECK_IS(lanner_sink_update(sink, NULL, 3), LANNER_ERROR_NULL);
        return 0;
    }
    CHECK_IS(lanner_sink_update(sink, text, 10), LANNER_OK);
    CHECK_IS(lanner_sink_update(sink, NULL, 0), LANNER_OK);
    CHECK_IS(lanner_sink_update(sink, text + 10, TEXT_LENGTH - 10), LANNER_OK);
    if (s->trick == 1 && s->calls == 2)
        CHECK_IS(lanner_sink_update(sink, text, 1), LANNER_OK);
    return 0;
}

/* Of a checked signature that a changed key made: 1 where the fault was seen. */
static int is_right_or_nothing(int status, const unsigned char right[64],
                               const unsigned char made[64])
{
    if (status == LANNER_OK)
        CHECK_BYTES(right, made, 64);
    else
        CHECK_ZERO(made, 64);
    return status == LANNER_ERROR_FAULT;
}

static void signing(void)
{
    unsigned char seed[32], public_key[32], sig[64], again[64], context[256];
    unsigned char with_context[64], prehashed[64];
    lanner_ed25519_key key;
    script s;
    size_t i, faults = 0;
    check_random_bytes(seed, 32);
    check_random_bytes(context, sizeof context);
    CHECK_IS(lanner_ed25519_key_from_seed(&key, seed), LANNER_OK);
    CHECK_IS(lanner_ed25519_key_public(&key, public_key), LANNER_OK);
    CHECK_IS(lanner_ed25519_sign(&key, text, TEXT_LENGTH, sig), LANNER_OK);

    s.calls = s.trick = 0;
    CHECK_IS(lanner_ed25519_sign_feed(&key, NULL, 0, play, &s, again), LANNER_OK);
    CHECK_IS(s.calls, 2);
    CHECK_BYTES(again, sig, 64);
    s.trick = 1;
    s.calls = 0;
    CHECK_IS(lanner_ed25519_sign_feed(&key, NULL, 0, play, &s, again),
             LANNER_ERROR_MESSAGE_CHANGED);
    CHECK_ZERO(again, 64);
    s.trick = 2;
    s.calls = 0;
    CHECK_IS(lanner_ed25519_sign_feed(&key, NULL, 0, play, &s, again), LANNER_ERROR_CALLBACK);
    CHECK_IS(s.calls, 1);
    s.trick = 3;
    CHECK_IS(lanner_ed25519_sign_feed(&key, NULL, 0, play, &s, again), LANNER_ERROR_NULL);
    s.trick = 4;
    s.calls = 0;
    CHECK_IS(lanner_ed25519_sign_feed(&key, NULL, 0, play, &s, again), LANNER_ERROR_CALLBACK);
    CHECK_ZERO(again, 64);
    CHECK_IS(lanner_ed25519_sign_feed(&key, NULL, 0, NULL, &s, again), LANNER_ERROR_NULL);
    s.trick = 0;
    CHECK_IS(lanner_ed25519_sign_feed(&key, context, 256, play, &s, again),
             LANNER_ERROR_CONTEXT);
    /* A context of no bytes is none that Ed25519ctx has, and no way to ask for Ed25519. */
    s.calls = 0;
    CHECK_IS(lanner_ed25519_sign_feed(&key, context, 0, play, &s, again), LANNER_ERROR_CONTEXT);
    CHECK_ZERO(again, 64);
    CHECK_IS(s.calls, 0);
    CHECK_IS(lanner_ed25519_sign_feed(&key, NULL, 1, play, &s, again), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_sign_feed(&key, context, 1, play, &s, again), LANNER_OK);
    CHECK_IS(lanner_ed25519_verify_ctx(LANNER_ED25519_STRICT, public_key, context, 1, text,
                                       TEXT_LENGTH, again),
             LANNER_OK);

    /* Checked ones are the plain ones, and those of a key that changed in memory are none. */
    CHECK_IS(lanner_ed25519_sign(&key, text, TEXT_LENGTH, sig), LANNER_OK);
    CHECK_IS(lanner_ed25519_sign_checked(&key, text, TEXT_LENGTH, again), LANNER_OK);
    CHECK_BYTES(sig, again, 64);
    CHECK_IS(lanner_ed25519_sign_ctx(&key, text, 3, text, TEXT_LENGTH, with_context), LANNER_OK);
    CHECK_IS(lanner_ed25519ph_sign(&key, text, 3, text, TEXT_LENGTH, prehashed), LANNER_OK);
    for (i = 0; i < sizeof key; i++) {
        lanner_ed25519_key changed = key;
        lanner_ed25519ph_state state;
        ((unsigned char *)&changed)[i] ^= 4;
        faults += is_right_or_nothing(
            lanner_ed25519_sign_checked(&changed, text, TEXT_LENGTH, again), sig, again);
        faults += is_right_or_nothing(
            lanner_ed25519_sign_ctx_checked(&changed, text, 3, text, TEXT_LENGTH, again),
            with_context, again);
        faults += is_right_or_nothing(
            lanner_ed25519ph_sign_checked(&changed, text, 3, text, TEXT_LENGTH, again), prehashed,
            again);
        CHECK_IS(lanner_ed25519ph_init(&state), LANNER_OK);
        CHECK_IS(lanner_ed25519ph_update(&state, text, TEXT_LENGTH), LANNER_OK);
        faults += is_right_or_nothing(
            lanner_ed25519ph_final_sign_checked(&state, &changed, text, 3, again), prehashed,
            again);
    }
    /* Of each: the seed, the scalar and the prefix, and the public key as it is encoded. */
    CHECK(faults >= 4 * 4 * 31);

    /* Hedged signatures differ, and are valid. */
    CHECK_IS(lanner_ed25519_sign_hedged(&key, text, TEXT_LENGTH, sig), LANNER_OK);
    CHECK_IS(lanner_ed25519_sign_hedged(&key, text, TEXT_LENGTH, again), LANNER_OK);
    CHECK(memcmp(sig, again, 64) != 0);
    CHECK_IS(lanner_ed25519_verify(LANNER_ED25519_STRICT, public_key, text, TEXT_LENGTH, sig),
             LANNER_OK);
    CHECK_IS(lanner_ed25519_verify(LANNER_ED25519_STRICT, public_key, text, TEXT_LENGTH, again),
             LANNER_OK);

    /* Contexts. */
    CHECK_IS(lanner_ed25519_sign_ctx(&key, context, 0, text, TEXT_LENGTH, sig),
             LANNER_ERROR_CONTEXT);
    CHECK_ZERO(sig, 64);
    CHECK_IS(lanner_ed25519_sign_ctx(&key, context, 256, text, TEXT_LENGTH, sig),
             LANNER_ERROR_CONTEXT);
    CHECK_IS(lanner_ed25519_sign_ctx(&key, context, 255, text, TEXT_LENGTH, sig), LANNER_OK);
    CHECK_IS(lanner_ed25519_verify_ctx(LANNER_ED25519_STRICT, public_key, context, 255, text,
                                       TEXT_LENGTH, sig),
             LANNER_OK);
    CHECK_IS(lanner_ed25519_verify_ctx(LANNER_ED25519_STRICT, public_key, context, 254, text,
                                       TEXT_LENGTH, sig),
             LANNER_ERROR_SIGNATURE);
    CHECK_IS(lanner_ed25519_verify_ctx(LANNER_ED25519_STRICT, public_key, context, 256, text,
                                       TEXT_LENGTH, sig),
             LANNER_ERROR_CONTEXT);
    CHECK_IS(lanner_ed25519_verify_ctx(LANNER_ED25519_STRICT, public_key, context, 0, text,
                                       TEXT_LENGTH, sig),
             LANNER_ERROR_CONTEXT);
    CHECK_IS(lanner_ed25519_sign_ctx_checked(&key, context, 255, text, TEXT_LENGTH, again),
             LANNER_OK);
    CHECK_BYTES(sig, again, 64);
    CHECK_IS(lanner_ed25519_sign_ctx_checked(&key, context, 0, text, TEXT_LENGTH, again),
             LANNER_ERROR_CONTEXT);
    CHECK_ZERO(again, 64);
    CHECK_IS(lanner_ed25519ph_sign(&key, context, 256, text, TEXT_LENGTH, sig),
             LANNER_ERROR_CONTEXT);
    CHECK_IS(lanner_ed25519ph_sign_checked(&key, context, 256, text, TEXT_LENGTH, sig),
             LANNER_ERROR_CONTEXT);
    CHECK_IS(lanner_ed25519ph_sign(&key, context, 255, text, TEXT_LENGTH, sig), LANNER_OK);
    CHECK_IS(lanner_ed25519ph_sign_checked(&key, context, 255, text, TEXT_LENGTH, again),
             LANNER_OK);
    CHECK_BYTES(sig, again, 64);
    CHECK_IS(lanner_ed25519ph_sign(&key, NULL, 0, text, TEXT_LENGTH, sig), LANNER_OK);
    CHECK_IS(lanner_ed25519ph_verify(LANNER_ED25519_STRICT, public_key, NULL, 0, text,
                                     TEXT_LENGTH, sig),
             LANNER_OK);
    CHECK_IS(lanner_ed25519ph_verify(LANNER_ED25519_STRICT, public_key, text, 1, text,
                                     TEXT_LENGTH, sig),
             LANNER_ERROR_SIGNATURE);
    CHECK_IS(lanner_ed25519ph_verify(LANNER_ED25519_STRICT, public_key, context, 256, text,
                                     TEXT_LENGTH, sig),
             LANNER_ERROR_CONTEXT);
    lanner_ed25519_key_clear(&key);
}

static void streaming(void)
{
    unsigned char seed[32], public_key[32], sig[64], out[64];
    static const unsigned char weak[32] = {1};
    lanner_ed25519_key key;
    lanner_ed25519_verifier verifier;
    lanner_ed25519ph_state state, fork;
    check_random_bytes(seed, 32);
    CHECK_IS(lanner_ed25519_key_from_seed(&key, seed), LANNER_OK);
    CHECK_IS(lanner_ed25519_key_public(&key, public_key), LANNER_OK);
    CHECK_IS(lanner_ed25519_sign(&key, text, TEXT_LENGTH, sig), LANNER_OK);

    CHECK_IS(lanner_ed25519_verifier_init(&verifier, 0, public_key, sig), LANNER_OK);
    CHECK_IS(lanner_ed25519_verifier_update(&verifier, text, TEXT_LENGTH - 1), LANNER_OK);
    CHECK_IS(lanner_ed25519_verifier_final(&verifier), LANNER_ERROR_SIGNATURE);
    /* It is used up. */
    CHECK_IS(lanner_ed25519_verifier_final(&verifier), LANNER_ERROR_STATE);
    CHECK_IS(lanner_ed25519_verifier_update(&verifier, text, 1), LANNER_ERROR_STATE);
    CHECK_ZERO(&verifier, sizeof verifier);

    CHECK_IS(lanner_ed25519_verifier_init(&verifier, 7, public_key, sig), LANNER_ERROR_PROFILE);
    CHECK_IS(lanner_ed25519_verifier_init(&verifier, 0, weak, sig), LANNER_ERROR_SIGNATURE);
    CHECK_IS(lanner_ed25519_verifier_update(&verifier, text, 1), LANNER_ERROR_STATE);
    CHECK_IS(lanner_ed25519_verifier_init_ctx(&verifier, 0, public_key, text, 0, sig),
             LANNER_ERROR_CONTEXT);
    lanner_ed25519_verifier_clear(&verifier);
    lanner_ed25519_verifier_clear(NULL);

    CHECK_IS(lanner_ed25519ph_init(&state), LANNER_OK);
    CHECK_IS(lanner_ed25519ph_update(&state, text, 5), LANNER_OK);
    /* A copy goes its own way. */
    memcpy(&fork, &state, sizeof state);
    CHECK_IS(lanner_ed25519ph_update(&state, text + 5, TEXT_LENGTH - 5), LANNER_OK);
    CHECK_IS(lanner_ed25519ph_update(&fork, text + 5, TEXT_LENGTH - 5), LANNER_OK);
    CHECK_IS(lanner_ed25519ph_final_sign(&state, &key, NULL, 0, out), LANNER_OK);
    CHECK_IS(lanner_ed25519ph_final_verify(&fork, 0, public_key, NULL, 0, out), LANNER_OK);
    CHECK_IS(lanner_ed25519ph_final_verify(&fork, 0, public_key, NULL, 0, out),
             LANNER_ERROR_STATE);
    CHECK_IS(lanner_ed25519ph_final_sign(&state, &key, NULL, 0, out), LANNER_ERROR_STATE);
    CHECK_ZERO(out, 64);
    CHECK_IS(lanner_ed25519ph_final_sign_checked(&state, &key, NULL, 0, out), LANNER_ERROR_STATE);
    CHECK_ZERO(out, 64);
    lanner_ed25519ph_clear(&state);
    lanner_ed25519_key_clear(&key);
}

/* A piece that is refused is missing: nothing comes of the others, and nothing is left of them. */
static void refused_pieces(void)
{
    static const struct {
        size_t length;
        int status;
    } pieces[2] = {{5, LANNER_ERROR_NULL}, {(size_t)-1, LANNER_ERROR_LENGTH}};
    unsigned char seed[32], public_key[32], sig[64], out[64];
    lanner_ed25519_key key;
    lanner_ed25519_verifier verifier;
    lanner_ed25519ph_state state;
    size_t i;
    check_random_bytes(seed, 32);
    CHECK_IS(lanner_ed25519_key_from_seed(&key, seed), LANNER_OK);
    CHECK_IS(lanner_ed25519_key_public(&key, public_key), LANNER_OK);
    for (i = 0; i < 2; i++) {
        const unsigned char *piece = pieces[i].status == LANNER_ERROR_NULL ? NULL : text;
        CHECK_IS(lanner_ed25519_sign(&key, text, TEXT_LENGTH, sig), LANNER_OK);
        CHECK_IS(lanner_ed25519_verifier_init(&verifier, 0, public_key, sig), LANNER_OK);
        CHECK_IS(lanner_ed25519_verifier_update(&verifier, text, TEXT_LENGTH), LANNER_OK);
        CHECK_IS(lanner_ed25519_verifier_update(&verifier, piece, pieces[i].length),
                 pieces[i].status);
        CHECK_ZERO(&verifier, sizeof verifier);
        CHECK_IS(lanner_ed25519_verifier_final(&verifier), LANNER_ERROR_STATE);

        CHECK_IS(lanner_ed25519ph_init(&state), LANNER_OK);
        CHECK_IS(lanner_ed25519ph_update(&state, text, TEXT_LENGTH), LANNER_OK);
        CHECK_IS(lanner_ed25519ph_update(&state, piece, pieces[i].length), pieces[i].status);
        CHECK_ZERO(&state, sizeof state);
        CHECK_IS(lanner_ed25519ph_update(&state, text, 1), LANNER_ERROR_STATE);
        memset(out, 1, sizeof out);
        CHECK_IS(lanner_ed25519ph_final_sign(&state, &key, NULL, 0, out), LANNER_ERROR_STATE);
        CHECK_ZERO(out, 64);
        CHECK_IS(lanner_ed25519ph_sign(&key, NULL, 0, text, TEXT_LENGTH, sig), LANNER_OK);
        CHECK_IS(lanner_ed25519ph_final_verify(&state, 0, public_key, NULL, 0, sig),
                 LANNER_ERROR_STATE);
    }
    /* An object of another kind is not the one whose piece is missing: it stays. */
    CHECK_IS(lanner_ed25519ph_update((lanner_ed25519ph_state *)(void *)&key, NULL, 5),
             LANNER_ERROR_STATE);
    CHECK_IS(lanner_ed25519_verifier_update((lanner_ed25519_verifier *)NULL, NULL, 5),
             LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_key_public(&key, out), LANNER_OK);
    CHECK_BYTES(out, public_key, 32);
    lanner_ed25519_key_clear(&key);
}

/* A hash for lanner_hash, no good one; how often it was asked to absorb nothing, and got a state that is not aligned. */
static int absorbed_nothing, unaligned_states;

static void sums_init(void *state)
{
    unaligned_states += (size_t)state % 16 != 0;
    memset(state, 1, 64);
}

static void sums_update(void *state, const unsigned char *data, size_t length)
{
    unsigned char *sums = (unsigned char *)state;
    size_t i;
    absorbed_nothing += length == 0;
    for (i = 0; i < length; i++) {
        memmove(sums + 1, sums, 63);
        sums[0] = (unsigned char)(sums[0] + 31 * sums[63] + data[i]);
    }
}

static void sums_final(void *state, unsigned char *output)
{
    memcpy(output, state, 64);
}

static void custom_hash(void)
{
    static const lanner_hash hash = {64, sums_init, sums_update, sums_final};
    unsigned char seed[32], public_key[32], sig[64];
    lanner_hash larger = hash;
    size_t length;
    check_random_bytes(seed, 32);
    /* Pieces of several sizes begin at several places, also where the allocator aligns to less than 16 by itself. */
    for (; larger.state_size < 4096; larger.state_size += 8)
        CHECK_IS(lanner_ed25519_hash_public(&larger, seed, public_key), LANNER_OK);
    CHECK_IS(unaligned_states, 0);
    CHECK_IS(lanner_ed25519_hash_public(&hash, seed, public_key), LANNER_OK);
    for (length = 0; length < 3; length++) {
        const unsigned char *message = length == 0 ? NULL : text;
        CHECK_IS(lanner_ed25519_hash_sign(&hash, seed, message, length, sig), LANNER_OK);
        CHECK_IS(lanner_ed25519_hash_verify(&hash, public_key, message, length, sig), LANNER_OK);
        CHECK_IS(lanner_ed25519_hash_verify(&hash, public_key, text, length + 1, sig),
                 LANNER_ERROR_SIGNATURE);
    }
    /* Where nothing is, there is no pointer either that a function of C could be given. */
    CHECK_IS(absorbed_nothing, 0);
}

static void batch(void)
{
    enum { COUNT = 300 };
    static unsigned char public_keys[COUNT][32], sigs[COUNT][64], verdicts[COUNT + 1];
    static lanner_ed25519_item items[COUNT];
    lanner_ed25519_key key;
    int i;
    for (i = 0; i < COUNT; i++) {
        unsigned char seed[32];
        check_random_bytes(seed, 32);
        CHECK_IS(lanner_ed25519_key_from_seed(&key, seed), LANNER_OK);
        CHECK_IS(lanner_ed25519_key_public(&key, public_keys[i]), LANNER_OK);
        items[i].message = text;
        items[i].message_length = (size_t)i % TEXT_LENGTH;
        CHECK_IS(lanner_ed25519_sign(&key, text, items[i].message_length, sigs[i]), LANNER_OK);
        items[i].public_key = public_keys[i];
        items[i].signature = sigs[i];
    }
    lanner_ed25519_key_clear(&key);
    for (i = 0; i < 7; i++) {
        CHECK_IS(lanner_ed25519_verify_batch(i, items, COUNT, NULL), LANNER_OK);
        CHECK_IS(lanner_ed25519_verify_batch(i, NULL, 0, NULL), LANNER_OK);
    }
    memset(verdicts, 9, sizeof verdicts);
    sigs[17][3] ^= 1;
    sigs[250][50] ^= 1;
    public_keys[33][0] ^= 1;
    CHECK_IS(lanner_ed25519_verify_batch(LANNER_ED25519_ZIP215, items, COUNT, verdicts),
             LANNER_ERROR_SIGNATURE);
    CHECK_IS(lanner_ed25519_verify_batch(LANNER_ED25519_ZIP215, items, COUNT, NULL),
             LANNER_ERROR_SIGNATURE);
    for (i = 0; i < COUNT; i++)
        CHECK_IS(verdicts[i], i != 17 && i != 250 && i != 33);
    CHECK_IS(verdicts[COUNT], 9);
    /* An error other than a bad signature says "valid" of nothing. */
    items[299].signature = NULL;
    memset(verdicts, 1, sizeof verdicts);
    CHECK_IS(lanner_ed25519_verify_batch(0, items, COUNT, verdicts), LANNER_ERROR_NULL);
    CHECK_ZERO(verdicts, COUNT);
    CHECK_IS(lanner_ed25519_verify_batch(9, items, COUNT, verdicts), LANNER_ERROR_PROFILE);
    CHECK_IS(lanner_ed25519_verify_batch(9, items, 0, verdicts), LANNER_ERROR_PROFILE);
    CHECK_IS(lanner_ed25519_verify_batch(0, NULL, 1, verdicts), LANNER_ERROR_NULL);
    CHECK_IS(lanner_ed25519_verify_batch(0, items, (size_t)-1, NULL), LANNER_ERROR_LENGTH);
}

static void exchange(void)
{
    unsigned char a[32], b[32], a_public[32], b_public[32], one[32], two[32];
    static const unsigned char zero[32] = {0};
    lanner_ed25519_key key;
    CHECK_IS(lanner_x25519_generate(a), LANNER_OK);
    CHECK_IS(lanner_x25519_generate(b), LANNER_OK);
    CHECK_IS(lanner_x25519_public(a, a_public), LANNER_OK);
    CHECK_IS(lanner_x25519_public(b, b_public), LANNER_OK);
    CHECK_IS(lanner_x25519(a, b_public, one), LANNER_OK);
    CHECK_IS(lanner_x25519(b, a_public, two), LANNER_OK);
    CHECK_BYTES(one, two, 32);
    CHECK(!is_zero(one, 32));
    CHECK_IS(lanner_x25519(a, zero, one), LANNER_ERROR_NON_CONTRIBUTORY);
    CHECK_ZERO(one, 32);
    CHECK_IS(lanner_x25519_unchecked(a, zero, one), LANNER_OK);
    CHECK_ZERO(one, 32);

    CHECK_IS(lanner_ed25519_key_generate(&key), LANNER_OK);
    CHECK_IS(lanner_ed25519_key_public(&key, one), LANNER_OK);
    CHECK_IS(lanner_ed25519_public_to_x25519(one, two), LANNER_OK);
    CHECK_IS(lanner_ed25519_key_to_x25519(&key, a), LANNER_OK);
    CHECK_IS(lanner_x25519_public(a, one), LANNER_OK);
    CHECK_BYTES(one, two, 32);
    CHECK_IS(lanner_ed25519_public_to_x25519(zero, two), LANNER_ERROR_KEY);
    lanner_ed25519_key_clear(&key);
}

/* Many pairs at once: every number of them, results in the place of inputs. */
static void exchange_each(void)
{
    enum { COUNT = 40 };
    unsigned char secrets[32 * COUNT], publics[32 * COUNT], shared[32 * (COUNT + 1)];
    unsigned char one[32], copy[32 * COUNT];
    size_t count, i;
    check_random_bytes(secrets, sizeof secrets);
    for (i = 0; i < COUNT; i++) {
        check_random_bytes(one, 32);
        CHECK_IS(lanner_x25519_public(one, publics + 32 * i), LANNER_OK);
    }
    for (count = 0; count <= COUNT; count++) {
        memset(shared, 0xee, sizeof shared);
        CHECK_IS(lanner_x25519_each(secrets, publics, count, shared), LANNER_OK);
        for (i = 0; i < count; i++) {
            CHECK_IS(lanner_x25519(secrets + 32 * i, publics + 32 * i, one), LANNER_OK);
            CHECK_BYTES(shared + 32 * i, one, 32);
        }
        CHECK_IS(shared[32 * count], 0xee);
    }
    memcpy(copy, secrets, sizeof copy);
    CHECK_IS(lanner_x25519_each(copy, publics, COUNT, copy), LANNER_OK);
    CHECK_BYTES(copy, shared, sizeof copy);
    memcpy(copy, publics, sizeof copy);
    CHECK_IS(lanner_x25519_each(secrets, copy, COUNT, copy), LANNER_OK);
    CHECK_BYTES(copy, shared, sizeof copy);

    /* One key of small order, told whichever it is, and the others are served. */
    for (i = 0; i < COUNT; i += 13) {
        memcpy(copy, publics, sizeof copy);
        memset(copy + 32 * i, 0, 32);
        CHECK_IS(lanner_x25519_each(secrets, copy, COUNT, copy), LANNER_ERROR_NON_CONTRIBUTORY);
        CHECK_ZERO(copy + 32 * i, 32);
        CHECK_BYTES(copy, shared, 32 * i);
        CHECK_BYTES(copy + 32 * (i + 1), shared + 32 * (i + 1), 32 * (COUNT - 1 - i));
    }
    CHECK_IS(lanner_x25519_each(NULL, NULL, 0, NULL), LANNER_OK);
    CHECK_IS(lanner_x25519_each(NULL, publics, 2, shared), LANNER_ERROR_NULL);
    CHECK_ZERO(shared, 64);
    memset(shared, 1, 64);
    CHECK_IS(lanner_x25519_each(secrets, NULL, 2, shared), LANNER_ERROR_NULL);
    CHECK_ZERO(shared, 64);
    CHECK_IS(lanner_x25519_each(secrets, publics, 1, NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_x25519_each(secrets, publics, (size_t)-1 / 4, shared), LANNER_ERROR_LENGTH);
}

/* Many keys, signatures and verdicts at once: every number of them gives what the single functions give. */
static void many(void)
{
    enum { COUNT = 36 };
    static lanner_ed25519_key keys[COUNT], one_key;
    static lanner_ed25519_prepared prepared[2];
    static lanner_ed25519_message messages[COUNT];
    static lanner_ed25519_prepared_item items[COUNT];
    unsigned char seeds[32 * COUNT], publics[32 * (COUNT + 1)], signatures[64 * (COUNT + 1)];
    unsigned char data[COUNT], verdicts[COUNT + 1], one[64], pair[64];
    unsigned char copy[32 * COUNT];
    size_t count, i;
    check_random_bytes(seeds, sizeof seeds);
    check_random_bytes(data, sizeof data);
    for (count = 0; count <= COUNT; count++) {
        memset(publics, 0xee, sizeof publics);
        CHECK_IS(lanner_x25519_public_each(seeds, count, publics), LANNER_OK);
        for (i = 0; i < count; i++) {
            CHECK_IS(lanner_x25519_public(seeds + 32 * i, one), LANNER_OK);
            CHECK_BYTES(publics + 32 * i, one, 32);
        }
        CHECK_IS(publics[32 * count], 0xee);
        CHECK_IS(lanner_ed25519_public_from_seed_each(seeds, count, publics), LANNER_OK);
        memset(keys, 0, sizeof keys);
        CHECK_IS(lanner_ed25519_key_from_seed_each(keys, seeds, count), LANNER_OK);
        for (i = 0; i < count; i++) {
            CHECK_IS(lanner_ed25519_public_from_seed(seeds + 32 * i, one), LANNER_OK);
            CHECK_BYTES(publics + 32 * i, one, 32);
            CHECK_IS(lanner_ed25519_key_from_seed(&one_key, seeds + 32 * i), LANNER_OK);
            /* Keys are the same, whose points may have other coordinates. */
            CHECK_IS(lanner_ed25519_key_pair(&one_key, one), LANNER_OK);
            CHECK_IS(lanner_ed25519_key_pair(&keys[i], pair), LANNER_OK);
            CHECK_BYTES(pair, one, 64);
            CHECK_IS(lanner_ed25519_key_to_x25519(&one_key, one), LANNER_OK);
            CHECK_IS(lanner_ed25519_key_to_x25519(&keys[i], pair), LANNER_OK);
            CHECK_BYTES(pair, one, 32);
        }
        CHECK_IS(publics[32 * count], 0xee);
        if (count < COUNT)
            CHECK_IS(lanner_ed25519_key_public(&keys[count], one), LANNER_ERROR_STATE);

        /* Messages of every length up to their number, by many keys and then by one. */
        for (i = 0; i < count; i++) {
            messages[i].key = &keys[i];
            messages[i].message = data;
            messages[i].message_length = i;
        }
        memset(signatures, 0xee, sizeof signatures);
        CHECK_IS(lanner_ed25519_sign_each(messages, count, signatures), LANNER_OK);
        for (i = 0; i < count; i++) {
            CHECK_IS(lanner_ed25519_sign(&keys[i], data, i, one), LANNER_OK);
            CHECK_BYTES(signatures + 64 * i, one, 64);
        }
        CHECK_IS(signatures[64 * count], 0xee);
        for (i = 0; i < count; i++)
            messages[i].key = &keys[i % 2];
        CHECK_IS(lanner_ed25519_sign_each(messages, count, signatures), LANNER_OK);

        /* Two keys with tables; one of the signatures is on another message. */
        for (i = 0; i < count; i++) {
            if (i < 2)
                CHECK_IS(lanner_ed25519_prepared_init(&prepared[i], publics + 32 * i), LANNER_OK);
            items[i].key = &prepared[i % 2];
            items[i].signature = signatures + 64 * i;
            items[i].message = data;
            items[i].message_length = i;
        }
        memset(verdicts, 0xee, sizeof verdicts);
        CHECK_IS(lanner_ed25519_prepared_verify_batch(LANNER_ED25519_STRICT, items, count, verdicts),
                 LANNER_OK);
        for (i = 0; i < count; i++)
            CHECK_IS(verdicts[i], 1);
        CHECK_IS(verdicts[count], 0xee);
        CHECK_IS(lanner_ed25519_prepared_verify_batch(LANNER_ED25519_ZIP215, items, count, NULL),
                 LANNER_OK);
        if (count == 0)
            continue;
        items[count / 2].message_length++;
        CHECK_IS(lanner_ed25519_prepared_verify_batch(LANNER_ED25519_STRICT, items, count, verdicts),
                 LANNER_ERROR_SIGNATURE);
        for (i = 0; i < count; i++)
            CHECK_IS(verdicts[i], i != count / 2);
    }

    /* Results in the place of inputs. */
    memcpy(copy, seeds, sizeof copy);
    CHECK_IS(lanner_ed25519_public_from_seed_each(copy, COUNT, copy), LANNER_OK);
    CHECK_BYTES(copy, publics, sizeof copy);
    CHECK_IS(lanner_x25519_public_each(seeds, COUNT, publics), LANNER_OK);
    memcpy(copy, seeds, sizeof copy);
    CHECK_IS(lanner_x25519_public_each(copy, COUNT, copy), LANNER_OK);
    CHECK_BYTES(copy, publics, sizeof copy);

    /* A key that is none, in the last group: nothing is signed. */
    lanner_ed25519_key_clear(&one_key);
    messages[COUNT - 1].key = &one_key;
    CHECK_IS(lanner_ed25519_sign_each(messages, COUNT, signatures), LANNER_ERROR_STATE);
    CHECK_ZERO(signatures, 64 * COUNT);
    lanner_ed25519_prepared_clear(&prepared[1]);
    CHECK_IS(lanner_ed25519_prepared_verify_batch(0, items, COUNT, verdicts), LANNER_ERROR_STATE);
    CHECK_ZERO(verdicts, COUNT);
    for (i = 0; i < COUNT; i++)
        lanner_ed25519_key_clear(&keys[i]);
}

/* A source of randomness of the caller's. */
static int counted;

static int counter(void *out, size_t length)
{
    counted++;
    memset(out, 0x5a, length);
    return 0;
}

static int broken(void *out, size_t length)
{
    memset(out, 0x77, length);
    return 1;
}

static void randomness(void)
{
    unsigned char out[32], other[32], signature[64];
    lanner_ed25519_key key;
    CHECK_IS(lanner_random_bytes(out, sizeof out), LANNER_OK);
    CHECK_IS(lanner_random_bytes(other, sizeof other), LANNER_OK);
    CHECK(memcmp(out, other, 32) != 0);
    CHECK_IS(lanner_random_bytes(NULL, 0), LANNER_OK);
    CHECK_IS(lanner_random_bytes(NULL, 1), LANNER_ERROR_NULL);

    lanner_set_random_source(counter);
    CHECK_IS(lanner_random_bytes(out, sizeof out), LANNER_OK);
    CHECK_IS(counted, 1);
    CHECK(out[0] == 0x5a && out[31] == 0x5a);
    CHECK_IS(lanner_ed25519_key_generate(&key), LANNER_OK);
    CHECK_IS(counted, 2);
    CHECK_IS(lanner_ed25519_key_seed(&key, other), LANNER_OK);
    CHECK_BYTES(out, other, 32);

    lanner_set_random_source(broken);
    CHECK_IS(lanner_random_bytes(out, sizeof out), LANNER_ERROR_RANDOM);
    CHECK_ZERO(out, 32);
    CHECK_IS(lanner_x25519_generate(out), LANNER_ERROR_RANDOM);
    CHECK_ZERO(out, 32);
    CHECK_IS(lanner_ed25519_sign_hedged(&key, text, 1, signature), LANNER_ERROR_RANDOM);
    CHECK_ZERO(signature, 64);
    CHECK_IS(lanner_ed25519_key_generate(&key), LANNER_ERROR_RANDOM);
    CHECK_ZERO(&key, sizeof key);
    lanner_set_random_source(NULL);
    CHECK_IS(lanner_random_bytes(out, sizeof out), LANNER_OK);
    CHECK(!is_zero(out, 32));
}

/* What may stand behind the last boundary of a PEM text, and what may not. */
static void after_pem(void)
{
    static const char text_of_key[] = "-----BEGIN PUBLIC KEY-----\n"
                                      "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n"
                                      "-----END PUBLIC KEY-----";
    static const struct {
        const char *tail;
        size_t length;
        int status;
    } tails[] = {
        {"", 0, LANNER_OK},
        {"", 1, LANNER_OK},
        {"\n", 1, LANNER_OK},
        {"\n", 2, LANNER_OK},
        {"\r\n", 2, LANNER_OK},
        {"\r\n\r\n", 5, LANNER_OK},
        {"\n\n\n", 3, LANNER_OK},
        {"\n \t\f\n  ", 8, LANNER_OK},
        {" ", 1, LANNER_OK},
        {"\0", 2, LANNER_ERROR_ENCODING},
        {"\0\n", 2, LANNER_ERROR_ENCODING},
        {"\nx", 2, LANNER_ERROR_ENCODING},
        {"\nx", 3, LANNER_ERROR_ENCODING},
        {"\n\v", 2, LANNER_ERROR_ENCODING},
        {"\n-", 2, LANNER_ERROR_ENCODING},
        {"\n\n-----BEGIN PUBLIC KEY-----\n", 29, LANNER_ERROR_ENCODING},
    };
    unsigned char public_key[32];
    char pem[256];
    size_t i, length = sizeof text_of_key - 1;
    for (i = 0; i < sizeof tails / sizeof *tails; i++) {
        memcpy(pem, text_of_key, length);
        memcpy(pem + length, tails[i].tail, tails[i].length);
        CHECK_IS(lanner_ed25519_public_from_pem(public_key, pem, length + tails[i].length),
                 tails[i].status);
    }
    /* Nothing but such bytes is no text. */
    CHECK_IS(lanner_ed25519_public_from_pem(public_key, " \n\n", 4), LANNER_ERROR_ENCODING);
    CHECK_IS(lanner_ed25519_public_from_pem(public_key, "", 1), LANNER_ERROR_ENCODING);
}

static void key_files(void)
{
    /* RFC 8410 section 10.3: the private key in both versions, and section 10.1: the public key. */
    static const char v1[] = "-----BEGIN PRIVATE KEY-----\n"
                             "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n"
                             "-----END PRIVATE KEY-----\n";
    static const char v2[] = "-----BEGIN PRIVATE KEY-----\n"
                             "MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n"
                             "oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB\n"
                             "Z9w7lshQhqowtrbLDFw4rXAxZuE=\n"
                             "-----END PRIVATE KEY-----\n";
    static const char public_pem[] = "-----BEGIN PUBLIC KEY-----\n"
                                     "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n"
                                     "-----END PUBLIC KEY-----\n";
    unsigned char der[256], public_key[32], other[32], secret[32], back[32];
    char pem[256];
    size_t length, i;
    lanner_ed25519_key key, again;

    CHECK_IS(lanner_ed25519_key_from_pem(&key, v1, sizeof v1 - 1), LANNER_OK);
    CHECK_IS(lanner_ed25519_key_public(&key, public_key), LANNER_OK);
    CHECK_IS(lanner_ed25519_key_from_pem(&again, v2, sizeof v2 - 1), LANNER_OK);
    CHECK_IS(lanner_ed25519_key_public(&again, other), LANNER_OK);
    CHECK_BYTES(public_key, other, 32);
    CHECK_IS(lanner_ed25519_public_from_pem(other, public_pem, sizeof public_pem - 1),
             LANNER_OK);
    CHECK_BYTES(public_key, other, 32);

    /* Ask for the room, then for the text. */
    length = 0;
    CHECK_IS(lanner_ed25519_key_to_pem(&key, NULL, &length), LANNER_OK);
    CHECK_IS(length, sizeof v1);
    CHECK(length <= LANNER_SECRET_PEM_BYTES);
    CHECK_IS(lanner_ed25519_key_to_pem(&key, pem, &length), LANNER_OK);
    CHECK(strcmp(pem, v1) == 0);
    /* What one function writes another one reads, with this length. */
    CHECK_IS(lanner_ed25519_key_from_pem(&again, pem, length), LANNER_OK);
    length = sizeof v1 - 1;
    memset(pem, 'x', sizeof pem);
    CHECK_IS(lanner_ed25519_key_to_pem(&key, pem, &length), LANNER_ERROR_BUFFER);
    CHECK_IS(length, sizeof v1);
    CHECK_ZERO(pem, sizeof v1 - 1);
    CHECK(pem[sizeof v1 - 1] == 'x');
    length = sizeof pem;
    CHECK_IS(lanner_ed25519_public_to_pem(public_key, pem, &length), LANNER_OK);
    CHECK(strcmp(pem, public_pem) == 0);
    CHECK(length == sizeof public_pem && length <= LANNER_PUBLIC_PEM_BYTES);

    length = sizeof der;
    CHECK_IS(lanner_ed25519_key_to_der(&key, der, &length), LANNER_OK);
    CHECK_IS(length, LANNER_SECRET_DER_BYTES);
    CHECK_IS(lanner_ed25519_key_from_der(&again, der, length), LANNER_OK);
    CHECK_IS(lanner_ed25519_key_public(&again, other), LANNER_OK);
    CHECK_BYTES(public_key, other, 32);
    /* Every shorter and one longer text is refused. */
    for (i = 0; i <= length + 1; i++)
        if (i != length)
            CHECK_IS(lanner_ed25519_key_from_der(&again, der, i), LANNER_ERROR_ENCODING);
    CHECK_ZERO(&again, sizeof again);
    /* A public key is no secret key. */
    CHECK_IS(lanner_ed25519_public_from_der(other, der, length), LANNER_ERROR_ENCODING);
    CHECK_ZERO(other, 32);
    CHECK_IS(lanner_x25519_secret_from_der(other, der, length), LANNER_ERROR_ENCODING);

    length = sizeof der;
    CHECK_IS(lanner_ed25519_key_to_der_v2(&key, der, &length), LANNER_OK);
    CHECK_IS(length, LANNER_SECRET_DER_V2_BYTES);
    CHECK_IS(lanner_ed25519_key_from_der(&again, der, length), LANNER_OK);
    /* The halves must belong together. */
    der[length - 1] ^= 1;
    CHECK_IS(lanner_ed25519_key_from_der(&again, der, length), LANNER_ERROR_ENCODING);

    length = sizeof der;
    CHECK_IS(lanner_ed25519_public_to_der(public_key, der, &length), LANNER_OK);
    CHECK_IS(length, LANNER_PUBLIC_DER_BYTES);
    CHECK_IS(lanner_ed25519_public_from_der(other, der, length), LANNER_OK);
    CHECK_BYTES(public_key, other, 32);
    memset(other, 0, 32);
    other[0] = 2;
    length = sizeof der;
    CHECK_IS(lanner_ed25519_public_to_der(other, der, &length), LANNER_ERROR_KEY);
    CHECK_IS(length, 0);

    CHECK_IS(lanner_x25519_generate(secret), LANNER_OK);
    CHECK_IS(lanner_x25519_public(secret, public_key), LANNER_OK);
    length = sizeof der;
    CHECK_IS(lanner_x25519_secret_to_der(secret, der, &length), LANNER_OK);
    CHECK_IS(length, LANNER_SECRET_DER_BYTES);
    CHECK_IS(lanner_x25519_secret_from_der(back, der, length), LANNER_OK);
    CHECK_BYTES(secret, back, 32);
    CHECK_IS(lanner_ed25519_key_from_der(&again, der, length), LANNER_ERROR_ENCODING);
    length = sizeof pem;
    CHECK_IS(lanner_x25519_secret_to_pem(secret, pem, &length), LANNER_OK);
    CHECK_IS(lanner_x25519_secret_from_pem(back, pem, length - 1), LANNER_OK);
    CHECK_BYTES(secret, back, 32);
    length = sizeof der;
    CHECK_IS(lanner_x25519_public_to_der(public_key, der, &length), LANNER_OK);
    CHECK_IS(lanner_x25519_public_from_der(back, der, length), LANNER_OK);
    CHECK_BYTES(public_key, back, 32);
    length = sizeof pem;
    CHECK_IS(lanner_x25519_public_to_pem(public_key, pem, &length), LANNER_OK);
    CHECK_IS(lanner_x25519_public_from_pem(back, pem, length - 1), LANNER_OK);
    CHECK_BYTES(public_key, back, 32);
    CHECK_IS(lanner_x25519_public_from_pem(back, "\xff\xfe", 2), LANNER_ERROR_ENCODING);
    CHECK_IS(lanner_x25519_public_to_pem(public_key, pem, NULL), LANNER_ERROR_NULL);
    lanner_ed25519_key_clear(&key);
}

/* Octets from hexadecimal digits. */
static const unsigned char *octets(const char *digits)
{
    static unsigned char bytes[2][64];
    static size_t turn;
    unsigned char *out = bytes[turn++ % 2];
    size_t i;
    for (i = 0; i < strlen(digits) / 2; i++) {
        unsigned int byte;
        CHECK(sscanf(digits + 2 * i, "%2x", &byte) == 1);
        out[i] = (unsigned char)byte;
    }
    return out;
}

static int zeros(void *out, size_t length)
{
    memset(out, 0, length);
    return 0;
}

/* The values of RFC 9496, and the laws of the group. */
static void ristretto(void)
{
    /* Appendix A.1: the multiples 0 to 15 of the base point. */
    static const char *const multiples[16] = {
        "0000000000000000000000000000000000000000000000000000000000000000",
        "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76",
        "6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919",
        "94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259",
        "da80862773358b466ffadfe0b3293ab3d9fd53c5ea6c955358f568322daf6a57",
        "e882b131016b52c1d3337080187cf768423efccbb517bb495ab812c4160ff44e",
        "f64746d3c92b13050ed8d80236a7f0007c3b3f962f5ba793d19a601ebb1df403",
        "44f53520926ec81fbd5a387845beb7df85a96a24ece18738bdcfa6a7822a176d",
        "903293d8f2287ebe10e2374dc1a53e0bc887e592699f02d077d5263cdd55601c",
        "02622ace8f7303a31cafc63f8fc48fdc16e1c8c8d234b2f0d6685282a9076031",
        "20706fd788b2720a1ed2a5dad4952b01f413bcf0e7564de8cdc816689e2db95f",
        "bce83f8ba5dd2fa572864c24ba1810f9522bc6004afe95877ac73241cafdab42",
        "e4549ee16b9aa03099ca208c67adafcafa4c3f3e4e5303de6026e3ca8ff84460",
        "aa52e000df2e16f55fb1032fc33bc42742dad6bd5a8fc0be0167436c5948501f",
        "46376b80f409b29dc2b5f6f0c52591990896e5716f41477cd30085ab7f10301e",
        "e0c418f7c8d9c4cdd7395b93ea124f3ad99021bb681dfc3302a9d99a2e53e64e",
    };
    /* Appendix A.3: SHA-512 of a text, and the element. */
    static const char hash[] = "5d1be09e3d0c82fc538112490e35701979d99e06ca3e2b5b54bffe8b4dc772c1"
                               "4d98b696a1bbfb5ca32c436cc61c16563790306c79eaca7705668b47dffe5bb6";
    static const char hashed[] = "3066f82a1a747d45120d1740f14358531a8f04bbffe6a819f86dfe50f44a0a46";
    static const unsigned char zero[32] = {0}, one[32] = {1};
    unsigned char p[32], q[32], r[32], x[32], y[32], z[32], wide[64];
    size_t i;

    memcpy(p, zero, 32);
    for (i = 0; i < 16; i++) {
        unsigned char scalar[32] = {0};
        scalar[0] = (unsigned char)i;
        CHECK_BYTES(p, octets(multiples[i]), 32);
        CHECK_IS(lanner_ristretto255_check(p), LANNER_OK);
        CHECK_IS(lanner_ristretto255_mul_base(scalar, q), i == 0 ? LANNER_ERROR_ZERO : LANNER_OK);
        CHECK_BYTES(p, q, 32);
        CHECK_IS(lanner_ristretto255_mul(scalar, octets(multiples[1]), q),
                 i == 0 ? LANNER_ERROR_ZERO : LANNER_OK);
        CHECK_BYTES(p, q, 32);
        /* The highest bit does not count; the next one does. */
        scalar[31] = 0x80;
        CHECK_IS(lanner_ristretto255_mul_base(scalar, q), i == 0 ? LANNER_ERROR_ZERO : LANNER_OK);
        CHECK_BYTES(p, q, 32);
        CHECK_IS(lanner_ristretto255_mul(scalar, octets(multiples[1]), q),
                 i == 0 ? LANNER_ERROR_ZERO : LANNER_OK);
        CHECK_BYTES(p, q, 32);
        scalar[31] = 0x40;
        CHECK_IS(lanner_ristretto255_mul_base(scalar, q), LANNER_OK);
        CHECK(memcmp(p, q, 32) != 0);
        CHECK_IS(lanner_ristretto255_sub(p, p, q), LANNER_OK);
        CHECK_ZERO(q, 32);
        CHECK_IS(lanner_ristretto255_add(p, octets(multiples[1]), p), LANNER_OK);
    }
    CHECK_IS(lanner_ristretto255_from_hash(octets(hash), p), LANNER_OK);
    CHECK_BYTES(p, octets(hashed), 32);

    for (i = 0; i < 8; i++) {
        CHECK_IS(lanner_ristretto255_random(p), LANNER_OK);
        CHECK_IS(lanner_ristretto255_check(p), LANNER_OK);
        CHECK_IS(lanner_ristretto255_scalar_random(x), LANNER_OK);
        CHECK_IS(lanner_ristretto255_scalar_random(y), LANNER_OK);
        CHECK_IS(lanner_ristretto255_scalar_check(x), LANNER_OK);
        CHECK(memcmp(x, y, 32) != 0);
        /* (x + y)p = xp + yp, and (x - y)p = xp - yp. */
        CHECK_IS(lanner_ristretto255_mul(x, p, q), LANNER_OK);
        CHECK_IS(lanner_ristretto255_mul(y, p, r), LANNER_OK);
        CHECK_IS(lanner_ristretto255_scalar_add(x, y, z), LANNER_OK);
        CHECK_IS(lanner_ristretto255_mul(z, p, wide), LANNER_OK);
        CHECK_IS(lanner_ristretto255_add(q, r, wide + 32), LANNER_OK);
        CHECK_BYTES(wide, wide + 32, 32);
        CHECK_IS(lanner_ristretto255_scalar_sub(x, y, z), LANNER_OK);
        CHECK_IS(lanner_ristretto255_mul(z, p, wide), LANNER_OK);
        CHECK_IS(lanner_ristretto255_sub(q, r, wide + 32), LANNER_OK);
        CHECK_BYTES(wide, wide + 32, 32);
        /* (x y)p = x(yp), and back by the inverse. */
        CHECK_IS(lanner_ristretto255_scalar_mul(x, y, z), LANNER_OK);
        CHECK_IS(lanner_ristretto255_mul(z, p, wide), LANNER_OK);
        CHECK_IS(lanner_ristretto255_mul(x, r, wide + 32), LANNER_OK);
        CHECK_BYTES(wide, wide + 32, 32);
        CHECK_IS(lanner_ristretto255_scalar_invert(x, z), LANNER_OK);
        CHECK_IS(lanner_ristretto255_mul(z, q, wide), LANNER_OK);
        CHECK_BYTES(wide, p, 32);
        /* 1 - x and -x, over themselves. */
        memcpy(y, x, 32);
        CHECK_IS(lanner_ristretto255_scalar_complement(y, y), LANNER_OK);
        CHECK_IS(lanner_ristretto255_scalar_add(x, y, y), LANNER_OK);
        CHECK_BYTES(y, one, 32);
        CHECK_IS(lanner_ristretto255_scalar_negate(x, y), LANNER_OK);
        CHECK_IS(lanner_ristretto255_scalar_add(x, y, y), LANNER_OK);
        CHECK_ZERO(y, 32);
    }
    /* L: minus one, plus one. */
    CHECK_IS(lanner_ristretto255_scalar_negate(one, x), LANNER_OK);
    CHECK_IS(lanner_ristretto255_scalar_check(x), LANNER_OK);
    x[0]++;
    CHECK_IS(lanner_ristretto255_scalar_check(x), LANNER_ERROR_ELEMENT);
    CHECK_IS(lanner_ristretto255_scalar_invert(x, y), LANNER_ERROR_ZERO);
    CHECK_ZERO(y, 32);
    CHECK_IS(lanner_ristretto255_scalar_invert(zero, y), LANNER_ERROR_ZERO);
    CHECK_IS(lanner_ristretto255_mul_base(x, y), LANNER_ERROR_ZERO);
    CHECK_ZERO(y, 32);
    memset(wide, 0, 64);
    memcpy(wide, x, 32);
    CHECK_IS(lanner_ristretto255_scalar_reduce(wide, y), LANNER_OK);
    CHECK_ZERO(y, 32);
    memset(wide, 0xff, 64);
    CHECK_IS(lanner_ristretto255_scalar_reduce(wide, y), LANNER_OK);
    CHECK_IS(lanner_ristretto255_scalar_check(y), LANNER_OK);
    CHECK_IS(lanner_ristretto255_scalar_check(wide), LANNER_ERROR_ELEMENT);

    lanner_set_random_source(broken);
    CHECK_IS(lanner_ristretto255_random(p), LANNER_ERROR_RANDOM);
    CHECK_ZERO(p, 32);
    CHECK_IS(lanner_ristretto255_scalar_random(x), LANNER_ERROR_RANDOM);
    CHECK_ZERO(x, 32);
    CHECK_IS(lanner_xeddsa_sign(one, one, 1, wide), LANNER_ERROR_RANDOM);
    CHECK_ZERO(wide, 64);
    lanner_set_random_source(zeros);
    CHECK_IS(lanner_ristretto255_scalar_random(x), LANNER_ERROR_RANDOM);
    lanner_set_random_source(NULL);
}

/* XEdDSA: what libsignal's tests have. */
static void xeddsa(void)
{
    static const char expected[] =
        "11c7f3e6c4df9e8a5150e1db3b30f92de3a3b3aa438656545fa7390f4bcc7bb2"
        "6c431d9e90643e4f0eaa0e9c557766fa69ada576d63dcaf2ac326c11d0b97702";
    static const char identity[] =
        "ab7e717d4a163b7d9a1d8071dfe9dcf8cdcd1cea3339b6356be84d887e322c64";
    static const char made[] = "5de88ca9a89b4a115da79109c67c9c7464a3e4180274f1cb8c63c2984e286dfb"
                               "ede82deb9dcd9fae0bfbb821569b3d9001bd8130cd11d486cef047bd60b86e88";
    static const char message[] =
        "05edce9d9c415ca78cb7252e72c2c4a554d3eb29485a0e1d503118d1a82d99fb4a";
    static const unsigned char random[64] = {0}, empty[200] = {0};
    unsigned char secret[32] = {0}, public_key[32], sig[64], other[64];
    size_t i;
    secret[8] = 189;
    CHECK_IS(lanner_xeddsa_sign_from_random(secret, random, empty, 200, sig), LANNER_OK);
    CHECK_BYTES(sig, octets(expected), 64);
    CHECK_IS(lanner_x25519_public(secret, public_key), LANNER_OK);
    CHECK_IS(lanner_xeddsa_verify(public_key, empty, 200, sig), LANNER_OK);
    CHECK_IS(lanner_xeddsa_verify_with_sign(public_key, empty, 200, sig), LANNER_OK);
    CHECK_IS(lanner_xeddsa_verify(public_key, empty, 199, sig), LANNER_ERROR_SIGNATURE);
    CHECK_IS(lanner_xeddsa_verify_with_sign(public_key, empty, 199, sig), LANNER_ERROR_SIGNATURE);
    sig[0] ^= 1;
    CHECK_IS(lanner_xeddsa_verify(public_key, empty, 200, sig), LANNER_ERROR_SIGNATURE);
    memset(other, 0xff, 32);
    CHECK_IS(lanner_xeddsa_verify(other, empty, 200, sig), LANNER_ERROR_KEY);
    CHECK_IS(lanner_xeddsa_verify_with_sign(octets(identity), octets(message), 33, sig),
             LANNER_ERROR_SIGNATURE);
    memcpy(sig, octets(made), 64);
    CHECK_IS(lanner_xeddsa_verify_with_sign(octets(identity), octets(message), 33, sig), LANNER_OK);
    CHECK_IS(lanner_xeddsa_verify(octets(identity), octets(message), 33, sig),
             LANNER_ERROR_SIGNATURE);

    for (i = 0; i < 8; i++) {
        check_random_bytes(secret, 32);
        CHECK_IS(lanner_x25519_public(secret, public_key), LANNER_OK);
        CHECK_IS(lanner_xeddsa_sign(secret, empty, i, sig), LANNER_OK);
        CHECK_IS(lanner_xeddsa_verify(public_key, empty, i, sig), LANNER_OK);
        CHECK_IS(lanner_xeddsa_sign(secret, empty, i, other), LANNER_OK);
        CHECK(memcmp(sig, other, 64) != 0);
        CHECK_IS(lanner_xeddsa_verify(public_key, empty, i, other), LANNER_OK);
    }
}

/* Secrets without a seed: those that hashing one makes sign as it does; others are not clamped. */
static void expanded(void)
{
    static const char seed[] = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
    /* Its SHA-512, clamped. */
    static const char hash[] = "307c83864f2833cb427a2ef1c00a013cfdff2768d980c0a3a520f006904de94f"
                               "9b4f0afe280b746a778684e75442502057b7473a03f08f96f5a38e9287e01f8f";
    unsigned char secret[64], public_key[32], other[64], sig[64];
    lanner_ed25519_key key;
    int i;
    memcpy(secret, octets(hash), 64);
    CHECK_IS(lanner_ed25519_key_from_seed(&key, octets(seed)), LANNER_OK);
    CHECK_IS(lanner_ed25519_key_public(&key, other), LANNER_OK);
    CHECK_IS(lanner_ed25519_expanded_public(secret, public_key), LANNER_OK);
    CHECK_BYTES(public_key, other, 32);
    CHECK_IS(lanner_ed25519_sign(&key, text, TEXT_LENGTH, other), LANNER_OK);
    CHECK_IS(lanner_ed25519_expanded_sign(secret, text, TEXT_LENGTH, sig), LANNER_OK);
    CHECK_BYTES(sig, other, 64);
    lanner_ed25519_key_clear(&key);
    for (i = 0; i < 8; i++) {
        check_random_bytes(secret, 64);
        secret[0] |= 1;
        CHECK_IS(lanner_ed25519_expanded_public(secret, public_key), LANNER_OK);
        CHECK_IS(lanner_ed25519_expanded_sign(secret, text, 3, sig), LANNER_OK);
        CHECK_IS(lanner_ed25519_verify(LANNER_ED25519_STRICT, public_key, text, 3, sig), LANNER_OK);
        secret[0] ^= 1;
        CHECK_IS(lanner_ed25519_expanded_public(secret, other), LANNER_OK);
        CHECK(memcmp(public_key, other, 32) != 0);
    }
}

int main(void)
{
    library();
    wiping();
    backends();
    profiles();
    keys();
    signing();
    streaming();
    refused_pieces();
    custom_hash();
    batch();
    exchange();
    exchange_each();
    many();
    randomness();
    after_pem();
    key_files();
    ristretto();
    xeddsa();
    expanded();
    return check_report("modern");
}
