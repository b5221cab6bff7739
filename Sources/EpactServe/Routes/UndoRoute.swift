// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import Hummingbird

/// `/undo`: takes a run back.
struct UndoRoute: Sendable {
  /// The number of items that the notice names.
  private static let limit = 10

  let site: Site

  func undo(_ request: Request, _ context: PageContext) async throws -> Response {
    let form = try await site.form(request, context)
    // The notice of an edit is on any page; the page of a run belongs to the history.
    return try await site.act(form["from"] == "history" ? "/history" : "/", context) {
      guard let number = Int64(form["run"]) else {
        throw EpactError(.argument, "expected the number of a run, found \"\(form["run"])\"")
      }
      var set = try site.syncs()
      if let number = try form.allowedDeletions() { set.options.allowedDeletions = number }
      let result = try await set.undo(RunID(number))
      if let complaint = result.complaint {
        return SignIn.Notice(lines: ["Nothing was taken back: \(complaint)"], isFailure: true)
      }
      let items = result.undo?.items ?? []
      guard !items.isEmpty else {
        return SignIn.Notice(lines: ["Nothing could be taken back."], isFailure: true)
      }
      let lines = items.prefix(Self.limit).map {
        "\($0.kind.rawValue): \(ShortText($0.title).text)"
      }
      let rest = items.count > Self.limit ? ["and \(items.count - Self.limit) more"] : []
      return SignIn.Notice(
        lines: ["Run \(number) is taken back."] + lines + rest,
        isFailure: result.summary.failed > 0)
    }
  }
}
