// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>
#include <stdint.h>

// What names on the network mean, by the system's resolver and the public suffix list.

/// How a question to the name servers ended, where there is no answer.
enum {
  CNAMES_NOTHING = -1,  ///< There is nothing of that kind under the name.
  CNAMES_FAILED = -2,   ///< No name server could be asked, or none answered in time.
};

/// Asks the system's name servers for records of a type and waits a few seconds at most.
///
/// Returns the size of the answer, which may be larger than `capacity`: then it was cut off.
long cnames_query(const char *name, int type, uint8_t *answer, size_t capacity);

/// Where the domain that somebody has registered begins in a host name of lower case; -1 if it has none,
/// as a public suffix itself has.
long cnames_registered_domain(const char *host);
