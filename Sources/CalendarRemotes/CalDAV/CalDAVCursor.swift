// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// The change cursor of a CalDAV calendar: lines with a name and a value.
///
///     caldav 1
///     path=/calendars/alice/work/
///     count=120
///     ctag=…
///     token=…
struct CalDAVCursor: Hashable, Sendable {
  private static let heading = "caldav 1"

  /// The normalized path of the calendar; a token is valid for this calendar only.
  let path: String
  /// The minimum number of items in the calendar, according to listings and reports.
  let count: Int
  /// The state of the calendar.
  let state: CollectionState

  init(path: String, count: Int, state: CollectionState) {
    self.path = path
    self.count = max(0, count)
    self.state = state
  }

  /// Parses a cursor; nil for one in another format.
  init?(_ cursor: RemoteCursor) {
    let lines = cursor.rawValue.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.first.map(String.init) == Self.heading else { return nil }
    var values: [Substring: String] = [:]
    for line in lines.dropFirst() {
      guard let mark = line.firstIndex(of: "=") else { continue }
      values[line[..<mark]] = String(line[line.index(after: mark)...])
    }
    guard let path = values["path"], let count = values["count"].flatMap({ Int($0) }) else {
      return nil
    }
    self.init(
      path: path, count: count,
      state: CollectionState(ctag: values["ctag"], token: values["token"]))
  }

  /// The cursor for the ledger; nil if a later run could not use it.
  ///
  /// The ctag of an unsettled state is omitted. The token is always stored, because it leads to a
  /// report of all later changes.
  var remembered: RemoteCursor? {
    let ctag = state.isSettled ? state.ctag : nil
    guard ctag != nil || state.token != nil else { return nil }
    var lines = [Self.heading, "path=\(path)", "count=\(count)"]
    if let ctag { lines.append("ctag=\(ctag)") }
    if let token = state.token { lines.append("token=\(token)") }
    return RemoteCursor(lines.joined(separator: "\n"))
  }
}
