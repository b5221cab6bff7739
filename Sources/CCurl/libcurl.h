// SPDX-License-Identifier: Apache-2.0

#pragma once

// libcurl, which is loaded for the first request instead of with the program: with its thirty
// libraries, loading it takes longer than most commands.

#if !__has_include(<curl/curl.h>)
#error "the header curl/curl.h is missing; .ci/setup installs it (Debian: libcurl4-openssl-dev)"
#endif

// The checks of argument types are macros over the functions, and a table has none of these.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdbool.h>

/// The functions in use, without their prefix `curl_`.
#define CURL_FUNCTIONS(of)                                                                         \
  of(global_init) of(version) of(slist_append) of(slist_free_all) of(easy_init) of(easy_cleanup)   \
  of(easy_setopt) of(easy_getinfo) of(easy_strerror) of(multi_init) of(multi_cleanup)              \
  of(multi_setopt) of(multi_add_handle) of(multi_remove_handle) of(multi_perform) of(multi_poll)   \
  of(multi_info_read) of(multi_wakeup) of(share_init) of(share_setopt) of(share_cleanup)

typedef struct {
#define CURL_FIELD(name) __typeof__(&curl_##name) name;
  CURL_FUNCTIONS(CURL_FIELD)
#undef CURL_FIELD
} ccurl_functions;

/// The functions of libcurl; valid after ccurl_library_load has returned true.
extern ccurl_functions libcurl __attribute__((visibility("hidden")));

/// Loads and initializes libcurl at the first call; false if it is not available.
bool ccurl_library_load(void);

/// Returns the reason why loading failed, for people; null if it succeeded or was not tried.
const char *ccurl_library_problem(void);
