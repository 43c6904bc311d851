/*
 * What a compiler can say of the headers: that they can be included twice and together, and that
 * every type and every prototype is the documented one.
 */
#include "curve25519.h"
#include "ed25519.h"
#include "ed25519_donna_tor.h"
#include "lanner.h"

#include "lanner.h"
#include "ed25519_donna_tor.h"
#include "ed25519.h"
#include "curve25519.h"

#include "check.h"

/* The prototypes of ed25519-donna and curve25519-donna, as programs declare them on their own. A
 * different one in the headers would be an error here. */
#if defined(__cplusplus)
extern "C" {
#endif
void ed25519_publickey(const ed25519_secret_key sk, ed25519_public_key pk);
int ed25519_sign_open(const unsigned char *m, size_t mlen, const ed25519_public_key pk,
                      const ed25519_signature RS);
void ed25519_sign(const unsigned char *m, size_t mlen, const ed25519_secret_key sk,
                  const ed25519_public_key pk, ed25519_signature RS);
int ed25519_sign_open_batch(const unsigned char **m, size_t *mlen, const unsigned char **pk,
                            const unsigned char **RS, size_t num, int *valid);
void ed25519_randombytes_unsafe(void *out, size_t count);
void curved25519_scalarmult_basepoint(curved25519_key pk, const curved25519_key e);
int curve25519_donna(curve25519_key mypublic, const curve25519_key secret,
                     const curve25519_key basepoint);
int curve25519_donna_basepoint(curve25519_key mypublic, const curve25519_key secret);
void curve25519_donna_raw(curve25519_key mypublic, const curve25519_key secret,
                          const curve25519_key basepoint);
int ed25519_donna_sign(unsigned char *sig, const unsigned char *m, size_t mlen,
                       const unsigned char *sk, const unsigned char *pk);
#if defined(__cplusplus)
}
#endif

int main(void)
{
    CHECK_IS(sizeof(ed25519_signature), 64);
    CHECK_IS(sizeof(ed25519_public_key), 32);
    CHECK_IS(sizeof(ed25519_secret_key), 32);
    CHECK_IS(sizeof(curved25519_key), 32);
    CHECK_IS(sizeof(curve25519_key), 32);
    /* Part of the binary interface: they never change but with the soname. */
    CHECK_IS(sizeof(lanner_ed25519_key), 512);
    CHECK_IS(sizeof(lanner_ed25519_verifier), 1024);
    CHECK_IS(sizeof(lanner_ed25519_prepared), 8192);
    CHECK_IS(sizeof(lanner_ed25519ph_state), 320);
    CHECK_IS(sizeof(lanner_fn_dsa_key), 7168);
    CHECK_IS(sizeof(lanner_fn_dsa_public), 2304);
    CHECK_IS(sizeof(lanner_fn_dsa_verifier), 768);
    CHECK_IS(sizeof(lanner_ed25519_item), 4 * sizeof(void *));
    CHECK_IS(sizeof(lanner_ed25519_message), 3 * sizeof(void *));
    CHECK_IS(sizeof(lanner_ed25519_prepared_item), 4 * sizeof(void *));
    CHECK_IS(sizeof(lanner_hash), 4 * sizeof(void *));
    CHECK_IS(sizeof(size_t), sizeof(void *));
    return check_report("abi");
}
