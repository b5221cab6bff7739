// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
package import Hummingbird
import NIOCore

/// The state of a request.
package struct PageContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  /// The session of the browser; nil before it is signed in.
  var session: SignIn.Session?
  /// The result of the session's last form.
  var notice: SignIn.Notice?
  /// The place of the page, for the bar; empty for a page that is not in the bar.
  var place = ""

  /// The ends of the connection.
  private let remote: SocketAddress?
  private let local: SocketAddress?

  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    (remote, local) = (source.channel.remoteAddress, source.channel.localAddress)
  }

  /// Whether another user of this machine sent the request.
  func isOfOtherUser() async throws -> Bool {
    try await Background.run { [remote, local] in PeerUser.isOther(remote, local) }
  }

  /// The maximum size of a form, in bytes.
  package var maxUploadSize: Int { 64 << 10 }
}

/// Adds the headers that every response has, and refuses requests for other hosts.
struct PageGuard: RouterMiddleware {
  /// No page may load, run, embed or send anything but this server's own.
  private static let contentPolicy = """
    default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'
    """

  let hosts: HostRule

  @concurrent func handle(
    _ request: Request, context: PageContext,
    next: @concurrent (Request, PageContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    if !hosts.allows(request.head.authority) {
      response = Response(
        status: .misdirectedRequest, headers: [.contentType: "text/plain; charset=utf-8"],
        body: ResponseBody(
          byteBuffer: ByteBuffer(
            string: "This server has another name. Its option --host adds names.\n")))
    } else {
      response = try await next(request, context)
    }
    response.headers[.contentSecurityPolicy] = Self.contentPolicy
    response.headers[.xContentTypeOptions] = "nosniff"
    // Without a referrer for this server's own pages, browsers state the origin "null" with its forms
    // (Fetch Standard §3.2.5).
    response.headers[.referrerPolicy] = "same-origin"
    response.headers[.crossOriginResourcePolicy] = "same-origin"
    response.headers[.crossOriginOpenerPolicy] = "same-origin"
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    return response
  }
}

/// Lets only signed-in browsers pass, and forms only with the token of their session.
struct SignInGuard: RouterMiddleware {
  static let cookieName = "epact"

  let signIn: SignIn
  let hosts: HostRule
  let isReadOnly: Bool
  let pages: PageRenderer

  @concurrent func handle(
    _ request: Request, context: PageContext,
    next: @concurrent (Request, PageContext) async throws -> Response
  ) async throws -> Response {
    if request.method == .get, let key = request.uri.queryParameters["key"] {
      guard try await !context.isOfOtherUser() else { return pages.refusalOfOtherUser() }
      return try await response(
        to: signIn.take(key: String(key)), to: request, "The key in the address is wrong.")
    }
    guard let cookie = request.cookies[Self.cookieName],
      let session = signIn.session(cookie.value)
    else {
      return try await signInPage(.unauthorized, nil)
    }
    var context = context
    context.session = session
    guard request.method != .get, request.method != .head else {
      if request.uri.path.wholeMatch(of: /\/[a-z]*/) != nil {
        context.place = request.uri.path
        if request.method == .get { context.notice = signIn.takeNotice(of: session) }
      }
      return try await next(request, context)
    }
    guard !isReadOnly else {
      return pages.message(.forbidden, "Read-only", "This page only shows; nothing was changed.")
    }
    guard hosts.isOwn(request) else {
      return pages.message(
        .forbidden, "Refused", "The form was not sent by this page; nothing was changed.")
    }
    return try await next(request, context)
  }

  /// `/sign-in`: signs a browser in by the password that its form sends.
  @Sendable func takePassword(_ request: Request, _ context: PageContext) async throws -> Response {
    guard hosts.isOwn(request) else {
      return pages.message(.forbidden, "Refused", "The form was not sent by this page.")
    }
    let form = try await FormValues(of: request, limit: context.maxUploadSize)
    let (signIn, password) = (signIn, form.exact("password"))
    let answer = try await Background.run { try signIn.take(password: password) }
    return try await response(to: answer, to: request, "The password is wrong.")
  }

  /// The page that asks for the password, if one is set.
  private func signInPage(
    _ status: HTTPResponse.Status, _ text: String?
  ) async throws -> Response {
    let takesPassword = try await Background.run { [signIn] in signIn.takesPassword }
    return pages.signIn(status, text, takesPassword: takesPassword)
  }

  private func response(
    to answer: SignIn.Answer, to request: Request, _ refusal: String
  ) async throws -> Response {
    switch answer {
    case .accepted(let cookie):
      // The address with the key does not stay in the browser's history.
      // Two slashes would begin the name of another server.
      let path = request.method == .get ? "/" + request.uri.path.drop { $0 == "/" } : "/"
      var response = Response.redirect(to: path, type: .normal)
      response.setCookie(
        Cookie(
          name: Self.cookieName, value: cookie.revealed, path: "/",
          secure: hosts.isProxied(request.head.authority), httpOnly: true, sameSite: .strict))
      return response
    case .wrong, .used: return try await signInPage(.unauthorized, refusal)
    case .paused:
      return try await signInPage(
        .tooManyRequests, "There were too many wrong attempts. Try again in a minute.")
    }
  }
}
