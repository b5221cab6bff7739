// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// What a sync report tells (RFC 6578 §3), page after page.
///
/// Only the status 404 says that an item is gone; whatever else is odd about an item makes it one that
/// has to be looked at.
struct SyncReport {
  /// What one page leads to.
  enum Page {
    /// It was the last; the token for the next time, if the server gave one.
    case last(token: String?)
    /// More is to be asked for, with this token.
    case more(token: String)
    /// It was cut off, and gives no way on.
    case cutOff
  }

  private enum Change {
    case changed(RemoteEntry)
    case removed(Href)
  }

  let collection: RemoteURL
  /// Whether tags tell versions apart; otherwise what is reported is listed without one.
  let trustsTags: Bool
  private var changes: [String: Change] = [:]
  private var order: [String] = []

  init(collection: RemoteURL, trustsTags: Bool) {
    self.collection = collection
    self.trustsTags = trustsTags
  }

  /// Takes a page in; what a later page says of an item replaces what an earlier one said.
  mutating func add(_ page: MultiStatus, from url: RemoteURL) -> Page {
    var isCutOff = false
    for response in page.responses {
      guard let member = try? url.resolving(response.href) else { continue }
      let key = member.asCollection.normalized
      if key == collection.asCollection.normalized || key == url.asCollection.normalized {
        // The answer stops here, and the rest is to be had with its token (RFC 6578 §3.6).
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

  /// What was added or changed, in the order of the server.
  var changed: [RemoteEntry] {
    order.compactMap { key in
      guard case .changed(let entry)? = changes[key] else { return nil }
      return entry
    }
  }

  /// What is gone, in the order of the server.
  var removed: [Href] {
    order.compactMap { key in
      guard case .removed(let href)? = changes[key] else { return nil }
      return href
    }
  }

  var isEmpty: Bool { changes.isEmpty }
}
