// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import Hummingbird

/// `/conflicts`: items that both sides changed, with the differences, the choice between them, and a form
/// for other values.
struct ConflictsRoute: Sendable {
  private static let limit = 50
  /// The maximum size in bytes of all values in the form of an item.
  private static let formLimit = 16_000

  let site: Site

  private struct Model: Sendable {
    struct Row: Sendable {
      let name: String
      let base: String
      let here: String
      let there: String
      let isContested: Bool
    }

    /// A field with a value that can be edited.
    struct Field: Sendable {
      let label: String
      let name: String
      let value: String
      /// Whether the value may have several lines.
      let isText: Bool
    }

    struct Form: Sendable {
      let fields: [Field]
      /// Whether other parts are in conflict, too, which have no field.
      let isPartial: Bool
    }

    struct Conflict: Sendable {
      let title: String
      let uid: String
      let sync: String
      let rows: [Row]
      /// The number of rows that do not have to be decided, because they are merged.
      let mergedCount: Int?
      /// The values in conflict; nil if none can be edited here.
      let form: Form?
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
        sync: conflict.sync, rows: rows, mergedCount: merged > 0 ? merged : nil,
        form: Self.form(of: conflict, contested, in: conflicts))
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

  private static func form(
    of conflict: PendingConflict, _ contested: [Conflicts.Difference], in conflicts: Conflicts
  ) -> Model.Form? {
    // Without all versions, there is nothing to merge, and the table says what is there.
    let values = (try? conflicts.values(of: conflict)) ?? []
    let size = values.reduce(0) { $0 + $1.text.utf8.count }
    guard !values.isEmpty, size <= formLimit else { return nil }
    let fields = values.map {
      Model.Field(
        label: "\($0.component) \($0.property)", name: $0.fieldName, value: $0.text,
        isText: $0.isText)
    }
    let isPartial = contested.map(\.row).contains { row in
      !values.contains {
        $0.component == row.component
          && row.subject.split(separator: ", ").contains(Substring($0.property))
      }
    }
    return Model.Form(fields: fields, isPartial: isPartial)
  }

  /// Settles a conflict, or all of them alike.
  func settle(_ request: Request, _ context: PageContext) async throws -> Response {
    let form = try await site.form(request, context)
    return try await site.act("/conflicts", context) {
      let choice: ConflictResolver.Choice? =
        switch form["take"] {
        case "here": .local
        case "there": .remote
        case "both": .both
        case "edited" where form["all"].isEmpty: nil
        default: throw EpactError(.argument, "choose here, there or both, or edit the values")
        }
      let names = form["all"].isEmpty ? [form["sync"]] : []
      return try await site.syncs(names).resolveConflicts { conflicts in
        let chosen = conflicts.pending.filter {
          !form["all"].isEmpty || $0.uid.rawValue == form["uid"] && $0.sync == form["sync"]
        }
        guard !chosen.isEmpty else {
          throw EpactError(.failed, "the conflict was settled meanwhile")
        }
        for conflict in chosen {
          let choice = try choice ?? .edited(Self.item(of: form, conflict, in: conflicts))
          _ = try await conflicts.resolve(conflict, as: choice)
        }
        let what = chosen.count == 1 ? "The conflict is" : "\(chosen.count) conflicts are"
        return SignIn.Notice(lines: ["\(what) settled. The next sync sends the choice."])
      }
    }
  }

  /// The merged item with the values that the form has.
  private static func item(
    of form: FormValues, _ conflict: PendingConflict, in conflicts: Conflicts
  ) throws -> CalendarItem {
    let values = try conflicts.values(of: conflict).compactMap { value -> ConflictValue? in
      guard form.has(value.fieldName) else { return nil }
      let text = form.exact(value.fieldName).replacing("\r\n", with: "\n")
      guard text != HTMLText.shown(value.text) else { return value }
      var new = value
      new.text = text
      return new
    }
    guard !values.isEmpty else { throw EpactError(.argument, "the form has no value") }
    return try conflicts.edited(conflict, setting: values)
  }
}

extension ConflictValue {
  /// The name of its field in the form; without spaces, which browsers send as a plus sign.
  fileprivate var fieldName: String {
    "value/\(component)/\(property)".replacing(" ", with: "/")
  }
}
