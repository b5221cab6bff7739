// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A shim over libcurl: complete requests in, complete responses out. Swift cannot call libcurl's
// variadic functions, and libcurl's callbacks would pass pointers to Swift during a transfer; here
// both stay in C. A loop belongs to one thread, except for ccurl_loop_wake. A transfer is used by one
// thread at a time.

/// The name of a case in Swift.
#define CCURL_NAME(name) __attribute__((swift_name(name)))

/// A request with the received part of its response.
typedef struct ccurl_transfer ccurl_transfer;

/// The running transfers, and the open connections for the next ones.
typedef struct ccurl_loop ccurl_loop;

/// The result of a transfer.
typedef enum __attribute__((enum_extensibility(closed))) {
  CCURL_DONE CCURL_NAME("done"),  ///< The response is complete.
  CCURL_UNREACHABLE CCURL_NAME("unreachable"),  ///< The connection failed.
  CCURL_TIMEOUT CCURL_NAME("timeout"),  ///< A time limit was exceeded.
  CCURL_INTERRUPTED CCURL_NAME("interrupted"),  ///< The connection ended before the response.
  CCURL_UNTRUSTED CCURL_NAME("untrusted"),  ///< The TLS handshake failed, or the certificate is not trusted.
  CCURL_TOO_LARGE CCURL_NAME("tooLarge"),  ///< The response exceeds a limit.
  CCURL_MALFORMED CCURL_NAME("malformed"),  ///< The response is not HTTP.
  CCURL_PROXY CCURL_NAME("proxy"),  ///< A proxy refuses the connection.
  CCURL_FAILED CCURL_NAME("failed"),  ///< Any other error; see the message.
} ccurl_outcome;

/// The authentication scheme.
typedef enum __attribute__((enum_extensibility(closed))) {
  CCURL_BASIC CCURL_NAME("basic"),  ///< Sent with the first request (RFC 7617).
  CCURL_DIGEST CCURL_NAME("digest"),  ///< Sent after a request for the challenge (RFC 7616).
} ccurl_scheme;

/// The limits of a transfer.
typedef struct {
  long connect_milliseconds;  ///< For connecting.
  long answer_seconds;        ///< Without a byte in either direction, before the response.
  long idle_seconds;          ///< Without a byte of the response, after its first byte.
  long total_milliseconds;    ///< For the whole transfer.
  size_t header_bytes;        ///< Of the response header.
  size_t body_bytes;          ///< Of the response body.
} ccurl_limits;

/// The trusted servers and the client certificate; null for the defaults.
typedef struct {
  const char *ca_file;       ///< Trusted certificates in PEM format, instead of those of the system.
  const char *pin;           ///< `sha256//` and a digest in base64, several with semicolons between them.
  const char *certificate;   ///< The client certificate, in PEM format.
  const char *key;           ///< Its unencrypted private key, in PEM format.
} ccurl_identity;

/// Memory that a transfer owns.
typedef struct {
  const uint8_t *bytes;  ///< Null if and only if there are none.
  size_t count;
} ccurl_bytes;

/// Returns the version of libcurl and its libraries, such as "libcurl/7.88.1 OpenSSL/3.0.17"; null if
/// libcurl is not installed.
///
/// This function, ccurl_problem and the functions that create something load the library.
const char *ccurl_version(void);

/// Returns the reason why libcurl is not available, for people; null if it is.
const char *ccurl_problem(void);

/// Prepares a request; null if memory is short, libcurl rejects an argument, or is not available.
///
/// `body` is copied; null means a request without a body. `is_direct` ignores the
/// proxies of the environment.
ccurl_transfer *ccurl_transfer_make(const char *method, const char *url, const uint8_t *body,
                                    size_t body_count, const char *user_agent, bool is_direct,
                                    ccurl_limits limits);

/// Sets the trusted servers and the client certificate; false if libcurl rejects them.
bool ccurl_transfer_set_identity(ccurl_transfer *transfer, ccurl_identity identity);

/// Lets the request share a connection with others, if the server has HTTP/2; false if libcurl rejects
/// it. Otherwise the request is one of HTTP/1.1.
bool ccurl_transfer_share_connection(ccurl_transfer *transfer);

/// Accepts a compressed response, and decompresses it within the limit of the body; false if libcurl
/// does not support it.
bool ccurl_transfer_accept_compression(ccurl_transfer *transfer);

/// Rejects connections to addresses of this machine; false if libcurl rejects it.
///
/// A proxy connects for this program, so that its own address is not checked.
bool ccurl_transfer_avoid_this_machine(ccurl_transfer *transfer);

/// Returns whether the only addresses of the server were rejected because they are this machine's.
bool ccurl_transfer_has_avoided(const ccurl_transfer *transfer);

/// Adds a header line, such as `Depth: 1`; false if memory is short.
bool ccurl_transfer_add_header(ccurl_transfer *transfer, const char *line);

/// Sets the user name and the password; false if memory is short.
bool ccurl_transfer_set_credentials(ccurl_transfer *transfer, const char *user,
                                    const char *password, ccurl_scheme scheme);

/// Sets the access token (RFC 6750); false if memory is short.
bool ccurl_transfer_set_token(ccurl_transfer *transfer, const char *token);

/// Frees a transfer, which must not be in a loop.
void ccurl_transfer_free(ccurl_transfer *transfer);

/// Returns the result of a transfer that ccurl_loop_take_finished has returned.
ccurl_outcome ccurl_transfer_outcome(const ccurl_transfer *transfer);

/// Returns the error message of the transfer, for people; never null.
const char *ccurl_transfer_message(const ccurl_transfer *transfer);

/// Returns whether a byte of the response has arrived.
bool ccurl_transfer_has_begun(const ccurl_transfer *transfer);

/// Returns whether libcurl sent the request again because its connection was lost.
///
/// It is always false with libcurl before 7.80.
bool ccurl_transfer_is_resent(const ccurl_transfer *transfer);

/// Returns the status code of the response.
long ccurl_transfer_status(const ccurl_transfer *transfer);

/// Returns whether the response came by HTTP/2.
bool ccurl_transfer_has_streams(const ccurl_transfer *transfer);

/// Returns the time from the start of the request to the end of the response.
int64_t ccurl_transfer_microseconds(const ccurl_transfer *transfer);

/// Returns the time from the start of the request until the connection could be used.
int64_t ccurl_transfer_connect_microseconds(const ccurl_transfer *transfer);

/// Returns the header of the final response without its first line, with the received line ends.
ccurl_bytes ccurl_transfer_header(const ccurl_transfer *transfer);

/// Returns the body of the final response.
ccurl_bytes ccurl_transfer_body(const ccurl_transfer *transfer);

/// Creates a loop without transfers; null if memory is short or libcurl is not available.
ccurl_loop *ccurl_loop_make(long connections_per_host);

/// Frees a loop, which must be empty, and closes its connections.
void ccurl_loop_free(ccurl_loop *loop);

/// Blocks signals on the calling thread, so that a closed connection is only an error.
void ccurl_loop_block_signals(void);

/// Starts a transfer; false if libcurl rejects it.
bool ccurl_loop_add(ccurl_loop *loop, ccurl_transfer *transfer);

/// Removes a transfer from the loop in any state.
void ccurl_loop_remove(ccurl_loop *loop, ccurl_transfer *transfer);

/// Advances all transfers without waiting.
void ccurl_loop_move(ccurl_loop *loop);

/// Waits until a transfer can advance, or until ccurl_loop_wake is called.
void ccurl_loop_wait(ccurl_loop *loop);

/// Removes the next finished transfer from the loop and returns it; null if there is none.
ccurl_transfer *ccurl_loop_take_finished(ccurl_loop *loop);

/// Ends ccurl_loop_wait; can be called on any thread.
void ccurl_loop_wake(ccurl_loop *loop);
