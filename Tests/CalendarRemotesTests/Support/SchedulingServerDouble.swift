// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import ICalSyntax
import Synchronization

/// A server in memory that schedules: it mails people about the meetings that are stored on it.
///
/// It mails by the table of RFC 6638 §3.2.1, and like sabre/dav it takes `SCHEDULE-AGENT=NONE` for
/// nothing. It has one calendar, `/cal/`, of alice.
final class SchedulingServerDouble: HTTPTransport {
  private struct State {
    var items: [String: (version: Int, bytes: [UInt8])] = [:]
    var version = 0
    var mails: [String] = []
    var log: [HTTPRequest] = []
    var tellsTags = true
    var tellsAddresses = true
    var isAutomatic = true
    var hasWeakTags = false
    var namesFeatures = true
    var tagsCopies = true
    var name: String?

    func tag(_ version: Int) -> String { (hasWeakTags ? "W/" : "") + "\"\(version)\"" }
  }

  private let state = Mutex(State())

  /// What was mailed, as `REQUEST mailto:bob@x`.
  var mails: [String] { state.withLock { $0.mails } }

  /// The requests that came, as `PUT /cal/a.ics`.
  var log: [String] { state.withLock { $0.log.map { "\($0.method) \($0.url.path)" } } }

  /// For each report in the log, whether it requests the data of items, or their tags only.
  var reportsOfData: [Bool] {
    state.withLock { state in
      state.log.filter { $0.method == .report }.map {
        String(decoding: $0.body ?? [], as: UTF8.self).contains("calendar-data")
      }
    }
  }

  /// The last request of a method.
  func last(_ method: HTTPMethod) -> HTTPRequest? {
    state.withLock { $0.log.last { $0.method == method } }
  }

  /// The stored items as text, by path.
  var items: [String: String] {
    state.withLock { $0.items.mapValues { String(decoding: $0.bytes, as: UTF8.self) } }
  }

  init(
    tellsTags: Bool = true, tellsAddresses: Bool = true, isAutomatic: Bool = true,
    hasWeakTags: Bool = false, namesFeatures: Bool = true, tagsCopies: Bool = true,
    name: String? = nil
  ) {
    state.withLock {
      $0.name = name
      $0.namesFeatures = namesFeatures
      $0.tagsCopies = tagsCopies
      $0.hasWeakTags = hasWeakTags
      $0.tellsTags = tellsTags
      $0.tellsAddresses = tellsAddresses
      $0.isAutomatic = isAutomatic
    }
  }

  /// Stores an item as another program of alice would, with all the mail that comes of it.
  func store(_ item: CalendarItem, as path: String) {
    state.withLock { Self.store(item.serialized(), as: path, in: &$0) }
  }

  /// Forgets what was mailed and asked so far.
  func forget() {
    state.withLock {
      $0.mails = []
      $0.log = []
    }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    state.withLock { state in
      state.log.append(request)
      var response = Self.answer(request, &state)
      response.url = request.url
      return response
    }
  }

  private static func answer(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
    let path = request.url.path
    func response(
      _ status: Int, _ headers: HTTPHeaders = [:], _ body: [UInt8] = []
    ) -> HTTPResponse {
      HTTPResponse(status: status, headers: headers, body: body, url: request.url)
    }
    let held = state.items[path]
    let tag = held.map { state.tag($0.version) }
    switch request.method {
    case .options:
      let features = "1, calendar-access" + (state.isAutomatic ? ", calendar-auto-schedule" : "")
      return response(200, state.namesFeatures ? ["DAV": features] : [:])
    case .get:
      guard let held, let tag else { return response(404) }
      guard state.tagsCopies else { return response(200, [:], held.bytes) }
      let tags: HTTPHeaders =
        state.hasWeakTags ? ["ETag": tag] : ["ETag": tag, "Schedule-Tag": tag]
      return response(200, tags, held.bytes)
    case .put:
      guard isMet(request, tag) else { return response(412) }
      store(request.body ?? [], as: path, in: &state)
      let tags: HTTPHeaders = state.tellsTags ? ["ETag": state.tag(state.version)] : [:]
      return response(held == nil ? 201 : 204, tags)
    case .delete:
      guard let held else { return response(404) }
      guard isMet(request, tag) else { return response(412) }
      mail(from: held.bytes, to: nil, isQuiet: request.headers["Schedule-Reply"] == "F", in: &state)
      state.items[path] = nil
      return response(204)
    case .propfind, .report:
      if path.hasSuffix(".ics"), held == nil { return response(404) }
      let headers: HTTPHeaders = state.name.map { ["Server": $0] } ?? [:]
      return response(207, headers, Array(multiStatus(request, state).utf8))
    default: return response(405)
    }
  }

  private static func isMet(_ request: HTTPRequest, _ tag: String?) -> Bool {
    if request.headers["If-None-Match"] == "*" { return tag == nil }
    let condition = request.headers["If-Match"] ?? request.headers["If-Schedule-Tag-Match"]
    return tag != nil && (condition == tag || condition == "*")
  }

  private static func multiStatus(_ request: HTTPRequest, _ state: State) -> String {
    var content = ""
    if request.method == .report {
      let body = String(decoding: request.body ?? [], as: UTF8.self)
      for part in body.split(separator: "<d:href>").dropFirst() {
        let href = String(part.prefix { $0 != "<" })
        guard let item = state.items[href] else { continue }
        content += CalDAVScript.data(
          href, String(decoding: item.bytes, as: UTF8.self), etag: state.tag(item.version))
      }
    } else if let item = state.items[request.url.path] {
      content = CalDAVScript.member(request.url.path, etag: state.tag(item.version))
    } else if request.url.path == "/alice/" {
      let addresses =
        "<c:calendar-user-address-set><d:href>/alice/</d:href>"
        + "<d:href>MAILTO:alice@x</d:href></c:calendar-user-address-set>"
      content = CalDAVScript.response("/alice/", state.tellsAddresses ? addresses : "")
    } else {
      content = CalDAVScript.response(
        "/cal/",
        "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:current-user-principal>"
          + "<d:href>/alice/</d:href></d:current-user-principal>"
          + CalDAVScript.state(ctag: "\(state.version)", token: nil))
      if request.headers["Depth"] == "1" {
        for (path, item) in state.items.sorted(by: { $0.key < $1.key }) {
          content += CalDAVScript.member(path, etag: state.tag(item.version))
        }
      }
    }
    return #"<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">"# + content
      + "</d:multistatus>"
  }

  private static func store(_ bytes: [UInt8], as path: String, in state: inout State) {
    mail(from: state.items[path]?.bytes, to: bytes, isQuiet: false, in: &state)
    state.version += 1
    state.items[path] = (state.version, bytes)
  }

  /// Mails what a change from one version of an item to another makes necessary.
  private static func mail(
    from old: [UInt8]?, to new: [UInt8]?, isQuiet: Bool, in state: inout State
  ) {
    guard state.isAutomatic else { return }
    state.mails +=
      SchedulingRules(
        before: old.flatMap { try? CalendarItem(parsing: $0) },
        after: new.flatMap { try? CalendarItem(parsing: $0) }, isQuiet: isQuiet
      ).mails
  }
}

/// The messages that RFC 6638 §3.2 makes of a change, on the calendar of alice.
struct SchedulingRules {
  let before: CalendarItem?
  let after: CalendarItem?
  /// Whether the request has `Schedule-Reply: F` (§8.1).
  let isQuiet: Bool

  private static let user = "mailto:alice@x"

  var mails: [String] {
    // A change of the organizer ends one meeting and begins another.
    let organizers = [before, after].map { Self.organizer(of: $0)?.rawValue.lowercased() }
    guard organizers[0] == organizers[1] || organizers.contains(nil) else {
      let old = SchedulingRules(before: before, after: nil, isQuiet: isQuiet)
      return old.mails + SchedulingRules(before: nil, after: after, isQuiet: isQuiet).mails
    }
    guard let organizer = organizers.compactMap({ $0 }).last else { return [] }
    return organizer == Self.user ? requests : replies(to: organizer)
  }

  private static func organizer(of item: CalendarItem?) -> Property? {
    item?.components.lazy.compactMap { $0[.organizer] }.first
  }

  // MARK: The organizer (§3.2.1)

  private var requests: [String] {
    let (called, calls) = (Self.called(in: before), Self.called(in: after))
    let isChanged = Self.content(of: before) != Self.content(of: after)
    return called.union(calls).sorted().compactMap { person in
      if !calls.contains(person) { return "CANCEL \(person)" }
      let isForced = Self.has("REQUEST", for: person, in: after)
      return !called.contains(person) || isChanged || isForced ? "REQUEST \(person)" : nil
    }
  }

  private static func content(of item: CalendarItem?) -> [String] {
    (item?.components ?? []).map { component in
      [PropertyName.recurrenceID, .summary, .dtStart, .location, .exDate]
        .map { component[$0]?.rawValue ?? "" }.joined(separator: " ")
    }.sorted()
  }

  /// The people whom the server has to tell.
  private static func called(in item: CalendarItem?) -> Set<String> {
    let people = (item?.components ?? []).flatMap { $0.properties(named: .attendee) }
    return Set(
      people.filter { $0[.scheduleAgent] != "CLIENT" }.map { $0.rawValue.lowercased() }
    ).subtracting([user])
  }

  /// Whether a message to a person is forced (§7.2).
  private static func has(_ word: String, for person: String, in item: CalendarItem?) -> Bool {
    (item?.components ?? []).contains { component in
      component.properties.contains {
        $0.rawValue.lowercased() == person && $0[.scheduleForceSend] == word
      }
    }
  }

  // MARK: An attendee (§3.2.2)

  private func replies(to organizer: String) -> [String] {
    let (old, new) = (Self.answers(in: before), Self.answers(in: after))
    guard !(old.isEmpty && new.isEmpty) else { return [] }
    let reply = ["REPLY \(organizer)"]
    let (wasSent, isSent) = (Self.isSent(before), Self.isSent(after))
    // An attendee who deletes declines.
    guard after != nil else { return wasSent && !isQuiet ? reply : [] }
    if isSent, Self.has("REPLY", for: organizer, in: after) { return reply }
    let isGiven = new.values.contains { !$0.hasPrefix("NEEDS-ACTION") }
    switch (before != nil && wasSent && !old.isEmpty, isSent) {
    case (false, false): return []
    case (false, true): return isGiven ? reply : []
    // The mark on what the server has handled so far ends its handling, like a removal.
    case (true, false): return reply
    case (true, true):
      let names = Set(old.keys).union(new.keys)
      let isChanged = names.contains { (old[$0] ?? old[""]) != (new[$0] ?? new[""]) }
      return isChanged ? reply : []
    }
  }

  private static func isSent(_ item: CalendarItem?) -> Bool {
    organizer(of: item).map { $0[.scheduleAgent] != "CLIENT" } ?? false
  }

  /// The answer of alice for each RECURRENCE-ID, with her comments and the times that she removed.
  private static func answers(in item: CalendarItem?) -> [String: String] {
    var answers: [String: String] = [:]
    for component in item?.components ?? [] {
      guard
        let own = component.properties(named: .attendee).first(where: {
          $0.rawValue.lowercased() == user
        })
      else { continue }
      let words = [own[.participationStatus] ?? "NEEDS-ACTION", own[.delegatedTo] ?? ""]
      let rest = component.properties
        .filter { $0.isNamed(.comment) || $0.isNamed(.exDate) }.map(\.rawValue).sorted()
      answers[component[.recurrenceID]?.rawValue ?? ""] =
        (words + rest).joined(separator: " ")
    }
    return answers
  }
}
