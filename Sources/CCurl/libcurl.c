// SPDX-License-Identifier: Apache-2.0

#include "libcurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

ccurl_functions libcurl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded = false;
static char problem[256];

static void load(void) {
  // The name says which interface it is: it has been this one since 2006, on every distribution.
  void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
  bool is_complete = library != NULL;
#define CURL_FIND(name) \
  is_complete = is_complete && \
                (libcurl.name = (__typeof__(libcurl.name))dlsym(library, "curl_" #name)) != NULL;
  CURL_FUNCTIONS(CURL_FIND)
#undef CURL_FIND
  if (!is_complete) {
    const char *reason = dlerror();
    snprintf(problem, sizeof problem, "%s", reason ? reason : "libcurl.so.4 is incomplete");
    return;
  }
  is_loaded = libcurl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  if (!is_loaded) snprintf(problem, sizeof problem, "libcurl could not be initialized");
}

bool ccurl_library_load(void) {
  pthread_once(&once, load);
  return is_loaded;
}

const char *ccurl_library_problem(void) { return problem[0] ? problem : NULL; }
