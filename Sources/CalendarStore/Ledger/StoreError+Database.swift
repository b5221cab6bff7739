// SPDX-License-Identifier: Apache-2.0

import GRDB

extension StoreError {
  /// The error for an unusable ledger, with instructions.
  static func corrupt(_ path: String, _ finding: String) -> StoreError {
    StoreError(
      code: .corrupt, path: path,
      message: "the ledger is damaged (\(finding)); move the file away: the next sync then starts "
        + "over, matches by UID and content and deletes nothing, but access has to be granted anew")
  }

  /// Converts an SQLite error without the statement and arguments, which contain calendar data.
  init(_ error: DatabaseError, path: String) {
    let finding = error.message ?? "\(error.resultCode)"
    switch error.extendedResultCode {
    case .SQLITE_READONLY_ROLLBACK, .SQLITE_READONLY_RECOVERY, .SQLITE_READONLY_CANTINIT:
      self.init(
        code: .interrupted, path: path,
        message: "a write was cut off here, which reading may not repair; the next run that writes "
          + "does")
      return
    default: break
    }
    let code: Code
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      self = .corrupt(path, finding)
      return
    case .SQLITE_BUSY, .SQLITE_LOCKED: code = .locked
    case .SQLITE_FULL: code = .noSpace
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: code = .noAccess
    case .SQLITE_CANTOPEN: code = .notFound
    default: code = .failed
    }
    self.init(code: code, path: path, message: "cannot use the ledger: \(finding)")
  }
}
