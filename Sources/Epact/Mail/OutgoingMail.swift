// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CivilTime
import ICalSyntax

/// A mail with a scheduling message (RFC 6047): a text for people, and a calendar for programs.
///
/// ```
/// multipart/alternative
///   text/plain; charset=utf-8
///   text/calendar; charset=utf-8; method=REPLY; component=VEVENT
/// ```
///
/// Names, subjects and addresses are foreign data. All that is not printable ASCII is encoded, so
/// that no value can add a header field or a recipient.
public struct OutgoingMail: Sendable {
  /// The calendar of a mail.
  package struct Calendar: Sendable {
    package let method: String
    package let component: String
    /// The iCalendar object in UTF-8.
    package let bytes: [UInt8]

    /// Writes a message as a calendar.
    package init(_ message: SchedulingMessage) {
      method = message.method.rawValue
      component = message.item.kind.rawValue
      bytes = Serializer(lineEnds: .refolded).bytes(of: message.object.calendar)
    }
  }

  /// The author.
  public let sender: Mailbox
  /// The recipients.
  public let recipients: [Mailbox]
  /// The subject.
  public let subject: String
  /// The time at which it was written.
  package var time = Instant(secondsSinceEpoch: 0)
  /// The lines of the text.
  package var text: [String] = []
  /// The Message-ID of the mail that it answers; nil for none.
  package var inReplyTo: String?
  /// The identifiers of the earlier mails of the thread.
  package var references: [String] = []
  /// The calendar; nil for none.
  package var calendar: Calendar?

  /// The maximum length of a header line that is folded (RFC 5322 §2.1.1).
  private static let lineLength = 76

  /// Creates a mail without a text.
  package init(from sender: Mailbox, to recipients: [Mailbox], subject: String) {
    self.sender = sender
    self.recipients = recipients
    self.subject = subject
  }

  /// The mail with CRLF line breaks (RFC 5322).
  ///
  /// The Message-ID and the boundary are derived from the content, so that the same mail has the
  /// same bytes.
  public var bytes: [UInt8] {
    let parts = parts
    let digest = SHA256.digest(of: parts.flatMap { $0 } + Array(sender.address.utf8)).description
    let domain = sender.address.split(separator: "@").last ?? "localhost"
    let boundary = "=_epact-\(digest.prefix(32))"
    var fields = [
      ("From", sender.headerText), ("To", recipients.map(\.headerText).joined(separator: ", ")),
      ("Subject", encodedSubject),
      ("Date", Self.date(time)), ("Message-ID", "<epact-\(digest.prefix(40))@\(domain)>"),
    ]
    if let inReplyTo {
      fields.append(("In-Reply-To", inReplyTo))
      fields.append(("References", (references + [inReplyTo]).joined(separator: " ")))
    }
    fields += [
      ("MIME-Version", "1.0"),
      ("Content-Type", "multipart/alternative; boundary=\"\(boundary)\""),
    ]
    var bytes = fields.flatMap { Self.field($0.0, $0.1) } + Self.lineEnd
    for part in parts { bytes += Array("--\(boundary)\r\n".utf8) + part }
    return bytes + Array("--\(boundary)--\r\n".utf8)
  }

  private static let lineEnd: [UInt8] = [0x0D, 0x0A]

  /// Writes mails to one file: one mail as it is, and several in the format mbox (RFC 4155).
  ///
  /// - Parameter mails: The mails.
  /// - Returns: The bytes.
  public static func bytes(of mails: [OutgoingMail]) -> [UInt8] {
    guard mails.count > 1 else { return mails.first?.bytes ?? [] }
    let mark = Array("From ".utf8)
    return mails.flatMap { mail -> [UInt8] in
      let lines = mail.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      let quoted = lines.map { $0.starts(with: mark) ? [UInt8(ascii: ">")] + $0 : Array($0) }
      let head = "From \(mail.sender.address) \(Self.asctime(mail.time))\r\n"
      return Array(head.utf8) + Array(quoted.joined(separator: [0x0A])) + lineEnd
    }
  }

  /// A time in UTC in the form of an mbox, such as `Wed Nov 25 04:00:00 2026`.
  private static func asctime(_ time: Instant) -> String {
    let words = date(time).split(whereSeparator: { $0 == " " || $0 == "," })
    let day = words[1].count < 2 ? " \(words[1])" : "\(words[1])"
    return "\(words[0]) \(words[2]) \(day) \(words[4]) \(words[3])"
  }

  private var encodedSubject: String {
    EncodedWords.isPlain(subject) ? subject : EncodedWords.encode(subject)
  }

  /// The text and the calendar with their headers.
  private var parts: [[UInt8]] {
    let text = Array((text.joined(separator: "\n") + "\n").utf8)
    var parts = [Self.part(text, type: "text/plain; charset=utf-8")]
    if let calendar {
      let type =
        "text/calendar; charset=utf-8; method=\(calendar.method); component=\(calendar.component)"
      parts.append(Self.part(calendar.bytes, type: type))
    }
    return parts
  }

  private static func part(_ content: [UInt8], type: String) -> [UInt8] {
    let (encoding, body) = TransferEncoding.encode(content)
    return field("Content-Type", type) + field("Content-Transfer-Encoding", encoding) + lineEnd
      + body
  }

  /// A field, folded at spaces.
  private static func field(_ name: String, _ value: String) -> [UInt8] {
    var line = "\(name):"
    var length = line.utf8.count
    for word in value.split(separator: " ", omittingEmptySubsequences: false) {
      let size = word.utf8.count + 1
      // A line with only a space would be the end of a header for some programs.
      if length + size > lineLength, !word.isEmpty, length > name.utf8.count + 1 {
        line += "\r\n"
        length = 0
      }
      line += " \(word)"
      length += size
    }
    return Array(line.utf8) + lineEnd
  }

  /// A time in UTC (RFC 5322 §3.3), such as `Wed, 25 Nov 2026 04:00:00 +0000`.
  package static func date(_ time: Instant) -> String {
    let wall = time.civil() ?? CivilDateTime(.first, .midnight)
    let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let date = wall.date
    let clock = [wall.time.hour, wall.time.minute, wall.time.second].map { number in
      number < 10 ? "0\(number)" : "\(number)"
    }
    return "\(days[date.weekday.days(since: .monday)]), \(date.day) \(months[date.month - 1]) "
      + "\(date.year) \(clock.joined(separator: ":")) +0000"
  }
}
