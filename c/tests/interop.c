/*
 * The C side of interop.rs: reads requests, one a line, fields between colons, and answers each with
 * a line.
 *
 *   sign:SEED:MESSAGE               the signature, by ed25519.h
 *   verify:PUBLIC:MESSAGE:SIGNATURE "valid" or "invalid", by ed25519.h
 *   public:SEED                     the public key
 *   ph:SEED:CONTEXT:MESSAGE         the Ed25519ph signature
 *   x25519:SECRET:PUBLIC            the shared secret, by curve25519.h
 *   pem:SEED                        the secret key's PEM, in hexadecimal digits
 *   unpem:TEXT                      the public key of a PEM in hexadecimal digits
 *   fnpublic:SECRET                 the FN-DSA public key of a secret key
 *   fnsign:SECRET:CONTEXT:MESSAGE   the FN-DSA signature
 *   fnverify:PUBLIC:CONTEXT:MESSAGE:SIGNATURE
 */
#include "check.h"
#include "curve25519.h"
#include "ed25519.h"
#include "lanner.h"
#include "lines.h"

static void answer(const unsigned char *octets, size_t length)
{
    size_t i;
    for (i = 0; i < length; i++)
        printf("%02x", octets[i]);
    printf("\n");
}

static int lattice(lines *data, unsigned char *out)
{
    const char *what = data->field[0];
    const unsigned char *given, *context, *m, *sig;
    size_t length = lines_octets(data, 1, &given), context_length, m_length, out_length = 4096;
    lanner_fn_dsa_key key;
    lanner_fn_dsa_public public_key;
    int status;
    if (strcmp(what, "fnpublic") == 0) {
        status = lanner_fn_dsa_key_from_bytes(&key, LANNER_FN_DSA_MAIN, given, length, NULL, 0);
        if (status == LANNER_OK)
            status = lanner_fn_dsa_key_public(&key, out, &out_length);
        if (status == LANNER_OK)
            answer(out, out_length);
        return status;
    }
    context_length = lines_octets(data, 2, &context);
    m_length = lines_octets(data, 3, &m);
    if (strcmp(what, "fnsign") == 0) {
        status = lanner_fn_dsa_key_from_bytes(&key, LANNER_FN_DSA_MAIN, given, length, NULL, 0);
        if (status == LANNER_OK)
            status = lanner_fn_dsa_sign(&key, context, context_length, LANNER_FN_DSA_RAW, m,
                                        m_length, out, NULL, 0);
        if (status == LANNER_OK)
            answer(out, lanner_fn_dsa_signature_bytes(length == 1281 ? 512 : 1024));
        return status;
    }
    status = lanner_fn_dsa_public_from_bytes(&public_key, LANNER_FN_DSA_MAIN, given, length);
    if (status == LANNER_OK) {
        length = lines_octets(data, 4, &sig);
        printf("%s\n", lanner_fn_dsa_verify(&public_key, context, context_length,
                                            LANNER_FN_DSA_RAW, m, m_length, sig, length) ==
                               LANNER_OK
                           ? "valid"
                           : "invalid");
    }
    return status;
}

int main(void)
{
    lines *data = (lines *)malloc(sizeof *data);
    static unsigned char out[4096];
    if (data == NULL)
        return EXIT_FAILURE;
    data->file = stdin;
    while (lines_next(data)) {
        const char *what = data->field[0];
        const unsigned char *m, *context;
        lanner_ed25519_key key;
        size_t length;
        if (strcmp(what, "sign") == 0) {
            length = lines_octets(data, 2, &m);
            ed25519_sign(m, length, lines_exactly(data, 1, 32), NULL, out);
            answer(out, 64);
        } else if (strcmp(what, "verify") == 0) {
            length = lines_octets(data, 2, &m);
            printf("%s\n", ed25519_sign_open(m, length, lines_exactly(data, 1, 32),
                                             lines_exactly(data, 3, 64)) == 0
                               ? "valid"
                               : "invalid");
        } else if (strcmp(what, "public") == 0) {
            ed25519_publickey(lines_exactly(data, 1, 32), out);
            answer(out, 32);
        } else if (strcmp(what, "ph") == 0) {
            size_t context_length = lines_octets(data, 2, &context);
            length = lines_octets(data, 3, &m);
            if (lanner_ed25519_key_from_seed(&key, lines_exactly(data, 1, 32)) != LANNER_OK ||
                lanner_ed25519ph_sign(&key, context, context_length, m, length, out) != LANNER_OK)
                return EXIT_FAILURE;
            answer(out, 64);
        } else if (strcmp(what, "x25519") == 0) {
            curve25519_donna(out, lines_exactly(data, 1, 32), lines_exactly(data, 2, 32));
            answer(out, 32);
        } else if (strcmp(what, "pem") == 0) {
            length = sizeof out;
            if (lanner_ed25519_key_from_seed(&key, lines_exactly(data, 1, 32)) != LANNER_OK ||
                lanner_ed25519_key_to_pem(&key, (char *)out, &length) != LANNER_OK)
                return EXIT_FAILURE;
            answer(out, length - 1);
        } else if (strcmp(what, "unpem") == 0) {
            length = lines_octets(data, 1, &m);
            if (lanner_ed25519_key_from_pem(&key, (const char *)m, length) != LANNER_OK ||
                lanner_ed25519_key_public(&key, out) != LANNER_OK)
                return EXIT_FAILURE;
            answer(out, 32);
        } else if (strncmp(what, "fn", 2) == 0) {
            if (lattice(data, out) != LANNER_OK)
                return EXIT_FAILURE;
        } else {
            fprintf(stderr, "unknown request: %s\n", what);
            return EXIT_FAILURE;
        }
        fflush(stdout);
    }
    free(data);
    return EXIT_SUCCESS;
}
