/*
 * Reads test data: a line per case, fields between colons, octets in hexadecimal digits.
 */
#ifndef LANNER_TESTS_LINES_H
#define LANNER_TESTS_LINES_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define LINES_FIELDS 12
#define LINES_LENGTH 65536

typedef struct lines {
    FILE *file;
    char text[LINES_LENGTH];
    char *field[LINES_FIELDS];
    size_t fields;
} lines;

/* Opens dir/name. NULL if there is no such file. */
MAYBE_UNUSED static lines *lines_open(const char *dir, const char *name)
{
    char *path = (char *)malloc(strlen(dir) + strlen(name) + 2);
    lines *data = (lines *)malloc(sizeof *data);
    if (path == NULL || data == NULL)
        exit(EXIT_FAILURE);
    strcpy(path, dir);
    strcat(path, "/");
    strcat(path, name);
    data->file = fopen(path, "r");
    free(path);
    if (data->file == NULL) {
        free(data);
        return NULL;
    }
    return data;
}

/* The next case: 1, or 0 at the end. */
MAYBE_UNUSED static int lines_next(lines *data)
{
    char *rest;
    if (fgets(data->text, sizeof data->text, data->file) == NULL)
        return 0;
    data->text[strcspn(data->text, "\n")] = '\0';
    data->fields = 0;
    for (rest = data->text; data->fields < LINES_FIELDS; rest++) {
        data->field[data->fields++] = rest;
        rest = strchr(rest, ':');
        if (rest == NULL)
            break;
        *rest = '\0';
    }
    return 1;
}

MAYBE_UNUSED static void lines_close(lines *data)
{
    fclose(data->file);
    free(data);
}

MAYBE_UNUSED static int lines_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    fprintf(stderr, "not a hexadecimal digit: %c\n", c);
    exit(EXIT_FAILURE);
}

/* The octets of a field, in place: they take half of its room. Returns their number. */
MAYBE_UNUSED static size_t lines_octets(lines *data, size_t index, const unsigned char **octets)
{
    char *text;
    size_t i, length;
    if (index >= data->fields) {
        fprintf(stderr, "a field is missing\n");
        exit(EXIT_FAILURE);
    }
    text = data->field[index];
    length = strlen(text) / 2;
    for (i = 0; i < length; i++)
        ((unsigned char *)text)[i] = (unsigned char)(lines_digit((unsigned char)text[2 * i]) * 16 +
                                                     lines_digit((unsigned char)text[2 * i + 1]));
    *octets = (const unsigned char *)text;
    return length;
}

/* As many octets as there must be. */
MAYBE_UNUSED static const unsigned char *lines_exactly(lines *data, size_t index, size_t length)
{
    const unsigned char *octets;
    if (lines_octets(data, index, &octets) != length) {
        fprintf(stderr, "a field has the wrong length\n");
        exit(EXIT_FAILURE);
    }
    return octets;
}

#endif
