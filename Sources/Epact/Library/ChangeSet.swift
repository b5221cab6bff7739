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
    let byContent = Dictionary(grouping: intents.filter { $0.content != nil }, by: \.content)
    let removals = Dictionary(grouping: intents.filter { $0.content == nil }) { intent in
      // The name that the file gets when the item is added again.
      "\(intent.folder(in: location))/\(ItemName(of: intent.uid).rawValue)"
    }
    var changes: [FileChange] = []
    for replacement in replacements {
      let before = try replacement.expectedContents()
      let candidates =
        replacement.contents == nil ? removals[replacement.path] : byContent[replacement.contents]
      guard candidates?.contains(where: { $0.describes(replacement, in: location) }) != true else {
        continue
      }
      changes.append(
        FileChange(of: replacement.path, from: before, to: replacement.contents))
    }
    return changes
  }
}

extension Intent {
  fileprivate func folder(in location: String) -> String { href?.rawValue ?? location }

  /// Whether the bytes of the item are those of its file in a folder, before and after the change.
  fileprivate func describes(_ file: FileReplacement, in location: String) -> Bool {
    before.map { Revision(of: $0) } == file.expected
      && file.path.hasPrefix("\(folder(in: location))/")
  }
}
