// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

/// The files of a folder, seen as items: what both `FolderCalendar` and `FolderAppender` do with one.
extension OpenFolder {
  /// The most bytes of a file that is read as an item: as much as the parser takes of a component.
  private static let itemSizeLimit = 64 << 20

  /// Whether a name can be that of an item: not hidden, and ending in `.ics`.
  static func isItemName(_ name: String) -> Bool {
    !name.hasPrefix(".") && LocalCalendars.hasItemEnding(name)
  }

  func itemBytes(_ name: String) throws(StoreError) -> [UInt8] {
    try openFile(name).readAll(limit: Self.itemSizeLimit)
  }

  /// Reads a file as one item; the reason is for people where it is none.
  ///
  /// What it means is told by what is known of it, if it is still that version.
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

/// Why a file is not one item.
struct UnreadableItem: Error {
  let reason: String
}

extension Revision {
  /// The revision of a file or an item with these bytes.
  init(of bytes: [UInt8]) {
    self.init(SHA256.digest(of: bytes).description)
  }
}
