/*
 * Verifies many signatures at once, and finds the ones that are not valid: with the names of
 * ed25519-donna, and with those of lanner.h.
 *
 *   gcc batch_verify.c -llanner
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ed25519.h>
#include <lanner.h>

enum { COUNT = 100 };

static ed25519_secret_key secrets[COUNT];
static ed25519_public_key publics[COUNT];
static ed25519_signature signatures[COUNT];
static unsigned char messages[COUNT][16];

static int show(void)
{
    const unsigned char *m[COUNT], *pk[COUNT], *rs[COUNT];
    size_t mlen[COUNT];
    int valid[COUNT], i, status, found = 0;
    lanner_ed25519_item items[COUNT];
    unsigned char verdicts[COUNT];

    for (i = 0; i < COUNT; i++) {
        ed25519_randombytes_unsafe(secrets[i], sizeof secrets[i]);
        ed25519_publickey(secrets[i], publics[i]);
        sprintf((char *)messages[i], "message %d", i);
        m[i] = messages[i];
        mlen[i] = strlen((const char *)messages[i]);
        ed25519_sign(m[i], mlen[i], secrets[i], publics[i], signatures[i]);
        pk[i] = publics[i];
        rs[i] = signatures[i];
        items[i].public_key = publics[i];
        items[i].signature = signatures[i];
        items[i].message = messages[i];
        items[i].message_length = mlen[i];
    }
    if (ed25519_sign_open_batch(m, mlen, pk, rs, COUNT, valid) != 0) {
        fprintf(stderr, "honest signatures were refused\n");
        return EXIT_FAILURE;
    }
    printf("%d signatures: all valid\n", COUNT);

    signatures[42][0] ^= 1;
    if (ed25519_sign_open_batch(m, mlen, pk, rs, COUNT, valid) == 0)
        return EXIT_FAILURE;
    /* Zip215 is the rule under which a batch is fastest. */
    status = lanner_ed25519_verify_batch(LANNER_ED25519_ZIP215, items, COUNT, verdicts);
    printf("one spoiled: %s\n", lanner_strerror(status));
    for (i = 0; i < COUNT; i++) {
        if (valid[i] != verdicts[i])
            return EXIT_FAILURE;
        if (!valid[i]) {
            printf("not valid: number %d\n", i);
            found += i == 42 ? 1 : 100;
        }
    }
    return found == 1 && status == LANNER_ERROR_SIGNATURE ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(void)
{
    int result = show();
    lanner_wipe(secrets, sizeof secrets);
    printf("done\n");
    return result;
}
