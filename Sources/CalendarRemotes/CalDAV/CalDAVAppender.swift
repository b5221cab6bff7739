// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

/// A CalDAV calendar under write-only access: its session has a transport that only adds.
struct CalDAVAppender: RemoteAppender {
  /// Why an address may be refused.
  static let addressRule =
    "under write-only access the address has to be that of the calendar itself, "
    + "since nothing may be looked up"

  let session: DAVSession
  let collection: RemoteURL
  let invitations: InvitationPolicy

  func append(_ original: CalendarItem) async throws -> AppendOutcome {
    var item = original
    if invitations == .hold, Meeting.isOne(item) {
      // Whether the server mails people, and who the user is, may not be asked here.
      guard !collection.isOfGoogle else {
        return .refused(
          reason: "the server would mail those who are invited; it does so only with "
            + "invitations = \"send\"")
      }
      item = Meeting(item, own: []).quiet()
    }
    let url = collection.appending(ItemName(of: item.uid).rawValue)
    let href = Href(url.path)
    let response = try await session.send(
      .put, to: url, headers: [("If-None-Match", "*")],
      content: .calendar(item.serialized(forStorage: true)))
    let refusal = DAVRefusal(response)
    switch response.status {
    case 201: return .added(href: href, etag: EntityTag(answer: response))
    // A new resource is 201 (RFC 9110 §9.3.4); the server has replaced what was there.
    case 200...299: return .alreadyPresent(href: href)
    case _ where refusal.isUIDConflict: return .alreadyPresent(href: href)
    case _ where refusal.isFailedCondition: return .alreadyPresent(href: href)
    case 404, 405, 409:
      throw RemoteError(
        code: .refused, subject: url.description,
        message: "\(refusal.reason); \(Self.addressRule)")
    case 403: throw RemoteError(code: .forbidden, subject: url.description, message: refusal.reason)
    case 400...499: return .refused(reason: refusal.reason)
    default:
      throw RemoteError(code: .failed, subject: url.description, message: refusal.reason)
    }
  }
}
