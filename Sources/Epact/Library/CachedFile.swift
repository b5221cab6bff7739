// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync

/// An item of a calendar in memory.
///
/// It is a class, because tables of thousands of items are copied and filtered.
final class CachedItem: Sendable {
  /// The name of the item in the calendar.
  let name: String
  /// The facts by which queries choose items.
  let summary: ItemSummary
  /// The item; nil if its file was not read, because the index has the summary.
  let entry: LocalEntry?

  /// Creates an item that was read.
  ///
  /// - Parameters:
  ///   - entry: The item.
  ///   - known: The summary of the file at an earlier time, which is used if the revision is the
  ///     same.
  init(_ entry: LocalEntry, known: ItemSummary? = nil) {
    name = entry.name
    summary = known.flatMap { $0.revision == entry.revision ? $0 : nil } ?? ItemSummary(entry)
    self.entry = entry
  }

  /// Creates an item that was not read.
  init(name: String, _ summary: ItemSummary) {
    self.name = name
    self.summary = summary
    entry = nil
  }

  /// The same item without its contents.
  var withoutEntry: CachedItem { CachedItem(name: name, summary) }

  /// Whether both items are the same bytes under the same name.
  func isSame(as other: CachedItem) -> Bool { name == other.name && summary == other.summary }
}

/// A file of a folder with its content.
///
/// It is a class, because lists of thousands of files are copied after each change.
final class CachedFile: Sendable {
  /// The item, or the reason why there is none.
  typealias Content = Result<CachedItem, Unreadable>

  struct Unreadable: Error {
    let reason: String
  }

  /// What is known of the content.
  enum State {
    /// It is that of the version.
    case current
    /// It is that of the version, but the whole item is wanted.
    case wanted
    /// It may be that of an earlier version.
    case stale
  }

  let version: FileVersion
  /// The content, of an earlier version if the file is stale; nil if it was never read.
  let content: Content?
  let state: State
  /// Whether the file must be read before its content is used.
  var isStale: Bool { state != .current }

  init(version: FileVersion, content: Content?, _ state: State = .current) {
    self.version = version
    self.content = content
    self.state = state
  }

  /// Whether the file has an item that was not read.
  var isUnread: Bool {
    if case .success(let item)? = content { item.entry == nil } else { false }
  }

  /// The same file, of which the whole item is wanted.
  var wanted: CachedFile { CachedFile(version: version, content: content, .wanted) }

  /// The summary of the item, if it is that of the version.
  var summary: ItemSummary? {
    guard state != .stale, case .success(let item)? = content else { return nil }
    return item.summary
  }
}

/// The content of a file before and after it was read; nil if there is no file.
struct FileContentChange {
  let old: CachedFile.Content?
  let new: CachedFile.Content?

  /// Whether both contents are the same.
  var isNone: Bool {
    switch (old, new) {
    case (.success(let old)?, .success(let new)?): old.isSame(as: new)
    case (.failure(let old)?, .failure(let new)?): old.reason == new.reason
    case (nil, nil): true
    default: false
    }
  }

  /// The content after the change: the known one if it is the same and was read.
  var current: CachedFile.Content? {
    if isNone, case .success(let item)? = old, item.entry == nil { return new }
    return isNone ? old : new
  }

  /// Whether one of the contents is not an item.
  var concernsUnreadable: Bool {
    [old, new].contains { if case .failure? = $0 { true } else { false } }
  }
}
