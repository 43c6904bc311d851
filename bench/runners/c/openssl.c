/*
 * OpenSSL, by EVP. Signing and key agreement hold the key object, as their rows say; verification
 * makes one of the bytes each time.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "peer.h"

static EVP_PKEY **signing, **agreeing;

static const char *version(void)
{
    return OpenSSL_version(OPENSSL_VERSION);
}

static int prepare(const pool *p)
{
    size_t i;
    signing = malloc(p->count * sizeof(EVP_PKEY *));
    agreeing = malloc(p->count * sizeof(EVP_PKEY *));
    if (signing == NULL || agreeing == NULL)
        return 0;
    for (i = 0; i < p->count; i++) {
        const unsigned char *seed = p->entries[i].seed;
        signing[i] = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, 32);
        agreeing[i] = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, seed, 32);
        if (signing[i] == NULL || agreeing[i] == NULL)
            return 0;
    }
    return 1;
}

/* The public key of a secret one. */
static int public_of(int type, const unsigned char *secret, unsigned char *out)
{
    size_t length = 32;
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(type, NULL, secret, 32);
    int made = key != NULL && EVP_PKEY_get_raw_public_key(key, out, &length) == 1;
    EVP_PKEY_free(key);
    return made;
}

static int keygen(const pool *p, size_t i)
{
    unsigned char out[32];
    return public_of(EVP_PKEY_ED25519, p->entries[i].seed, out) &&
           memcmp(out, p->entries[i].public_key, 32) == 0;
}

static int sign(const pool *p, size_t i)
{
    unsigned char out[64];
    size_t length = sizeof out;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    int made = EVP_DigestSignInit(ctx, NULL, NULL, NULL, signing[i]) == 1 &&
               EVP_DigestSign(ctx, out, &length, p->entries[i].message, p->message_length) == 1;
    EVP_MD_CTX_free(ctx);
    return made && memcmp(out, p->entries[i].signature, 64) == 0;
}

static int verify(const pool *p, size_t i)
{
    const entry *e = &p->entries[i];
    EVP_PKEY *key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, e->public_key, 32);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    int valid = key != NULL && EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, key) == 1 &&
                EVP_DigestVerify(ctx, e->signature, 64, e->message, p->message_length) == 1;
    EVP_MD_CTX_free(ctx);
    EVP_PKEY_free(key);
    return valid;
}

static int x25519_base(const pool *p, size_t i)
{
    static unsigned char last[32];
    unsigned char out[32];
    int right = public_of(EVP_PKEY_X25519, p->entries[i].seed, out) && memcmp(out, last, 32) != 0;
    memcpy(last, out, 32);
    return right;
}

static int x25519(const pool *p, size_t i)
{
    unsigned char out[32];
    size_t length = sizeof out;
    EVP_PKEY *theirs =
        EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, p->entries[i].peer, 32);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(agreeing[i], NULL);
    int agreed = theirs != NULL && EVP_PKEY_derive_init(ctx) == 1 &&
                 EVP_PKEY_derive_set_peer(ctx, theirs) == 1 &&
                 EVP_PKEY_derive(ctx, out, &length) == 1;
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(theirs);
    return agreed && memcmp(out, p->entries[i].shared, 32) == 0;
}

const peer the_peer = {
    .version = version,
    .prepare = prepare,
    .keygen = keygen,
    .sign = sign,
    .verify = verify,
    .x25519_base = x25519_base,
    .x25519 = x25519,
};
