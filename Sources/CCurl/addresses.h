// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdbool.h>
#include <sys/socket.h>

/// Whether an address leads to this machine: 127.0.0.0/8, 0.0.0.0/8, ::1 and ::, also as IPv4 in IPv6.
__attribute__((visibility("hidden"))) bool ccurl_is_this_machine(const struct sockaddr *address);
