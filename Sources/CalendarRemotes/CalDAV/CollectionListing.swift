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
          "the listing may be incomplete: it does not contain the calendar itself")
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
      guard let member = try? url.resolving(response.href) else { continue }
      let key = member.asCollection.normalized
      if key == collection.asCollection.normalized || key == url.asCollection.normalized {
        // The response is truncated; the rest is requested with its token (RFC 6578 §3.6).
        if response.status == 507 { isCutOff = true }
        if let status = response.status, !(200...299).contains(status) { isRefused = true }
        continue
      }
      guard member.isInside(collection), !member.path.hasSuffix("/"),
        response.properties[.dav("resourcetype")]?[.dav("collection")] == nil
      else { continue }
      if changes.updateValue(change(response), forKey: key) == nil { order.append(key) }
    }
    guard isCutOff else { return .last(token: page.syncToken) }
    return page.syncToken.map { .more(token: $0) } ?? .cutOff
  }

  private func change(_ response: MultiStatus.Response) -> Change {
    let href = Href(response.href)
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
