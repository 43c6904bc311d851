/*
 * bcryptprimitives.dll for a Wine that has none: the one function that Rust's standard library calls, for tests alone.
 */
#include <stddef.h>

unsigned char __stdcall SystemFunction036(void *out, unsigned long length);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *out, size_t length)
{
    return SystemFunction036(out, (unsigned long)length);
}
