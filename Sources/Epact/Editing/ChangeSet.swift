// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync

/// Changes of items and the replacements of files that make them: all of them, or none.
///
/// Items that belong together are in one set, such as both places of a moved item. The items of an
/// import are in a set for each file, so that one of them cannot prevent the others.
struct ChangeSet {
  /// The changes of items.
  var intents: [Intent] = []
  /// The files.
  var replacements: [FileReplacement] = []
  /// The reason why the changes cannot be made; nil if they can.
  private(set) var obstacle: BatchError?

  init(_ intents: [Intent], _ replacements: [FileReplacement]) {
    (self.intents, self.replacements) = (intents, replacements)
  }

  /// Joins sets into one, which cannot be made if one of them cannot.
  init(joining sets: [ChangeSet]) {
    intents = sets.flatMap(\.intents)
    replacements = sets.flatMap(\.replacements)
    obstacle = sets.lazy.compactMap(\.obstacle).first
  }

  /// The sets that make changes of a calendar independently: one for each file.
  ///
  /// - Throws: `StoreError` if the calendar cannot be changed.
  static func independent(
    _ changes: [LocalChange], _ intents: [Intent], in calendar: any EditableCalendar
  ) throws -> [ChangeSet] {
    try calendar.plan(changes).map { file in
      var set = ChangeSet(file.changes.map { intents[$0] }, [])
      switch file.replacement {
      case .success(let replacement): set.replacements = [replacement]
      case .failure(let error): set.obstacle = error
      }
      return set
    }
  }

  /// The changes of the files that the intents do not describe completely.
  ///
  /// - Parameter location: The calendar of intents without a path.
  /// - Returns: The changes; none for a file with exactly the bytes of its item.
  /// - Throws: `BatchError` if a file is not as expected.
  func fileChanges(in location: String) throws(BatchError) -> [FileChange] {
    if let obstacle { throw obstacle }
    var changes: [FileChange] = []
    for replacement in replacements {
      let before = try replacement.expectedContents()
      guard !intents.contains(where: { $0.describes(replacement, in: location) }) else { continue }
      changes.append(
        FileChange(of: replacement.path, from: before, to: replacement.contents))
    }
    return changes
  }
}

extension Intent {
  /// Whether the bytes of the item are those of its file in a folder, before and after the change.
  ///
  /// A removed file must have the name that it gets when the item is added again.
  fileprivate func describes(_ file: FileReplacement, in location: String) -> Bool {
    let folder = href?.rawValue ?? location
    guard content == file.contents, before.map({ Revision(of: $0) }) == file.expected,
      file.path.hasPrefix("\(folder)/")
    else { return false }
    return content != nil || file.path == "\(folder)/\(ItemName(of: uid).rawValue)"
  }
}
