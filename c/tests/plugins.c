/*
 * A program that is linked with one copy of the library and loads plugins that have another one, or its own: who sets the
 * source of randomness sets it for the copy that it was linked with, and for no other. This file is the program, and
 * with PLUGIN defined the plugin.
 *
 *   plugins apart|together FILE
 */
#include "lanner.h"

#define LENGTH 16

#if defined(PLUGIN)

#include <string.h>

int plugin_draw(unsigned char *out);
void plugin_set(int to_own);

static int source(void *out, size_t length)
{
    memset(out, 0x42, length);
    return 0;
}

int plugin_draw(unsigned char *out)
{
    return lanner_random_bytes(out, LENGTH);
}

void plugin_set(int to_own)
{
    lanner_set_random_source(to_own ? source : NULL);
}

#else

#include <dlfcn.h>

#include "check.h"

/* Whether the library that the program was linked with draws bytes that are all this one. */
static int is(int byte, int (*draw)(unsigned char *))
{
    unsigned char bytes[LENGTH];
    size_t i;
    memset(bytes, 0, sizeof bytes);
    CHECK_IS(draw(bytes), LANNER_OK);
    for (i = 0; i < sizeof bytes; i++)
        if (bytes[i] != byte)
            return 0;
    return 1;
}

static int source(void *out, size_t length)
{
    memset(out, 0x17, length);
    return 0;
}

static int draw(unsigned char *out)
{
    return lanner_random_bytes(out, LENGTH);
}

int main(int argc, char **argv)
{
    void *plugin, *symbol;
    int (*plugin_draw)(unsigned char *) = NULL;
    void (*plugin_set)(int) = NULL;
    int apart;
    if (argc != 3)
        return EXIT_FAILURE;
    apart = strcmp(argv[1], "apart") == 0;
    lanner_set_random_source(source);
    CHECK(is(0x17, draw));
    plugin = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    CHECK(plugin != NULL);
    if (plugin == NULL) {
        puts(dlerror());
        return EXIT_FAILURE;
    }
    /* C has no cast from a pointer to data to one to a function. */
    symbol = dlsym(plugin, "plugin_draw");
    memcpy(&plugin_draw, &symbol, sizeof symbol);
    symbol = dlsym(plugin, "plugin_set");
    memcpy(&plugin_set, &symbol, sizeof symbol);
    CHECK(plugin_draw != NULL && plugin_set != NULL);
    if (plugin_draw == NULL || plugin_set == NULL)
        return EXIT_FAILURE;
    CHECK_IS(is(0x17, plugin_draw), !apart);
    plugin_set(1);
    CHECK(is(0x42, plugin_draw));
    CHECK_IS(is(0x17, draw), apart);
    CHECK_IS(is(0x42, draw), !apart);
    /* A plugin that has a copy of its own leaves nothing behind; another one takes its source back. */
    if (!apart)
        plugin_set(0);
    CHECK_IS(dlclose(plugin), 0);
    CHECK_IS(is(0x17, draw), apart);
    CHECK(!is(0x42, draw));
    return check_report("plugins");
}

#endif
