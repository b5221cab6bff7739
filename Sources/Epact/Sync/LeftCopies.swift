// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync

/// The copies in a calendar that a mirror made which the configuration no longer has.
///
/// They stay until they are deleted, because they no longer have an owner.
public struct LeftCopies: Sendable, Hashable {
  /// The name of the mirror.
  public let mirror: String
  /// The name of the calendar.
  public let calendar: String
  /// The number of copies.
  public let count: Int
  /// The path of the calendar.
  let path: String

  /// The finding in lower case, without a full stop.
  package var message: String {
    "\(Count(count, "copy", plural: "copies")) of the mirror \"\(mirror)\" \(count == 1 ? "is" : "are") left, which the "
      + "configuration does not have for this calendar any more"
  }

  /// How to remove the copies.
  package var remedy: EpactError.Remedy {
    let pattern = "^UID:[0-9a-f]*\(ProjectionKey.suffix(of: mirror))"
    guard !path.hasSuffix(".ics") else {
      return .other("Delete the events whose UID ends in \(ProjectionKey.suffix(of: mirror)).")
    }
    return .other(
      "To remove them: grep -rlZ -- \(ShellWord(pattern)) \(ShellWord(path)) | xargs -0r rm --; to have "
        + "them updated: give the mirror its name and calendar again.")
  }
}

extension SyncSet {
  /// The copies of mirrors that the configuration no longer has, according to the ledger.
  ///
  /// Copies that a mirror of another user or another machine made are not included.
  ///
  /// - Throws: Errors of the ledger; `CancellationError`.
  public func leftCopies() async throws -> [LeftCopies] {
    let ledger = try LedgerFolder(machine: machine, isReadOnly: true)
      .openForViewing()
    let known = Set(
      configuration.mirrors.compactMap { mirror in
        place(of: mirror.calendar).map { [mirror.name, $0.items.location] }
      })
    let left = try await ledger.read { try $0.places(ofKind: MirrorRemote.kind) }
      .filter { !known.contains([$0.name, $0.local]) }
    guard !left.isEmpty else { return [] }
    var found: [LeftCopies] = []
    for name in configuration.calendars.keys.sorted() {
      guard let (path, items) = place(of: name) else { continue }
      let mirrors = left.filter { $0.local == items.location }.map(\.name)
      guard !mirrors.isEmpty else { continue }
      try Task.checkCancellation()
      let uids = try await items.survey(since: nil, in: machine.normalForm, at: machine.now())
        .records().map(\.uid.rawValue)
      for mirror in mirrors {
        let suffix = ProjectionKey.suffix(of: mirror)
        let count = uids.count { $0.hasSuffix(suffix) }
        guard count > 0 else { continue }
        found.append(LeftCopies(mirror: mirror, calendar: name, count: count, path: path))
      }
    }
    return found
  }

  /// A calendar and its path; nil if it does not exist.
  private func place(of calendar: String) -> (path: String, items: any LocalCalendar)? {
    guard
      let place = try? configuration.location(of: calendar),
      let items = try? place.open(for: .reading, knowing: machine.knownNames)
    else { return nil }
    return (place.path, items)
  }
}
