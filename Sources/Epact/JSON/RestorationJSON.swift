// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

extension Restoration {
  /// The sync, the run, the restored items and the others, with the exit status.
  package func json(isDryRun: Bool, exit: Int32) -> JSONValue {
    [
      "dryRun": .bool(isDryRun),
      "sync": .string(sync), "run": JSONValue(run.map { Int($0.rawValue) }),
      "restored": .array(
        items.map { item in
          [
            "uid": .string(item.uid.rawValue), "title": .string(item.title),
            "action": .string(item.action.rawValue), "source": .string(item.source.rawValue),
          ]
        }),
      "properties": .array(properties.map { .string($0.rawValue) }),
      "left": .array(
        left.map { item in
          [
            "uid": .string(item.uid.rawValue), "title": .string(item.title),
            "reason": .string(item.reason), "failed": .bool(item.isFailure),
          ]
        }), "exit": .integer(Int(exit)),
    ]
  }
}
