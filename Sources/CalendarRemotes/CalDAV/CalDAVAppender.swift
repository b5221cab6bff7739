// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

/// A CalDAV calendar under write-only access; its transport allows only additions.
struct CalDAVAppender: RemoteAppender {
  /// The explanation of rejected addresses.
  static let addressRule =
    "under write-only access the address has to be that of the calendar itself, "
    + "since nothing may be looked up"

  let session: DAVSession
  let collection: RemoteURL
  let invitations: InvitationPolicy

  func append(_ original: CalendarItem) async throws -> AppendOutcome {
    var item = original
    if invitations == .hold, Meeting.isOne(item) {
      // Write-only access allows no requests for the server's features or the user's addresses.
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
    // A new resource has status 201 (RFC 9110 §9.3.4). With another status the server replaced an
    // existing resource.
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
