// SPDX-License-Identifier: Apache-2.0
// To be preloaded: the allocation number FAIL_AT of the process, from 1, finds no memory; the others do.
// COUNT_TO names a file that takes how many there were.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);

static atomic_long calls;
static long fail_at;

__attribute__((constructor)) static void begin(void) {
  const char* const at = getenv("FAIL_AT");
  fail_at = at ? atol(at) : 0;
  calls = 0;
}

__attribute__((destructor)) static void end(void) {
  const char* const file = getenv("COUNT_TO");
  const long count = calls;
  if (!file) return;
  const int out = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (out < 0 || dprintf(out, "%ld\n", count) < 0) abort();
  close(out);
}

static int fails(void) {
  if (atomic_fetch_add(&calls, 1) + 1 != fail_at) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return fails() ? NULL : __libc_realloc(old, size); }
