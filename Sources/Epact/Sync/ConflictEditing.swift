// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarSync
import ICalSyntax

extension Conflicts {
  /// The merged item, edited by the user; the text has both versions of each conflict.
  ///
  /// - Parameters:
  ///   - conflict: The conflict.
  ///   - edit: Shows a text to the user, and returns the edited text.
  /// - Returns: The edited item, for ``resolve(_:as:)``.
  /// - Throws: `EpactError` if the user edited nothing or left conflict markers, or if the edited
  ///   text is not a valid item or cannot be saved; errors of `edit`.
  public func edited(
    _ conflict: PendingConflict, by edit: ([UInt8]) throws -> [UInt8]
  ) throws -> CalendarItem {
    let merged = try merged(conflict, taking: .local)
    let title = conflict.stored.title
    if let fault = try faults(of: merged, editedFrom: merged, in: conflict).first {
      throw EpactError(.failed, "\"\(title)\" cannot be saved: \(fault.message)")
    }
    let text = ConflictText(
      here: merged.serialized(), there: try self.merged(conflict, taking: .remote).serialized())
    let bytes = try edit(text.bytes)
    guard bytes != text.bytes else {
      throw EpactError(.undecided, "\"\(title)\" is not settled: nothing was edited")
    }
    guard !ConflictText.hasMarks(bytes) else {
      throw EpactError(
        .undecided, "\"\(title)\" is not settled: marks of both versions are left",
        remedy: .other("Edit it again, and delete the lines with <<<<<<<, ======= and >>>>>>>."))
    }
    let item: CalendarItem
    do throws(ItemError) {
      item = try CalendarItem(parsing: ConflictText.withoutNotes(bytes), normalForm: normalForm)
    } catch {
      throw EpactError(.failed, "what was edited is not one item: \(error)")
    }
    return try checked(item, editedFrom: merged, in: conflict)
  }

  /// An edited item, if it can be saved.
  ///
  /// - Throws: `EpactError` with the errors, except for those of the item before.
  func checked(
    _ item: CalendarItem, editedFrom merged: CalendarItem, in conflict: PendingConflict
  ) throws -> CalendarItem {
    let found = try faults(of: item, editedFrom: merged, in: conflict).map(\.message)
    let broken = found.isEmpty ? Self.errors(in: item, besides: Self.errors(in: merged)) : found
    guard broken.isEmpty else {
      throw EpactError(
        .failed, "what was edited cannot be saved: \(broken.joined(separator: "; "))",
        remedy: .other("The conflict waits on; edit it again."))
    }
    return item
  }

  /// The violations of the RFC in an item, such as a second LOCATION.
  private static func errors(in item: CalendarItem, besides known: [String] = []) -> [String] {
    let checker = ComponentChecker()
    return item.components.flatMap { checker.diagnostics(for: $0, in: .calendar) }
      .filter { $0.severity == .error }.map(\.message).filter { !known.contains($0) }
  }
}

/// The editor text of a conflict: the merged item with both versions of each conflict.
///
///     # Both versions of what is in conflict stand between marks. …
///     BEGIN:VEVENT
///     ///     SUMMARY:Budget there
///     ///     END:VEVENT
///
/// No content line begins with a conflict marker (RFC 5545 §3.1), so that remaining markers
/// identify an unresolved conflict.
struct ConflictText {
  /// The maximum lines of a version for a line comparison; longer versions become one block.
  private static let lineLimit = 2_000
  private static let marks = ["<<<<<<<", "=======", ">>>>>>>"].map { Array($0.utf8) }
  private static let note = UInt8(ascii: "#")

  /// The bytes for the editor.
  let bytes: [UInt8]

  /// Creates the text.
  ///
  /// - Parameters:
  ///   - here: The item with the local version of each conflict.
  ///   - there: The item with the remote version of each conflict.
  init(here: [UInt8], there: [UInt8]) {
    let (here, there) = (Self.contentLines(here), Self.contentLines(there))
    let end = here.first?.suffix(2).elementsEqual([13, 10]) == true ? "\r\n" : "\n"
    var text = Array(
      """
      # Both versions of what is in conflict stand between the marks <<<<<<< and >>>>>>>.\(end)\
      # Leave what the item is to say, and delete the marks and these lines.\(end)\
      # While a mark is left, or nothing is edited, the conflict waits on.\(end)
      """.utf8)
    for part in Self.parts(here, there) {
      switch part {
      case .same(let line): text += line
      case .differing(let here, let there):
        text += Array("<<<<<<< here\(end)".utf8) + here.joined() + Array("=======\(end)".utf8)
        text += there.joined() + Array(">>>>>>> there\(end)".utf8)
      }
    }
    bytes = text
  }

  /// Whether the text still has conflict markers.
  static func hasMarks(_ bytes: [UInt8]) -> Bool {
    bytes.split(separator: 10).contains { line in marks.contains { line.starts(with: $0) } }
  }

  /// The edited text without the leading notes.
  static func withoutNotes(_ bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    while rest.first == note {
      guard let end = rest.firstIndex(of: 10) else { return [] }
      rest = rest[(end + 1)...]
    }
    return Array(rest)
  }

  // MARK: Comparing

  private enum Part {
    case same([UInt8])
    case differing([[UInt8]], [[UInt8]])
  }

  /// The content lines with their line ends, each with its continuation lines (RFC 5545 §3.1).
  private static func contentLines(_ bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex(of: 10).map { $0 + 1 } ?? bytes.endIndex
      let line = bytes[start..<end]
      if line.first == 32 || line.first == 9, !lines.isEmpty {
        lines[lines.count - 1] += line
      } else {
        lines.append(Array(line))
      }
      start = end
    }
    return lines
  }

  private static func parts(_ here: [[UInt8]], _ there: [[UInt8]]) -> [Part] {
    let prefix = zip(here, there).prefix { $0 == $1 }.count
    let rest = min(here.count, there.count) - prefix
    let suffix = zip(here.reversed(), there.reversed()).prefix(rest).prefix { $0 == $1 }.count
    let mine = Array(here[prefix..<(here.count - suffix)])
    let theirs = Array(there[prefix..<(there.count - suffix)])
    return here[..<prefix].map { .same($0) } + middle(mine, theirs)
      + here[(here.count - suffix)...].map { .same($0) }
  }

  private static func middle(_ here: [[UInt8]], _ there: [[UInt8]]) -> [Part] {
    guard !here.isEmpty || !there.isEmpty else { return [] }
    guard here.count <= lineLimit, there.count <= lineLimit else {
      return [.differing(here, there)]
    }
    let changes = there.difference(from: here)
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in changes {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var parts: [Part] = []
    var (mine, theirs) = (0, 0)
    while mine < here.count || theirs < there.count {
      let (firstHere, firstThere) = (mine, theirs)
      while removed.contains(mine) { mine += 1 }
      while inserted.contains(theirs) { theirs += 1 }
      if mine > firstHere || theirs > firstThere {
        parts.append(
          .differing(Array(here[firstHere..<mine]), Array(there[firstThere..<theirs])))
      }
      guard mine < here.count, theirs < there.count else { break }
      parts.append(.same(here[mine]))
      (mine, theirs) = (mine + 1, theirs + 1)
    }
    return parts
  }
}
