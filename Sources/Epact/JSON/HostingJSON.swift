// SPDX-License-Identifier: Apache-2.0

package import CalendarStore

extension HostedSync.Answer {
  /// The answer, as `sync --accounts` prints it on one line.
  package var json: JSONValue {
    var counts: [String: Int] = [:]
    for sync in syncs {
      for (action, number) in sync.counts { counts[action, default: 0] += number }
    }
    return [
      "account": .string(account), "exit": .integer(outcome.rawValue), "paused": .bool(isPaused),
      "seconds": .number((seconds * 1000).rounded() / 1000), "message": JSONValue(message),
      "changes": .object(
        counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map {
          .init($0.key, .integer($0.value))
        }),
      "syncs": .array(
        syncs.map { sync in
          [
            "name": .string(sync.name), "exit": .integer(sync.outcome.rawValue),
            "message": JSONValue(sync.complaint),
          ]
        }),
    ]
  }
}

extension HostedAccount {
  /// The account with its last outcome, without its configuration.
  package var json: JSONValue {
    [
      "account": .string(name), "every": .integer(interval), "paused": .bool(isPaused),
      "due": .string(dueAt.timestamp), "endedAt": JSONValue(outcome?.endedAt.timestamp),
      "exit": JSONValue(outcome?.status), "message": JSONValue(outcome?.message),
      "lastSuccess": JSONValue(lastSuccess?.timestamp),
      "failures": .integer(failures),
    ]
  }
}

extension HostedAccountCounts {
  /// The numbers.
  package var json: JSONValue {
    [
      "accounts": .integer(accounts), "paused": .integer(paused), "due": .integer(due),
      "never": .integer(never),
      "exits": .object(
        byStatus.sorted { $0.key < $1.key }.map { .init("\($0.key)", .integer($0.value)) }),
      "earliestDue": JSONValue(earliestDue?.timestamp),
      "earliestSuccess": JSONValue(earliestSuccess?.timestamp),
    ]
  }
}
