// SPDX-License-Identifier: Apache-2.0

#include "cpassword.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

// The interface of libsodium, which has been this one since 1.0.9.
static struct {
  int (*init)(void);
  int (*make)(char *, const char *, unsigned long long, unsigned long long, size_t);
  int (*check)(const char *, const char *, unsigned long long);
} sodium;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded = false;

// 32 MB and three passes: a tenth of a second, and more than OWASP's minimum of 19 MB and two.
static const unsigned long long passes = 3;
static const size_t memory = 32 << 20;

static void load(void) {
  static const char *names[] = {"libsodium.so.26", "libsodium.so.23", "libsodium.so"};
  void *library = NULL;
  for (size_t place = 0; place < sizeof names / sizeof names[0] && !library; place++) {
    library = dlopen(names[place], RTLD_LAZY | RTLD_LOCAL);
  }
  if (!library) return;
  sodium.init = (__typeof__(sodium.init))dlsym(library, "sodium_init");
  sodium.make = (__typeof__(sodium.make))dlsym(library, "crypto_pwhash_str");
  sodium.check = (__typeof__(sodium.check))dlsym(library, "crypto_pwhash_str_verify");
  is_loaded = sodium.init && sodium.make && sodium.check && sodium.init() >= 0;
}

cpassword_result cpassword_make(const char *password, size_t count, char digest[CPASSWORD_SIZE]) {
  pthread_once(&once, load);
  if (!is_loaded) return CPASSWORD_MISSING;
  return sodium.make(digest, password, count, passes, memory) == 0 ? CPASSWORD_DONE
                                                                  : CPASSWORD_NO_MEMORY;
}

cpassword_result cpassword_check(const char *digest, const char *password, size_t count) {
  pthread_once(&once, load);
  if (!is_loaded) return CPASSWORD_MISSING;
  return sodium.check(digest, password, count) == 0 ? CPASSWORD_DONE : CPASSWORD_WRONG;
}
