/*
 * The test vectors of hybrid signatures: vectors/data/hybrid.json, of which each field has a line.
 */
#ifndef LANNER_TESTS_HYBRID_VECTORS_H
#define LANNER_TESTS_HYBRID_VECTORS_H

#include <stdio.h>
#include <string.h>

#include "check.h"

#define HYBRID_MOST 4096

struct hybrid_value {
    unsigned char bytes[HYBRID_MOST];
    size_t length;
};

struct hybrid_vector {
    unsigned degree;
    struct hybrid_value seed, public_key, context, message, signature;
};

MAYBE_UNUSED static int hybrid_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

MAYBE_UNUSED static void hybrid_decode(struct hybrid_value *value, const char *text)
{
    value->length = 0;
    while (hybrid_digit(text[0]) >= 0 && hybrid_digit(text[1]) >= 0 &&
           value->length < HYBRID_MOST) {
        value->bytes[value->length++] =
            (unsigned char)(16 * hybrid_digit(text[0]) + hybrid_digit(text[1]));
        text += 2;
    }
    CHECK(*text == '"');
}

/* Reads the next vector; 0 at the end. */
MAYBE_UNUSED static int hybrid_next(FILE *file, struct hybrid_vector *vector)
{
    static char line[2 * HYBRID_MOST + 64];
    while (fgets(line, sizeof line, file) != NULL) {
        const char *colon = strstr(line, "\": \"");
        if (strchr(line, '}') != NULL)
            return 1;
        if (colon == NULL)
            continue;
        colon += 4;
        if (strstr(line, "\"algorithm\"") != NULL)
            vector->degree = strstr(colon, "1024") == NULL ? 512 : 1024;
        else if (strstr(line, "\"seed\"") != NULL)
            hybrid_decode(&vector->seed, colon);
        else if (strstr(line, "\"context\"") != NULL)
            hybrid_decode(&vector->context, colon);
        else if (strstr(line, "\"message\"") != NULL)
            hybrid_decode(&vector->message, colon);
        else if (strstr(line, "\"verifying_key\"") != NULL)
            hybrid_decode(&vector->public_key, colon);
        else if (strstr(line, "\"signature\"") != NULL)
            hybrid_decode(&vector->signature, colon);
    }
    return 0;
}

#endif
