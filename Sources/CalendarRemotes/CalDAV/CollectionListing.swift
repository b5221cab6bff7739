// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// The listing of a calendar, made of the responses of a server one after the other.
///
/// Nothing is left out for its content type: the type of an item is not ours to judge, and what is
/// left out of a listing looks deleted. An item that the server says something odd about is listed
/// without a tag, so that it is fetched, and what comes of that is told.
struct CollectionListing {
  private let collection: RemoteURL
  private let url: RemoteURL
  /// The two addresses under which a server may list the calendar itself.
  private let own: Set<String>
  /// What the paths of items begin with where they are spelled in the one way; nil where none are.
  private let prefix: String?
  private var found: [RemoteEntry] = []
  private var indexes: [String: Int] = [:]
  private var isSelfListed = false
  /// The status with which the calendar itself is not listed.
  private var refusal: Int?

  /// Begins a listing of a collection that was told from an address.
  init(of collection: RemoteURL, from url: RemoteURL) {
    self.collection = collection
    self.url = url
    own = [collection.asCollection.normalized, url.asCollection.normalized]
    let path = collection.asCollection.path
    let isPlain = own.count == 1 && path == collection.asCollection.normalizedPath
    prefix = isPlain ? path : nil
  }

  /// Takes one response.
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

  /// What tells an item from others, however it is spelled; nil for what is no item, which may be the
  /// calendar itself.
  private mutating func key(of response: MultiStatus.Response) -> String? {
    if let prefix, PercentEncoding.isPlainMember(response.href, of: prefix) {
      return Self.isCollection(response) ? nil : response.href
    }
    // What is not an address of this server at all is not an item of this calendar.
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

  /// The items.
  ///
  /// - Throws: `RemoteError` unless the listing names the collection itself, without which it proves
  ///   nothing, and says nothing of having been cut off.
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
