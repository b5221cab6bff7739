// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import Hummingbird

/// `/undo`: takes a run back.
struct UndoRoute: Sendable {
  let site: Site

  func undo(_ request: Request, _ context: PageContext) async throws -> Response {
    let form = try await site.form(request, context)
    guard let session = context.session else { return .redirect(to: "/") }
    var notice: SignIn.Notice
    do {
      let configuration = try site.library.file.load()
      let set = try SyncSet(configuration, machine: site.machine)
      let number = Int64(form["run"]).map { RunID($0) }
      let result = try await set.undo(number)
      if let error = result.error {
        notice = Site.notice(of: error)
      } else {
        let items = result.undo?.items ?? []
        let lines = items.prefix(10).map { "\($0.kind.rawValue): \(ShortText($0.title).text)" }
        notice = SignIn.Notice(
          lines: lines.isEmpty ? ["Nothing could be taken back."] : ["Undone."] + lines,
          isFailure: lines.isEmpty)
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      notice = Site.notice(of: error)
    }
    site.signIn.leave(notice, for: session)
    return .redirect(to: "/")
  }
}
