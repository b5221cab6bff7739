// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "cfiles.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

// The number of notices that one call takes.
#define NOTICE_LIMIT 10000

// A timer that never expires, but is cancelled when the wall clock is set. A resume from suspend sets it.
static int arm(int descriptor) {
  struct itimerspec never = {.it_value = {.tv_sec = (time_t)1 << 40}};
  return timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
}

int cfiles_open_clock_watch(void) {
  int descriptor = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (descriptor < 0) return -1;
  if (arm(descriptor) == 0) return descriptor;
  int number = errno;
  close(descriptor);
  errno = number;
  return -1;
}

int cfiles_take_clock_change(int descriptor) {
  uint64_t count;
  // The read reports the cancellation as an error.
  (void)!read(descriptor, &count, sizeof count);
  return arm(descriptor);
}

int cfiles_open_network_watch(void) {
  int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (descriptor < 0) return -1;
  struct sockaddr_nl address = {
    .nl_family = AF_NETLINK,
    .nl_groups = RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_LINK,
  };
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  int number = errno;
  close(descriptor);
  errno = number;
  return -1;
}

void cfiles_take_network_changes(int descriptor) {
  char notice[8192];
  for (int i = 0; i < NOTICE_LIMIT; i++) {
    ssize_t length = recv(descriptor, notice, sizeof notice, 0);
    // After an overflow (ENOBUFS) further notices follow.
    if (length < 0 && errno != EINTR && errno != ENOBUFS) return;
  }
}

// The text of an address that reaches other machines.
static int write_address(const struct sockaddr *address, char *text, size_t size) {
  if (address->sa_family == AF_INET) {
    const struct in_addr *ip = &((const struct sockaddr_in *)address)->sin_addr;
    uint32_t number = ntohl(ip->s_addr);
    if (number >> 24 == 127 || number >> 16 == 0xA9FE) return 0;
    return inet_ntop(AF_INET, ip, text, (socklen_t)size) != NULL;
  }
  if (address->sa_family == AF_INET6) {
    const struct in6_addr *ip = &((const struct sockaddr_in6 *)address)->sin6_addr;
    if (IN6_IS_ADDR_LOOPBACK(ip) || IN6_IS_ADDR_LINKLOCAL(ip)) return 0;
    return inet_ntop(AF_INET6, ip, text, (socklen_t)size) != NULL;
  }
  return 0;
}

long cfiles_list_addresses(char *buffer, size_t size) {
  struct ifaddrs *list;
  if (getifaddrs(&list) != 0) return -1;
  size_t length = 0;
  for (struct ifaddrs *entry = list; entry != NULL; entry = entry->ifa_next) {
    unsigned int needed = IFF_UP | IFF_RUNNING;
    if (entry->ifa_addr == NULL || (entry->ifa_flags & needed) != needed) continue;
    char text[INET6_ADDRSTRLEN];
    if (!write_address(entry->ifa_addr, text, sizeof text)) continue;
    size_t count = strlen(text);
    if (size - length < count + 1) break;
    memcpy(buffer + length, text, count);
    buffer[length + count] = '\n';
    length += count + 1;
  }
  freeifaddrs(list);
  return (long)length;
}
