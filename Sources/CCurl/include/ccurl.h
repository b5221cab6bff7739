// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A coarse shim over libcurl: whole requests in, whole answers out. libcurl's functions that take a
// variable number of arguments cannot be called from Swift, and its callbacks would hand pointers
// into Swift in the middle of a transfer; here both stay in C. A loop belongs to one thread, except
// for ccurl_loop_wake; a transfer belongs to whoever holds it.

/// The name of a case in Swift.
#define CCURL_NAME(name) __attribute__((swift_name(name)))

/// A request on its way, with the answer as far as it has come.
typedef struct ccurl_transfer ccurl_transfer;

/// The transfers that are under way, and the connections that are kept open for the next ones.
typedef struct ccurl_loop ccurl_loop;

/// How a transfer ended.
typedef enum __attribute__((enum_extensibility(closed))) {
  CCURL_DONE CCURL_NAME("done"),  ///< There is a whole answer.
  CCURL_UNREACHABLE CCURL_NAME("unreachable"),  ///< No connection could be made.
  CCURL_TIMEOUT CCURL_NAME("timeout"),  ///< A limit of time was reached.
  CCURL_INTERRUPTED CCURL_NAME("interrupted"),  ///< The connection ended before the answer did.
  CCURL_UNTRUSTED CCURL_NAME("untrusted"),  ///< TLS could not be agreed on, or the certificate is not trusted.
  CCURL_TOO_LARGE CCURL_NAME("tooLarge"),  ///< The answer is larger than the limit.
  CCURL_MALFORMED CCURL_NAME("malformed"),  ///< The answer is not HTTP.
  CCURL_FAILED CCURL_NAME("failed"),  ///< Anything else; the message says what.
} ccurl_outcome;

/// How the user is proved to the server.
typedef enum __attribute__((enum_extensibility(closed))) {
  CCURL_BASIC CCURL_NAME("basic"),  ///< With the first request, without being asked (RFC 7617).
  CCURL_DIGEST CCURL_NAME("digest"),  ///< After a first request that only asks for the challenge (RFC 7616).
} ccurl_scheme;

/// The bounds of a transfer.
typedef struct {
  long connect_milliseconds;  ///< To make a connection.
  long idle_seconds;          ///< Without a byte in either direction.
  long total_milliseconds;    ///< From beginning to end.
  size_t header_bytes;        ///< Of the header of the answer.
  size_t body_bytes;          ///< Of the body of the answer.
} ccurl_limits;

/// Whom the server is to be, and who asks; null for what is not set.
typedef struct {
  const char *ca_file;       ///< Certificates in PEM form, instead of those of the system.
  const char *pin;           ///< `sha256//` and a digest in base64, several with semicolons between them.
  const char *certificate;   ///< The certificate of whoever asks, in PEM form.
  const char *key;           ///< Its private key, in PEM form and not encrypted.
} ccurl_identity;

/// A slice of memory that belongs to a transfer and lives as long as it.
typedef struct {
  const uint8_t *bytes;  ///< Null if and only if there are none.
  size_t count;
} ccurl_bytes;

/// The version of libcurl and of the libraries below it, as "libcurl/7.88.1 OpenSSL/3.0.17"; null if the
/// machine has no libcurl.
///
/// This, ccurl_problem and whatever makes something load the library, if nothing has yet.
const char *ccurl_version(void);

/// Why there is no libcurl, for people; null if there is.
const char *ccurl_problem(void);

/// Prepares a request; null if memory is short, libcurl refuses an argument, or there is none.
///
/// `body` is copied; null means a request without a body. `is_direct` keeps a proxy of the
/// environment out.
ccurl_transfer *ccurl_transfer_make(const char *method, const char *url, const uint8_t *body,
                                    size_t body_count, const char *user_agent, bool is_direct,
                                    ccurl_limits limits);

/// Sets whom the server is to be and who asks; false if libcurl refuses it.
bool ccurl_transfer_set_identity(ccurl_transfer *transfer, ccurl_identity identity);

/// Lets the answer come compressed, and inflates it on the way, within the limits of the body; false
/// if libcurl cannot.
bool ccurl_transfer_accept_compression(ccurl_transfer *transfer);

/// Adds a line of the header, as `Depth: 1`; false if memory is short.
bool ccurl_transfer_add_header(ccurl_transfer *transfer, const char *line);

/// Sets who asks; false if memory is short.
bool ccurl_transfer_set_credentials(ccurl_transfer *transfer, const char *user,
                                    const char *password, ccurl_scheme scheme);

/// Sets the token that stands for who asks (RFC 6750); false if memory is short.
bool ccurl_transfer_set_token(ccurl_transfer *transfer, const char *token);

/// Frees a transfer, which must not be in a loop.
void ccurl_transfer_free(ccurl_transfer *transfer);

/// How the transfer ended; meaningful once ccurl_loop_take_finished has returned it.
ccurl_outcome ccurl_transfer_outcome(const ccurl_transfer *transfer);

/// What libcurl says about the end of the transfer, for people; never null.
const char *ccurl_transfer_message(const ccurl_transfer *transfer);

/// Whether any byte of an answer came.
bool ccurl_transfer_has_begun(const ccurl_transfer *transfer);

/// The status of the answer.
long ccurl_transfer_status(const ccurl_transfer *transfer);

/// The header of the final answer, without its first line, with the line ends as received.
ccurl_bytes ccurl_transfer_header(const ccurl_transfer *transfer);

/// The body of the final answer.
ccurl_bytes ccurl_transfer_body(const ccurl_transfer *transfer);

/// Makes a loop without transfers; null if memory is short or there is no libcurl.
ccurl_loop *ccurl_loop_make(long connections_per_host);

/// Frees a loop, which must be empty, and closes its connections.
void ccurl_loop_free(ccurl_loop *loop);

/// Keeps signals away from the thread that calls, so that a closed connection is an error only.
void ccurl_loop_block_signals(void);

/// Starts a transfer; false if libcurl refuses it.
bool ccurl_loop_add(ccurl_loop *loop, ccurl_transfer *transfer);

/// Takes a transfer out of the loop, whatever its state.
void ccurl_loop_remove(ccurl_loop *loop, ccurl_transfer *transfer);

/// Moves all transfers on as far as they go without waiting.
void ccurl_loop_move(ccurl_loop *loop);

/// Waits until a transfer can be moved on, or until ccurl_loop_wake is called.
void ccurl_loop_wait(ccurl_loop *loop);

/// Takes the next transfer that has ended out of the loop; null if there is none.
ccurl_transfer *ccurl_loop_take_finished(ccurl_loop *loop);

/// Makes ccurl_loop_run return soon; may be called on any thread.
void ccurl_loop_wake(ccurl_loop *loop);
