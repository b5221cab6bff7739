// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// The listing of a calendar, built from the server's responses.
///
/// Items are not filtered by content type, because omitted items would look deleted. An item with
/// an unexpected status or contradicting responses is listed without an ETag, so that it is fetched
/// and any error is reported.
struct CollectionListing {
  private let collection: RemoteURL
  private let url: RemoteURL
  /// The two URLs under which a server may list the calendar itself.
  private let own: Set<String>
  /// The path prefix of items in normalized form; nil if the collection's path is not normalized.
  private let prefix: String?
  private var found: [RemoteEntry] = []
  private var indexes: [String: Int] = [:]
  private var isSelfListed = false
  /// The error status of the calendar itself.
  private var refusal: Int?

  /// Creates the listing of a collection from a response at a URL.
  init(of collection: RemoteURL, from url: RemoteURL) {
    self.collection = collection
    self.url = url
    own = [collection.asCollection.normalized, url.asCollection.normalized]
    let path = collection.asCollection.path
    let isPlain = own.count == 1 && path == collection.asCollection.normalizedPath
    prefix = isPlain ? path : nil
  }

  /// Adds a response.
  mutating func add(_ response: MultiStatus.Response) {
    guard let key = key(of: response) else { return }
    let tag = response.properties[.dav("getetag")].flatMap { EntityTag(received: $0.text) }
    if let index = indexes[key] {
      let isSame = found[index].etag == tag
      found[index] = RemoteEntry(href: found[index].href, etag: isSame ? tag : nil)
    } else {
      indexes[key] = found.count
      found.append(RemoteEntry(href: Href(response.href), etag: tag))
    }
  }

  /// Returns the normalized key of an item; nil for other resources and the calendar itself.
  private mutating func key(of response: MultiStatus.Response) -> String? {
    if let prefix, PercentEncoding.isPlainMember(response.href, of: prefix) {
      return Self.isCollection(response) ? nil : response.href
    }
    // An href that is not a URL of this server is not an item of this calendar.
    guard let member = try? url.resolving(response.href) else { return nil }
    guard !own.contains(member.asCollection.normalized) else {
      isSelfListed = true
      if let status = response.status, !(200...299).contains(status) { refusal = status }
      return nil
    }
    guard member.isInside(collection), !member.path.hasSuffix("/"), !Self.isCollection(response)
    else { return nil }
    return member.query.map { "\(member.normalizedPath)?\($0)" } ?? member.normalizedPath
  }

  /// Returns the items.
  ///
  /// - Throws: `RemoteError` if the listing contains an error for the collection or does not
  ///   contain the collection. In the latter case the listing may be incomplete.
  consuming func entries() throws(RemoteError) -> [RemoteEntry] {
    if let refusal {
      throw RemoteError(
        code: refusal == 404 || refusal == 410 ? .notFound : .malformed,
        subject: collection.description,
        message: "the calendar is not listed (status \(refusal))")
    }
    guard isSelfListed else {
      throw RemoteError(
        code: .malformed, subject: collection.description,
        message:
          "the listing is not known to be complete: it does not name the calendar itself")
    }
    return found
  }

  private static func isCollection(_ response: MultiStatus.Response) -> Bool {
    response.properties[.dav("resourcetype")]?[.dav("collection")] != nil
  }
}
