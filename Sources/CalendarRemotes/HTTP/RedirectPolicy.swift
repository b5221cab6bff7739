// SPDX-License-Identifier: Apache-2.0

/// Where a redirected request may go (RFC 9110 §15.4).
///
/// Method and body are always kept: a `PUT` that became a `GET` would lose the event, and a
/// `PROPFIND` has no other form. A write stays with its origin, and so do credentials.
package enum RedirectPolicy {
  /// The most redirects of one request.
  package static let limit = 5

  /// Whether a redirect is for good, so that the new address may be remembered (RFC 9110 §15.4).
  package static func isPermanent(_ status: Int) -> Bool { status == 301 || status == 308 }

  /// The request to send next, or nil if the answer is not a redirect that can be followed.
  ///
  /// - Throws: `HTTPError` with the code `redirected` if the request may not go there.
  package static func next(
    after response: HTTPResponse, to request: HTTPRequest, hops: Int
  ) throws(HTTPError) -> HTTPRequest? {
    guard [301, 302, 303, 307, 308].contains(response.status),
      let location = response.headers["Location"]
    else {
      return nil
    }
    guard hops < limit else { throw refusal(request, "more than \(limit) redirects") }
    let target: RemoteURL
    do {
      target = try request.url.resolving(location)
    } catch {
      throw refusal(request, "sent on to \(error.subject), which is refused: \(error.message)")
    }
    var next = request
    next.url = target
    guard target.origin != request.url.origin else { return next }
    let place = "sent on to another server, \(target.origin)"
    guard request.url.origin.scheme == .http || target.origin.scheme == .https else {
      throw refusal(request, "\(place), without encryption")
    }
    // A page in the network must not reach what listens on this machine alone.
    guard request.url.isLoopback || !target.isLoopback else {
      throw refusal(request, "sent on to this machine, \(target.origin)")
    }
    guard !request.method.isWrite else {
      throw refusal(request, "\(place), to which nothing of yours is sent")
    }
    guard mayBeAskedElsewhere(request) else {
      throw refusal(request, "\(place); if you trust it, configure that address")
    }
    next.credentials = nil
    return next
  }

  /// Whether another server may be asked: for a feed, or what it is.
  ///
  /// The search for a calendar leads from one server to the next (RFC 6764 §6); what a calendar holds is
  /// asked of its own server only.
  private static func mayBeAskedElsewhere(_ request: HTTPRequest) -> Bool {
    request.method == .get || request.method == .propfind && request.headers["Depth"] == "0"
  }

  private static func refusal(_ request: HTTPRequest, _ message: String) -> HTTPError {
    HTTPError(code: .redirected, url: request.url, message: message)
  }
}
