// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Glibc

/// The status of a file.
struct FileStatus: Equatable {
  enum Kind {
    case file, folder, symbolicLink, other
  }

  let kind: Kind
  /// The size in bytes.
  let size: Int
  /// The permission bits.
  let mode: UInt32
  let linkCount: Int
  /// The numeric ID of the user who owns the file.
  let owner: UInt32
  /// The time when the content was changed, in nanoseconds since 1970; any program can set it.
  let modifiedAt: Int64
  /// The time when the content or status was changed, in nanoseconds since 1970.
  let changedAt: Int64
  /// The inode number on its file system.
  let number: UInt64
  /// The device number of the file system, valid while it is mounted.
  let device: UInt64

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    case S_IFLNK: kind = .symbolicLink
    default: kind = .other
    }
    size = Int(status.st_size)
    mode = status.st_mode & 0o777
    linkCount = Int(status.st_nlink)
    owner = status.st_uid
    modifiedAt = Self.nanoseconds(status.st_mtim)
    changedAt = Self.nanoseconds(status.st_ctim)
    number = UInt64(status.st_ino)
    device = UInt64(status.st_dev)
  }
}

extension FileStatus {
  /// A time in nanoseconds, clamped to the range of `Int64`.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    let (product, overflows) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflows else { return time.tv_sec < 0 ? .min : .max }
    return product &+ Int64(time.tv_nsec)
  }
}

/// The parts of a file's status that change with its content.
struct FileStamp: Hashable {
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
