// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// Adds attendees to a meeting of the user, and removes others.
struct PeopleWriter {
  let invitation: MeetingDetails

  /// Changes the attendees.
  ///
  /// The organizer of a new meeting takes part in it. An item without attendees is no meeting, and has
  /// no organizer (RFC 5545 §3.8.4.3).
  ///
  /// - Parameter content: The content.
  /// - Throws: `EpactError` if the user is not the organizer, or if an address to remove is not that of an
  ///   attendee.
  func write<Content: EditableContent>(to content: inout Content) throws(EpactError) {
    let organizer = content.organizer ?? invitation.organizer
    guard organizer.address.isSamePerson(as: invitation.organizer.address) else {
      throw EpactError(
        .argument,
        "the organizer is \(organizer.displayName), and only the organizer invites attendees")
    }
    for address in invitation.withdrawn { try remove(address, from: &content, of: organizer) }
    for attendee in invitation.attendees
    where !content.attendees.contains(where: { $0.address.isSamePerson(as: attendee.address) }) {
      content.attendees.append(attendee)
    }
    guard content.attendees.contains(where: { !$0.address.isSamePerson(as: organizer.address) })
    else {
      (content.organizer, content.attendees) = (nil, [])
      return
    }
    guard content.organizer == nil else { return }
    content.organizer = organizer
    if !content.attendees.contains(where: { $0.address == organizer.address }) {
      var own = Attendee(organizer.address, commonName: organizer.commonName)
      (own.role, own.participationStatus) = (.chair, .accepted)
      content.attendees.insert(own, at: 0)
    }
  }

  private func remove<Content: EditableContent>(
    _ address: CalendarAddress, from content: inout Content, of organizer: Organizer
  ) throws(EpactError) {
    guard !address.isSamePerson(as: organizer.address) else {
      throw EpactError(
        .argument, "\(organizer.displayName) is the organizer; to cancel the meeting, delete it")
    }
    let isKnown = content.attendees.contains { $0.address.isSamePerson(as: address) }
    guard isKnown else {
      let title = content.summary ?? ""
      throw EpactError(
        .argument, "expected an attendee of \"\(title)\", found \(Attendee(address).displayName)")
    }
    content.attendees.removeAll { $0.address.isSamePerson(as: address) }
  }
}
