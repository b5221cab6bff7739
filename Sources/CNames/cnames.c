// SPDX-License-Identifier: Apache-2.0

#include "cnames.h"

#include <arpa/nameser.h>
#include <libpsl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <string.h>

long cnames_query(const char *name, int type, uint8_t *answer, size_t capacity) {
  struct __res_state state;
  memset(&state, 0, sizeof state);
  if (res_ninit(&state) != 0) return CNAMES_FAILED;
  state.retrans = 2;
  state.retry = 2;
  int size = res_nquery(&state, name, ns_c_in, type, answer, capacity > INT_MAX ? INT_MAX : (int)capacity);
  int reason = state.res_h_errno;
  res_nclose(&state);
  if (size >= 0) return size;
  return reason == HOST_NOT_FOUND || reason == NO_DATA ? CNAMES_NOTHING : CNAMES_FAILED;
}

long cnames_registered_domain(const char *host) {
  const psl_ctx_t *list = psl_builtin();
  if (!list) return -1;
  const char *domain = psl_registrable_domain(list, host);
  return domain ? domain - host : -1;
}
