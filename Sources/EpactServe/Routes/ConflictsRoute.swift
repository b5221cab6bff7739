// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import Hummingbird

/// `/conflicts`: items that both sides changed, with the differences, and the choice between them.
struct ConflictsRoute: Sendable {
  private static let limit = 50

  let site: Site

  private struct Model: Sendable {
    struct Row: Sendable {
      let name: String
      let base: String
      let here: String
      let there: String
      let isContested: Bool
    }

    struct Conflict: Sendable {
      let title: String
      let uid: String
      let sync: String
      let rows: [Row]
      /// The number of rows that do not have to be decided, because they are merged.
      let mergedCount: Int?
    }

    let conflicts: [Conflict]
    let rest: Int?
    let hasSeveral: Bool
  }

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    var set = try site.syncs()
    set.options.isDryRun = true
    let conflicts = try await set.conflicts()
    let shown = conflicts.pending.prefix(Self.limit).map { conflict in
      let all = conflicts.differences(of: conflict)
      let contested = all.filter(\.isContested)
      let rows = (contested.isEmpty ? all : contested).map(Self.row)
      let merged = contested.isEmpty ? 0 : all.count - contested.count
      return Model.Conflict(
        title: ShortText(conflict.stored.title).text, uid: conflict.uid.rawValue,
        sync: conflict.sync, rows: rows, mergedCount: merged > 0 ? merged : nil)
    }
    let rest = conflicts.pending.count - shown.count
    let model = Model(
      conflicts: Array(shown), rest: rest > 0 ? rest : nil, hasSeveral: conflicts.pending.count > 1)
    return site.pages.page("Conflicts", "conflicts", model, context)
  }

  private static func row(_ difference: Conflicts.Difference) -> Model.Row {
    func text(_ index: Int) -> String {
      ShortText(difference.row.values[index].joined(separator: "\n"), limit: 1000).text
    }
    return Model.Row(
      name: "\(difference.row.component) \(difference.row.subject)", base: text(0), here: text(1),
      there: text(2), isContested: difference.isContested)
  }

  /// Settles a conflict, or all of them alike.
  func settle(_ request: Request, _ context: PageContext) async throws -> Response {
    let form = try await site.form(request, context)
    return try await site.act("/conflicts", context) {
      let choice: ConflictResolver.Choice =
        switch form["take"] {
        case "here": .local
        case "there": .remote
        case "both": .both
        default: throw EpactError(.argument, "choose here, there or both")
        }
      let names = form["all"].isEmpty ? [form["sync"]] : []
      return try await site.syncs(names).resolveConflicts { conflicts in
        let chosen = conflicts.pending.filter {
          !form["all"].isEmpty || $0.uid.rawValue == form["uid"] && $0.sync == form["sync"]
        }
        guard !chosen.isEmpty else {
          throw EpactError(.failed, "the conflict was settled meanwhile")
        }
        for conflict in chosen { _ = try await conflicts.resolve(conflict, as: choice) }
        let what = chosen.count == 1 ? "The conflict is" : "\(chosen.count) conflicts are"
        return SignIn.Notice(lines: ["\(what) settled. The next sync sends the choice."])
      }
    }
  }
}
