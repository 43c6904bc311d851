/*
 * An allocator that fails: every function of every header, called once for each of its allocations, which
 * then fails with all that follow, until none is left to fail. It succeeds or says LANNER_ERROR_MEMORY, and
 * its process lives.
 *
 * declared.h is made of the headers and names every function that they declare; one that is not called here
 * does not compile. To be linked with --wrap for what __wrap_ stands before below. The argument is
 * vectors/data/hybrid.json.
 */
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where a backend lacks, the one before it does. */
#define LANNER_CHECKED
#include "check.h"
#include "curve25519.h"
#include "declared.h"
#include "ed25519.h"
#include "ed25519_donna_tor.h"
#include "hybrid_vectors.h"
#include "lanner.h"

/* How many allocations still succeed; whether one has failed. */
static int failing, left, failed;

static int refuse(void)
{
    if (!failing)
        return 0;
    if (left > 0) {
        left--;
        return 0;
    }
    failed = 1;
    return 1;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **out, size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    return refuse() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refuse() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return refuse() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return refuse() ? NULL : __real_aligned_alloc(alignment, size);
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t size)
{
    return refuse() ? 12 : __real_posix_memalign(out, alignment, size);
}

/* What the functions are called with: made while there is memory. */
enum { BATCH = 260 };
static unsigned char seed[32], pair[64], public_key[32], expanded[64], shared[32];
static unsigned char signature[64], signature_ctx[64], signature_ph[64], x_public[32], out[20000];
static const unsigned char text[] = "a message";
#define TEXT text, sizeof text - 1
static unsigned char signatures[BATCH][64];
static lanner_ed25519_item items[BATCH];
static const unsigned char *ms[BATCH], *pks[BATCH], *sigs[BATCH];
static size_t lengths[BATCH];
static int valid[BATCH];
static lanner_ed25519_key key;
static lanner_ed25519_prepared prepared;
static lanner_ed25519_prepared_item prepared_items[17];
static lanner_ed25519_message many_messages[17];
static lanner_ed25519_key many_keys[17];
static unsigned char many_seeds[32 * 17], many_signature[64];
static lanner_ed25519_verifier verifier;
static lanner_ed25519ph_state state;
static unsigned char der[3][9000];
static char pem[3][12000];
static size_t der_length[6], pem_length[6];
static unsigned char public_der[3][9000];
static char public_pem[3][12000];
static size_t public_der_length[3], public_pem_length[3];

static unsigned char lattice_secret[2400], lattice_public_bytes[1800];
static lanner_fn_dsa_key lattice, draft, falcon;
static lanner_fn_dsa_public lattice_public, draft_public, falcon_public;
static unsigned char lattice_signature[1280], falcon_signature[1600], det_signature[1600];
static unsigned char sealed[1700], mu[64], random_bytes[96 * 20];
static size_t falcon_length, det_length, sealed_length, room;
static lanner_fn_dsa_verifier lattice_verifier;
static struct hybrid_vector hybrid;
static lanner_hybrid_key hybrid_key;
static unsigned char hybrid_der[2][2000];
static char hybrid_pem[2][3000];
static size_t hybrid_der_length[2], hybrid_pem_length[2];

/* A hash for lanner_hash: no good one. */
static void hash_init(void *memory)
{
    memset(memory, 0, 64);
}

static void hash_update(void *memory, const unsigned char *data, size_t length)
{
    unsigned char *at = (unsigned char *)memory;
    size_t i;
    for (i = 0; i < length; i++)
        at[i % 64] = (unsigned char)(at[i % 64] * 5 + data[i] + 1);
}

static void hash_final(void *memory, unsigned char *output)
{
    memcpy(output, memory, 64);
}

static lanner_hash hash;
static unsigned char hash_public[32], hash_signature[64];

static int random_source(void *to, size_t length)
{
    memset(to, 5, length);
    return 0;
}

static int feed(void *user, lanner_sink *sink)
{
    (void)user;
    return lanner_sink_update(sink, TEXT);
}

#define WANT(call)                                             \
    do {                                                       \
        if ((call) != LANNER_OK) {                             \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #call);  \
            abort();                                           \
        }                                                      \
    } while (0)

static void make_lattice(int variant, unsigned degree, lanner_fn_dsa_key *secret_key,
                         lanner_fn_dsa_public *its_public)
{
    size_t secret_length = lanner_fn_dsa_secret_bytes(variant, degree);
    size_t public_length = lanner_fn_dsa_public_bytes(degree);
    WANT(lanner_fn_dsa_keygen_seeded(variant, degree, seed, lattice_secret, lattice_public_bytes,
                                     NULL, 0));
    WANT(lanner_fn_dsa_key_from_bytes(secret_key, variant, lattice_secret, secret_length, NULL, 0));
    WANT(lanner_fn_dsa_public_from_bytes(its_public, variant, lattice_public_bytes,
                                         public_length));
}

static void prepare(void)
{
    size_t i;
    check_random_bytes(seed, 32);
    check_random_bytes(random_bytes, sizeof random_bytes);
    WANT(lanner_ed25519_key_from_seed(&key, seed));
    WANT(lanner_ed25519_key_public(&key, public_key));
    WANT(lanner_ed25519_key_pair(&key, pair));
    WANT(lanner_ed25519_sign(&key, TEXT, signature));
    WANT(lanner_ed25519_sign_ctx(&key, text, 3, TEXT, signature_ctx));
    WANT(lanner_ed25519ph_sign(&key, NULL, 0, TEXT, signature_ph));
    WANT(lanner_ed25519_prepared_init(&prepared, public_key));
    for (i = 0; i < 17; i++) {
        static const unsigned char whole[] = "0123456789abcdefg";
        many_messages[i].key = &key;
        prepared_items[i].key = &prepared;
        many_messages[i].message = prepared_items[i].message = whole;
        many_messages[i].message_length = prepared_items[i].message_length = 8;
        prepared_items[i].signature = many_signature;
    }
    WANT(lanner_ed25519_sign(&key, many_messages[0].message, 8, many_signature));
    WANT(lanner_x25519_public(seed, x_public));
    WANT(ed25519_donna_seckey_expand(expanded, seed));
    hash.state_size = 64;
    hash.init = hash_init;
    hash.update = hash_update;
    hash.final = hash_final;
    WANT(lanner_ed25519_hash_public(&hash, seed, hash_public));
    WANT(lanner_ed25519_hash_sign(&hash, seed, TEXT, hash_signature));
    for (i = 0; i < BATCH; i++) {
        WANT(lanner_ed25519_sign(&key, text, i % 9, signatures[i]));
        items[i].public_key = pks[i] = public_key;
        items[i].signature = sigs[i] = signatures[i];
        items[i].message = ms[i] = text;
        items[i].message_length = lengths[i] = i % 9;
    }
    make_lattice(LANNER_FN_DSA_DRAFT2026, 512, &draft, &draft_public);
    make_lattice(LANNER_FALCON, 1024, &falcon, &falcon_public);
    make_lattice(LANNER_FN_DSA_MAIN, 1024, &lattice, &lattice_public);
    WANT(lanner_fn_dsa_sign(&lattice, NULL, 0, 0, TEXT, lattice_signature, NULL, 0));
    falcon_length = sizeof falcon_signature;
    WANT(lanner_falcon_sign(&falcon, 0, TEXT, falcon_signature, &falcon_length, NULL, 0));
    det_length = sizeof det_signature;
    WANT(lanner_falcon_det1024_sign(&falcon, TEXT, det_signature, &det_length));
    sealed_length = sizeof sealed;
    WANT(lanner_falcon_seal(&falcon, TEXT, sealed, &sealed_length));
    WANT(lanner_hybrid_key_from_seed(&hybrid_key, hybrid.degree, hybrid.seed.bytes));
    for (i = 0; i < 2; i++) {
        hybrid_der_length[i] = sizeof hybrid_der[0];
        hybrid_pem_length[i] = sizeof hybrid_pem[0];
    }
    WANT(lanner_hybrid_key_to_der(&hybrid_key, hybrid_der[0], &hybrid_der_length[0]));
    WANT(lanner_hybrid_key_to_pem(&hybrid_key, hybrid_pem[0], &hybrid_pem_length[0]));
    WANT(lanner_hybrid_public_to_der(hybrid.public_key.bytes, hybrid.public_key.length,
                                     hybrid_der[1], &hybrid_der_length[1]));
    WANT(lanner_hybrid_public_to_pem(hybrid.public_key.bytes, hybrid.public_key.length,
                                     hybrid_pem[1], &hybrid_pem_length[1]));
    for (i = 0; i < 3; i++) {
        der_length[i] = public_der_length[i] = sizeof der[0];
        pem_length[i] = public_pem_length[i] = sizeof pem[0];
    }
    WANT(lanner_ed25519_key_to_der(&key, der[0], &der_length[0]));
    WANT(lanner_ed25519_key_to_pem(&key, pem[0], &pem_length[0]));
    WANT(lanner_ed25519_public_to_der(public_key, public_der[0], &public_der_length[0]));
    WANT(lanner_ed25519_public_to_pem(public_key, public_pem[0], &public_pem_length[0]));
    WANT(lanner_x25519_secret_to_der(seed, der[1], &der_length[1]));
    WANT(lanner_x25519_secret_to_pem(seed, pem[1], &pem_length[1]));
    WANT(lanner_x25519_public_to_der(x_public, public_der[1], &public_der_length[1]));
    WANT(lanner_x25519_public_to_pem(x_public, public_pem[1], &public_pem_length[1]));
    WANT(lanner_fn_dsa_key_to_der(&falcon, der[2], &der_length[2]));
    WANT(lanner_fn_dsa_key_to_pem(&falcon, pem[2], &pem_length[2]));
    WANT(lanner_fn_dsa_public_to_der(&falcon_public, public_der[2], &public_der_length[2]));
    WANT(lanner_fn_dsa_public_to_pem(&falcon_public, public_pem[2], &public_pem_length[2]));
}

/* One function for each that is declared. */
#define CALLS(name, expression)     \
    static int call_##name(void)    \
    {                               \
        room = sizeof out;          \
        return (int)(expression);   \
    }
/* Those that return nothing, or something else than a status. */
#define RUNS(name, expression)      \
    static int call_##name(void)    \
    {                               \
        (void)(expression);         \
        return LANNER_OK;           \
    }
/* Those that never ask for memory, and what they answer. */
#define NEVER(name, expression, answer)                                       \
    static int call_##name(void)                                              \
    {                                                                         \
        int status = (int)(expression);                                       \
        return status == answer && !failed ? LANNER_OK : LANNER_ERROR_STATE;  \
    }

CALLS(curve25519_donna, curve25519_donna(out, seed, x_public))
CALLS(curve25519_donna_basepoint, curve25519_donna_basepoint(out, seed))
RUNS(curve25519_donna_raw, curve25519_donna_raw(out, seed, x_public))
RUNS(curved25519_scalarmult_basepoint, curved25519_scalarmult_basepoint(out, seed))
RUNS(curved25519_scalarmult_basepoint_donna, curved25519_scalarmult_basepoint_donna(out, seed))
CALLS(ed25519_donna_blind_public_key, ed25519_donna_blind_public_key(out, public_key, seed))
CALLS(ed25519_donna_blind_secret_key, ed25519_donna_blind_secret_key(out, expanded, seed))
CALLS(ed25519_donna_keygen, ed25519_donna_keygen(out, out + 32))
CALLS(ed25519_donna_open, ed25519_donna_open(signature, TEXT, public_key))
CALLS(ed25519_donna_pubkey, ed25519_donna_pubkey(out, expanded))
RUNS(ed25519_donna_pubkey_from_curve25519_pubkey,
     ed25519_donna_pubkey_from_curve25519_pubkey(out, x_public, 0))
CALLS(ed25519_donna_scalarmult_with_group_order,
      ed25519_donna_scalarmult_with_group_order(out, public_key))
CALLS(ed25519_donna_seckey, ed25519_donna_seckey(out))
CALLS(ed25519_donna_seckey_expand, ed25519_donna_seckey_expand(out, seed))
CALLS(ed25519_donna_selftest, ed25519_donna_selftest())
CALLS(ed25519_donna_sign, ed25519_donna_sign(out, TEXT, expanded, NULL))
RUNS(ed25519_publickey, ed25519_publickey(seed, out))
RUNS(ed25519_randombytes_unsafe, ed25519_randombytes_unsafe(out, 32))
RUNS(ed25519_sign, ed25519_sign(TEXT, seed, NULL, out))
CALLS(ed25519_sign_open, ed25519_sign_open(TEXT, public_key, signature))
CALLS(ed25519_sign_open_batch, ed25519_sign_open_batch(ms, lengths, pks, sigs, BATCH, valid))
CALLS(ed25519_sign_open_batch_donna,
      ed25519_sign_open_batch_donna(ms, lengths, pks, sigs, BATCH, valid))
RUNS(lanner_backend_active, lanner_backend_active())
CALLS(lanner_backend_force, lanner_backend_force(lanner_backend_name(0)))
RUNS(lanner_backend_name, lanner_backend_name(1))
RUNS(lanner_ed25519_donna_profile, lanner_ed25519_donna_profile())
CALLS(lanner_ed25519_hash_public, lanner_ed25519_hash_public(&hash, seed, out))
CALLS(lanner_ed25519_hash_sign, lanner_ed25519_hash_sign(&hash, seed, TEXT, out))
CALLS(lanner_ed25519_hash_verify,
      lanner_ed25519_hash_verify(&hash, hash_public, TEXT, hash_signature))
RUNS(lanner_ed25519_key_clear, lanner_ed25519_key_clear(&key))
CALLS(lanner_ed25519_key_from_der, lanner_ed25519_key_from_der(&key, der[0], der_length[0]))
CALLS(lanner_ed25519_key_from_pair, lanner_ed25519_key_from_pair(&key, pair))
CALLS(lanner_ed25519_key_from_pem, lanner_ed25519_key_from_pem(&key, pem[0], pem_length[0] - 1))
CALLS(lanner_ed25519_key_from_seed, lanner_ed25519_key_from_seed(&key, seed))
CALLS(lanner_ed25519_key_from_seed_each, lanner_ed25519_key_from_seed_each(many_keys, many_seeds, 17))
CALLS(lanner_ed25519_key_generate, lanner_ed25519_key_generate(&key))
CALLS(lanner_ed25519_key_pair, lanner_ed25519_key_pair(&key, out))
CALLS(lanner_ed25519_key_public, lanner_ed25519_key_public(&key, out))
CALLS(lanner_ed25519_key_seed, lanner_ed25519_key_seed(&key, out))
CALLS(lanner_ed25519_key_to_der, lanner_ed25519_key_to_der(&key, out, &room))
CALLS(lanner_ed25519_key_to_der_v2, lanner_ed25519_key_to_der_v2(&key, out, &room))
CALLS(lanner_ed25519_key_to_pem, lanner_ed25519_key_to_pem(&key, (char *)out, &room))
CALLS(lanner_ed25519_key_to_x25519, lanner_ed25519_key_to_x25519(&key, out))
RUNS(lanner_ed25519_prepared_clear, lanner_ed25519_prepared_clear(&prepared))
CALLS(lanner_ed25519_prepared_init, lanner_ed25519_prepared_init(&prepared, public_key))
CALLS(lanner_ed25519_prepared_verify, lanner_ed25519_prepared_verify(&prepared, 0, TEXT, signature))
CALLS(lanner_ed25519_prepared_verify_batch,
      lanner_ed25519_prepared_verify_batch(0, prepared_items, 17, out))
CALLS(lanner_ed25519_profile_by_name, lanner_ed25519_profile_by_name("strict"))
CALLS(lanner_ed25519_expanded_public, lanner_ed25519_expanded_public(expanded, out))
CALLS(lanner_ed25519_expanded_sign, lanner_ed25519_expanded_sign(expanded, TEXT, out))
RUNS(lanner_ed25519_profile_name, lanner_ed25519_profile_name(0))
CALLS(lanner_ed25519_public_from_der,
      lanner_ed25519_public_from_der(out, public_der[0], public_der_length[0]))
CALLS(lanner_ed25519_public_from_pem,
      lanner_ed25519_public_from_pem(out, public_pem[0], public_pem_length[0] - 1))
CALLS(lanner_ed25519_public_from_seed, lanner_ed25519_public_from_seed(seed, out))
CALLS(lanner_ed25519_public_from_seed_each, lanner_ed25519_public_from_seed_each(many_seeds, 17, out))
static unsigned int properties;
CALLS(lanner_ed25519_public_properties, lanner_ed25519_public_properties(public_key, &properties))
CALLS(lanner_ed25519_public_to_der, lanner_ed25519_public_to_der(public_key, out, &room))
CALLS(lanner_ed25519_public_to_pem, lanner_ed25519_public_to_pem(public_key, (char *)out, &room))
CALLS(lanner_ed25519_public_to_x25519, lanner_ed25519_public_to_x25519(public_key, out))
CALLS(lanner_ed25519_sign, lanner_ed25519_sign(&key, TEXT, out))
CALLS(lanner_ed25519_sign_checked, lanner_ed25519_sign_checked(&key, TEXT, out))
CALLS(lanner_ed25519_sign_ctx, lanner_ed25519_sign_ctx(&key, text, 3, TEXT, out))
CALLS(lanner_ed25519_sign_ctx_checked,
      lanner_ed25519_sign_ctx_checked(&key, text, 3, TEXT, out))
CALLS(lanner_ed25519_sign_each, lanner_ed25519_sign_each(many_messages, 17, out))
CALLS(lanner_ed25519_sign_feed, lanner_ed25519_sign_feed(&key, NULL, 0, feed, NULL, out))
CALLS(lanner_ed25519_sign_hedged, lanner_ed25519_sign_hedged(&key, TEXT, out))
CALLS(lanner_ed25519_sign_seed, lanner_ed25519_sign_seed(seed, TEXT, out))
RUNS(lanner_ed25519_verifier_clear, lanner_ed25519_verifier_clear(&verifier))
CALLS(lanner_ed25519_verifier_init,
      lanner_ed25519_verifier_init(&verifier, 0, public_key, signature))
CALLS(lanner_ed25519_verifier_init_ctx,
      lanner_ed25519_verifier_init_ctx(&verifier, 0, public_key, text, 3, signature_ctx))
/* These end what was begun, so they begin it each time. */
CALLS(lanner_ed25519_verifier_update,
      lanner_ed25519_verifier_init(&verifier, 0, public_key, signature) ||
          lanner_ed25519_verifier_update(&verifier, TEXT))
CALLS(lanner_ed25519_verifier_final,
      call_lanner_ed25519_verifier_update() || lanner_ed25519_verifier_final(&verifier))
CALLS(lanner_ed25519_verify, lanner_ed25519_verify(0, public_key, TEXT, signature))
static int each_profile(void)
{
    /* A cofactored one, without and with tables for every point, and a small one. */
    return lanner_ed25519_verify_batch(LANNER_ED25519_RFC8032, items, BATCH, out) ||
           lanner_ed25519_verify_batch(LANNER_ED25519_ZIP215, items, 60, out) ||
           lanner_ed25519_verify_batch(LANNER_ED25519_STRICT, items, 20, out);
}
CALLS(lanner_ed25519_verify_batch,
      lanner_ed25519_verify_batch(0, items, BATCH, out) || each_profile())
CALLS(lanner_ed25519_verify_ctx,
      lanner_ed25519_verify_ctx(0, public_key, text, 3, TEXT, signature_ctx))
RUNS(lanner_ed25519ph_clear, lanner_ed25519ph_clear(&state))
CALLS(lanner_ed25519ph_init, lanner_ed25519ph_init(&state))
CALLS(lanner_ed25519ph_update,
      lanner_ed25519ph_init(&state) || lanner_ed25519ph_update(&state, TEXT))
CALLS(lanner_ed25519ph_final_sign,
      call_lanner_ed25519ph_update() || lanner_ed25519ph_final_sign(&state, &key, NULL, 0, out))
CALLS(lanner_ed25519ph_final_sign_checked,
      call_lanner_ed25519ph_update() ||
          lanner_ed25519ph_final_sign_checked(&state, &key, NULL, 0, out))
CALLS(lanner_ed25519ph_final_verify,
      call_lanner_ed25519ph_update() ||
          lanner_ed25519ph_final_verify(&state, 0, public_key, NULL, 0, signature_ph))
CALLS(lanner_ed25519ph_sign, lanner_ed25519ph_sign(&key, NULL, 0, TEXT, out))
CALLS(lanner_ed25519ph_sign_checked,
      lanner_ed25519ph_sign_checked(&key, NULL, 0, TEXT, out))
CALLS(lanner_ed25519ph_verify,
      lanner_ed25519ph_verify(0, public_key, NULL, 0, TEXT, signature_ph))
CALLS(lanner_falcon_det1024_sign, lanner_falcon_det1024_sign(&falcon, TEXT, out, &room))
CALLS(lanner_falcon_det1024_sign_checked,
      lanner_falcon_det1024_sign_checked(&falcon, TEXT, out, &room))
CALLS(lanner_falcon_det1024_verify,
      lanner_falcon_det1024_verify(&falcon_public, TEXT, det_signature, det_length))
static const unsigned char *inside;
CALLS(lanner_falcon_open,
      lanner_falcon_open(&falcon_public, sealed, sealed_length, &inside, &room))
CALLS(lanner_falcon_seal, lanner_falcon_seal(&falcon, TEXT, out, &room))
CALLS(lanner_falcon_sign, lanner_falcon_sign(&falcon, 1, TEXT, out, &room, NULL, 0))
CALLS(lanner_falcon_sign_checked,
      lanner_falcon_sign_checked(&falcon, 1, TEXT, out, &room, NULL, 0))
CALLS(lanner_falcon_det1024_verify_as,
      lanner_falcon_det1024_verify_as(&falcon_public, 1, TEXT, det_signature, det_length))
RUNS(lanner_falcon_signature_bytes, lanner_falcon_signature_bytes(0, 512))
CALLS(lanner_falcon_verifier_init,
      lanner_falcon_verifier_init(&lattice_verifier, &falcon_public, falcon_signature,
                                  falcon_length))
CALLS(lanner_falcon_verify,
      lanner_falcon_verify(&falcon_public, TEXT, falcon_signature, falcon_length))
CALLS(lanner_falcon_verify_as,
      lanner_falcon_verify_as(&falcon_public, 0, TEXT, falcon_signature, falcon_length))
CALLS(lanner_falcon_verifier_init_as,
      lanner_falcon_verifier_init_as(&lattice_verifier, &falcon_public, 0, falcon_signature,
                                     falcon_length))
CALLS(lanner_fn_dsa_draft2026_mu, lanner_fn_dsa_draft2026_mu(&draft_public, NULL, 0, 0, TEXT, mu))
RUNS(lanner_fn_dsa_key_clear, lanner_fn_dsa_key_clear(&lattice))
CALLS(lanner_fn_dsa_key_from_bytes,
      lanner_fn_dsa_key_from_bytes(&lattice, LANNER_FN_DSA_MAIN, lattice_secret, 2305, NULL, 0))
CALLS(lanner_fn_dsa_key_from_der, lanner_fn_dsa_key_from_der(&lattice, der[2], der_length[2]))
CALLS(lanner_fn_dsa_key_from_pem, lanner_fn_dsa_key_from_pem(&lattice, pem[2], pem_length[2] - 1))
CALLS(lanner_fn_dsa_key_public, lanner_fn_dsa_key_public(&lattice, out, &room))
CALLS(lanner_fn_dsa_key_secret, lanner_fn_dsa_key_secret(&lattice, out, &room))
CALLS(lanner_fn_dsa_key_to_der, lanner_fn_dsa_key_to_der(&falcon, out, &room))
CALLS(lanner_fn_dsa_key_to_pem, lanner_fn_dsa_key_to_pem(&falcon, (char *)out, &room))
CALLS(lanner_fn_dsa_keygen, lanner_fn_dsa_keygen(0, 512, out, out + 1300, NULL, 0))
RUNS(lanner_fn_dsa_key_scratch_bytes, lanner_fn_dsa_key_scratch_bytes(512))
RUNS(lanner_fn_dsa_keygen_scratch_bytes, lanner_fn_dsa_keygen_scratch_bytes(512))
CALLS(lanner_fn_dsa_keygen_seeded,
      lanner_fn_dsa_keygen_seeded(0, 512, seed, out, out + 1300, NULL, 0))
RUNS(lanner_fn_dsa_public_bytes, lanner_fn_dsa_public_bytes(512))
RUNS(lanner_fn_dsa_public_clear, lanner_fn_dsa_public_clear(&lattice_public))
CALLS(lanner_fn_dsa_public_from_bytes,
      lanner_fn_dsa_public_from_bytes(&lattice_public, 0, lattice_public_bytes, 1793))
CALLS(lanner_fn_dsa_public_from_der,
      lanner_fn_dsa_public_from_der(&lattice_public, public_der[2], public_der_length[2]))
CALLS(lanner_fn_dsa_public_from_pem,
      lanner_fn_dsa_public_from_pem(&lattice_public, public_pem[2], public_pem_length[2] - 1))
CALLS(lanner_fn_dsa_public_to_bytes, lanner_fn_dsa_public_to_bytes(&lattice_public, out, &room))
CALLS(lanner_fn_dsa_public_to_der, lanner_fn_dsa_public_to_der(&falcon_public, out, &room))
CALLS(lanner_fn_dsa_public_to_pem, lanner_fn_dsa_public_to_pem(&falcon_public, (char *)out, &room))
RUNS(lanner_fn_dsa_secret_bytes, lanner_fn_dsa_secret_bytes(0, 512))
CALLS(lanner_fn_dsa_sign, lanner_fn_dsa_sign(&lattice, NULL, 0, 0, TEXT, out, NULL, 0))
CALLS(lanner_fn_dsa_sign_checked,
      lanner_fn_dsa_sign_checked(&lattice, NULL, 0, 0, TEXT, out, NULL, 0))
CALLS(lanner_fn_dsa_sign_feed, lanner_fn_dsa_sign_feed(&lattice, NULL, 0, feed, NULL, out))
CALLS(lanner_fn_dsa_sign_from_random,
      lanner_fn_dsa_sign_from_random(&lattice, random_bytes, sizeof random_bytes, NULL, 0, 0,
                                     TEXT, out))
RUNS(lanner_fn_dsa_sign_scratch_bytes, lanner_fn_dsa_sign_scratch_bytes(512))
CALLS(lanner_fn_dsa_sign_seeded,
      lanner_fn_dsa_sign_seeded(&lattice, seed, 32, NULL, 0, 0, TEXT, out, NULL, 0))
RUNS(lanner_fn_dsa_signature_bytes, lanner_fn_dsa_signature_bytes(512))
RUNS(lanner_fn_dsa_verifier_clear, lanner_fn_dsa_verifier_clear(&lattice_verifier))
CALLS(lanner_fn_dsa_verifier_init,
      lanner_fn_dsa_verifier_init(&lattice_verifier, &lattice_public, NULL, 0, 0,
                                  lattice_signature, 1280))
CALLS(lanner_fn_dsa_verifier_update,
      call_lanner_fn_dsa_verifier_init() ||
          lanner_fn_dsa_verifier_update(&lattice_verifier, TEXT))
CALLS(lanner_fn_dsa_verifier_final,
      call_lanner_fn_dsa_verifier_update() || lanner_fn_dsa_verifier_final(&lattice_verifier))
CALLS(lanner_fn_dsa_verify,
      lanner_fn_dsa_verify(&lattice_public, NULL, 0, 0, TEXT, lattice_signature, 1280))
/* The header says that nothing is allocated: an allocation is a wrong answer. */
RUNS(lanner_hybrid_key_clear, lanner_hybrid_key_clear(&hybrid_key))
NEVER(lanner_hybrid_key_generate, lanner_hybrid_key_generate(&hybrid_key, 512), LANNER_OK)
NEVER(lanner_hybrid_key_from_seed, lanner_hybrid_key_from_seed(&hybrid_key, 1024, seed), LANNER_OK)
NEVER(lanner_hybrid_key_from_der,
      lanner_hybrid_key_from_der(&hybrid_key, hybrid_der[0], hybrid_der_length[0]), LANNER_OK)
NEVER(lanner_hybrid_key_from_pem,
      lanner_hybrid_key_from_pem(&hybrid_key, hybrid_pem[0], hybrid_pem_length[0]), LANNER_OK)
NEVER(lanner_hybrid_key_seed, lanner_hybrid_key_seed(&hybrid_key, out), LANNER_OK)
NEVER(lanner_hybrid_key_public,
      (room = sizeof out, lanner_hybrid_key_public(&hybrid_key, out, &room)), LANNER_OK)
NEVER(lanner_hybrid_key_to_der,
      (room = sizeof out, lanner_hybrid_key_to_der(&hybrid_key, out, &room)), LANNER_OK)
NEVER(lanner_hybrid_key_to_pem,
      (room = sizeof out, lanner_hybrid_key_to_pem(&hybrid_key, (char *)out, &room)), LANNER_OK)
NEVER(lanner_hybrid_public_from_der,
      (room = sizeof out,
       lanner_hybrid_public_from_der(out, &room, hybrid_der[1], hybrid_der_length[1])), LANNER_OK)
NEVER(lanner_hybrid_public_from_pem,
      (room = sizeof out,
       lanner_hybrid_public_from_pem(out, &room, hybrid_pem[1], hybrid_pem_length[1])), LANNER_OK)
NEVER(lanner_hybrid_public_to_der,
      (room = sizeof out,
       lanner_hybrid_public_to_der(hybrid.public_key.bytes, hybrid.public_key.length, out, &room)),
      LANNER_OK)
NEVER(lanner_hybrid_public_to_pem,
      (room = sizeof out, lanner_hybrid_public_to_pem(hybrid.public_key.bytes,
                                                      hybrid.public_key.length, (char *)out, &room)),
      LANNER_OK)
NEVER(lanner_hybrid_sign, lanner_hybrid_sign(&hybrid_key, NULL, 0, TEXT, out, NULL, 0), LANNER_OK)
NEVER(lanner_hybrid_sign_checked,
      lanner_hybrid_sign_checked(&hybrid_key, NULL, 0, TEXT, out, NULL, 0), LANNER_OK)
NEVER(lanner_hybrid_sign_digest,
      lanner_hybrid_sign_digest(&hybrid_key, NULL, 0, mu, out, NULL, 0), LANNER_OK)
NEVER(lanner_hybrid_sign_digest_checked,
      lanner_hybrid_sign_digest_checked(&hybrid_key, NULL, 0, mu, out, NULL, 0), LANNER_OK)
NEVER(lanner_hybrid_verify,
      lanner_hybrid_verify(hybrid.degree, hybrid.public_key.bytes, hybrid.public_key.length,
                           hybrid.context.bytes, hybrid.context.length, hybrid.message.bytes,
                           hybrid.message.length, hybrid.signature.bytes, hybrid.signature.length),
      LANNER_OK)
/* Of another message: the half of Ed25519 says no. */
NEVER(lanner_hybrid_verify_digest,
      lanner_hybrid_verify_digest(hybrid.degree, hybrid.public_key.bytes, hybrid.public_key.length,
                                  hybrid.context.bytes, hybrid.context.length, mu,
                                  hybrid.signature.bytes, hybrid.signature.length),
      LANNER_ERROR_SIGNATURE)
CALLS(lanner_random_bytes, lanner_random_bytes(out, 32))
/* The neutral element is 32 zeros, the generator's hash any bytes. */
static const unsigned char element[32];
CALLS(lanner_ristretto255_add, lanner_ristretto255_add(element, element, out))
CALLS(lanner_ristretto255_check, lanner_ristretto255_check(element))
CALLS(lanner_ristretto255_from_hash, lanner_ristretto255_from_hash(expanded, out))
NEVER(lanner_ristretto255_mul, lanner_ristretto255_mul(seed, element, out), LANNER_ERROR_ZERO)
CALLS(lanner_ristretto255_mul_base, lanner_ristretto255_mul_base(seed, out))
CALLS(lanner_ristretto255_random, lanner_ristretto255_random(out))
CALLS(lanner_ristretto255_scalar_add, lanner_ristretto255_scalar_add(seed, seed, out))
CALLS(lanner_ristretto255_scalar_check, lanner_ristretto255_scalar_check(element))
CALLS(lanner_ristretto255_scalar_complement, lanner_ristretto255_scalar_complement(seed, out))
CALLS(lanner_ristretto255_scalar_invert, lanner_ristretto255_scalar_invert(seed, out))
CALLS(lanner_ristretto255_scalar_mul, lanner_ristretto255_scalar_mul(seed, seed, out))
CALLS(lanner_ristretto255_scalar_negate, lanner_ristretto255_scalar_negate(seed, out))
CALLS(lanner_ristretto255_scalar_random, lanner_ristretto255_scalar_random(out))
CALLS(lanner_ristretto255_scalar_reduce, lanner_ristretto255_scalar_reduce(expanded, out))
CALLS(lanner_ristretto255_scalar_sub, lanner_ristretto255_scalar_sub(seed, seed, out))
CALLS(lanner_ristretto255_sub, lanner_ristretto255_sub(element, element, out))
RUNS(lanner_set_random_source, (lanner_set_random_source(random_source), 0))
/* With a sink, that is inside a feed. */
CALLS(lanner_sink_update, lanner_ed25519_sign_feed(&key, NULL, 0, feed, NULL, out))
RUNS(lanner_strerror, lanner_strerror(0))
RUNS(lanner_version, lanner_version())
RUNS(lanner_version_number, lanner_version_number())
RUNS(lanner_wipe, lanner_wipe(out, sizeof out))
CALLS(lanner_x25519, lanner_x25519(seed, x_public, out))
CALLS(lanner_x25519_each, lanner_x25519_each(seed, x_public, 1, shared))
CALLS(lanner_x25519_generate, lanner_x25519_generate(out))
CALLS(lanner_x25519_public, lanner_x25519_public(seed, out))
CALLS(lanner_x25519_public_each, lanner_x25519_public_each(many_seeds, 17, out))
CALLS(lanner_x25519_public_from_der,
      lanner_x25519_public_from_der(out, public_der[1], public_der_length[1]))
CALLS(lanner_x25519_public_from_pem,
      lanner_x25519_public_from_pem(out, public_pem[1], public_pem_length[1] - 1))
CALLS(lanner_x25519_public_to_der, lanner_x25519_public_to_der(x_public, out, &room))
CALLS(lanner_x25519_public_to_pem, lanner_x25519_public_to_pem(x_public, (char *)out, &room))
CALLS(lanner_x25519_secret_from_der,
      lanner_x25519_secret_from_der(out, der[1], der_length[1]))
CALLS(lanner_x25519_secret_from_pem,
      lanner_x25519_secret_from_pem(out, pem[1], pem_length[1] - 1))
CALLS(lanner_x25519_secret_to_der, lanner_x25519_secret_to_der(seed, out, &room))
CALLS(lanner_x25519_secret_to_pem, lanner_x25519_secret_to_pem(seed, (char *)out, &room))
CALLS(lanner_x25519_unchecked, lanner_x25519_unchecked(seed, x_public, out))
CALLS(lanner_x25519_unclamped, lanner_x25519_unclamped(seed, x_public, out))
CALLS(lanner_xeddsa_sign, lanner_xeddsa_sign(seed, TEXT, out))
CALLS(lanner_xeddsa_sign_from_random, lanner_xeddsa_sign_from_random(seed, random_bytes, TEXT, out))
static unsigned char x_signature[64];
CALLS(lanner_xeddsa_verify, lanner_xeddsa_sign(seed, TEXT, x_signature) ||
                                lanner_xeddsa_verify(x_public, TEXT, x_signature))
CALLS(lanner_xeddsa_verify_with_sign, lanner_xeddsa_sign(seed, TEXT, x_signature) ||
                                          lanner_xeddsa_verify_with_sign(x_public, TEXT, x_signature))

static const struct {
    const char *name;
    int (*call)(void);
} functions[] = {
#define ENTRY(name) {#name, call_##name},
    DECLARED(ENTRY)
#undef ENTRY
};

/* All failures of one function, in a process of its own: 0, or what it answered. An abort kills it. */
static int suffers(int (*call)(void), const char *backend)
{
    int allocations, status = 0;
    if (backend != NULL)
        (void)lanner_backend_force(backend);
    for (allocations = 0; allocations < 10000; allocations++) {
        failed = 0;
        left = allocations;
        failing = 1;
        status = call();
        failing = 0;
        /* Conditions that are joined say 1. */
        if (status != LANNER_OK && status != LANNER_ERROR_MEMORY && !(failed && status == 1))
            return 1;
        if (!failed)
            return status != LANNER_OK;
    }
    return 1;
}

int main(int argc, char **argv)
{
    const char *backend;
    size_t i, b;
    FILE *file;
    if (argc != 2 || (file = fopen(argv[1], "r")) == NULL) {
        printf("usage: memory <hybrid.json>\n");
        return 2;
    }
    CHECK(hybrid_next(file, &hybrid));
    fclose(file);
    prepare();
    /* The fastest, and one without eight lanes: there batches take memory. */
    for (b = 0; b < 2; b++) {
        backend = lanner_backend_name(b);
        for (i = 0; i < sizeof functions / sizeof *functions; i++) {
            int status = 0;
            pid_t child;
            fflush(stdout);
            child = fork();
            if (child == 0)
                _exit(suffers(functions[i].call, backend));
            CHECK(waitpid(child, &status, 0) == child);
            if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
                printf("%s, %s: %s\n", functions[i].name, backend,
                       WIFEXITED(status) ? "a wrong answer" : "the process ended");
            CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        }
    }
    CHECK(sizeof functions / sizeof *functions > 120);
    return check_report("memory");
}
