// SPDX-License-Identifier: Apache-2.0

#include "addresses.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>

bool ccurl_is_this_machine(const struct sockaddr *address) {
  if (address->sa_family == AF_INET) {
    uint32_t number = ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr);
    return number >> 24 == 127 || number >> 24 == 0;
  }
  if (address->sa_family != AF_INET6) return false;
  const struct in6_addr *long_address = &((const struct sockaddr_in6 *)address)->sin6_addr;
  if (IN6_IS_ADDR_LOOPBACK(long_address) || IN6_IS_ADDR_UNSPECIFIED(long_address)) return true;
  if (!IN6_IS_ADDR_V4MAPPED(long_address)) return false;
  return long_address->s6_addr[12] == 127 || long_address->s6_addr[12] == 0;
}
