// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import Epact
import HTTPTypes
import Hummingbird

/// `/feed/TOKEN.ics` and `/feed/TOKEN.ifb`: a feed at its secret address, without a sign-in.
struct FeedRoute: Sendable {
  /// The time for which readers may keep a feed, in seconds.
  private static let age = 900

  /// The maximum length of a file name that can be that of a feed, in bytes.
  private static let limit = 64

  /// The contents of a feed with their coded form.
  private struct Contents: Sendable {
    let etag: String
    let plain: ByteBuffer
    let gzip: ByteBuffer?

    init(_ file: FeedFile) {
      etag = file.etag
      plain = ByteBuffer(bytes: file.bytes)
      gzip = Gzip.compressed(file.bytes).map { ByteBuffer(bytes: $0) }
    }
  }

  private let site: Site
  private let cache: ResultCache<Contents>

  init(site: Site) {
    self.site = site
    cache = ResultCache(site.library, site.machine) {
      $0.plain.readableBytes + ($0.gzip?.readableBytes ?? 0)
    }
  }

  /// The answer to every address that is that of no feed: the same bytes for all of them.
  static func notFound() -> Response {
    Response(
      status: .notFound, headers: [.contentType: "text/plain; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: "There is no feed at this address.\n")))
  }

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    let (token, form) = Self.parts(of: context.parameters.get("file") ?? "")
    let library = site.library
    do {
      let feed = try await Background.run {
        let feed = try library.feed(for: token)
        // A sync may have the ledger; the reader gets the feed nevertheless.
        if let feed { try? library.noteUse(of: feed) }
        return feed
      }
      guard let feed else { return Self.notFound() }
      // A feed that is made anew has another token, even with the name and the time of an earlier one.
      let key = "\(form.rawValue) \(token.revealed)"
      let contents = try await cache.value(
        for: .init(key: key, calendars: feed.settings.calendars) {
          Contents(try library.contents(of: feed, as: form))
        })
      return Self.answer(contents, to: request)
    } catch let error as CancellationError {
      throw error
    } catch {
      // Messages name calendars and files, which are not the reader's business.
      return Response(
        status: .serviceUnavailable,
        headers: [
          .contentType: "text/plain; charset=utf-8", .retryAfter: "\(Self.retrySeconds)",
        ],
        body: ResponseBody(byteBuffer: ByteBuffer(string: "Feeds cannot be read now.\n")))
    }
  }

  /// The time after which a subscriber should ask again if the feed cannot be read.
  private static let retrySeconds = 300

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

  private static func answer(_ contents: Contents, to request: Request) -> Response {
    let coded = takesGzip(request.headers[.acceptEncoding]) ? contents.gzip : nil
    // Each form has its own strong tag (RFC 9110 §8.8.3.3).
    let plain = contents.etag
    let etag = coded == nil ? plain : "\(plain.dropLast())-gzip\""
    var headers: HTTPFields = [
      .eTag: etag, .cacheControl: "private, max-age=\(age)", .vary: "Accept-Encoding",
    ]
    let tags = request.headers[.ifNoneMatch]?.split(separator: ",").map(tag) ?? []
    if tags == ["*"] || tags.contains(etag) {
      return Response(status: .notModified, headers: headers)
    }
    headers[.contentType] = "text/calendar; charset=utf-8"
    if coded != nil { headers[.contentEncoding] = "gzip" }
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody(byteBuffer: coded ?? contents.plain))
  }

  /// Whether a client takes gzip by the header `Accept-Encoding` (RFC 9110 §12.5.3).
  static func takesGzip(_ header: String?) -> Bool {
    var answer = false
    for part in (header ?? "").split(separator: ",") {
      let words = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      guard let name = words.first?.lowercased() else { continue }
      let weight = words.dropFirst().first { $0.lowercased().hasPrefix("q=") }?.dropFirst(2)
      let isWanted = weight.map { (Double($0) ?? 0) > 0 } ?? true
      // The name counts more than the asterisk for all others.
      if name == "gzip" || name == "x-gzip" { return isWanted }
      if name == "*" { answer = isWanted }
    }
    return answer
  }

  /// An entity tag without its weakness (RFC 9110 §13.1.2: the weak comparison).
  private static func tag(_ text: Substring) -> String {
    let text = text.filter { $0 != " " && $0 != "\t" }
    return text.hasPrefix("W/") ? String(text.dropFirst(2)) : String(text)
  }
}
