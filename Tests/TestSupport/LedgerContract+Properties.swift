// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Testing

/// What runs did to what the calendar says of itself.
extension LedgerContract {
  private static let start = Instant(secondsSinceEpoch: 1_800_000_000)

  private static func done(_ line: PropertyLine) -> PropertyLine {
    var line = line
    line.state = .done
    return line
  }

  /// Changes of all properties on both sides, with values of every kind.
  private static let lines = [
    PropertyLine(
      property: .name, side: .remote, before: "Été\0", after: "Zu Hause\n", agreed: "At\0home"),
    PropertyLine(property: .name, side: .local, before: nil, after: "", agreed: nil),
    PropertyLine(property: .color, side: .local, before: "#102030", after: nil, agreed: ""),
    PropertyLine(property: .order, side: .remote, before: nil, after: nil, agreed: nil),
  ]

  static let propertyClauses = [
    Clause(testDescription: "changes of properties are pending until they are settled, one by one")
    {
      ledger in
      let run = try await ledger.beginRun(of: binding, at: start)
      for line in lines { try await ledger.record(done(line), in: run) }
      #expect(try await ledger.pendingProperties(of: binding) == lines)
      try await ledger.settle(done(lines[2]), in: run)
      var givenUp = lines[1]
      givenUp.state = .givenUp
      try await ledger.settle(givenUp, in: run)
      #expect(try await ledger.pendingProperties(of: binding) == [lines[0], lines[3]])
      let journal = try await ledger.propertyJournal(of: run)
      #expect(journal == [lines[0], givenUp, done(lines[2]), lines[3]])
      // What is settled stays so.
      givenUp.state = .done
      try await ledger.settle(givenUp, in: run)
      #expect(try await ledger.propertyJournal(of: run) == journal)
    },
    Clause(testDescription: "a change of a property that was cut off is settled by a later run") {
      ledger in
      let run = try await ledger.beginRun(of: binding, at: start)
      try await ledger.record(lines[0], in: run)
      let next = try await ledger.beginRun(of: binding, at: start)
      #expect(try await ledger.pendingProperties(of: binding) == [lines[0]])
      try await ledger.settle(done(lines[0]), in: next)
      #expect(try await ledger.pendingProperties(of: binding) == [])
      #expect(try await ledger.propertyJournal(of: run) == [done(lines[0])])
      #expect(try await ledger.propertyJournal(of: next) == [])
    },
    Clause(testDescription: "changes of properties leave the checkpoint at rest") { ledger in
      let run = try await ledger.beginRun(of: binding, at: start)
      let checkpoint = SyncCheckpoint(
        cursor: RemoteCursor("1"), unsettled: [], unlisted: [], snapshot: nil, isAtRest: true,
        verifiedAt: start)
      try await ledger.store(checkpoint, in: run)
      try await ledger.record(lines[0], in: run)
      try await ledger.settle(done(lines[0]), in: run)
      #expect(try await ledger.checkpoint(of: binding) == checkpoint)
    },
    Clause(testDescription: "changes of properties are those of their sync and binding alone") {
      ledger in
      for other in otherBindings {
        let run = try await ledger.beginRun(of: binding, at: start)
        try await ledger.record(lines[0], in: run)
        #expect(try await ledger.pendingProperties(of: other) == [])
        let elsewhere = try await ledger.beginRun(of: other, at: start)
        try await ledger.record(lines[0], in: elsewhere)
        try await ledger.settle(done(lines[0]), in: elsewhere)
        #expect(try await ledger.propertyJournal(of: elsewhere) == [done(lines[0])])
        let isRebound = other.name == binding.name
        let expected: [JournalLine.State] = [isRebound ? .givenUp : .pending]
        #expect(try await ledger.propertyJournal(of: run).map(\.state) == expected)
        _ = try await ledger.beginRun(of: binding, at: start)
        #expect(try await ledger.pendingProperties(of: binding) == (isRebound ? [] : [lines[0]]))
        if !isRebound { try await ledger.settle(done(lines[0]), in: run) }
      }
    },
  ]
}
