/*
 * Differential: liblanner and OpenSSL on the same random input, key files included. The argument is
 * the number of rounds.
 */
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "check.h"
#include "curve25519.h"
#include "ed25519.h"
#include "lanner.h"

static int openssl_verify(const unsigned char *pk, const unsigned char *m, size_t mlen,
                          const unsigned char *sig)
{
    EVP_PKEY *key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, pk, 32);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    int valid = key != NULL && EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, key) == 1 &&
                EVP_DigestVerify(ctx, sig, 64, m, mlen) == 1;
    EVP_MD_CTX_free(ctx);
    EVP_PKEY_free(key);
    return valid;
}

/* What OpenSSL writes, we read, and the reverse. */
static void key_files(EVP_PKEY *theirs, const lanner_ed25519_key *ours, const unsigned char *pk)
{
    unsigned char *der = NULL, mine[128], out[32];
    char pem[256];
    size_t length = sizeof mine;
    const unsigned char *at = mine;
    lanner_ed25519_key key;
    EVP_PKEY *read_back;
    PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(theirs);
    int size = i2d_PKCS8_PRIV_KEY_INFO(info, &der);
    BIO *bio;
    CHECK_IS(lanner_ed25519_key_from_der(&key, der, (size_t)size), LANNER_OK);
    CHECK_IS(lanner_ed25519_key_public(&key, out), LANNER_OK);
    CHECK_BYTES(out, pk, 32);
    CHECK_IS(lanner_ed25519_key_to_der(ours, mine, &length), LANNER_OK);
    CHECK(length == (size_t)size && memcmp(mine, der, length) == 0);
    OPENSSL_free(der);
    PKCS8_PRIV_KEY_INFO_free(info);

    read_back = d2i_AutoPrivateKey(NULL, &at, (long)length);
    CHECK(read_back != NULL && EVP_PKEY_eq(read_back, theirs) == 1);
    EVP_PKEY_free(read_back);

    length = sizeof pem;
    CHECK_IS(lanner_ed25519_public_to_pem(pk, pem, &length), LANNER_OK);
    bio = BIO_new_mem_buf(pem, (int)length - 1);
    read_back = PEM_read_bio_PUBKEY(bio, NULL, NULL, NULL);
    CHECK(read_back != NULL && EVP_PKEY_eq(read_back, theirs) == 1);
    EVP_PKEY_free(read_back);
    BIO_free(bio);

    bio = BIO_new(BIO_s_mem());
    CHECK_IS(PEM_write_bio_PUBKEY(bio, theirs), 1);
    {
        char *text = NULL;
        long text_length = BIO_get_mem_data(bio, &text);
        CHECK_IS(lanner_ed25519_public_from_pem(out, text, (size_t)text_length), LANNER_OK);
        CHECK_BYTES(out, pk, 32);
    }
    BIO_free(bio);
}

static void exchange(const unsigned char *secret, const unsigned char *point)
{
    EVP_PKEY *mine = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, secret, 32);
    EVP_PKEY *peer = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, point, 32);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(mine, NULL);
    unsigned char theirs[32], ours[32];
    size_t length = 32;
    int agreed = EVP_PKEY_derive_init(ctx) == 1 && EVP_PKEY_derive_set_peer(ctx, peer) == 1 &&
                 EVP_PKEY_derive(ctx, theirs, &length) == 1;
    CHECK_IS(lanner_x25519(secret, point, ours) == LANNER_OK, agreed);
    if (agreed)
        CHECK_BYTES(ours, theirs, 32);
    length = 32;
    CHECK_IS(EVP_PKEY_get_raw_public_key(mine, theirs, &length), 1);
    curve25519_donna_basepoint(ours, secret);
    CHECK_BYTES(ours, theirs, 32);
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(peer);
    EVP_PKEY_free(mine);
}

int main(int argc, char **argv)
{
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000, i;
    unsigned long valid = 0, invalid = 0;
    for (i = 0; i < rounds && checks_failed < 20; i++) {
        unsigned char seed[32], pk[32], theirs[64], sig[64], m[400], point[32];
        size_t mlen = check_random() % sizeof m, length;
        EVP_PKEY *key;
        EVP_MD_CTX *ctx = EVP_MD_CTX_new();
        lanner_ed25519_key ours;
        int a;
        check_random_bytes(seed, 32);
        check_random_bytes(m, mlen);
        key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, 32);
        length = 32;
        CHECK_IS(EVP_PKEY_get_raw_public_key(key, theirs, &length), 1);
        CHECK_IS(lanner_ed25519_key_from_seed(&ours, seed), LANNER_OK);
        CHECK_IS(lanner_ed25519_key_public(&ours, pk), LANNER_OK);
        CHECK_BYTES(pk, theirs, 32);
        length = 64;
        CHECK(EVP_DigestSignInit(ctx, NULL, NULL, NULL, key) == 1 &&
              EVP_DigestSign(ctx, theirs, &length, m, mlen) == 1);
        CHECK_IS(lanner_ed25519_sign(&ours, m, mlen, sig), LANNER_OK);
        CHECK_BYTES(sig, theirs, 64);
        if (i < 50)
            key_files(key, &ours, pk);

        if (check_random() % 3) {
            unsigned char *where = check_random() % 2 ? sig : pk;
            size_t at = check_random() % (where == sig ? 64 : 32);
            where[at] ^= (unsigned char)(1u << check_random() % 8);
        }
        a = openssl_verify(pk, m, mlen, sig);
        CHECK_IS(lanner_ed25519_verify(LANNER_ED25519_DALEK, pk, m, mlen, sig) == LANNER_OK, a);
        if (lanner_ed25519_donna_profile() == LANNER_ED25519_DALEK)
            CHECK_IS(ed25519_sign_open(m, mlen, pk, sig) == 0, a);
        valid += (unsigned long)a;
        invalid += (unsigned long)!a;

        check_random_bytes(point, 32);
        if (i % 8 == 0) {
            memset(point, 0, 32);
            point[0] = (unsigned char)(check_random() % 4);
        }
        exchange(seed, point);
        EVP_MD_CTX_free(ctx);
        EVP_PKEY_free(key);
    }
    CHECK(valid > rounds / 10 && invalid > rounds / 10);
    return check_report("OpenSSL");
}
