/*
 * A program that calls one family of functions: how large it becomes with the static library, `cargo xtask c-test
 * --only sizes` measures. It is linked without any switch that throws out what is not called.
 */
#include "lanner.h"

int main(void)
{
    static const unsigned char message[] = "message";
    unsigned char first[64] = {1}, second[64] = {9};
    int status;
#if defined VERIFY
    /* No signature. */
    status = lanner_ed25519_verify(LANNER_ED25519_STRICT, first, message, sizeof message, second);
    return status == LANNER_OK;
#elif defined SIGN
    lanner_ed25519_key key;
    status = lanner_ed25519_key_from_seed(&key, first);
    if (status == LANNER_OK)
        status = lanner_ed25519_sign(&key, message, sizeof message, second);
    lanner_ed25519_key_clear(&key);
    return status != LANNER_OK;
#elif defined EXCHANGE
    unsigned char shared[LANNER_X25519_BYTES];
    status = lanner_x25519(first, second, shared);
    return status != LANNER_OK || sizeof message == 0;
#else
    /* No key. */
    lanner_fn_dsa_public key;
    status = lanner_fn_dsa_public_from_bytes(&key, LANNER_FN_DSA_MAIN, first, sizeof first);
    if (status == LANNER_OK)
        status = lanner_fn_dsa_verify(&key, message, 0, 0, message, sizeof message, second,
                                      sizeof second);
    return status == LANNER_OK;
#endif
}
