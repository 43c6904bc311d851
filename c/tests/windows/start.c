/*
 * What Microsoft's libraries link into each program, and what cannot be had without them: that floating point is used; the
 * function that touches the pages of a large frame, which the GNU compiler has under another name; and the table of a
 * class that Rust's panics name. (Nothing unwinds here.)
 */
int _fltused = 0x9875;

__asm__(".text\n.globl __chkstk\n__chkstk:\n    jmp ___chkstk_ms\n"
        ".data\n.globl \"??_7type_info@@6B@\"\n\"??_7type_info@@6B@\":\n    .quad 0\n.text\n");
