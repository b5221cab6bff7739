// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

/// A change to a folder whose bytes are in a temporary file that is not renamed yet.
///
/// It is a class, because a temporary file cannot be copied, and a batch is an array of changes.
final class PreparedChange {
  let change: LocalChange
  private let name: String
  private let revision: Revision?
  private let file: TemporaryFile?
  /// Whether the bytes are already durable.
  var isSynchronized = false
  /// The error of an earlier step.
  private var error: StoreError?

  /// Writes the bytes of a change to a temporary file, which is not durable yet.
  init(_ change: LocalChange, in folder: borrowing OpenFolder) {
    self.change = change
    let bytes: [UInt8]
    switch change {
    case .create(let new):
      (name, bytes) = (ItemName(of: new.uid).rawValue, new.serialized(forStorage: true))
    case .update(let old, _, let new): (name, bytes) = (old, new.serialized(forStorage: true))
    case .putBack(let old, _, let former): (name, bytes) = (old, former)
    case .delete(let old, _):
      name = old
      revision = nil
      file = nil
      return
    }
    revision = Revision(of: bytes)
    do throws(StoreError) {
      let isNew = if case .create = change { true } else { false }
      file = try Self.write(bytes, for: isNew ? nil : name, in: folder)
    } catch {
      file = nil
      self.error = error
    }
  }

  private static func write(
    _ bytes: [UInt8], for name: String?, in folder: borrowing OpenFolder
  ) throws(StoreError) -> TemporaryFile {
    if name == nil, let file = TemporaryFile.makeNameless(in: folder) {
      try file.write(bytes)
      return file
    }
    let file = try TemporaryFile.make(in: folder, permissions: .shared, replacing: name)
    do throws(StoreError) {
      try file.write(bytes)
    } catch {
      file.discard(in: folder)
      throw error
    }
    return file
  }

  /// Makes the bytes durable.
  func synchronize() {
    guard !isSynchronized else { return }
    do throws(StoreError) {
      try file?.synchronize()
    } catch {
      self.error = error
    }
  }

  /// Renames the file, or returns nil if the name of a new item is taken.
  func commit(in folder: borrowing OpenFolder) throws(StoreError) -> LocalOutcome? {
    if let error { throw error }
    guard file != nil else { return nil }
    if case .create = change {
      guard try file?.commit(in: folder, toFree: name) == true else {
        discard(in: folder)
        return nil
      }
    } else {
      try file?.commit(in: folder, replacing: name)
    }
    return .done(name: name, revision: revision)
  }

  /// Removes the file if possible.
  func discard(in folder: borrowing OpenFolder) {
    file?.discard(in: folder)
  }
}
