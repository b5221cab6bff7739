// SPDX-License-Identifier: Apache-2.0

import Epact
import HTTPTypes
import Hummingbird

/// `/feed/TOKEN.ics` and `/feed/TOKEN.ifb`: a feed at its secret address, without a sign-in.
struct FeedRoute: Sendable {
  /// The time for which readers may keep a feed, in seconds.
  private static let age = 900

  /// The maximum length of a file name that can be that of a feed, in bytes.
  private static let limit = 64

  let site: Site

  /// The answer to every address that is that of no feed: the same bytes for all of them.
  static func notFound() -> Response {
    Response(
      status: .notFound, headers: [.contentType: "text/plain; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: "There is no feed at this address.\n")))
  }

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    let (token, form) = Self.parts(of: context.parameters.get("file") ?? "")
    let known = request.headers[.ifNoneMatch]
    do {
      return try await Background.run { try answer(token, form, known: known) }
    } catch let error as CancellationError {
      throw error
    } catch {
      // Messages name calendars and files, which are not the reader's business.
      return Response(
        status: .serviceUnavailable, headers: [.contentType: "text/plain; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: "Feeds cannot be read now.\n")))
    }
  }

  /// The token and the form of a file name.
  ///
  /// A name of another shape is looked up as a token itself, so that all wrong addresses take the same work. No
  /// feed has such a token: it is too long, or has a character that tokens do not have.
  private static func parts(of file: String) -> (FeedToken, FeedFile.Form) {
    guard file.utf8.count <= limit, let dot = file.lastIndex(of: "."),
      let form = FeedFile.Form(rawValue: String(file[file.index(after: dot)...]))
    else {
      return (FeedToken("." + String(decoding: file.utf8.prefix(limit), as: UTF8.self)), .calendar)
    }
    return (FeedToken(String(file[..<dot])), form)
  }

  private func answer(
    _ token: FeedToken, _ form: FeedFile.Form, known: String?
  ) throws -> Response {
    guard let feed = try site.library.feed(for: token) else { return Self.notFound() }
    let contents = try site.library.contents(of: feed, as: form)
    try site.library.noteUse(of: feed)
    var headers: HTTPFields = [
      .eTag: contents.etag, .cacheControl: "private, max-age=\(Self.age)",
    ]
    let tags = known?.split(separator: ",").map(Self.tag) ?? []
    if tags == ["*"] || tags.contains(contents.etag) {
      return Response(status: .notModified, headers: headers)
    }
    headers[.contentType] = "text/calendar; charset=utf-8"
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: contents.bytes)))
  }

  /// An entity tag without its weakness (RFC 9110 §13.1.2: the weak comparison).
  private static func tag(_ text: Substring) -> String {
    let text = text.filter { $0 != " " && $0 != "\t" }
    return text.hasPrefix("W/") ? String(text.dropFirst(2)) : String(text)
  }
}
