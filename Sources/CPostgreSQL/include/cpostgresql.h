// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Connections to PostgreSQL, over libpq.
//
// libpq is loaded when it is needed, and not linked: a ledger in PostgreSQL is for many machines, and
// most users have one. A program that links libpq does not start without it, and loads its libraries for
// TLS, Kerberos and LDAP at each start. No header of libpq is needed to compile this.
//
// Notices of the server are dropped. All functions are for one thread at a time for each connection.

/// The name of a case in Swift.
#define CPOSTGRESQL_NAME(name) __attribute__((swift_name(name)))

/// A connection to a server.
typedef struct pg_conn cpostgresql_connection;

/// The answer to a statement.
typedef struct pg_result cpostgresql_result;

/// What a statement came to.
typedef enum __attribute__((enum_extensibility(closed))) {
  CPOSTGRESQL_COMPLETE CPOSTGRESQL_NAME("complete"),  ///< It is complete and returns no rows.
  CPOSTGRESQL_ROWS CPOSTGRESQL_NAME("rows"),          ///< It is complete and returns rows.
  CPOSTGRESQL_FAILED CPOSTGRESQL_NAME("failed"),      ///< The server refused it, or is gone.
} cpostgresql_status;

/// Loads libpq at the first call; false if it is not installed.
bool cpostgresql_load(void);

/// Connects to a server; null only if memory is short, so that the connection has to be checked.
///
/// Both lists end with null. It takes at most some seconds, without the time for finding the address.
cpostgresql_connection *cpostgresql_connect(const char *const *keywords, const char *const *values,
                                            int seconds);

/// Whether a connection is usable.
bool cpostgresql_is_connected(const cpostgresql_connection *connection);

/// Why a connection is not usable, for people. It names no password.
const char *cpostgresql_problem(const cpostgresql_connection *connection);

/// Whether the connection is encrypted.
bool cpostgresql_is_encrypted(cpostgresql_connection *connection);

/// The address to which the connection goes, as numbers; empty or a path for a socket of this machine.
const char *cpostgresql_host_address(const cpostgresql_connection *connection);

/// The version of the server, as 150018 for 15.18.
int cpostgresql_server_version(const cpostgresql_connection *connection);

/// Whether the transaction has failed, so that it can only be rolled back.
bool cpostgresql_is_transaction_failed(const cpostgresql_connection *connection);
/// Whether there is no transaction, and no statement is being executed.
bool cpostgresql_is_idle(const cpostgresql_connection *connection);

/// Closes a connection.
void cpostgresql_close(cpostgresql_connection *connection);

/// Executes a statement without values.
cpostgresql_result *cpostgresql_execute(cpostgresql_connection *connection, const char *sql);

/// Prepares a statement under a name; `types` has the OIDs of its values, with 0 for unknown ones.
cpostgresql_result *cpostgresql_prepare(cpostgresql_connection *connection, const char *name,
                                        const char *sql, int count, const uint32_t *types);

/// Executes a prepared statement. Values and results are binary; a null is a null address.
cpostgresql_result *cpostgresql_execute_prepared(cpostgresql_connection *connection,
                                                 const char *name, int count,
                                                 const uint8_t *const *values, const int *lengths);

/// What a statement came to; failed for null.
cpostgresql_status cpostgresql_result_status(const cpostgresql_result *result);

/// The SQLSTATE of a failed statement, five characters; null if the connection was lost.
const char *cpostgresql_result_state(const cpostgresql_result *result);

/// The message of a failed statement without details, which may hold values; null if there is none.
const char *cpostgresql_result_message(const cpostgresql_result *result);

/// The number of inserted, changed or deleted rows, as text; empty for other statements.
const char *cpostgresql_result_changed(cpostgresql_result *result);

int cpostgresql_result_rows(const cpostgresql_result *result);
int cpostgresql_result_columns(const cpostgresql_result *result);
const char *cpostgresql_result_name(const cpostgresql_result *result, int column);
uint32_t cpostgresql_result_type(const cpostgresql_result *result, int column);
bool cpostgresql_result_is_null(const cpostgresql_result *result, int row, int column);
const uint8_t *cpostgresql_result_value(const cpostgresql_result *result, int row, int column);
int cpostgresql_result_length(const cpostgresql_result *result, int row, int column);

/// Releases a result.
void cpostgresql_clear(cpostgresql_result *result);
