// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import Hummingbird

/// `/history`: past runs, and what each of them did.
struct HistoryRoute: Sendable {
  /// The number of runs and of changes of a page.
  private static let limit = 200

  let site: Site

  private struct List: Sendable {
    struct Row: Sendable {
      let number: String
      let time: String
      let subject: String
      let words: String
    }

    let runs: [Row]
  }

  private struct Run: Sendable {
    struct Change: Sendable {
      let title: String
      let action: String
      let state: String?
      let rows: [Difference]
    }

    struct Difference: Sendable {
      let name: String
      let before: String
      let after: String
    }

    let number: String
    let subject: String
    let time: String
    let changes: [Change]
    let rest: Int?
    let canUndo: Bool
    let canAllow: Bool
  }

  func list(_ request: Request, _ context: PageContext) async throws -> Response {
    let history = try History(machine: site.machine)
    let runs = Array(try await history.runs(of: nil).prefix(Self.limit))
    let titles = try await history.titles(of: runs)
    let rows = runs.map { run in
      List.Row(
        number: "\(run.id.rawValue)", time: site.machine.localTime(run.startedAt),
        subject: Self.subject(of: run), words: Self.words(of: run, titles[run.id]))
    }
    return site.pages.page("History", "history", List(runs: rows), context)
  }

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    guard let number = context.parameters.get("run").flatMap({ Int64($0) }) else {
      throw Hummingbird.HTTPError(.notFound)
    }
    let changes = try await History(machine: site.machine).changes(ofRun: number)
    let form = site.machine.normalForm
    let model = Run(
      number: "\(number)", subject: Self.subject(of: changes.run),
      time: site.machine.localTime(changes.run.startedAt),
      changes: changes.items.prefix(Self.limit).map { Self.change($0, form) },
      rest: changes.items.count > Self.limit ? changes.items.count - Self.limit : nil,
      canUndo: changes.items.contains(where: \.isDone), canAllow: !changes.run.isEdit)
    return site.pages.page("Run \(number)", "run", model, context)
  }

  private static func subject(of run: PastRun) -> String {
    if run.isEdit { return "edit" }
    if let change = run.binding?.calendarChange { return change.words }
    if let calendar = run.importedCalendar { return "import into \(calendar)" }
    return run.sync
  }

  private static func words(of run: PastRun, _ title: String?) -> String {
    let words = run.summary.phrases(downloaded: run.written)
    let undone = run.undoes.map { ["takes back run \($0.rawValue)"] } ?? []
    let quoted = title.map { ["“\(ShortText($0).text)”"] } ?? []
    let all = undone + words + quoted
    return all.isEmpty ? "nothing to do" : all.joined(separator: ", ")
  }

  private static func change(_ line: JournalLine, _ form: NormalForm) -> Run.Change {
    let versions = [line.before, line.after].map { bytes in
      bytes.flatMap { try? CalendarItem(parsing: $0, normalForm: form) }
    }
    let rows = ItemComparison(versions, normalForm: form).rows.prefix(50).map { row in
      func text(_ index: Int) -> String {
        ShortText(row.values[index].joined(separator: "\n"), limit: 500).text
      }
      return Run.Difference(
        name: "\(row.component) \(row.subject)", before: text(0), after: text(1))
    }
    return Run.Change(
      title: ShortText(line.title).text, action: line.action.pastPhrase,
      state: line.isDone ? nil : line.state.rawValue,
      rows: versions.contains { $0 == nil } ? [] : Array(rows))
  }
}
