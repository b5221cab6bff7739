// SPDX-License-Identifier: Apache-2.0

/// The possible changes in a folder between two calls.
package enum FolderChange: Hashable, Sendable {
  /// Nothing has changed.
  case nothing
  /// The entries with these names may have changed; others have not.
  case names(Set<String>)
  /// Everything may have changed, and further changes are not known.
  case anything

  /// The number of names above which the whole folder is read.
  private static let limit = 4_000

  /// Adds the change of an entry, or of the folder itself if the name is empty.
  mutating func add(_ name: ArraySlice<UInt8>) {
    guard self != .anything else { return }
    guard !name.isEmpty, let text = String(validating: name, as: UTF8.self) else {
      self = .anything
      return
    }
    switch self {
    case .nothing: self = .names([text])
    case .names(var names):
      // The set must not be shared while it grows.
      self = .nothing
      names.insert(text)
      self = names.count > Self.limit ? .anything : .names(names)
    case .anything: break
    }
  }
}

/// Knows which files of a folder change, so that a reader need not look at all of them again.
///
/// ```swift
/// let events = FolderEvents(of: path, by: watcher)   // before the files are read
/// let calendar = try FolderCalendar(path: path, for: .reading)
/// switch events?.take() ?? .anything {               // before they are used again
/// case .nothing: break
/// case .names(let names): print("read again: \(names)")
/// case .anything: print("list the folder again")
/// }
/// ```
///
/// - The system queues an event before the call that changes a file returns (inotify). Therefore
///   ``take()`` returns all changes that were made before it was called, by any process.
/// - Only file systems whose changes all pass through this machine's kernel are supported, and only
///   as long as the path leads to the same folder. In all other cases there is no object, or it
///   returns ``FolderChange/anything``. Then another one is needed.
/// - The system does not report changes by another hard link of a file, and reports those by a
///   mapping into memory when it ends. ``FileVersion/isReported`` excludes the former.
package final class FolderEvents: Sendable {
  private let path: String
  private let watcher: FolderWatcher
  private let status: FileStatus

  /// Begins to record changes; nil if the system does not report all of them.
  package init?(of path: String, by watcher: FolderWatcher) {
    guard let folder = try? OpenFolder(path), let status = try? folder.status(),
      let kind = try? folder.fileSystem().kind, Self.reportedKinds.contains(kind)
    else { return nil }
    self.path = path
    self.watcher = watcher
    self.status = status
    guard watcher.add(self, of: folder) else { return nil }
  }

  deinit { watcher.remove(self) }

  /// Returns what may have changed since the last call, or since the object was created.
  package func take() -> FolderChange {
    let change = watcher.take(self)
    // Another folder may be at the path now, or a link in the path may lead elsewhere.
    guard change != .anything, let now = try? OpenFolder(path).status(),
      now.device == status.device, now.number == status.number
    else { return .anything }
    return change
  }

  /// The file systems of local disks and of memory: ext, XFS, Btrfs, tmpfs, ramfs, F2FS, ZFS,
  /// bcachefs, ReiserFS, JFS, FAT, exFAT, NTFS, and the overlays of containers.
  private static let reportedKinds: Set<UInt64> = [
    0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x8584_58F6, 0xF2F5_2010, 0x2FC1_2FC1,
    0xCA45_1A4E, 0x5265_4973, 0x3153_464A, 0x4D44, 0x2011_BAB0, 0x7366_746E, 0x794C_7630,
  ]
}
