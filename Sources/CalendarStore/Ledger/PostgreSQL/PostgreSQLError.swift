// SPDX-License-Identifier: Apache-2.0

/// An error of PostgreSQL, without the statement and its values, which contain calendar data.
struct PostgreSQLError: Error {
  /// The SQLSTATE, five characters (PostgreSQL, appendix A); nil if the connection was lost.
  let state: String?
  /// The message for people.
  let message: String

  /// Whether the transaction did not fit beside another one, and may succeed when it is repeated:
  /// `serialization_failure` and `deadlock_detected`.
  var isConflict: Bool { state == "40001" || state == "40P01" }

  /// The first two characters of the state.
  private var kind: Substring { (state ?? "08").prefix(2) }

  /// Whether the connection cannot be used any more: it was lost, or the server ends.
  var isDisconnection: Bool {
    guard let state else { return true }
    // After a cancelled query (57014) the connection is still usable.
    return kind == "08" || kind == "57" && state != "57014" || state == "25P03"
  }

  /// The message for people; errors about values repeat them (class 22), and are only named.
  private var finding: String {
    kind == "22" ? "a value is not accepted (\(state ?? ""))" : message
  }

  /// The kind of store error.
  private var code: StoreError.Code {
    switch state {
    case nil: return .disconnected
    // Other transactions did not end in time: lock_not_available, and query_canceled.
    case "55P03", "57014", "40001", "40P01": return .locked
    case "42501", "25006": return .noAccess
    case "3D000": return .notFound
    default: break
    }
    switch kind {
    case "08", "57", "25": return .disconnected
    case "28": return .noAccess
    case "53": return .noSpace
    default: return .failed
    }
  }

  /// The error for users of the store.
  func storeError(_ path: String) -> StoreError { .unusable(path, code: code, finding) }
}
