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

int cnames_record_count(const uint8_t *answer, size_t size) {
  ns_msg message;
  if (size > INT_MAX || ns_initparse(answer, (int)size, &message) != 0) return -1;
  if (ns_msg_count(message, ns_s_qd) > 1) return -1;
  return ns_msg_count(message, ns_s_an);
}

bool cnames_read_record(const uint8_t *answer, size_t size, int index, cnames_record *record,
                        uint8_t *host, size_t host_capacity) {
  ns_msg message;
  ns_rr found;
  if (size > INT_MAX || ns_initparse(answer, (int)size, &message) != 0) return false;
  if (ns_parserr(&message, ns_s_an, index, &found) != 0) return false;
  const uint8_t *data = ns_rr_rdata(found);
  record->type = ns_rr_type(found);
  record->start = (size_t)(data - answer);
  record->size = ns_rr_rdlen(found);
  if (record->type != ns_t_srv) return true;
  if (record->size <= 6) return false;
  record->priority = ns_get16(data);
  record->weight = ns_get16(data + 2);
  record->port = ns_get16(data + 4);
  int used = ns_name_uncompress(answer, answer + size, data + 6, (char *)host, host_capacity);
  return used >= 0 && 6 + (size_t)used == record->size;
}

long cnames_registered_domain(const char *host) {
  const psl_ctx_t *list = psl_builtin();
  if (!list) return -1;
  const char *domain = psl_registrable_domain(list, host);
  return domain ? domain - host : -1;
}
