/*
 * Serves a library that is called from C to the benchmark; bench/kit/src/serve.rs has the protocol.
 *
 *   runner POOL         answers requests until its input ends
 *   runner --version    says which library this is
 */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "peer.h"

/* Single tasks go through so many entries of the pool. */
enum { SINGLES = 128, ENTRY = 32 + 32 + 64 + 32 + 32, MANY = 64 };

typedef struct task {
    char name[64];
    single *one;
    several *some;
    size_t size;
    /* Where the next run begins. */
    size_t next;
} task;

static void fail(const char *what, const char *more)
{
    fprintf(stderr, "runner: %s%s\n", what, more);
    exit(EXIT_FAILURE);
}

static size_t number(const unsigned char *bytes)
{
    return (size_t)bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 |
           (size_t)bytes[3] << 24;
}

static pool read_pool(const char *path)
{
    pool p;
    FILE *file = fopen(path, "rb");
    unsigned char *bytes, *at;
    entry *entries;
    long length;
    size_t i;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (length = ftell(file)) < 8)
        fail("cannot read ", path);
    rewind(file);
    bytes = malloc((size_t)length);
    if (bytes == NULL || fread(bytes, 1, (size_t)length, file) != (size_t)length)
        fail("cannot read ", path);
    fclose(file);
    p.count = number(bytes);
    p.message_length = number(bytes + 4);
    if (p.count < SINGLES || (size_t)length - 8 != p.count * (ENTRY + p.message_length))
        fail("the pool's length is not what its head says: ", path);
    entries = malloc(p.count * sizeof *entries);
    if (entries == NULL)
        fail("no memory", "");
    for (i = 0, at = bytes + 8; i < p.count; i++, at += ENTRY + p.message_length) {
        entries[i].seed = at;
        entries[i].public_key = at + 32;
        entries[i].signature = at + 64;
        entries[i].peer = at + 128;
        entries[i].shared = at + 160;
        entries[i].message = at + 192;
    }
    p.entries = entries;
    return p;
}

/* What stands behind the number of a name such as batch-64-zip215, for each family of tasks. */
static several *family(const char *name, size_t *size)
{
    char *rest;
    several *plain = NULL, *other = NULL;
    const char *suffix = "";
    if (strcmp(name, "x25519-many") == 0) {
        *size = MANY;
        return the_peer.x25519_many;
    }
    if (strncmp(name, "batch-", 6) == 0) {
        plain = the_peer.batch;
        other = the_peer.batch_zip215;
        suffix = "-zip215";
        name += 6;
    } else if (strncmp(name, "each-", 5) == 0) {
        plain = the_peer.each;
        other = the_peer.each_strict;
        suffix = "-strict";
        name += 5;
    } else {
        return NULL;
    }
    *size = (size_t)strtoul(name, &rest, 10);
    if (*size == 0)
        return NULL;
    return *rest == '\0' ? plain : strcmp(rest, suffix) == 0 ? other : NULL;
}

static single *alone(const char *name)
{
    if (strcmp(name, "keygen") == 0)
        return the_peer.keygen;
    if (strcmp(name, "sign") == 0)
        return the_peer.sign;
    if (strcmp(name, "verify") == 0)
        return the_peer.verify;
    if (strcmp(name, "verify-strict") == 0)
        return the_peer.verify_strict;
    if (strcmp(name, "verify-prepared") == 0)
        return the_peer.verify_prepared;
    if (strcmp(name, "x25519-base") == 0)
        return the_peer.x25519_base;
    if (strcmp(name, "x25519") == 0)
        return the_peer.x25519;
    if (strcmp(name, "ristretto-decode") == 0)
        return the_peer.ristretto_decode;
    if (strcmp(name, "ristretto-mul") == 0)
        return the_peer.ristretto_mul;
    return NULL;
}

/* A task that was asked for before, or a new one; NULL where there is none of that name. */
static task *find(const pool *p, const char *name)
{
    static task tasks[100];
    static size_t count;
    task *t = &tasks[count];
    size_t i;
    for (i = 0; i < count; i++)
        if (strcmp(tasks[i].name, name) == 0)
            return &tasks[i];
    t->one = alone(name);
    t->some = family(name, &t->size);
    if (t->one == NULL && (t->some == NULL || t->size > p->count))
        return NULL;
    if (count + 1 == sizeof tasks / sizeof *tasks)
        fail("too many tasks", "");
    strcpy(t->name, name);
    count++;
    return t;
}

static void run(const pool *p, task *t, unsigned long times)
{
    for (; times > 0; times--) {
        int right;
        if (t->one != NULL) {
            right = t->one(p, t->next);
            t->next = (t->next + 1) % SINGLES;
        } else {
            right = t->some(p, t->next, t->size);
            t->next = (t->next + t->size) % (p->count - t->size + 1);
        }
        if (!right)
            fail("a wrong result: ", t->name);
    }
}

/* The verdicts on the entries of another pool: what a row takes for a wrong result is the answer here. */
static void judge(const char *name, const char *path)
{
    pool cases = read_pool(path), one = cases;
    single *single_task = alone(name);
    size_t size = 1, i;
    several *batch = family(name, &size);
    if (single_task == NULL && batch == NULL)
        fail("cannot judge ", name);
    one.count = size;
    for (i = 0; i + size <= cases.count; i += size) {
        one.entries = cases.entries + i;
        putchar((single_task != NULL ? single_task(&one, 0) : batch(&one, 0, size)) ? '1' : '0');
    }
    putchar('\n');
}

static double nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
    char line[512], name[64], path[400];
    unsigned long times;
    pool p;
    if (argc != 2)
        fail("usage: runner POOL | --version", "");
    if (strcmp(argv[1], "--version") == 0) {
        printf("%s\n", the_peer.version());
        return EXIT_SUCCESS;
    }
    p = read_pool(argv[1]);
    if (!the_peer.prepare(&p))
        fail("cannot prepare the keys", "");
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (sscanf(line, "has %63s", name) == 1) {
            printf("%s\n", find(&p, name) != NULL ? "yes" : "no");
        } else if (sscanf(line, "run %63s %lu", name, &times) == 2 && find(&p, name) != NULL) {
            task *t = find(&p, name);
            double begin;
            run(&p, t, 1);
            begin = nanoseconds();
            run(&p, t, times);
            printf("%.0f\n", nanoseconds() - begin);
        } else if (sscanf(line, "judge %63s %399s", name, path) == 2) {
            judge(name, path);
        } else {
            fail("cannot understand: ", line);
        }
        fflush(stdout);
    }
    return EXIT_SUCCESS;
}
