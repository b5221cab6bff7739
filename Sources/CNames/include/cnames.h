// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// DNS queries and answers with the system's resolver, and registered domains with the public suffix
// list.

/// The result of a query without an answer.
enum {
  CNAMES_NOTHING = -1,  ///< The name has no records of the type.
  CNAMES_FAILED = -2,   ///< No name server responded in time.
};

/// Queries the system's name servers for records of a type, and waits a few seconds at most.
///
/// Returns the size of the answer; if it is larger than `capacity`, the answer was truncated.
long cnames_query(const char *name, int type, uint8_t *answer, size_t capacity);

/// The types of records in use.
enum {
  CNAMES_TEXT = 16,     ///< TXT (RFC 1035).
  CNAMES_SERVICE = 33,  ///< SRV (RFC 2782).
};

/// A record of an answer.
typedef struct {
  int type;
  size_t start;  ///< The index of the data in the answer.
  size_t size;   ///< The size of the data.
  int priority, weight, port;  ///< Of an SRV record.
} cnames_record;

/// Returns the number of records in an answer (RFC 1035 section 4.1); -1 if the answer is malformed.
int cnames_record_count(const uint8_t *answer, size_t size);

/// Reads a record of an answer, and the host of an SRV record; false if it is malformed.
///
/// The host is terminated by a NUL, and escapes the characters that are not usual in names with `\`.
bool cnames_read_record(const uint8_t *answer, size_t size, int index, cnames_record *record,
                        uint8_t *host, size_t host_capacity);

/// Returns the index at which the registered domain starts in a lower-case host name; -1 if it has
/// none, such as a public suffix.
long cnames_registered_domain(const char *host);
