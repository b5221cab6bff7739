// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The parts of a file's status that change with its content.
struct FileStamp: Equatable {
  let size: UInt64
  let modifiedAt: UInt64
  let changedAt: UInt64
  let number: UInt64

  /// A stamp that equals that of no file, so that the file is read again.
  static let none = FileStamp(size: .max, modifiedAt: .max, changedAt: .max, number: .max)

  init(size: UInt64, modifiedAt: UInt64, changedAt: UInt64, number: UInt64) {
    self.size = size
    self.modifiedAt = modifiedAt
    self.changedAt = changedAt
    self.number = number
  }

  init(_ status: FileStatus) {
    self.init(
      size: UInt64(bitPattern: Int64(status.size)),
      modifiedAt: UInt64(bitPattern: status.modifiedAt),
      changedAt: UInt64(bitPattern: status.changedAt), number: status.number)
  }
}

extension FileStatus {
  /// The time resolution of file systems in nanoseconds; FAT has two seconds.
  private static let doubt: Int64 = 2_000_000_000

  /// The start of the period in which a change may hide a later one with the same status.
  static func doubtfulFrom(_ now: Instant) -> Int64 {
    let (start, overflows) = now.secondsSinceEpoch.multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? .min : start.subtractingReportingOverflow(doubt).partialValue
  }

  /// Whether the file may have been changed again with the same status.
  func isDoubtful(at now: Instant) -> Bool { changedAt >= Self.doubtfulFrom(now) }
}
