// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// What a CalDAV calendar remembers of its last answer: lines of a name and a value.
///
///     caldav 1
///     path=/calendars/alice/work/
///     count=120
///     ctag=…
///     token=…
struct CalDAVCursor: Hashable, Sendable {
  private static let heading = "caldav 1"

  /// The path of the calendar in one spelling: a token of another calendar means nothing here.
  let path: String
  /// At least how many items the calendar held, as far as listings and reports have told.
  let count: Int
  /// The state of the calendar.
  let state: CollectionState

  init(path: String, count: Int, state: CollectionState) {
    self.path = path
    self.count = max(0, count)
    self.state = state
  }

  /// Reads a cursor; nil for one that is of another form.
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

  /// The cursor as the ledger keeps it; nil if there is nothing in it that a later run could use.
  ///
  /// Of a state that is not settled only the token is kept: it leads to a report, which tells what has
  /// happened since it began.
  var remembered: RemoteCursor? {
    let ctag = state.isSettled ? state.ctag : nil
    guard ctag != nil || state.token != nil else { return nil }
    var lines = [Self.heading, "path=\(path)", "count=\(count)"]
    if let ctag { lines.append("ctag=\(ctag)") }
    if let token = state.token { lines.append("token=\(token)") }
    return RemoteCursor(lines.joined(separator: "\n"))
  }
}
