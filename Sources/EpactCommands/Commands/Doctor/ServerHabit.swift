// SPDX-License-Identifier: Apache-2.0

import Epact

/// A known deviation of a server, and its consequence.
struct ServerHabit: Sendable {
  /// The deviation.
  let habit: String
  /// The consequence for syncs.
  let consequence: String

  private static let all: [(names: [String], habit: ServerHabit)] = [
    (
      ["SOGo", "SOPE"],
      ServerHabit(
        habit: "replaces and deletes whatever the conditions of a request say",
        consequence: "Before each write it is looked what is there; write-only access cannot look.")
    ),
    (
      ["DAViCal"],
      ServerHabit(
        habit: "answers a sync token that it does not know with everything",
        consequence: "Contents are compared, so that this is no change.")
    ),
    (
      ["Cyrus"],
      ServerHabit(
        habit: "takes a UID once for all calendars of a user",
        consequence:
          "An item that is in another calendar of the same user is refused, and reported.")
    ),
    (
      ["Radicale"],
      ServerHabit(
        habit: "takes longer for each new item the more there are",
        consequence: "The first upload of a large calendar may take hours; later ones do not.")
    ),
    (
      ["Xandikos"],
      ServerHabit(
        habit: "takes longer for each change the more items there are",
        consequence: "The first upload of a large calendar may take hours.")
    ),
  ]

  /// The known deviations of a server with a name.
  static func known(of server: String) -> [ServerHabit] {
    all.filter { $0.names.contains { server.contains($0) } }.map(\.habit)
  }
}
