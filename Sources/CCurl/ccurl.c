// SPDX-License-Identifier: Apache-2.0

#include "ccurl.h"

#include "addresses.h"
#include "libcurl.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

typedef struct {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
  size_t limit;
} buffer;

struct ccurl_transfer {
  CURL *easy;
  struct curl_slist *header_lines;
  buffer header;
  buffer body;
  bool is_too_large;
  bool has_begun;
  /// Whether the status line of the final response has arrived.
  bool is_answering;
  bool is_stalled;
  /// Whether an address of this machine was rejected.
  bool has_avoided;
  /// Whether the request was sent, and no byte of a response has arrived since.
  bool is_sent;
  /// Whether the request was sent again because its connection was lost.
  bool is_resent;
  /// Whether the request may share a connection with others.
  bool is_shared;
  ccurl_limits limits;
  /// The number of sent bytes of the body.
  curl_off_t sent;
  /// The time of the last byte in either direction, in seconds; 0 before the connection.
  int64_t last_activity;
  ccurl_outcome outcome;
  char message[CURL_ERROR_SIZE];
};

struct ccurl_loop {
  CURLM *multi;
  /// The TLS sessions of all transfers. It has no locks: only the loop's thread uses it.
  CURLSH *sessions;
};

/// Appends within the limit; false if there is no room.
static bool buffer_append(buffer *buffer, const char *bytes, size_t count) {
  if (count > buffer->limit - buffer->count) return false;
  if (buffer->count + count > buffer->capacity) {
    size_t capacity = buffer->capacity < 4096 ? 4096 : buffer->capacity;
    while (capacity < buffer->count + count) capacity *= 2;
    uint8_t *grown = realloc(buffer->bytes, capacity);
    if (!grown) return false;
    buffer->bytes = grown;
    buffer->capacity = capacity;
  }
  memcpy(buffer->bytes + buffer->count, bytes, count);
  buffer->count += count;
  return true;
}

static int64_t monotonic_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

/// The time without a byte that is allowed now, in seconds.
///
/// A server may need minutes before the first byte of a response, but not between two bytes.
static long allowed_silence(const ccurl_transfer *transfer) {
  return transfer->is_answering ? transfer->limits.idle_seconds : transfer->limits.answer_seconds;
}

/// Ends a transfer without a byte in either direction for too long; libcurl calls it each second.
static int watch(void *transfer, curl_off_t expected, curl_off_t received, curl_off_t size,
                 curl_off_t sent) {
  (void)expected, (void)received, (void)size;
  ccurl_transfer *target = transfer;
  int64_t now = monotonic_seconds();
  if (target->last_activity == 0 || sent != target->sent) {
    target->last_activity = now;
    target->sent = sent;
  }
  // Whole seconds: the difference is up to one second larger than the time.
  target->is_stalled = now - target->last_activity > allowed_silence(target);
  return target->is_stalled;
}

static size_t receive(ccurl_transfer *transfer, buffer *buffer, const char *bytes, size_t count) {
  transfer->last_activity = monotonic_seconds();
  if (count == 0 || buffer_append(buffer, bytes, count)) return count;
  transfer->is_too_large = true;
  return count + 1;  // Any other number than count ends the transfer.
}

static size_t receive_body(char *bytes, size_t size, size_t count, void *transfer) {
  ccurl_transfer *target = transfer;
  return receive(target, &target->body, bytes, size * count);
}

/// Whether no other response follows, as after "100 Continue" or the challenge before a digest.
static bool is_final(const char *status_line, size_t length) {
  const char *space = memchr(status_line, ' ', length);
  if (!space || status_line + length - space < 4) return true;
  return space[1] != '1' && memcmp(space + 1, "401", 3) != 0;
}

static size_t receive_header(char *bytes, size_t size, size_t count, void *transfer) {
  ccurl_transfer *target = transfer;
  size_t length = size * count;
  target->has_begun = true;
  target->is_sent = false;
  if (length >= 5 && memcmp(bytes, "HTTP/", 5) == 0) {
    target->last_activity = monotonic_seconds();
    target->is_answering = is_final(bytes, length);
    target->header.count = 0;
    target->body.count = 0;
    return length;
  }
  return receive(target, &target->header, bytes, length);
}

#if LIBCURL_VERSION_NUM >= 0x075000
/// Notes that libcurl is about to send the request.
///
/// On a connection that was used before, libcurl sends a request again if the connection ends
/// before the first byte of the response. The server may have carried out the first request.
static int begin_sending(void *transfer, char *server, char *own, int server_port, int own_port) {
  (void)server, (void)own, (void)server_port, (void)own_port;
  ccurl_transfer *target = transfer;
  target->is_resent |= target->is_sent;
  target->is_sent = true;
  return CURL_PREREQFUNC_OK;
}
#endif

static bool set_protocols(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return libcurl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK;
#else
  return libcurl.easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS)) ==
         CURLE_OK;
#endif
}

/// What holds for every request, whatever it asks for.
static bool set_policy(ccurl_transfer *transfer, ccurl_limits limits) {
  CURL *easy = transfer->easy;
  bool ok = set_protocols(easy);
  ok &= libcurl.easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L) == CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L) == CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2) == CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED) == CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) == CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L) == CURLE_OK;
  // A run can wait longer than libcurl's two minutes between requests, and a stale connection is replaced.
  ok &= libcurl.easy_setopt(easy, CURLOPT_MAXAGE_CONN, 3600L) == CURLE_OK;
  // Hrefs are sent back as they were received, dots and all.
  ok &= libcurl.easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L) == CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, limits.connect_milliseconds) ==
        CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_TIMEOUT_MS, limits.total_milliseconds) == CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L) == CURLE_OK;
  // libcurl's own limit is the same before and within the response. It is set only because it
  // makes libcurl call `watch` each second.
  ok &= libcurl.easy_setopt(easy, CURLOPT_LOW_SPEED_TIME,
                            limits.answer_seconds + limits.idle_seconds + 60) == CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_NOPROGRESS, 0L) == CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, watch) == CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_XFERINFODATA, transfer) == CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)limits.body_bytes) ==
        CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive_body) == CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_WRITEDATA, transfer) == CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, receive_header) == CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_HEADERDATA, transfer) == CURLE_OK;
#if LIBCURL_VERSION_NUM >= 0x075000
  // An older library, loaded at run time, lacks this option.
  libcurl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, begin_sending);
  libcurl.easy_setopt(easy, CURLOPT_PREREQDATA, transfer);
#endif
  ok &= libcurl.easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->message) == CURLE_OK;
  ok &= libcurl.easy_setopt(easy, CURLOPT_PRIVATE, transfer) == CURLE_OK;
  return ok;
}

ccurl_transfer *ccurl_transfer_make(const char *method, const char *url, const uint8_t *body,
                                    size_t body_count, const char *user_agent, bool is_direct,
                                    ccurl_limits limits) {
  if (!ccurl_library_load()) return NULL;
  ccurl_transfer *transfer = calloc(1, sizeof *transfer);
  if (!transfer) return NULL;
  transfer->header.limit = limits.header_bytes;
  transfer->body.limit = limits.body_bytes;
  transfer->limits = limits;
  transfer->easy = libcurl.easy_init();
  CURL *easy = transfer->easy;
  bool ok = easy && set_policy(transfer, limits);
  ok = ok && libcurl.easy_setopt(easy, CURLOPT_URL, url) == CURLE_OK;
  ok = ok && libcurl.easy_setopt(easy, CURLOPT_USERAGENT, user_agent) == CURLE_OK;
  if (is_direct) ok = ok && libcurl.easy_setopt(easy, CURLOPT_PROXY, "") == CURLE_OK;
  if (body) {
    // The size comes first: it is how many bytes are copied.
    ok = ok && libcurl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body_count) ==
                   CURLE_OK;
    ok = ok && libcurl.easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, body) == CURLE_OK;
  }
  ok = ok && libcurl.easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method) == CURLE_OK;
  if (ok) return transfer;
  ccurl_transfer_free(transfer);
  return NULL;
}

/// Sets an option that is a text, if there is one.
static bool set_text(CURL *easy, CURLoption option, const char *text) {
  return !text || libcurl.easy_setopt(easy, option, text) == CURLE_OK;
}

bool ccurl_transfer_set_identity(ccurl_transfer *transfer, ccurl_identity identity) {
  CURL *easy = transfer->easy;
  return set_text(easy, CURLOPT_CAINFO, identity.ca_file) &&
         set_text(easy, CURLOPT_PINNEDPUBLICKEY, identity.pin) &&
         set_text(easy, CURLOPT_SSLCERT, identity.certificate) &&
         set_text(easy, CURLOPT_SSLKEY, identity.key) &&
         // Without a password OpenSSL would ask for one on the terminal.
         set_text(easy, CURLOPT_KEYPASSWD, identity.key ? "" : NULL);
}

bool ccurl_transfer_share_connection(ccurl_transfer *transfer) {
  transfer->is_shared = true;
  CURL *easy = transfer->easy;
  return libcurl.easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS) == CURLE_OK &&
         // Wait for a connection in the making, which this request may be able to share.
         libcurl.easy_setopt(easy, CURLOPT_PIPEWAIT, 1L) == CURLE_OK;
}

bool ccurl_transfer_accept_compression(ccurl_transfer *transfer) {
  return set_text(transfer->easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
}

static curl_socket_t open_socket(void *transfer, curlsocktype purpose, struct curl_sockaddr *address) {
  ccurl_transfer *target = transfer;
  if (purpose == CURLSOCKTYPE_IPCXN && ccurl_is_this_machine(&address->addr)) {
    target->has_avoided = true;
    return CURL_SOCKET_BAD;
  }
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

bool ccurl_transfer_avoid_this_machine(ccurl_transfer *transfer) {
  const char *proxies[] = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
  for (size_t place = 0; place < sizeof proxies / sizeof *proxies; place++) {
    const char *proxy = getenv(proxies[place]);
    if (proxy && *proxy) return true;
  }
  CURL *easy = transfer->easy;
  return libcurl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket) == CURLE_OK &&
         libcurl.easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer) == CURLE_OK &&
         // A connection of another request was opened without this check.
         libcurl.easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L) == CURLE_OK;
}

bool ccurl_transfer_has_avoided(const ccurl_transfer *transfer) {
  return transfer->has_avoided && transfer->outcome == CCURL_UNREACHABLE;
}

bool ccurl_transfer_add_header(ccurl_transfer *transfer, const char *line) {
  struct curl_slist *longer = libcurl.slist_append(transfer->header_lines, line);
  if (!longer) return false;
  transfer->header_lines = longer;
  return libcurl.easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, longer) == CURLE_OK;
}

bool ccurl_transfer_set_credentials(ccurl_transfer *transfer, const char *user,
                                    const char *password, ccurl_scheme scheme) {
  long auth = (long)(scheme == CCURL_DIGEST ? CURLAUTH_DIGEST : CURLAUTH_BASIC);
  return libcurl.easy_setopt(transfer->easy, CURLOPT_HTTPAUTH, auth) == CURLE_OK &&
         libcurl.easy_setopt(transfer->easy, CURLOPT_USERNAME, user) == CURLE_OK &&
         libcurl.easy_setopt(transfer->easy, CURLOPT_PASSWORD, password) == CURLE_OK;
}

bool ccurl_transfer_set_token(ccurl_transfer *transfer, const char *token) {
  return libcurl.easy_setopt(transfer->easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER) == CURLE_OK &&
         set_text(transfer->easy, CURLOPT_XOAUTH2_BEARER, token);
}

void ccurl_transfer_free(ccurl_transfer *transfer) {
  if (transfer->easy) libcurl.easy_cleanup(transfer->easy);
  libcurl.slist_free_all(transfer->header_lines);
  free(transfer->header.bytes);
  free(transfer->body.bytes);
  free(transfer);
}

ccurl_outcome ccurl_transfer_outcome(const ccurl_transfer *transfer) { return transfer->outcome; }

const char *ccurl_transfer_message(const ccurl_transfer *transfer) { return transfer->message; }

bool ccurl_transfer_has_begun(const ccurl_transfer *transfer) { return transfer->has_begun; }

bool ccurl_transfer_is_resent(const ccurl_transfer *transfer) { return transfer->is_resent; }

long ccurl_transfer_status(const ccurl_transfer *transfer) {
  long status = 0;
  libcurl.easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

bool ccurl_transfer_has_streams(const ccurl_transfer *transfer) {
  long version = 0;
  libcurl.easy_getinfo(transfer->easy, CURLINFO_HTTP_VERSION, &version);
  return version >= CURL_HTTP_VERSION_2_0;
}

int64_t ccurl_transfer_microseconds(const ccurl_transfer *transfer) {
  curl_off_t time = 0;
  libcurl.easy_getinfo(transfer->easy, CURLINFO_TOTAL_TIME_T, &time);
  return time;
}

int64_t ccurl_transfer_connect_microseconds(const ccurl_transfer *transfer) {
  curl_off_t time = 0;
  libcurl.easy_getinfo(transfer->easy, CURLINFO_PRETRANSFER_TIME_T, &time);
  return time;
}

static ccurl_bytes contents(const buffer *buffer) {
  return (ccurl_bytes){buffer->count > 0 ? buffer->bytes : NULL, buffer->count};
}

ccurl_bytes ccurl_transfer_header(const ccurl_transfer *transfer) {
  return contents(&transfer->header);
}

ccurl_bytes ccurl_transfer_body(const ccurl_transfer *transfer) {
  return contents(&transfer->body);
}

/// Whether an error may come from sharing a connection, such as a header that is too large for
/// libcurl's HTTP/2, which ends the connection with all of its requests.
static bool is_sharing_failure(CURLcode code) {
  switch (code) {
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_UNSUPPORTED_PROTOCOL:  // "Received HTTP/0.9": a response without a readable header.
    case CURLE_WEIRD_SERVER_REPLY:
      return true;
    default:
      return false;
  }
}

/// Whether a proxy refused the connection to the server, for a reason that lasts.
static bool is_proxy_refusal(CURLcode code, const ccurl_transfer *transfer) {
  long status = 0;
  if (code == CURLE_OK) return false;
  libcurl.easy_getinfo(transfer->easy, CURLINFO_HTTP_CONNECTCODE, &status);
  return status >= 400 && status < 500;
}

static ccurl_outcome outcome_of(CURLcode code, const ccurl_transfer *transfer) {
  if (is_proxy_refusal(code, transfer)) return CCURL_PROXY;
  if (transfer->is_shared && is_sharing_failure(code)) return CCURL_INTERRUPTED;
  switch (code) {
    case CURLE_OK:
      return CCURL_DONE;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
      return CCURL_UNREACHABLE;
    case CURLE_OPERATION_TIMEDOUT:
      return CCURL_TIMEOUT;
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
      return CCURL_INTERRUPTED;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      return CCURL_UNTRUSTED;
    case CURLE_FILESIZE_EXCEEDED:
      return CCURL_TOO_LARGE;
    case CURLE_WRITE_ERROR:
      return transfer->is_too_large ? CCURL_TOO_LARGE : CCURL_FAILED;
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_BAD_CONTENT_ENCODING:
      return CCURL_MALFORMED;
    default:
      return CCURL_FAILED;
  }
}

ccurl_loop *ccurl_loop_make(long connections_per_host) {
  if (!ccurl_library_load()) return NULL;
  ccurl_loop *loop = calloc(1, sizeof *loop);
  if (!loop) return NULL;
  loop->multi = libcurl.multi_init();
  loop->sessions = libcurl.share_init();
  if (loop->multi && loop->sessions &&
      libcurl.multi_setopt(loop->multi, CURLMOPT_MAX_HOST_CONNECTIONS, connections_per_host) ==
          CURLM_OK &&
      libcurl.multi_setopt(loop->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX) == CURLM_OK &&
      libcurl.share_setopt(loop->sessions, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION) ==
          CURLSHE_OK) {
    return loop;
  }
  ccurl_loop_free(loop);
  return NULL;
}

void ccurl_loop_free(ccurl_loop *loop) {
  if (loop->multi) libcurl.multi_cleanup(loop->multi);
  if (loop->sessions) libcurl.share_cleanup(loop->sessions);
  free(loop);
}

void ccurl_loop_block_signals(void) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
}

bool ccurl_loop_add(ccurl_loop *loop, ccurl_transfer *transfer) {
  if (libcurl.easy_setopt(transfer->easy, CURLOPT_SHARE, loop->sessions) == CURLE_OK &&
      libcurl.multi_add_handle(loop->multi, transfer->easy) == CURLM_OK) {
    return true;
  }
  libcurl.easy_setopt(transfer->easy, CURLOPT_SHARE, NULL);
  return false;
}

void ccurl_loop_remove(ccurl_loop *loop, ccurl_transfer *transfer) {
  libcurl.multi_remove_handle(loop->multi, transfer->easy);
  // Other threads free the transfer, and must not use the sessions.
  libcurl.easy_setopt(transfer->easy, CURLOPT_SHARE, NULL);
}

void ccurl_loop_move(ccurl_loop *loop) {
  int running = 0;
  libcurl.multi_perform(loop->multi, &running);
}

void ccurl_loop_wait(ccurl_loop *loop) { libcurl.multi_poll(loop->multi, NULL, 0, 60000, NULL); }

ccurl_transfer *ccurl_loop_take_finished(ccurl_loop *loop) {
  int left = 0;
  CURLMsg *message;
  while ((message = libcurl.multi_info_read(loop->multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    CURLcode code = message->data.result;
    char *owner = NULL;
    libcurl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &owner);
    ccurl_transfer *transfer = (ccurl_transfer *)owner;
    transfer->outcome = outcome_of(code, transfer);
    if (transfer->is_stalled) {
      transfer->outcome = CCURL_TIMEOUT;
      snprintf(transfer->message, sizeof transfer->message, "the server sent nothing for %ld s",
               allowed_silence(transfer));
    }
    if (code != CURLE_OK && transfer->message[0] == 0) {
      strncpy(transfer->message, libcurl.easy_strerror(code), sizeof transfer->message - 1);
    }
    ccurl_loop_remove(loop, transfer);
    return transfer;
  }
  return NULL;
}

void ccurl_loop_wake(ccurl_loop *loop) { libcurl.multi_wakeup(loop->multi); }

const char *ccurl_version(void) { return ccurl_library_load() ? libcurl.version() : NULL; }

const char *ccurl_problem(void) { return ccurl_library_load() ? NULL : ccurl_library_problem(); }
