// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport

/// A small CalDAV server on this machine, which knows one user with some calendars and keeps what it is sent.
///
/// It does what the program asks of a server and nothing more: no sync tokens, no scheduling.
final class PretendServer: Sendable {
  /// What is on the server.
  struct Content: Sendable {
    /// The items of each calendar, by path.
    var items: [String: String] = [:]
    var tag = 0
    var tags: [String: Int] = [:]
    /// What somebody else writes anew just before each write of ours.
    var contested: Set<String> = []
    /// What is answered after a write of ours only once the file ``mark`` is gone.
    var stalled: Set<String> = []
    /// The path of a file that is made when a stalled write has come.
    var mark = ""

    /// Waits for the test, for ten minutes at most.
    fileprivate func stall(at path: String) {
      guard stalled.contains(path) else { return }
      _ = FileManager.default.createFile(atPath: mark, contents: nil)
      for _ in 0..<60_000 where FileManager.default.fileExists(atPath: mark) { usleep(10_000) }
    }
  }

  /// The calendars, by path, with their names.
  static let calendars = ["/ada/home/": "Home", "/ada/work/": "Work"]
  static let password = "open-sesame"

  private let content = Mutex(Content())
  private let loopback = Mutex<LoopbackServer?>(nil)
  private let hasUIDsOnce: Bool
  /// More properties of calendars, by path.
  private let properties: [String: String]

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - fields: What each answer has among its fields besides.
  ///   - hasUIDsOnce: Whether each UID is once in all calendars of the user, so that an item has to be moved
  ///     from one to the other, as on Cyrus.
  ///   - properties: More properties of calendars, by path, as elements.
  /// - Throws: If no port can be had.
  init(
    fields: [String] = [], hasUIDsOnce: Bool = false, properties: [String: String] = [:]
  ) throws {
    self.hasUIDsOnce = hasUIDsOnce
    self.properties = properties
    let server = try LoopbackServer { [weak self] request in
      guard let self else { return [.close] }
      let answer = self.answer(request, fields)
      if request.method == "PUT" { self.everything.stall(at: request.target) }
      return [answer]
    }
    loopback.withLock { $0 = server }
  }

  deinit { loopback.withLock { $0?.stop() } }

  /// The address of the server, without a slash at the end.
  var address: String { "http://127.0.0.1:\(loopback.withLock { $0?.port ?? 0 })" }
  /// Every request so far, in order.
  var requests: [LoopbackServer.Request] { loopback.withLock { $0?.requests ?? [] } }
  /// What is on the server, by path.
  var items: [String: String] { content.withLock { $0.items } }

  /// Everything that is on the server, to be put back later.
  var everything: Content {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }

  /// Waits until all that was sent is dealt with, also by who is not there any more.
  func waitUntilIdle() { loopback.withLock { $0 }?.waitUntilIdle() }

  /// Deletes an item from the server, as another program would.
  func remove(_ path: String) {
    content.withLock { content in
      content.items[path] = nil
      content.tags[path] = nil
    }
  }

  /// Puts an item on the server, as another program would.
  func write(_ text: String, at path: String) {
    content.withLock { Self.store(text, at: path, in: &$0) }
  }

  private static func store(_ text: String, at path: String, in content: inout Content) {
    content.tag += 1
    content.items[path] = text
    content.tags[path] = content.tag
  }

  private func answer(_ request: LoopbackServer.Request, _ fields: [String]) -> LoopbackServer.Step
  {
    let expected = "Basic " + Data("ada:\(Self.password)".utf8).base64EncodedString()
    guard request["authorization"] == expected else {
      return .answer("401 Unauthorized", fields: ["WWW-Authenticate: Basic realm=\"x\""] + fields)
    }
    let path = request.target
    switch request.method {
    case "PROPFIND": return propfind(path, depth: request["depth"] ?? "0", fields)
    case "REPORT": return report(request, fields)
    case "PUT": return put(request, fields)
    case "DELETE": return delete(request)
    case "MOVE" where hasUIDsOnce: return move(request)
    case "GET", "HEAD", "OPTIONS":
      let text = content.withLock { $0.items[path] }
      return text.map { .answer("200 OK", fields: ["Content-Type: text/calendar"], body: $0) }
        ?? .answer("404 Not Found")
    default: return .answer("405 Method Not Allowed")
    }
  }

  private func delete(_ request: LoopbackServer.Request) -> LoopbackServer.Step {
    content.withLock { content in
      guard content.items[request.target] != nil else { return .answer("404 Not Found") }
      guard Self.isMet(request, at: request.target, in: content) else {
        return .answer("412 Precondition Failed")
      }
      content.items[request.target] = nil
      return .answer("204 No Content")
    }
  }

  /// Moves an item (RFC 4918 §9.9), and gives it a new tag.
  private func move(_ request: LoopbackServer.Request) -> LoopbackServer.Step {
    guard let place = request["destination"].flatMap(URL.init(string:))?.path else {
      return .answer("400 Bad Request")
    }
    return content.withLock { content in
      guard let text = content.items[request.target] else { return .answer("404 Not Found") }
      guard Self.isMet(request, at: request.target, in: content), content.items[place] == nil
      else { return .answer("412 Precondition Failed") }
      content.items[request.target] = nil
      Self.store(text, at: place, in: &content)
      return .answer("201 Created", fields: ["ETag: \"\(content.tag)\""])
    }
  }

  /// Whether what is at a path is what the request names.
  private static func isMet(
    _ request: LoopbackServer.Request, at path: String, in content: Content
  ) -> Bool {
    guard let condition = request["if-match"] else { return true }
    guard content.items[path] != nil, let tag = content.tags[path] else { return false }
    return condition == "\"\(tag)\""
  }

  private func put(_ request: LoopbackServer.Request, _ fields: [String]) -> LoopbackServer.Step {
    content.withLock { content in
      let path = request.target
      if content.contested.contains(path), let text = content.items[path] {
        Self.store(text, at: path, in: &content)
      }
      let isThere = content.items[path] != nil
      if request["if-none-match"] == "*", isThere { return .answer("412 Precondition Failed") }
      guard Self.isMet(request, at: path, in: content) else {
        return .answer("412 Precondition Failed")
      }
      let text = String(decoding: request.body, as: UTF8.self)
      if hasUIDsOnce, let other = Self.place(ofUIDIn: text, otherThan: path, in: content) {
        return .answer(
          "403 Forbidden", fields: ["Content-Type: application/xml; charset=utf-8"],
          body: "<?xml version=\"1.0\"?><d:error xmlns:d=\"DAV:\" "
            + "xmlns:c=\"urn:ietf:params:xml:ns:caldav\"><c:unique-scheduling-object-resource>"
            + "<d:href>\(other)</d:href></c:unique-scheduling-object-resource></d:error>")
      }
      Self.store(text, at: path, in: &content)
      return .answer(
        isThere ? "204 No Content" : "201 Created",
        fields: ["ETag: \"\(content.tag)\""] + fields)
    }
  }

  /// Where else the UID of a text is.
  private static func place(
    ofUIDIn text: String, otherThan path: String, in content: Content
  ) -> String? {
    let uid = text.split(separator: "\r\n").first { $0.hasPrefix("UID:") }
    return content.items.first { place, held in
      place != path && held.split(separator: "\r\n").contains { $0 == uid }
    }?.key
  }

  private func report(_ request: LoopbackServer.Request, _ fields: [String]) -> LoopbackServer.Step
  {
    let body = String(decoding: request.body, as: UTF8.self)
    guard body.contains("calendar-multiget") else { return .answer("501 Not Implemented") }
    let hrefs = body.matches(of: /<[a-zA-Z]*:?href[^>]*>([^<]*)</).map { String($0.1) }
    return content.withLock { content in
      let responses = hrefs.map { href in
        guard let text = content.items[href], let tag = content.tags[href] else {
          return "<d:response><d:href>\(href)</d:href>"
            + "<d:status>HTTP/1.1 404 x</d:status></d:response>"
        }
        return Self.response(
          href,
          "<d:getetag>\"\(tag)\"</d:getetag>"
            + "<c:calendar-data><![CDATA[\(text)]]></c:calendar-data>")
      }
      return Self.multiStatus(responses, fields)
    }
  }

  private func propfind(_ path: String, depth: String, _ fields: [String]) -> LoopbackServer.Step {
    let user = "<d:current-user-principal><d:href>/ada/</d:href></d:current-user-principal>"
    switch path {
    case "/", "/.well-known/caldav": return Self.multiStatus([Self.response(path, user)], fields)
    case "/ada/":
      let home = "<c:calendar-home-set><d:href>/ada/</d:href></c:calendar-home-set>"
      let own = Self.response(
        path, "<d:resourcetype><d:collection/></d:resourcetype>" + user + home)
      guard depth == "1" else { return Self.multiStatus([own], fields) }
      let calendars = Self.calendars.keys.sorted().map(calendar)
      return Self.multiStatus([own] + calendars, fields)
    case _ where Self.calendars[path] != nil:
      guard depth == "1" else { return Self.multiStatus([calendar(path)], fields) }
      return content.withLock { content in
        let members = content.items.keys.filter { $0.hasPrefix(path) }.sorted().map { item in
          Self.response(
            item,
            "<d:resourcetype/><d:getetag>\"\(content.tags[item] ?? 0)\"</d:getetag>")
        }
        return Self.multiStatus([calendar(path)] + members, fields)
      }
    default: return .answer("404 Not Found")
    }
  }

  private func calendar(_ path: String) -> String {
    Self.response(
      path,
      "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>"
        + "<d:displayname>\(Self.calendars[path] ?? "")</d:displayname>"
        + (properties[path] ?? ""))
  }

  private static func response(_ href: String, _ properties: String) -> String {
    "<d:response><d:href>\(href)</d:href><d:propstat><d:prop>\(properties)</d:prop>"
      + "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
  }

  private static func multiStatus(_ responses: [String], _ fields: [String]) -> LoopbackServer.Step
  {
    .answer(
      "207 Multi-Status", fields: ["Content-Type: application/xml; charset=utf-8"] + fields,
      body: "<?xml version=\"1.0\"?><d:multistatus xmlns:d=\"DAV:\" "
        + "xmlns:c=\"urn:ietf:params:xml:ns:caldav\">" + responses.joined() + "</d:multistatus>")
  }
}
