// SPDX-License-Identifier: Apache-2.0

#include "cpostgresql.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <time.h>

typedef void (*notice_processor)(void *, const char *);

// The functions in use: result, name, parameters. The interface has been this one since PostgreSQL 9.0, and
// the name of the library the same since 2006.
#define PQ_FUNCTIONS(of)                                                                          \
  of(struct pg_conn *, PQconnectStartParams, (const char *const *, const char *const *, int))     \
  of(void, PQfinish, (struct pg_conn *))                                                          \
  of(int, PQsocket, (const struct pg_conn *))                                                     \
  of(char *, PQerrorMessage, (const struct pg_conn *))                                            \
  of(int, PQserverVersion, (const struct pg_conn *))                                              \
  of(int, PQsslInUse, (struct pg_conn *))                                                         \
  of(char *, PQhostaddr, (const struct pg_conn *))                                                \
  of(notice_processor, PQsetNoticeProcessor, (struct pg_conn *, notice_processor, void *))        \
  of(struct pg_result *, PQexec, (struct pg_conn *, const char *))                                \
  of(struct pg_result *, PQprepare,                                                               \
     (struct pg_conn *, const char *, const char *, int, const unsigned int *))                   \
  of(struct pg_result *, PQexecPrepared,                                                          \
     (struct pg_conn *, const char *, int, const char *const *, const int *, const int *, int))   \
  of(char *, PQresultErrorField, (const struct pg_result *, int))                                 \
  of(char *, PQcmdTuples, (struct pg_result *))                                                   \
  of(int, PQntuples, (const struct pg_result *))                                                  \
  of(int, PQnfields, (const struct pg_result *))                                                  \
  of(char *, PQfname, (const struct pg_result *, int))                                            \
  of(unsigned int, PQftype, (const struct pg_result *, int))                                      \
  of(int, PQgetisnull, (const struct pg_result *, int, int))                                      \
  of(char *, PQgetvalue, (const struct pg_result *, int, int))                                    \
  of(int, PQgetlength, (const struct pg_result *, int, int))                                      \
  of(void, PQclear, (struct pg_result *))

// The functions that return an enumeration.
#define PQ_STATES(of)                                                                             \
  of(unsigned int, PQconnectPoll, (struct pg_conn *))                                             \
  of(unsigned int, PQstatus, (const struct pg_conn *))                                            \
  of(unsigned int, PQtransactionStatus, (const struct pg_conn *))                                 \
  of(unsigned int, PQresultStatus, (const struct pg_result *))

static struct {
#define PQ_FIELD(result, name, parameters) result(*name) parameters;
  PQ_FUNCTIONS(PQ_FIELD)
  PQ_STATES(PQ_FIELD)
#undef PQ_FIELD
} pq;

// The values of libpq's enumerations and fields.
enum { connection_ok = 0, transaction_idle = 0, transaction_failed = 3 };
enum { polling_failed = 0, polling_reading = 1, polling_ok = 3 };
enum { command_ok = 1, tuples_ok = 2 };
enum { field_state = 'C', field_message = 'M' };

#if __has_include(<postgresql/libpq-fe.h>)
// Where the header is installed, the compiler compares.
#include <postgresql/libpq-fe.h>
#define PQ_COMPARE(result, name, parameters) \
  _Static_assert(__builtin_types_compatible_p(__typeof__(&name), __typeof__(pq.name)), #name);
PQ_FUNCTIONS(PQ_COMPARE)
#undef PQ_COMPARE
#define PQ_COMPARE(result, name, parameters) \
  _Static_assert(sizeof(__typeof__(name(NULL))) == sizeof(unsigned int), #name);
PQ_STATES(PQ_COMPARE)
#undef PQ_COMPARE
_Static_assert(PGRES_POLLING_FAILED == polling_failed && PGRES_POLLING_READING == polling_reading, "");
_Static_assert(PGRES_POLLING_OK == polling_ok, "");
_Static_assert(PG_DIAG_SQLSTATE == field_state && PG_DIAG_MESSAGE_PRIMARY == field_message, "");
_Static_assert(CONNECTION_OK == connection_ok, "");
_Static_assert(PQTRANS_INERROR == transaction_failed, "");
_Static_assert(PQTRANS_IDLE == transaction_idle, "");
_Static_assert(PGRES_COMMAND_OK == command_ok && PGRES_TUPLES_OK == tuples_ok, "");
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded = false;

static void load(void) {
  void *library = dlopen("libpq.so.5", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  bool is_complete = true;
#define PQ_FIND(result, name, parameters) \
  is_complete = is_complete && (pq.name = (result(*) parameters)dlsym(library, #name)) != NULL;
  PQ_FUNCTIONS(PQ_FIND)
  PQ_STATES(PQ_FIND)
#undef PQ_FIND
  is_loaded = is_complete;
}

bool cpostgresql_load(void) {
  pthread_once(&once, load);
  return is_loaded;
}

static void drop(void *context, const char *message) {
  (void)context;
  (void)message;
}

static long long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

// The connection is made in steps, because only a connection that has begun takes the function for notices,
// and the first notice may come before the last step.
cpostgresql_connection *cpostgresql_connect(const char *const *keywords, const char *const *values,
                                            int seconds) {
  if (!cpostgresql_load()) return NULL;
  long long end = milliseconds() + seconds * 1000LL;
  struct pg_conn *connection = pq.PQconnectStartParams(keywords, values, 0);
  if (!connection) return NULL;
  pq.PQsetNoticeProcessor(connection, drop, NULL);
  unsigned int step = 0;
  if (pq.PQsocket(connection) < 0) return connection;
  for (bool is_first = true;; is_first = false) {
    bool is_reading = !is_first && step == polling_reading;
    struct pollfd file = {pq.PQsocket(connection), is_reading ? POLLIN : POLLOUT, 0};
    long long rest = end - milliseconds();
    if (rest <= 0) return connection;
    int ready = poll(&file, 1, (int)rest);
    if (ready == 0 || (ready < 0 && errno != EINTR)) return connection;
    if (ready < 0) continue;
    step = pq.PQconnectPoll(connection);
    if (step == polling_ok || step == polling_failed) return connection;
  }
}

bool cpostgresql_is_connected(const cpostgresql_connection *connection) {
  return connection && pq.PQstatus(connection) == connection_ok;
}

const char *cpostgresql_problem(const cpostgresql_connection *connection) {
  if (!connection) return "memory is short";
  const char *problem = pq.PQerrorMessage(connection);
  return problem[0] ? problem : "it does not answer in time";
}

bool cpostgresql_is_encrypted(cpostgresql_connection *connection) {
  return pq.PQsslInUse(connection) != 0;
}

const char *cpostgresql_host_address(const cpostgresql_connection *connection) {
  return pq.PQhostaddr(connection);
}

int cpostgresql_server_version(const cpostgresql_connection *connection) {
  return pq.PQserverVersion(connection);
}

bool cpostgresql_is_idle(const cpostgresql_connection *connection) {
  return pq.PQtransactionStatus(connection) == transaction_idle;
}

bool cpostgresql_is_transaction_failed(const cpostgresql_connection *connection) {
  return pq.PQtransactionStatus(connection) == transaction_failed;
}

void cpostgresql_close(cpostgresql_connection *connection) {
  if (connection) pq.PQfinish(connection);
}

cpostgresql_result *cpostgresql_execute(cpostgresql_connection *connection, const char *sql) {
  return pq.PQexec(connection, sql);
}

cpostgresql_result *cpostgresql_prepare(cpostgresql_connection *connection, const char *name,
                                        const char *sql, int count, const uint32_t *types) {
  return pq.PQprepare(connection, name, sql, count, types);
}

cpostgresql_result *cpostgresql_execute_prepared(cpostgresql_connection *connection,
                                                 const char *name, int count,
                                                 const uint8_t *const *values, const int *lengths) {
  int formats[64];
  if (count > (int)(sizeof formats / sizeof formats[0])) return NULL;
  for (int place = 0; place < count; place++) formats[place] = 1;
  return pq.PQexecPrepared(connection, name, count, (const char *const *)values, lengths, formats, 1);
}

cpostgresql_status cpostgresql_result_status(const cpostgresql_result *result) {
  if (!result) return CPOSTGRESQL_FAILED;
  switch (pq.PQresultStatus(result)) {
    case command_ok: return CPOSTGRESQL_COMPLETE;
    case tuples_ok: return CPOSTGRESQL_ROWS;
    default: return CPOSTGRESQL_FAILED;
  }
}

const char *cpostgresql_result_state(const cpostgresql_result *result) {
  return result ? pq.PQresultErrorField(result, field_state) : NULL;
}

const char *cpostgresql_result_message(const cpostgresql_result *result) {
  return result ? pq.PQresultErrorField(result, field_message) : NULL;
}

const char *cpostgresql_result_changed(cpostgresql_result *result) { return pq.PQcmdTuples(result); }

int cpostgresql_result_rows(const cpostgresql_result *result) { return pq.PQntuples(result); }

int cpostgresql_result_columns(const cpostgresql_result *result) { return pq.PQnfields(result); }

const char *cpostgresql_result_name(const cpostgresql_result *result, int column) {
  return pq.PQfname(result, column);
}

uint32_t cpostgresql_result_type(const cpostgresql_result *result, int column) {
  return pq.PQftype(result, column);
}

bool cpostgresql_result_is_null(const cpostgresql_result *result, int row, int column) {
  return pq.PQgetisnull(result, row, column) != 0;
}

const uint8_t *cpostgresql_result_value(const cpostgresql_result *result, int row, int column) {
  return (const uint8_t *)pq.PQgetvalue(result, row, column);
}

int cpostgresql_result_length(const cpostgresql_result *result, int row, int column) {
  return pq.PQgetlength(result, row, column);
}

void cpostgresql_clear(cpostgresql_result *result) {
  if (result) pq.PQclear(result);
}
