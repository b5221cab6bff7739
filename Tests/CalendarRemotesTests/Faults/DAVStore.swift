// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import TestSupport

/// A CalDAV collection in memory that answers as a server without any fault.
struct DAVStore {
  /// What a request is about, for a fault to choose by.
  enum Kind: Hashable, Sendable {
    /// A question about the collection itself.
    case probe
    /// A listing, or a sync report.
    case list
    /// A sync report, which is a listing too.
    case report
    /// The contents of items.
    case data
    case put
    case delete
  }

  private struct Item {
    var text: String
    /// The change that made it.
    var version: Int
  }

  /// How the server spells what it says; a fault may change it.
  struct Style {
    var hrefPrefix = ""
    var escapesHrefs = false
    var hasTags = true
    /// The tag of a version in the bodies of answers.
    var tag: @Sendable (Int) -> String = { "\"\($0)\"" }
    /// The tag of a version in the headers of answers; the strong one is what conditions are held against.
    var headerTag: @Sendable (Int) -> String = { "\"\($0)\"" }
    var isDoubled = false
    /// Puts something in place of the text of an item.
    var data: @Sendable (String, String) -> String = { _, text in text }
    /// The status of single items of a multiget.
    var itemStatus: [String: Int] = [:]
    /// Which part of the items is listed.
    var isListed: @Sendable (Int) -> Bool = { _ in true }
    /// Responses of things that are none of the calendar's.
    var foreign: [String] = []
    /// What stands before and after the elements.
    var usesDefaultNamespace = false
    /// Whether a sync report gives its first half only, and says so.
    var pages = false
    var hasSyncToken = true
    /// Whether the answer to a write has a tag.
    var hasTagAfterWrite = true
  }

  /// Whether there are tags and tokens of the whole.
  let hasTokens: Bool
  /// The path of the collection.
  let path: String
  /// The display name.
  var name = "Work"
  /// Other properties of the collection.
  var properties = ""
  var style = Style()
  /// What the server keeps of what it is sent.
  var keeps: @Sendable (String) -> String = { $0 }
  private var items: [String: Item] = [:]
  private var gone: [String: Int] = [:]
  private var version = 0

  init(hasTokens: Bool, path: String = "/cal/") {
    (self.hasTokens, self.path) = (hasTokens, path)
  }

  /// The items by UID.
  var contents: [String: String] { items.mapValues(\.text) }

  /// What a person does with another program.
  mutating func write(_ uid: String, _ text: String?) {
    version += 1
    if let text {
      items[uid] = Item(text: text, version: version)
      gone[uid] = nil
    } else {
      items[uid] = nil
      gone[uid] = version
    }
  }

  static func kind(of request: LoopbackServer.Request) -> Set<Kind> {
    switch request.method {
    case "PUT": [.put]
    case "DELETE": [.delete]
    case "GET": [.data]
    case "PROPFIND": request["depth"] == "1" ? [.list] : [.probe]
    default:
      String(decoding: request.body, as: UTF8.self).contains("sync-collection")
        ? [.list, .report] : [.data]
    }
  }

  /// Answers a request, and does what it asks for.
  mutating func reply(to request: LoopbackServer.Request) -> Reply {
    let path = request.target.split(separator: "/", omittingEmptySubsequences: false)
    let name = String(path.last ?? "")
    let uid = name.replacing(".ics", with: "").replacing("%40", with: "@")
    let kinds = Self.kind(of: request)
    if kinds == [.probe] {
      guard !name.isEmpty else { return .multiStatus(probe, style) }
      // What a client asks that has no strong tag to make a condition of.
      let known = items[uid] == nil ? response(href(uid), status: 404) : line(of: uid)
      return .multiStatus(known, style)
    }
    if kinds == [.list] { return .multiStatus(listing, style) }
    if kinds.contains(.report) { return report(request) }
    switch request.method {
    case "GET":
      guard let item = items[uid] else { return Reply("404 Not Found") }
      return Reply(
        "200 OK",
        fields: ["Content-Type: text/calendar", "ETag: \(style.headerTag(item.version))"],
        body: style.data(uid, item.text))
    case "PUT": return put(uid, request)
    case "DELETE": return delete(uid, request)
    default: return multiget(request)
    }
  }

  private mutating func put(_ uid: String, _ request: LoopbackServer.Request) -> Reply {
    let known = items[uid].map { "\"\($0.version)\"" }
    if request["if-none-match"] == "*", known != nil { return Reply("412 Precondition Failed") }
    if let wanted = request["if-match"], wanted != known, wanted != "*" || known == nil {
      return Reply("412 Precondition Failed")
    }
    let isNew = known == nil
    write(uid, keeps(String(decoding: request.body, as: UTF8.self)))
    let tag = style.hasTagAfterWrite ? ["ETag: \(style.headerTag(version))"] : []
    return Reply(isNew ? "201 Created" : "204 No Content", fields: tag)
  }

  private mutating func delete(_ uid: String, _ request: LoopbackServer.Request) -> Reply {
    guard let item = items[uid] else { return Reply("404 Not Found") }
    // A weak tag in a condition never matches (RFC 9110 §13.1.1).
    guard ["*", "\"\(item.version)\""].contains(request["if-match"]) else {
      return Reply("412 Precondition Failed")
    }
    write(uid, nil)
    return Reply("204 No Content")
  }

  // MARK: Multi-status answers

  private func href(_ uid: String) -> String {
    let name = style.escapesHrefs ? uid.replacing("@", with: "%40") : uid
    return "\(style.hrefPrefix)\(path)\(name).ics"
  }

  private var token: String { "https://example.org/token/\(version)" }

  private var probe: String {
    let tags =
      hasTokens
      ? "<x:getctag xmlns:x=\"http://calendarserver.org/ns/\">\(version)</x:getctag>"
        + "<d:sync-token>\(token)</d:sync-token>"
      : ""
    return response(
      path,
      "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>"
        + "<d:displayname>\(name)</d:displayname>\(tags)\(properties)")
  }

  private var listing: String {
    let own = response(path, "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>")
    let members = items.keys.sorted().enumerated().filter { style.isListed($0.offset) }
      .map { line(of: $0.element) }
    let all = members + style.foreign
    return ([own] + all + (style.isDoubled ? all : [])).joined()
  }

  private func line(of uid: String) -> String {
    let tag = style.tag(items[uid]?.version ?? 0)
    let property = style.hasTags ? "<d:getetag>\(tag)</d:getetag>" : ""
    return response(href(uid), "<d:resourcetype/>\(property)")
  }

  private func report(_ request: LoopbackServer.Request) -> Reply {
    let body = String(decoding: request.body, as: UTF8.self)
    let since = body.firstRange(of: "/token/").flatMap { range in
      Int(body[range.upperBound...].prefix { $0.isNumber })
    }
    guard hasTokens else { return Reply("403 Forbidden") }
    var changes = items.mapValues(\.version).filter { $0.value > since ?? 0 }.map { ($0, $1) }
    if since != nil { changes += gone.filter { $0.value > since ?? 0 }.map { ($0, $1) } }
    changes.sort { $0.1 < $1.1 }
    var last = version
    var end = ""
    if style.pages, changes.count > 1 {
      changes = Array(changes.prefix((changes.count + 1) / 2))
      last = changes.last?.1 ?? version
      end = response(path, status: 507)
    }
    let lines = changes.map { uid, _ in
      items[uid] == nil ? response(href(uid), status: 404) : line(of: uid)
    }
    let token =
      style.hasSyncToken ? "<d:sync-token>https://example.org/token/\(last)</d:sync-token>" : ""
    return .multiStatus(lines.joined() + end + token, style)
  }

  private func multiget(_ request: LoopbackServer.Request) -> Reply {
    let body = String(decoding: request.body, as: UTF8.self)
    let answers = items.sorted { $0.key < $1.key }.compactMap { uid, item -> String? in
      let isAsked = [uid, uid.replacing("@", with: "%40")].contains { body.contains("/\($0).ics") }
      guard isAsked else { return nil }
      if let status = style.itemStatus[uid] { return response(href(uid), status: status) }
      let text = style.data(uid, item.text).replacing("&", with: "&amp;")
        .replacing("<", with: "&lt;").replacing("\r", with: "")
      let tag = "<d:getetag>\(style.tag(item.version))</d:getetag>"
      return response(href(uid), "\(tag)<c:calendar-data>\(text)</c:calendar-data>")
    }
    return .multiStatus(answers.joined(), style)
  }

  private func response(_ href: String, _ properties: String) -> String {
    "<d:response><d:href>\(href)</d:href><d:propstat><d:prop>\(properties)</d:prop>"
      + "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
  }

  private func response(_ href: String, status: Int) -> String {
    "<d:response><d:href>\(href)</d:href><d:status>HTTP/1.1 \(status) x</d:status></d:response>"
  }
}
