/* A plugin of qemu that tells which blocks of instructions a program executes between two calls of a function, the
 * second and the third, and so on: 16 bytes for each, address and number of instructions in the order of this machine.
 * The first line of each stretch is the function's own, and so is the line behind its end.
 *
 * Arguments: mark=ADDRESS of the function, out=FILE. The declarations are those of qemu's plugin interface that are the
 * same in all of its versions, so that its header need not be installed; API is the version that qemu is told. */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t plugin;
struct qemu_plugin_tb;

extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin, void (*)(plugin, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int, void *);
extern void qemu_plugin_register_atexit_cb(plugin, void (*)(plugin, void *), void *);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);

__attribute__((visibility("default"))) int qemu_plugin_version = API;

struct block {
	uint64_t address;
	uint64_t length;
};

static uint64_t mark;
static int inside;
static FILE *out;

static void executed(unsigned cpu, void *data)
{
	const struct block *block = data;

	(void)cpu;
	if (block->address == mark)
		inside = !inside;
	else if (!inside)
		return;
	fwrite(block, sizeof(*block), 1, out);
}

static void translated(plugin id, struct qemu_plugin_tb *tb)
{
	/* Blocks live as long as the program: it has some thousands. */
	struct block *block = malloc(sizeof(*block));

	(void)id;
	if (!block)
		abort();
	block->address = qemu_plugin_tb_vaddr(tb);
	block->length = qemu_plugin_tb_n_insns(tb);
	qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, 0, block);
}

static void at_exit(plugin id, void *data)
{
	(void)id;
	(void)data;
	fclose(out);
}

__attribute__((visibility("default"))) int qemu_plugin_install(plugin id, const void *info, int argc, char **argv)
{
	int i;

	(void)info;
	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "mark=", 5))
			mark = strtoull(argv[i] + 5, NULL, 16);
		else if (!strncmp(argv[i], "out=", 4))
			out = fopen(argv[i] + 4, "wb");
	}
	if (!mark || !out)
		return 1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, at_exit, NULL);
	return 0;
}
