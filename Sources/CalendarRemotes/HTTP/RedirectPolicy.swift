// SPDX-License-Identifier: Apache-2.0

/// The rules for following redirects (RFC 9110 §15.4).
///
/// The method and body are always preserved: a `PUT` that became a `GET` would lose the event, and
/// `PROPFIND` has no other form. Writes and credentials are never sent to another origin.
package enum RedirectPolicy {
  /// The maximum number of redirects of one request.
  package static let limit = 5

  /// Whether a redirect is permanent, so that the new address may be stored (RFC 9110 §15.4).
  package static func isPermanent(_ status: Int) -> Bool { status == 301 || status == 308 }

  /// Returns the next request, or nil if the response is not a redirect.
  ///
  /// - Throws: `HTTPError` with the code `redirected` if the redirect is forbidden.
  package static func next(
    after response: HTTPResponse, to request: HTTPRequest, hops: Int
  ) throws(HTTPError) -> HTTPRequest? {
    guard [301, 302, 303, 307, 308].contains(response.status),
      let location = response.headers["Location"]
    else {
      return nil
    }
    guard !request.refusesRedirects else {
      throw refusal(request, "redirected, which is not allowed for a sign-in")
    }
    guard hops < limit else { throw refusal(request, "more than \(limit) redirects") }
    let target: RemoteURL
    do {
      target = try request.url.resolving(location)
    } catch {
      throw refusal(
        request, "redirected to \(error.subject), which is not allowed: \(error.message)")
    }
    var next = request
    next.url = target
    guard target.origin != request.url.origin else { return next }
    let place = "redirected to another server, \(target.origin)"
    guard request.url.origin.scheme == .http || target.origin.scheme == .https else {
      throw refusal(request, "\(place), without encryption")
    }
    // A server on the network must not reach services that only listen on this machine.
    let isFromElsewhere = request.isFromElsewhere || !request.url.isLoopback
    guard !isFromElsewhere || !HostName(target.host).mayReachThisMachine else {
      throw refusal(request, "redirected to this machine, \(target.origin)")
    }
    // The name of the new server may resolve to this machine, too.
    next.isFromElsewhere = isFromElsewhere
    guard !request.method.isWrite else {
      throw refusal(request, "\(place), to which no data is sent")
    }
    guard mayBeAskedElsewhere(request) else {
      throw refusal(request, "\(place); if you trust it, configure that address")
    }
    next.credentials = nil
    return next
  }

  /// Whether the request may be redirected to another server: feeds and discovery only.
  ///
  /// Discovery leads from one server to the next (RFC 6764 §6). The contents of a calendar are
  /// requested only from its own server.
  private static func mayBeAskedElsewhere(_ request: HTTPRequest) -> Bool {
    request.method == .get || request.method == .propfind && request.headers["Depth"] == "0"
  }

  private static func refusal(_ request: HTTPRequest, _ message: String) -> HTTPError {
    HTTPError(code: .redirected, url: request.url, message: message)
  }
}
