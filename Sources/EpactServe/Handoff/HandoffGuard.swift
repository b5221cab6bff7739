// SPDX-License-Identifier: Apache-2.0

import Epact
import HTTPTypes
import Hummingbird

/// Lets the browser pass that used the address with the key, in time and until the answer is given.
struct HandoffGuard: RouterMiddleware {
  /// The path of the page that confirms the answer.
  static let end = "/done"

  let site: Site
  let hosts: HostRule
  let port: ServerPort
  let answer: HandoffAnswer
  /// The time at which the form expires, in seconds of the machine's stopwatch.
  let deadline: Double

  @concurrent func handle(
    _ request: Request, context: PageContext,
    next: @concurrent (Request, PageContext) async throws -> Response
  ) async throws -> Response {
    let pages = site.pages
    guard answer.outcome != nil || site.machine.stopwatch() < deadline else {
      return pages.message(.gone, "Too late", "The form has expired, and nothing was done.")
    }
    let session = request.cookies[cookieName].flatMap { site.signIn.session($0.value) }
    if request.method == .get, let key = request.uri.queryParameters["key"] {
      guard try await !context.isOfOtherUser() else { return site.pages.refusalOfOtherUser() }
      // The address may be opened again in the same browser.
      return session == nil ? exchange(String(key)) : .redirect(to: "/")
    }
    guard let session else {
      return pages.message(
        .unauthorized, "Refused", "This form belongs to the browser in which it was opened.")
    }
    var context = context
    context.session = session
    let isEnd = request.uri.path == Self.end
    guard request.method == .get || request.method == .head || hosts.isOwn(request) else {
      return pages.message(
        .forbidden, "Refused", "The form was not sent by this page; nothing was done.")
    }
    guard (answer.outcome != nil) == isEnd else { return .redirect(to: isEnd ? "/" : Self.end) }
    return try await next(request, context)
  }

  /// The name of the cookie; a browser sends the cookies of a host to all of its ports.
  private var cookieName: String { "epact-form-\(port.value)" }

  private func exchange(_ key: String) -> Response {
    switch site.signIn.take(key: key) {
    case .accepted(let cookie):
      var response = Response.redirect(to: "/", type: .normal)
      response.setCookie(
        Cookie(
          name: cookieName, value: cookie.revealed, path: "/", httpOnly: true, sameSite: .strict))
      return response
    case .used:
      return site.pages.message(.unauthorized, "Refused", "The address works once, and was used.")
    case .wrong:
      return site.pages.message(.unauthorized, "Refused", "The key in the address is wrong.")
    case .paused:
      return site.pages.message(
        .tooManyRequests, "Refused", "There were too many wrong keys. Try again in a minute.")
    }
  }
}
