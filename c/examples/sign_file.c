/*
 * Signs a file, and verifies it again.
 *
 *   sign_file keygen KEY.pem PUBLIC.pem
 *   sign_file sign KEY.pem FILE SIGNATURE
 *   sign_file verify PUBLIC.pem FILE SIGNATURE
 *
 * Without arguments it shows all three on a file of its own.
 *
 *   gcc sign_file.c -llanner
 */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <unistd.h>
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanner.h>

static int complain(const char *what, int status)
{
    fprintf(stderr, "%s: %s\n", what, lanner_strerror(status));
    return EXIT_FAILURE;
}

static int read_small(const char *path, char *out, size_t room, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return 0;
    }
    setvbuf(file, NULL, _IONBF, 0);
    *length = fread(out, 1, room, file);
    fclose(file);
    return 1;
}

/* A new file that only its owner may read, where the system has files with owners. */
static FILE *create_secret(const char *path)
{
#if defined(_POSIX_C_SOURCE)
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (file == NULL && descriptor >= 0)
        close(descriptor);
#else
    FILE *file = fopen(path, "wb");
#endif
    return file;
}

static int write_small(const char *path, FILE *file, const void *data, size_t length)
{
    int written;
    /* What goes through a buffer of the C library stays there. */
    if (file != NULL)
        setvbuf(file, NULL, _IONBF, 0);
    written = file != NULL && fwrite(data, 1, length, file) == length;
    if (file != NULL && fclose(file) != 0)
        written = 0;
    if (!written)
        perror(path);
    return written;
}

static int keygen(const char *secret_path, const char *public_path)
{
    lanner_ed25519_key key;
    unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES];
    char secret_pem[LANNER_SECRET_PEM_BYTES], public_pem[LANNER_PUBLIC_PEM_BYTES];
    size_t secret_length = sizeof secret_pem, public_length = sizeof public_pem;
    int written = 0;
    int status = lanner_ed25519_key_generate(&key);
    if (status == LANNER_OK)
        status = lanner_ed25519_key_to_pem(&key, secret_pem, &secret_length);
    if (status == LANNER_OK)
        status = lanner_ed25519_key_public(&key, public_key);
    if (status == LANNER_OK)
        status = lanner_ed25519_public_to_pem(public_key, public_pem, &public_length);
    /* The lengths count the NUL at the end. */
    if (status == LANNER_OK)
        written = write_small(secret_path, create_secret(secret_path), secret_pem,
                              secret_length - 1) &&
                  write_small(public_path, fopen(public_path, "wb"), public_pem,
                              public_length - 1);
    lanner_ed25519_key_clear(&key);
    lanner_wipe(secret_pem, sizeof secret_pem);
    if (status != LANNER_OK)
        return complain("keygen", status);
    return written ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Hands over the file; called twice, so it begins at the beginning. */
static int feed_file(void *user, lanner_sink *sink)
{
    FILE *file = (FILE *)user;
    unsigned char buffer[65536];
    size_t length;
    rewind(file);
    while ((length = fread(buffer, 1, sizeof buffer, file)) > 0)
        if (lanner_sink_update(sink, buffer, length) != LANNER_OK)
            return 1;
    return ferror(file);
}

static int sign(const char *key_path, const char *path, const char *signature_path)
{
    lanner_ed25519_key key;
    unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES];
    char pem[4096];
    size_t length;
    FILE *file;
    int status;
    if (!read_small(key_path, pem, sizeof pem, &length))
        return EXIT_FAILURE;
    status = lanner_ed25519_key_from_pem(&key, pem, length);
    lanner_wipe(pem, sizeof pem);
    if (status != LANNER_OK)
        return complain(key_path, status);
    file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        lanner_ed25519_key_clear(&key);
        return EXIT_FAILURE;
    }
    status = lanner_ed25519_sign_feed(&key, NULL, 0, feed_file, file, signature);
    fclose(file);
    lanner_ed25519_key_clear(&key);
    if (status != LANNER_OK)
        return complain(path, status);
    return write_small(signature_path, fopen(signature_path, "wb"), signature, sizeof signature)
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}

static int verify(const char *public_path, const char *path, const char *signature_path)
{
    lanner_ed25519_verifier verifier;
    unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES], buffer[65536];
    char pem[4096], signature[LANNER_ED25519_SIGNATURE_BYTES + 1];
    size_t length;
    FILE *file;
    int status;
    if (!read_small(public_path, pem, sizeof pem, &length))
        return EXIT_FAILURE;
    status = lanner_ed25519_public_from_pem(public_key, pem, length);
    if (status != LANNER_OK)
        return complain(public_path, status);
    if (!read_small(signature_path, signature, sizeof signature, &length))
        return EXIT_FAILURE;
    if (length != LANNER_ED25519_SIGNATURE_BYTES)
        return complain(signature_path, LANNER_ERROR_LENGTH);
    file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return EXIT_FAILURE;
    }
    status = lanner_ed25519_verifier_init(&verifier, LANNER_ED25519_STRICT, public_key,
                                          (const unsigned char *)signature);
    while (status == LANNER_OK && (length = fread(buffer, 1, sizeof buffer, file)) > 0)
        status = lanner_ed25519_verifier_update(&verifier, buffer, length);
    if (status == LANNER_OK)
        status = ferror(file) ? LANNER_ERROR_CALLBACK : lanner_ed25519_verifier_final(&verifier);
    fclose(file);
    if (status != LANNER_OK)
        return complain(path, status);
    printf("%s: valid\n", path);
    return EXIT_SUCCESS;
}

static int show(void)
{
    static const char text[] = "The quick brown fox jumps over the lazy dog.\n";
    int good;
    /* Of a run that was broken off: a key is never overwritten. */
    remove("example.pem");
    if (!write_small("example.txt", fopen("example.txt", "wb"), text, sizeof text - 1) ||
        keygen("example.pem", "example-public.pem") != EXIT_SUCCESS ||
        sign("example.pem", "example.txt", "example.sig") != EXIT_SUCCESS ||
        verify("example-public.pem", "example.txt", "example.sig") != EXIT_SUCCESS)
        return EXIT_FAILURE;
    /* Another text, the same signature. */
    if (!write_small("example.txt", fopen("example.txt", "wb"), text, sizeof text - 2))
        return EXIT_FAILURE;
    printf("the next line must complain:\n");
    fflush(stdout);
    good = verify("example-public.pem", "example.txt", "example.sig") != EXIT_SUCCESS;
    remove("example.txt");
    remove("example.pem");
    remove("example-public.pem");
    remove("example.sig");
    printf("done\n");
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    if (argc == 1)
        return show();
    if (argc == 4 && strcmp(argv[1], "keygen") == 0)
        return keygen(argv[2], argv[3]);
    if (argc == 5 && strcmp(argv[1], "sign") == 0)
        return sign(argv[2], argv[3], argv[4]);
    if (argc == 5 && strcmp(argv[1], "verify") == 0)
        return verify(argv[2], argv[3], argv[4]);
    fprintf(stderr, "usage: sign_file keygen KEY PUBLIC | sign KEY FILE SIGNATURE | "
                    "verify PUBLIC FILE SIGNATURE\n");
    return EXIT_FAILURE;
}
