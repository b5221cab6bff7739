// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// What of a file's status is another one when the file is.
struct FileStamp: Equatable {
  let size: UInt64
  let modifiedAt: UInt64
  let changedAt: UInt64
  let number: UInt64

  /// The stamp of no file: what has it is read again.
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
  /// How long a status may stand for two versions of a file, in nanoseconds: FAT counts in two seconds.
  private static let doubt: Int64 = 2_000_000_000

  /// From when on a change is too recent to be sure that there is no other one behind it.
  static func doubtfulFrom(_ now: Instant) -> Int64 {
    let (start, overflows) = now.secondsSinceEpoch.multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? .min : start.subtractingReportingOverflow(doubt).partialValue
  }

  /// Whether the file may have been changed again without its being seen.
  func isDoubtful(at now: Instant) -> Bool { changedAt >= Self.doubtfulFrom(now) }
}
