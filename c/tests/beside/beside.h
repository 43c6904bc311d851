/*
 * The program's own donna and what the program knows of it.
 */
#include "curve25519.h"
#include "ed25519.h"
#include "ed25519_donna_tor.h"

extern int own_is_linked;
