// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Synchronization

/// Prevention of unintended scheduling messages.
///
/// A server with automatic scheduling sends invitations when a meeting of the user is stored,
/// updates when it changes, and cancellations when it is deleted (RFC 6638 §3.2.1). It sends an
/// answer when the user, as an attendee, changes the participation status (§3.2.2). Therefore
/// attendees, and the organizer of a meeting to which the user is invited, are marked in requests,
/// but not locally, as scheduled by the client. Meetings that the server handles already are not
/// marked, because the mark itself would cause a cancellation: a write that would send a message is
/// refused instead.
extension CalDAVCalendar {
  func outgoing(_ item: CalendarItem, replacing href: Href?) async throws -> CalendarItem {
    guard invitations == .hold, Meeting.isOne(item) else { return item }
    let server = try await scheduling()
    guard server.isAutomatic else { return item }
    let meeting = Meeting(item, own: server.addresses)
    guard let href else { return meeting.quiet() }
    guard let copy = try await readCopy(of: href) else { return meeting.quiet() }
    memory.keep(copy)
    return meeting.quiet(replacing: Meeting(copy.item, own: server.addresses))
  }

  /// Fetches the current items with one request instead of one request before each write.
  ///
  /// An item that both sides agreed on is not fetched: the condition of the write makes sure that
  /// the server still holds it. Meetings are not cached. They are read individually, with their
  /// schedule tags and as late as possible. If the server ignores conditions, nothing is cached,
  /// because a write could replace an item that has changed since.
  func prepare(toChange items: [HeldItem]) async throws {
    memory.keep([:])
    guard invitations == .hold, !quirks.ignoresConditions else { return }
    var copies: [Href: CalendarMemory.Copy] = [:]
    var unknown: [Href] = []
    for held in items {
      guard let etag = held.etag, !etag.isWeak, let item = held.item() else {
        unknown.append(held.href)
        continue
      }
      guard !Meeting.isOne(item) else { continue }
      copies[held.href] = CalendarMemory.Copy(
        href: held.href, etag: etag, scheduleTag: nil, item: item)
    }
    memory.keep(copies)
    guard unknown.count > 1, try await scheduling().isAutomatic else { return }
    for case .item(let href, let etag?, let item) in try await fetch(unknown)
    where !etag.isWeak && !Meeting.isOne(item) {
      copies[href] = CalendarMemory.Copy(href: href, etag: etag, scheduleTag: nil, item: item)
    }
    memory.keep(copies)
  }

  /// Returns the reason why an item must not be added; nil if it can be.
  func objection(toAdding item: CalendarItem) async throws -> String? {
    guard invitations == .hold, Meeting.isOne(item) else { return nil }
    let server = try await scheduling()
    guard server.isAutomatic else { return nil }
    let meeting = Meeting(item, own: server.addresses)
    let people = meeting.notified(ignoringAgent: server.ignoresAgent)
    guard people.isEmpty else { return Self.objection("invite", people) }
    let organizers = meeting.answered(replacing: nil, ignoringAgent: server.ignoresAgent)
    return organizers.isEmpty ? nil : Self.objection("send your answer to", organizers)
  }

  /// A scheduling server's requirement for a write.
  enum SchedulingAdvice {
    /// No additional requirement.
    case nothing
    /// The item is unchanged; its schedule tag, if it has one (RFC 6638 §3.2.10).
    case unchanged(scheduleTag: String?)
    /// The item was deleted or changed since it was read.
    case conditionFailed
    /// The server would send scheduling messages, for this reason.
    case refused(String)
  }

  /// Returns the requirement for replacing an item, or for deleting it if `replacement` is nil.
  ///
  /// The decision is based on the server's copy, whose attendees can differ from those of the new
  /// version.
  func advice(
    for href: Href, replacement: CalendarItem?, ifMatch etag: EntityTag
  ) async throws -> SchedulingAdvice {
    guard invitations == .hold else { return .nothing }
    let kept = memory.takeCopy(of: href)
    // Neither version has guests, so that it does not matter whether the server sends invitations.
    if let kept, kept.etag == etag, !Meeting.isOne(kept.item),
      replacement.map({ !Meeting.isOne($0) }) ?? true
    {
      return .unchanged(scheduleTag: kept.scheduleTag)
    }
    let server = try await scheduling()
    guard server.isAutomatic else { return .nothing }
    let found: CalendarMemory.Copy?
    if let kept { found = kept } else { found = try await readCopy(of: href) }
    guard let copy = found else { return replacement == nil ? .nothing : .conditionFailed }
    guard copy.etag.map({ $0.names(etag) }) ?? true else { return .conditionFailed }
    let held = Meeting(copy.item, own: server.addresses)
    if let reason = Self.objection(toReplacing: held, with: replacement, on: server) {
      return .refused(reason)
    }
    guard replacement != nil else { return .nothing }
    return .unchanged(scheduleTag: copy.scheduleTag)
  }

  /// Returns the requirement for moving an item from another calendar, which deletes it there.
  func advice(forMoving url: RemoteURL, ifMatch etag: EntityTag?) async throws -> SchedulingAdvice {
    guard invitations == .hold else { return .nothing }
    let server = try await scheduling()
    guard server.isAutomatic else { return .nothing }
    guard let copy = try await readCopy(at: url, Href(url.path)) else { return .conditionFailed }
    if let etag, let tag = copy.etag, !tag.names(etag) { return .conditionFailed }
    let held = Meeting(copy.item, own: server.addresses)
    return Self.objection(toReplacing: held, with: nil, on: server).map { .refused($0) } ?? .nothing
  }

  /// Returns the reason why an item must not be replaced, or deleted if `replacement` is nil; nil if
  /// the server sends no messages.
  private static func objection(
    toReplacing held: Meeting, with replacement: CalendarItem?, on server: SchedulingServer
  ) -> String? {
    let notified = held.notified(ignoringAgent: server.ignoresAgent)
    guard let replacement else {
      if !notified.isEmpty { return objection("send a cancellation to", notified) }
      // Other servers respect Schedule-Reply: F (RFC 6638 §8.1).
      guard server.ignoresAgent, held.isDeclinedByDeletion(ignoringAgent: true) else { return nil }
      return objection("decline for you, and tell", held.organizers)
    }
    let next = Meeting(replacement, own: server.addresses)
    let added = next.notified(ignoringAgent: server.ignoresAgent)
    guard added.isSubset(of: notified) else {
      return objection("invite", added.subtracting(notified))
    }
    guard
      notified.isEmpty || added == notified && Meeting.areSameForAttendees(held.item, replacement)
    else { return objection("send the change to", notified) }
    let organizers = next.answered(replacing: held, ignoringAgent: server.ignoresAgent)
    return organizers.isEmpty ? nil : objection("send your answer to", organizers)
  }

  private static func objection(_ verb: String, _ people: Set<String>) -> String {
    let names = people.sorted().map { address in
      ServerText.escaped(address.hasPrefix("mailto:") ? String(address.dropFirst(7)) : address)
    }
    let shown = names.prefix(3).joined(separator: ", ")
    let list = names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
    return "the server would \(verb) \(list); it does so only with invitations = \"send\""
  }

  /// Reads the server's copy of an item; nil if it was deleted.
  private func readCopy(of href: Href) async throws -> CalendarMemory.Copy? {
    try await readCopy(at: try url(of: href), href)
  }

  private func readCopy(at url: RemoteURL, _ href: Href) async throws -> CalendarMemory.Copy? {
    let response = try await session.send(.get, to: url)
    switch response.status {
    case 200: break
    case 404, 410: return nil
    default:
      throw RemoteError(
        code: .failed, subject: url.description, message: DAVRefusal(response).reason)
    }
    do throws(ItemError) {
      let item = try CalendarItem(parsing: response.body)
      return CalendarMemory.Copy(
        href: href, etag: EntityTag(answer: response),
        scheduleTag: response.headers["Schedule-Tag"], item: item)
    } catch {
      throw RemoteError(
        code: .malformed, subject: url.description,
        message: "the resource is not an item: \(ServerText.escaped(error.message))")
    }
  }
}

extension CalDAVCalendar {
  /// The scheduling behaviour of the server, requested once before the first write.
  func scheduling() async throws -> SchedulingServer {
    if let known = memory.scheduling { return known }
    var server = SchedulingServer()
    if let isAutomatic = SchedulingServer.isAutomatic(memory.features) {
      server.isAutomatic = isAutomatic
    } else {
      let options = try await session.send(.options, to: collection)
      server.isAutomatic = SchedulingServer.isAutomatic(options.headers) ?? false
    }
    if server.isAutomatic {
      server.ignoresAgent = collection.isOfGoogle
      server.addresses = try await addresses()
    }
    memory.scheduling = server
    return server
  }

  /// Requests the addresses of the user (RFC 6638 §2.4.1); empty if they are unavailable.
  private func addresses() async throws -> Set<String> {
    guard let principal = try await hrefs(in: .dav("current-user-principal"), of: collection).first
    else { return [] }
    let found = try await hrefs(
      in: .caldav("calendar-user-address-set"), of: try collection.resolvingLink(principal))
    return Set(found.map { $0.lowercased() })
  }

  private func hrefs(in property: XMLName, of url: RemoteURL) async throws -> [String] {
    let response = try await session.propfind([property], of: url, depth: 0)
    guard let answer = try? DAVSession.multiStatus(of: response) else { return [] }
    let element = answer.responses.first?.properties[property]
    return (element?.children(named: .dav("href")) ?? []).map(\.trimmedText)
      .filter { !$0.isEmpty }
  }
}

/// The scheduling behaviour of a server: whether storing a meeting sends messages (RFC 6638).
struct SchedulingServer: Hashable, Sendable {
  /// Whether the server schedules automatically (`calendar-auto-schedule`, RFC 6638 §2).
  var isAutomatic = false
  /// Whether the server sends messages regardless of SCHEDULE-AGENT, as Google does.
  var ignoresAgent = false
  /// The addresses of the user in lower case; empty if they are unknown.
  var addresses: Set<String> = []

  /// Whether the `DAV` header field announces automatic scheduling.
  ///
  /// - Parameter headers: The header fields of a response.
  /// - Returns: Nil if the field does not announce CalDAV support.
  static func isAutomatic(_ headers: HTTPHeaders) -> Bool? {
    let classes = headers.values(of: "DAV").joined(separator: ",").lowercased()
      .split(whereSeparator: { $0 == "," || $0 == " " })
    guard classes.contains("calendar-access") else { return nil }
    return classes.contains("calendar-auto-schedule")
  }
}
