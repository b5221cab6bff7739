// SPDX-License-Identifier: Apache-2.0

import CalendarSync

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
