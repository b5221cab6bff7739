// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

extension PropertyCodec where Value == String {
  /// A text (RFC 5545 §3.3.11).
  static let text = PropertyCodec(
    read: { property, _ in property.text },
    edit: { $1.text = $0 })

  /// A URI, which has no escapes (RFC 5545 §3.3.13).
  static let uri = PropertyCodec(
    read: { property, _ in property.rawValue },
    edit: { $1.set(rawValue: $0) })
}

extension PropertyCodec where Value == UID {
  /// The UID of a component (RFC 5545 §3.8.4.7).
  static let uid = PropertyCodec(
    read: { property, _ in
      let text = property.text
      return text.isEmpty ? nil : UID(text)
    },
    edit: { $1.text = $0.rawValue })
}

extension PropertyCodec where Value: Word {
  /// One of several words, in any case (RFC 5545 §2).
  static var word: PropertyCodec {
    let words = WordTable<Value>()
    return PropertyCodec(
      read: { property, diagnostics in
        if let value = words.word(of: property) ?? Value(ignoringCase: property.text) {
          return value
        }
        property.reportValue(
          expected: "a word that \(property.name.canonicalName) can be", property.reference,
          to: &diagnostics)
        return nil
      },
      edit: { $1.text = $0.rawValue })
  }
}

extension PropertyCodec where Value == Relation {
  /// A relation to another item (RFC 5545 §3.8.4.5).
  static let relation = PropertyCodec(
    read: { property, _ in
      let type = property[.relationshipType].map { RelationshipType(rawValue: $0) }
      var relation = Relation(to: property.text, type: type ?? .parent)
      relation.gap = property.gap
      return relation
    },
    edit: { relation, property in
      if property.text != relation.target { property.text = relation.target }
      let type = property[.relationshipType].map { RelationshipType(rawValue: $0) } ?? .parent
      if type != relation.type {
        property[.relationshipType] = relation.type == .parent ? nil : relation.type.rawValue
      }
      if property.gap != relation.gap { property[.gap] = relation.gap?.description }
    })
}

extension Property {
  /// The lead or lag time between two items (RFC 9253 §6.2).
  fileprivate var gap: CivilDuration? {
    self[.gap].flatMap { try? BasicFormat.lenientDuration($0.utf8.span).value }
  }
}

extension PropertyCodec where Value == RequestStatus {
  /// A status with two or three parts (RFC 5545 §3.8.8.3).
  static let requestStatus = PropertyCodec(
    read: { property, _ in
      let bytes = property.valueBytes
      let parts = TextEscaping.split(bytes.span, separator: UInt8(ascii: ";")).map {
        TextEscaping.unescape(bytes.span.extracting($0))
      }
      return RequestStatus(
        code: parts[0], text: parts.count > 1 ? parts[1] : "",
        data: parts.count > 2 ? parts[2...].joined(separator: ";") : nil)
    },
    edit: { status, property in
      let parts = [status.code, status.text] + (status.data.map { [$0] } ?? [])
      property.rawValue = parts.map(TextEscaping.escape).joined(separator: ";")
    })
}

extension PropertyCodec where Value == Attachment {
  /// A document, at a URI or inline (RFC 5545 §3.8.1.1).
  static let attachment = PropertyCodec(
    read: { property, _ in
      let isInline = property[.value]?.asciiUppercased == ValueType.binary.rawValue
      return Attachment(
        isInline ? .inline(base64: property.rawValue) : .uri(property.rawValue),
        formatType: property[.formatType])
    },
    edit: { attachment, property in
      property.set(.formatType, to: attachment.formatType)
      switch attachment.content {
      case .uri(let uri):
        if property[.value]?.asciiUppercased == ValueType.binary.rawValue {
          property[.value] = nil
          property[.encoding] = nil
        }
        property.set(rawValue: uri)
      case .inline(let base64):
        if property[.value]?.asciiUppercased != ValueType.binary.rawValue {
          property[.encoding] = "BASE64"
          property[.value] = ValueType.binary.rawValue
        }
        property.set(rawValue: base64)
      }
    })
}

extension ListCodec where Value == String {
  /// A list of texts (RFC 5545 §3.8.1.2).
  static let texts = ListCodec(
    read: { property, _, body in
      property.withValue { bytes in
        TextEscaping.forEachPart(bytes, separator: UInt8(ascii: ",")) {
          body(TextEscaping.unescape(bytes.extracting($0)))
        }
      }
    },
    properties: { name, values in
      [Property(name, rawValue: values.map(TextEscaping.escape).joined(separator: ","))]
    })
}

/// A value that is one of several words, in any case (RFC 5545 §2).
protocol Word: RawRepresentable, Hashable, Sendable where RawValue == String {
  /// The words of the RFC, at most 24 letters and hyphens each; other words may be valid, too.
  static var named: [Self] { get }
}

extension Word {
  /// Creates a value from a word in any case.
  init?(ignoringCase word: String) {
    self.init(rawValue: word.asciiUppercased)
  }
}

extension Word where Self: CaseIterable, AllCases == [Self] {
  static var named: [Self] { allCases }
}

extension EventStatus: Word {}
extension JournalStatus: Word {}
extension ReminderStatus: Word {}
extension Transparency: Word {}

extension AlarmAction: Word {
  static let named = [audio, display, email]
}

extension CalendarUserType: Word {
  static let named = [individual, group, resource, room, unknown]
}

extension Classification: Word {
  static let named = [`public`, `private`, confidential]
}

extension ParticipationStatus: Word {
  static let named = [
    needsAction, accepted, declined, tentative, delegated, completed, inProcess,
  ]
}

extension Role: Word {
  static let named = [chair, required, optional, nonParticipant]
}

extension AlarmProximity: Word {
  static let named = [arrive, depart, connect, disconnect]
}

extension ParticipantType: Word {
  static let named = [
    active, inactive, sponsor, contact, bookingContact, emergencyContact, publicityContact,
    plannerContact, performer, speaker,
  ]
}

extension ScheduleAgent: Word {
  static let named = [server, client, none]
}

/// The words of the RFC, by their bytes, so that a common word is read without creating a string.
struct WordTable<Value: Word>: Sendable {
  /// The words in upper case.
  let names = NameTable(Value.named.map(\.rawValue))
  private let values = Value.named

  /// Returns the value of a word in any case, or nil if the RFC does not name the word.
  func word(_ bytes: Span<UInt8>) -> Value? {
    names.index(of: bytes).map { values[$0] }
  }

  /// Returns the value of a property, or nil if the RFC does not name the word.
  func word(of property: Property) -> Value? {
    property.valueIndex(in: names).map { values[$0] }
  }
}

extension PropertyCodec where Value == Int {
  /// An integer in a range (RFC 5545 §3.3.8).
  static func integer(_ range: ClosedRange<Int>) -> PropertyCodec {
    PropertyCodec(
      read: { property, diagnostics in
        if let number = property.usualInteger, range.contains(number) { return number }
        guard case .integer(let number)? = property.typedValue(&diagnostics) else { return nil }
        if range.contains(number) { return number }
        property.reportValue(
          expected: "a number from \(range.lowerBound) through \(range.upperBound)",
          property.reference, to: &diagnostics)
        return nil
      },
      edit: { $1.set(rawValue: String($0)) })
  }
}

extension PropertyCodec where Value == GeoPoint {
  /// A geographic position (RFC 5545 §3.8.1.6).
  static let geo = PropertyCodec(
    read: { property, diagnostics in
      let typed = property.typedValues
      property.report(typed, to: &diagnostics)
      if typed.values.count == 2, case .float(let latitude) = typed.values[0],
        case .float(let longitude) = typed.values[1],
        let point = GeoPoint(latitude: latitude, longitude: longitude)
      {
        return point
      }
      guard typed.problems.isEmpty else { return nil }
      property.reportValue(
        expected: "a latitude from -90 through 90, \";\" and a longitude from -180 through 180",
        property.reference, to: &diagnostics)
      return nil
    },
    edit: { $1.set(rawValue: "\($0.latitude);\($0.longitude)") })
}
