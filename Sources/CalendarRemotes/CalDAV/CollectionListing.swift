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
  private var isSelfListed: Bool
  /// The error status of the calendar itself.
  private var refusal: Int?
  /// The first href of another server that is not in this calendar.
  private var stray: String?

  /// Creates the listing of a collection from a response at a URL.
  ///
  /// - Parameters:
  ///   - collection: The collection.
  ///   - url: The URL that responded.
  ///   - hasSelf: Whether a complete listing contains the collection itself.
  init(of collection: RemoteURL, from url: RemoteURL, hasSelf: Bool = true) {
    isSelfListed = !hasSelf
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
      found.append(RemoteEntry(href: Href(response.href, on: collection), etag: tag))
    }
  }

  /// Returns the normalized key of an item; nil for other resources and the calendar itself.
  private mutating func key(of response: MultiStatus.Response) -> String? {
    if let prefix, PercentEncoding.isPlainMember(response.href, of: prefix) {
      return Self.isCollection(response) ? nil : response.href
    }
    guard let member = try? url.resolvingPath(response.href) else {
      stray = stray ?? response.href
      return nil
    }
    guard !own.contains(member.asCollection.normalized) else {
      isSelfListed = true
      if let status = response.status, !(200...299).contains(status) { refusal = status }
      return nil
    }
    guard member.isInside(collection) else {
      if Href.isOfOtherServer(response.href, than: collection) { stray = stray ?? response.href }
      return nil
    }
    guard !member.path.hasSuffix("/"), !Self.isCollection(response) else { return nil }
    return member.query.map { "\(member.normalizedPath)?\($0)" } ?? member.normalizedPath
  }

  /// Returns the items.
  ///
  /// - Throws: `RemoteError` if the listing contains an error for the collection, does not contain
  ///   the collection, or contains the href of another server that is not in the collection. In the
  ///   last two cases the listing may be incomplete.
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
          "the listing may be incomplete: it does not contain the calendar itself")
    }
    if let stray {
      throw RemoteError(
        code: .malformed, subject: collection.description,
        message: "the listing contains \(RemoteURL.redacted(stray)), which is not in this calendar")
    }
    return found
  }

  private static func isCollection(_ response: MultiStatus.Response) -> Bool {
    response.properties[.dav("resourcetype")]?[.dav("collection")] != nil
  }
}

/// The merged pages of a sync report (RFC 6578 §3).
///
/// Only status 404 marks an item as deleted. An item with any other unexpected status is treated as
/// changed and fetched.
struct SyncReport {
  /// The result of a page.
  enum Page {
    /// The last page, with the token for the next report if the server returned one.
    case last(token: String?)
    /// A truncated page, with the token for the next page.
    case more(token: String)
    /// A truncated page without a token to continue.
    case cutOff
  }

  private enum Change {
    case changed(RemoteEntry)
    case removed(Href)
  }

  let collection: RemoteURL
  /// Whether ETags identify versions; otherwise items are reported without an ETag.
  let trustsTags: Bool
  /// Whether the report contains an error of the calendar itself.
  private(set) var isRefused = false
  /// Whether the report contains an href of another server that is not in this calendar.
  private(set) var hasStrays = false
  private var changes: [String: Change] = [:]
  private var order: [String] = []

  init(collection: RemoteURL, trustsTags: Bool) {
    self.collection = collection
    self.trustsTags = trustsTags
  }

  /// Adds a page; later responses for an item replace earlier ones.
  mutating func add(_ page: MultiStatus, from url: RemoteURL) -> Page {
    var isCutOff = false
    for response in page.responses {
      guard let member = try? url.resolvingPath(response.href) else {
        hasStrays = true
        continue
      }
      let key = member.asCollection.normalized
      if key == collection.asCollection.normalized || key == url.asCollection.normalized {
        // The response is truncated; the rest is requested with its token (RFC 6578 §3.6).
        if response.status == 507 { isCutOff = true }
        if let status = response.status, !(200...299).contains(status) { isRefused = true }
        continue
      }
      guard member.isInside(collection) else {
        if Href.isOfOtherServer(response.href, than: collection) { hasStrays = true }
        continue
      }
      guard !member.path.hasSuffix("/"),
        response.properties[.dav("resourcetype")]?[.dav("collection")] == nil
      else { continue }
      if changes.updateValue(change(response), forKey: key) == nil { order.append(key) }
    }
    guard isCutOff else { return .last(token: page.syncToken) }
    return page.syncToken.map { .more(token: $0) } ?? .cutOff
  }

  private func change(_ response: MultiStatus.Response) -> Change {
    let href = Href(response.href, on: collection)
    if response.status == 404 { return .removed(href) }
    let tag = response.properties[.dav("getetag")].flatMap { EntityTag(received: $0.text) }
    let isPlain = response.status.map((200...299).contains) ?? true
    return .changed(RemoteEntry(href: href, etag: isPlain && trustsTags ? tag : nil))
  }

  /// The added and changed items, in the order of the server.
  var changed: [RemoteEntry] {
    order.compactMap { key in
      guard case .changed(let entry)? = changes[key] else { return nil }
      return entry
    }
  }

  /// The deleted items, in the order of the server.
  var removed: [Href] {
    order.compactMap { key in
      guard case .removed(let href)? = changes[key] else { return nil }
      return href
    }
  }

  var isEmpty: Bool { changes.isEmpty }
}

extension Href {
  /// Creates the href of an item on a server from the spelling in a response.
  ///
  /// The spelling is kept, unless it contains the origin of another server.
  init(_ text: String, on server: RemoteURL) {
    guard Self.isOfOtherServer(text, than: server), let place = try? server.resolvingPath(text)
    else {
      self.init(text)
      return
    }
    self.init(place.path + (place.query.map { "?\($0)" } ?? ""))
  }

  /// Whether an href contains the origin of another server.
  static func isOfOtherServer(_ text: String, than server: RemoteURL) -> Bool {
    // Nearly all hrefs are paths.
    guard text.utf8.first != 0x2F || text.hasPrefix("//"), URIReference(text).authority != nil
    else { return false }
    return (try? server.resolving(text).origin) != server.origin
  }
}
