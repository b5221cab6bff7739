// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// The tags of the items that the sides agreed on last, requested beside the state of the calendar.
///
///     opening request ──► ctag, token ──┐
///     multiget of tags ──► tags ────────┴── token unchanged, tags differ ──► listing
///
/// Several servers count changes in their tokens and ctags. A server that was restored from a
/// backup counts on from the backup, and reaches the same values again by other changes. The
/// versions that the sides agreed on last are then missing. A token that ends in a digest or in
/// random digits identifies one state, so that no probe is sent.
struct AgreementProbe: Sendable {
  private let report: OpeningReport

  /// Sends the request to a calendar.
  init(_ probe: CursorProbe, at address: RemoteURL, by session: DAVSession) {
    report = OpeningReport(
      DAVBody.multiget(probe.agreed.map(\.href.rawValue), withData: false), depth: "1",
      to: address, by: session)
  }

  /// The response; nil if the request failed, which proves nothing.
  func response() async -> HTTPResponse? { (try? await report.response()) ?? nil }
}

extension CollectionState {
  /// The number of hexadecimal digits from which a value counts as a digest, or as random.
  private static let digestLength = 32

  /// Whether another state of the calendar may have the same values, because they are counters.
  var canRecur: Bool { ![ctag, token].compactMap(\.self).contains(where: Self.isDigest) }

  private static func isDigest(_ value: String) -> Bool {
    let digits = value.reversed().drop { "\"'/".contains($0) }.prefix { $0.isHexDigit }
    return digits.count >= digestLength && digits.contains { !$0.isNumber }
  }
}

extension CalDAVRemote {
  /// Whether neither the token nor the ctag of a cursor ends in a digest or in random digits.
  public func mayRepeat(_ cursor: RemoteCursor) -> Bool {
    CalDAVCursor(cursor)?.state.canRecur ?? false
  }

  /// Opens the calendar as `openCalendar()` does, and requests the probe at the same time.
  ///
  /// The probe is requested only if the configured URL is that of the calendar, and if several
  /// requests may be in flight. Otherwise it is requested after the calendar was opened.
  ///
  /// - Throws: `RemoteError`, as `openCalendar()` does.
  public func openCalendar(probing probe: CursorProbe) async throws -> any RemoteCalendar {
    guard let known = CalDAVCursor(probe.cursor), known.state.canRecur, mayBeCalendar,
      known.path == address.asCollection.normalizedPath
    else { return try await openCalendar() }
    return try await open(
      with: nil, AgreementProbe(probe, at: address.asCollection, by: session(transport)))
  }
}

extension CalDAVCalendar {
  var cursorRecognition: CursorRecognition { memory.cursorRecognition }

  func differing(from probe: CursorProbe) async throws -> [Href] {
    guard let known = CalDAVCursor(probe.cursor), known.state.canRecur, !quirks.reusesTags else {
      return []
    }
    let request =
      opening.takeProbe() ?? AgreementProbe(probe, at: collection.asCollection, by: session)
    guard let response = await request.response(),
      response.url.asCollection.normalized == collection.asCollection.normalized,
      let document = try? DAVSession.multiStatus(of: response)
    else { return [] }
    let answers = Self.answersByAddress(
      document, from: response.url, asked: Set(probe.agreed.map(\.href.rawValue)))
    var differing: [Href] = []
    for entry in probe.agreed {
      let answer =
        answers[entry.href.rawValue]
        ?? (try? url(of: entry.href).normalized).flatMap { answers[$0] }
      guard let answer else { continue }
      let tag = answer.properties[.dav("getetag")].flatMap { EntityTag(received: $0.text) }
      if tag != nil {
        if tag != entry.etag { differing.append(entry.href) }
      } else if answer.status == 404, entry.etag != nil {
        // A server may not recognize its own spelling of the href in a report.
        if try await isGone(entry.href) { differing.append(entry.href) }
      }
    }
    return differing
  }

  /// Whether the server answers that an item does not exist.
  private func isGone(_ href: Href) async throws -> Bool {
    guard let url = try? url(of: href) else { return false }
    let response = try await session.propfind([.dav("getetag")], of: url, depth: 0)
    return response.status == 404 || response.status == 410
  }
}
