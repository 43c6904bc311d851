#include <stdio.h>
#include <lanner.h>

int main(void)
{
    static const unsigned char seed[LANNER_ED25519_SEED_BYTES] = {1};
    unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES];
    int status = lanner_ed25519_public_from_seed(seed, public_key);
    printf("liblanner %s: %s\n", lanner_version(), lanner_strerror(status));
    return status != LANNER_OK;
}
