// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

/// Access to the files of a folder as items, for `FolderCalendar` and `FolderAppender`.
extension OpenFolder {
  /// The maximum size of an item's file, equal to the parser's limit for a component.
  private static let itemSizeLimit = 64 << 20

  /// Whether a name can be that of an item: not hidden, and ending in `.ics`.
  static func isItemName(_ name: String) -> Bool {
    !name.hasPrefix(".") && LocalCalendars.hasItemEnding(name)
  }

  func itemBytes(_ name: String) throws(StoreError) -> [UInt8] {
    try openFile(name).readAll(limit: Self.itemSizeLimit)
  }

  /// Reads a file as one item, or returns the reason why it is not one.
  ///
  /// If the known record has the same revision, its fingerprint is used.
  func item(
    _ name: String, in form: NormalForm = NormalForm(), known: LocalRecord? = nil
  ) throws(StoreError) -> Result<LocalEntry, UnreadableItem> {
    let bytes = try itemBytes(name)
    guard !bytes.isEmpty else {
      return .failure(UnreadableItem(reason: "the file is empty, as after a loss of power"))
    }
    let revision = Revision(of: bytes)
    do throws(ItemError) {
      let item = try CalendarItem(
        parsing: bytes, normalForm: form,
        fingerprint: known?.revision == revision ? known?.fingerprint : nil)
      return .success(LocalEntry(name: name, revision: revision, item: item))
    } catch {
      return .failure(UnreadableItem(reason: error.description))
    }
  }
}

/// The reason why a file is not a valid item.
struct UnreadableItem: Error {
  let reason: String
}

extension Revision {
  /// Creates the revision of a file or item from its bytes.
  init(of bytes: [UInt8]) {
    self.init(SHA256.digest(of: bytes).description)
  }
}
