// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>

// Digests of passwords by argon2id (RFC 9106), over libsodium.
//
// libsodium is loaded when it is needed, and not linked: few users have a password for the page.

/// The name of a case in Swift.
#define CPASSWORD_NAME(name) __attribute__((swift_name(name)))

/// The size of a digest as text, with the NUL byte at its end.
#define CPASSWORD_SIZE 128

/// The result of a call.
typedef enum __attribute__((enum_extensibility(closed))) {
  CPASSWORD_DONE CPASSWORD_NAME("done"),           ///< The digest was made, or is that of the password.
  CPASSWORD_WRONG CPASSWORD_NAME("wrong"),         ///< The digest is not that of the password.
  CPASSWORD_MISSING CPASSWORD_NAME("missing"),     ///< libsodium is not installed.
  CPASSWORD_NO_MEMORY CPASSWORD_NAME("noMemory"),  ///< Memory is short.
} cpassword_result;

/// Makes the digest of a password with a new salt, as text that names its algorithm and parameters.
cpassword_result cpassword_make(const char *password, size_t count, char digest[CPASSWORD_SIZE]);

/// Compares a password with a digest, a text that ends with a NUL byte.
cpassword_result cpassword_check(const char *digest, const char *password, size_t count);
