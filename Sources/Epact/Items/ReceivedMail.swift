// SPDX-License-Identifier: Apache-2.0

public import CalendarFiles
public import CalendarModel
import ICalSyntax

/// The scheduling messages in a mail or in a calendar file (RFC 6047).
///
/// ```swift
/// let mail = try ReceivedMail(reading: .standardInput) { event in print(event) }
/// for message in mail.messages { print(message.item.title) }
/// ```
///
/// The calendars of a mail are the parts with the type `text/calendar` or `application/ics` and the
/// files whose names end in `.ics`. They are decoded to UTF-8. Parts with the same contents count
/// once.
public struct ReceivedMail: Sendable {
  /// An item with the METHOD of its calendar.
  public struct Message: Sendable {
    /// The method; nil if neither the calendar nor the part declares one.
    public let method: SchedulingMethod?
    /// The item.
    public let item: CalendarItem
  }

  /// The name of the file in messages.
  public let label: String
  /// The author of the mail; nil for a calendar file.
  public let author: Mailbox?
  /// All authors: those of the mail, and of a forwarded mail in it (From); nil for a calendar file.
  ///
  /// They are not authenticated: a server verifies them at most (DKIM, SPF).
  public let authors: [Mailbox]?
  /// The mailbox that transmitted the mail (Sender), if it is none of the authors.
  public let transmitter: Mailbox?
  /// The addresses to which the mail was sent or delivered.
  public let recipients: [Mailbox]
  /// The Message-ID of the mail; nil if it has none.
  public let messageID: String?
  /// The identifiers of the earlier mails of the thread, the oldest first.
  public let references: [String]
  /// The calendars in UTF-8, with the METHOD of their parts.
  public let calendars: [FileSource]
  /// The messages in the order of the calendars.
  public let messages: [Message]

  /// Reads a mail or a calendar file.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - report: Receives the events of the calendars.
  /// - Throws: `EpactError` if the file cannot be read, contains no calendar or exceeds a limit;
  ///   `CancellationError`.
  public init(reading source: FileSource, report: (FileEvent) -> Void) throws {
    label = source.label
    let bytes = try source.bytes(
      limit: MailLimits().size, "expected at most 64 MiB, found more")
    guard MailMessage.isMail(bytes) else {
      (author, authors, transmitter) = (nil, nil, nil)
      (recipients, messageID, references) = ([], nil, [])
      calendars = [.bytes(bytes, label: source.label)]
      messages = try Self.messages(in: calendars, report)
      return
    }
    let mail = try Self.parse(bytes, label: label)
    let parts = CalendarPart.all(in: mail)
    guard let envelope = parts.first?.envelope else {
      throw EpactError(
        .failed, "\(label): expected a calendar in the mail, found none", subject: label)
    }
    author = envelope.values("from").first.flatMap { Mailbox.list(parsing: $0).first }
    let authors = Self.mailboxes("from", in: [mail.header] + parts.map(\.envelope))
    self.authors = authors
    transmitter = Self.mailboxes("sender", in: [mail.header]).first { sender in
      !authors.contains { $0.address.lowercased() == sender.address.lowercased() }
    }
    recipients = ["to", "cc", "delivered-to", "x-original-to", "envelope-to"].flatMap { name in
      envelope.values(name).flatMap { Mailbox.list(parsing: $0) }
    }
    messageID = envelope.values("message-id").first.flatMap { Self.identifiers(in: $0).first }
    references =
      (envelope.values("references").first ?? envelope.values("in-reply-to").first)
      .map { Self.identifiers(in: $0) } ?? []
    calendars = parts.map { part in
      .bytes(part.bytes, label: "\(source.label), part \(part.number)")
    }
    messages = try Self.messages(in: calendars, report)
  }

  /// The origin of the messages, for ``InvitationReview/concerns``.
  public var origin: SchedulingOrigin {
    SchedulingOrigin(senders: authors?.map { CalendarAddress("mailto:\($0.address)") })
  }

  /// The calendars with their origin, for an import.
  public var sources: [ImportSource] { calendars.map { ImportSource($0, origin: origin) } }

  /// The maximum number of authors.
  private static let authorLimit = 20

  /// The mailboxes in all fields with a name, each once.
  private static func mailboxes(_ name: String, in headers: [MailHeader]) -> [Mailbox] {
    var known: Set<String> = []
    var all: [Mailbox] = []
    for header in headers {
      for mailbox in header.values(name).flatMap({ Mailbox.list(parsing: $0) })
      where all.count < authorLimit && known.insert(mailbox.address.lowercased()).inserted {
        all.append(mailbox)
      }
    }
    return all
  }

  private static func parse(_ bytes: [UInt8], label: String) throws(EpactError) -> MailMessage {
    do throws(EpactError) {
      return try MailMessage(parsing: bytes)
    } catch {
      throw EpactError(error.code, "\(label): \(error.message)", subject: label)
    }
  }

  /// The maximum number of identifiers of earlier mails.
  private static let referenceLimit = 100

  /// The message identifiers in a field (RFC 5322 §3.6.4); others than printable ASCII are omitted.
  private static func identifiers(in value: [UInt8]) -> [String] {
    let words = value.split(whereSeparator: \.isBlank).filter { word in
      word.first == UInt8(ascii: "<") && word.last == UInt8(ascii: ">") && word.count <= 250
        && word.allSatisfy { 0x21...0x7E ~= $0 }
    }
    return words.suffix(referenceLimit).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func messages(
    in calendars: [FileSource], _ report: (FileEvent) -> Void
  ) throws -> [Message] {
    var messages = DistinctMessages()
    for calendar in calendars {
      try calendar.reporting { try read(calendar, into: &messages, report) }
    }
    return messages.all
  }

  private static func read(
    _ calendar: FileSource, into messages: inout DistinctMessages, _ report: (FileEvent) -> Void
  ) throws {
    var reader = try CalendarReader(calendar, options: ReadingOptions())
    var grouping = ItemGrouping(window: .max, keepsMessages: true)
    var budget = DiagnosticBudget()
    var isCalendar = false
    func tell(_ diagnostic: Diagnostic) {
      if budget.admits() { report(.diagnostic(path: calendar.label, diagnostic)) }
    }
    while let element = try reader.next() {
      switch element {
      case .calendarBegan, .component: isCalendar = true
      case .diagnostic(let diagnostic): tell(diagnostic)
      case .property, .calendarEnded: break
      }
      grouping.take(element)
    }
    grouping.finish()
    while let element = grouping.next() {
      switch element {
      case .item(let item):
        messages.add(Message(method: SchedulingMessage(item)?.method, item: item))
      case .rejected(let diagnostic), .diagnostic(let diagnostic): tell(diagnostic)
      }
    }
    if let event = budget.rest(path: calendar.label) { report(event) }
    if !isCalendar { report(.notCalendar(path: calendar.label)) }
  }
}

/// Messages without repetitions: the same item with the same method, or once without a method.
private struct DistinctMessages {
  private(set) var all: [ReceivedMail.Message] = []
  /// The messages with the same contents, which differ in their method.
  private var places: [Contents: [Int]] = [:]

  private struct Contents: Hashable {
    let uid: UID
    let fingerprint: Fingerprint
  }

  mutating func add(_ message: ReceivedMail.Message) {
    let contents = Contents(uid: message.item.uid, fingerprint: message.item.fingerprint)
    for place in places[contents] ?? [] {
      let known = all[place].method
      if message.method == nil || message.method == known { return }
      if known == nil {
        all[place] = message
        return
      }
    }
    places[contents, default: []].append(all.count)
    all.append(message)
  }
}

/// A calendar in a mail.
package struct CalendarPart {
  /// The calendar in UTF-8, with the METHOD that the part declares.
  let bytes: [UInt8]
  /// The number of the part in the mail, from 1.
  let number: Int
  /// The header of the message that contains the part.
  let envelope: MailHeader

  private static let types: Set<String> = [
    "text/calendar", "application/ics", "application/calendar", "text/x-vcalendar",
    "text/vcalendar",
  ]

  /// The calendars of a mail; parts that differ only in their line breaks count once.
  static func all(in mail: MailMessage) -> [CalendarPart] {
    var seen: Set<[UInt8]> = []
    return mail.parts.enumerated().compactMap { offset, part in
      guard let part = CalendarPart(part, number: offset + 1) else { return nil }
      var plain = part.bytes.filter { $0 != 0x0D }
      while let last = plain.last, last.isBlank { plain.removeLast() }
      return seen.insert(plain).inserted ? part : nil
    }
  }

  private init?(_ part: MailMessage.Part, number: Int) {
    let isNamed = part.filename?.lowercased().hasSuffix(".ics") ?? false
    guard isNamed || Self.types.contains(part.type.word) else { return nil }
    let text = MailCharset.utf8(part.body, declared: part.type.parameters["charset"])
    bytes = Self.calendar(text, withMethod: part.type.parameters["method"])
    self.number = number
    envelope = part.envelope
  }

  /// Adds the METHOD of a part to its calendar, unless the calendar has one (RFC 6047 §2.4).
  package static func calendar(_ bytes: [UInt8], withMethod method: String?) -> [UInt8] {
    guard let method, !method.isEmpty, method.utf8.count <= 40,
      method.utf8.allSatisfy({ 0x41...0x5A ~= $0 & 0xDF || $0 == UInt8(ascii: "-") })
    else { return bytes }
    var start = 0
    var place: Int?
    while start < bytes.count {
      let feed = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      let line = String(decoding: bytes[start..<feed].prefix(16), as: UTF8.self).uppercased()
      if line.hasPrefix("METHOD:") || line.hasPrefix("METHOD;") { return bytes }
      if place == nil, line.hasPrefix("BEGIN:VCALENDAR") {
        place = min(feed + 1, bytes.count)
      } else if line.hasPrefix("BEGIN:") {
        break
      }
      start = feed + 1
    }
    guard let place else { return bytes }
    return bytes[..<place] + Array("METHOD:\(method.uppercased())\r\n".utf8) + bytes[place...]
  }
}
