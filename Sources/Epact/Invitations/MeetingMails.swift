// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax

/// The mails by which the organizer of meetings informs the attendees of an edit, or of the undo of one
/// (RFC 6047).
///
/// ```swift
/// let edit = try editor.adding(details, as: .event, to: home)
/// let mails = try MeetingMails(for: edit, editor)
/// try edit.commit()
/// for mail in try mails.all() { try command.send(mail) }
/// ```
///
/// Only meetings whose organizer is the user have mails. Nothing is sent; see ``MailCommand``.
public struct MeetingMails: Sendable {
  /// The addresses of the user.
  private let user: Set<CalendarAddress>
  /// A comment for the attendees; nil for none.
  public var comment: String?
  /// The versions of the user's items before and after the edit.
  private let items: [Versions]
  private let editor: LibraryEditor

  /// Creates the mails of an edit.
  ///
  /// - Parameters:
  ///   - edit: The edit, before or after it is made.
  ///   - editor: The calendars, the clock and the time zones.
  /// - Throws: `LibraryError` if the configuration is invalid.
  public init(for edit: PreparedEdit, _ editor: LibraryEditor) throws {
    self.editor = editor
    items = edit.changes.filter { ![.moved, .removed, .copied].contains($0.kind) }.map { change in
      Versions(
        before: change.base?.item, after: change.item, location: change.calendar.location,
        title: change.title)
    }
    user = try editor.library.userAddresses().union(editor.addresses)
  }

  /// Creates the mails of an undo or a redo.
  ///
  /// - Parameters:
  ///   - undo: The undo, which is made already.
  ///   - editor: The calendars, the clock and the time zones.
  /// - Throws: `LibraryError` if the configuration is invalid.
  public init(for undo: UndoOutcome, _ editor: LibraryEditor) throws {
    self.editor = editor
    let calendars = try editor.library.calendars()
    // Imports and syncs bring the versions and the answers of others.
    let isOwn = undo.run.binding?.isEdit == true
    items = undo.items.filter { isOwn && $0.origin == nil }.map { item in
      Versions(
        before: item.before, after: item.after,
        location: calendars.first { $0.name == item.calendar }?.location, title: item.title)
    }
    user = try editor.library.userAddresses().union(editor.addresses)
  }

  /// An item before and after an edit.
  private struct Versions {
    let before: CalendarItem?
    let after: CalendarItem?
    /// The calendar; nil if it is not in the configuration.
    let location: CalendarLocation?
    let title: String
  }

  /// The changes of the user's own meetings.
  private var changes: [Versions] {
    items.filter { item in
      [item.before, item.after].contains { $0?.isMeeting(organizedBy: user) ?? false }
    }
  }

  /// The name of a sync whose server sends the messages itself; nil if there is none.
  ///
  /// - Throws: `LibraryError` if the configuration is invalid.
  public func scheduler() throws -> String? {
    let configuration = try editor.library.configuration()
    return changes.lazy.compactMap { change in
      change.location.flatMap { configuration.syncThatAnswers(for: $0) }
    }.first
  }

  /// Whether the edit changes a meeting of the user.
  public var isOfOrganizer: Bool { !changes.isEmpty }

  /// The organizer of a changed meeting, if it is not the one with an address; nil otherwise.
  ///
  /// - Parameter address: The address under which the user wants to organize.
  /// - Returns: The name of the organizer.
  public func organizer(otherThan address: CalendarAddress) -> String? {
    for item in items {
      let known = item.before ?? item.after
      guard known?.isMeeting == true, let first = known?.components.first,
        let organizer = Invitation.content(of: first).organizer
      else { continue }
      if !organizer.address.isSamePerson(as: address) { return organizer.displayName }
    }
    return nil
  }

  /// Writes the mails in the order in which they are to be sent.
  ///
  /// - Returns: The mails; empty if no attendee is concerned.
  /// - Throws: `EpactError` if a message cannot be written, or the organizer has no mail address.
  public func all() throws(EpactError) -> [OutgoingMail] {
    var mails: [OutgoingMail] = []
    for change in changes {
      for message in try messages(of: change) {
        // A CANCEL of a series has no rule of it.
        let isWhole = message.method == .cancel && message.item.main != nil
        let described = isWhole ? change.before : nil
        if let mail = try mail(message, of: described, isNew: change.before == nil) {
          mails.append(mail)
        }
      }
    }
    return mails
  }

  private func messages(of change: Versions) throws(EpactError) -> [SchedulingMessage] {
    let zones = editor.machine.zoneResolver
    // The attendees need definitions of all time zones in the message (RFC 5546 §3.2.2).
    let versions = [change.before, change.after].map { $0?.definingTimeZones(zones: zones) }
    let meeting = MeetingChange(from: versions[0], to: versions[1], zones: zones)
    do throws(SchedulingRefusal) {
      return try meeting.messages(at: editor.machine.now()).map { $0.commented(comment) }
    } catch {
      throw EpactError(
        .failed, "\"\(change.title)\": the message to the attendees cannot be written: \(error)",
        subject: (change.after ?? change.before)?.uid.rawValue)
    }
  }

  /// The mail with a message; nil if no attendee has a mail address.
  private func mail(
    _ message: SchedulingMessage, of described: CalendarItem?, isNew: Bool
  ) throws(EpactError) -> OutgoingMail? {
    let recipients = message.guests.compactMap(\.mailbox)
    guard !recipients.isEmpty else { return nil }
    let component = message.item.main ?? message.item.components.first
    let organizer = component.flatMap { Invitation.content(of: $0).organizer }
    guard let organizer, let sender = organizer.mailbox else {
      throw EpactError(
        .failed,
        "expected a mail address of the organizer, found \"\(organizer?.displayName ?? "")\"")
    }
    let words = MeetingWords(
      message: message, organizer: organizer, described: described ?? message.item, isNew: isNew,
      viewer: editor.viewer, machine: editor.machine)
    var mail = OutgoingMail(from: sender, to: recipients, subject: words.subject)
    mail.time = editor.machine.now()
    mail.text = words.body(comment)
    mail.calendar = OutgoingMail.Calendar(message)
    return mail
  }
}

/// The subject and the text of a message to attendees, for people without a calendar program.
private struct MeetingWords {
  let message: SchedulingMessage
  let organizer: Organizer
  /// The item whose time is named.
  let described: CalendarItem
  let isNew: Bool
  let viewer: ZoneRules
  let machine: Machine

  private var title: String { AnswerWords.line(message.item.title) }
  private var component: Component? { message.item.main ?? message.item.components.first }
  private var isWithdrawal: Bool { message.method == .cancel && component?[.status] == nil }

  var subject: String {
    if message.method == .cancel {
      return isWithdrawal ? "No longer invited: \(title)" : "Cancelled: \(title)"
    }
    return isNew ? "Invitation: \(title)" : "Updated: \(title)"
  }

  func body(_ comment: String?) -> [String] {
    let name = organizer.displayName
    let sentence =
      if isWithdrawal {
        "\(name) withdraws the invitation to \"\(title)\"."
      } else if message.method == .cancel {
        "\(name) cancels \"\(title)\"."
      } else {
        isNew ? "\(name) invites you to \"\(title)\"." : "\(name) changes \"\(title)\"."
      }
    let facts = [
      ("When", AnswerWords.time(of: described, viewer: viewer, machine: machine)),
      ("Where", component?[.location].map { AnswerWords.line($0.text) }),
      ("About", component?[.descriptionText].map { AnswerWords.line($0.text) }),
    ].compactMap { label, value in value.flatMap { $0.isEmpty ? nil : "\(label): \($0)" } }
    let remark = comment.map { text in
      text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    }
    return [sentence] + (facts.isEmpty ? [] : [""] + facts) + (remark.map { [""] + $0 } ?? [])
  }
}

extension SchedulingMessage {
  /// The message with a comment in its first component.
  fileprivate func commented(_ comment: String?) -> SchedulingMessage {
    guard let comment, var first = item.components.first else { return self }
    first.properties.append(Property(.comment, text: comment))
    let components = [first] + item.components.dropFirst()
    let commented = try? item.replacing(components: components, timeZones: item.timeZones)
    return commented.map { SchedulingMessage(method, $0) } ?? self
  }
}
