// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The name and the dates of a contact, from a vCard (RFC 6350).
package struct VCard: Hashable, Sendable {
  /// The line of BEGIN, from 1.
  package let line: Int
  /// The UID (RFC 6350 §6.7.6).
  package let uid: String?
  /// The name: FN, or else the parts of N, ORG, NICKNAME or EMAIL.
  package let name: String?
  /// The CLASS in upper case (RFC 2426 §3.7.1).
  package let classification: String?
  /// The birthday (RFC 6350 §6.2.5).
  package let birthday: VCardDate?
  /// The anniversary of the marriage (RFC 6350 §6.2.6).
  package let anniversary: VCardDate?
  /// The reasons why dates of the card are left out.
  package let notes: [Diagnostic]

  init(_ fields: VCardFields, line: Int) {
    self.line = line
    uid = fields.text("UID")
    classification = fields.text(.classification)?.asciiUppercased
    let name = fields.name
    var birthday: VCardDate?
    var anniversary: VCardDate?
    var notes: [Diagnostic] = []
    switch fields.birthday {
    case .success(let date): birthday = date
    case .failure(let fault): notes.append(fault.diagnostic)
    }
    switch fields.anniversary {
    case .success(let date): anniversary = date
    case .failure(let fault): notes.append(fault.diagnostic)
    }
    if name == nil, birthday != nil || anniversary != nil {
      (birthday, anniversary) = (nil, nil)
      notes.append(
        Diagnostic(
          .warning, .missingProperty, at: SourcePosition(line: line, column: 1),
          "expected FN in a card with a date, found no name", reference: "RFC 6350 §6.2.1"))
    }
    (self.name, self.birthday, self.anniversary, self.notes) = (name, birthday, anniversary, notes)
  }
}

/// The properties of a card, and the meaning of their values.
struct VCardFields {
  /// The properties for the anniversary of a marriage, before and since RFC 6350: those of most
  /// programs, Apple's with a label, Evolution's and KDE's.
  static let anniversaryNames: Set<String> = [
    "ANNIVERSARY", "X-ANNIVERSARY", "X-ABDATE", "X-EVOLUTION-ANNIVERSARY",
    "X-KADDRESSBOOK-X-ANNIVERSARY",
  ]
  /// The labels of Apple's dates for an anniversary, in lower case.
  private static let anniversaryLabels: Set<String> = ["_$!<anniversary>!$_", "anniversary"]
  /// The parts of N in the order of a name: prefix, given, additional, family, suffix (RFC 6350
  /// §6.2.2).
  private static let nameOrder = [3, 1, 2, 0, 4]
  /// The maximum length of a quoted value in a message, in characters.
  private static let quotedLimit = 40

  private let properties: [Property]
  private let decoder: VCalendarReader.CharsetDecoder

  init(_ properties: [Property], decoder: @escaping VCalendarReader.CharsetDecoder) {
    self.properties = properties
    self.decoder = decoder
  }

  /// The preferred text of a property on one line; nil if it is missing or empty.
  func text(_ name: PropertyName) -> String? {
    preferred(named: [name]).lazy.map { plain(value(of: $0).text) }.first { !$0.isEmpty }
  }

  /// The name of the contact.
  var name: String? {
    if let name = text("FN") { return name }
    for property in preferred(named: ["N"]) {
      let parts = value(of: property).parts
      let words = Self.nameOrder.filter(parts.indices.contains).map { place in
        plain(parts[place].list.joined(separator: " "))
      }
      let name = words.filter { !$0.isEmpty }.joined(separator: " ")
      if !name.isEmpty { return name }
    }
    for property in preferred(named: ["ORG"]) {
      let parts = value(of: property).parts.map { plain($0.text) }.filter { !$0.isEmpty }
      if !parts.isEmpty { return parts.joined(separator: ", ") }
    }
    for property in preferred(named: ["NICKNAME"]) {
      let names = value(of: property).list.map(plain)
      if let name = names.first(where: { !$0.isEmpty }) { return name }
    }
    return text("EMAIL")
  }

  /// The birthday, nil if the card has none, or the reason why it is not used.
  var birthday: Result<VCardDate?, VCardFault> {
    date(of: preferred(named: ["BDAY"]), reference: "RFC 6350 §6.2.5")
  }

  /// The anniversary, nil if the card has none, or the reason why it is not used.
  var anniversary: Result<VCardDate?, VCardFault> {
    let names = Self.anniversaryNames.sorted().map { PropertyName($0) }
    let candidates = preferred(named: names).filter { property in
      !property.isNamed("X-ABDATE") || Self.anniversaryLabels.contains(label(of: property))
    }
    return date(of: candidates, reference: "RFC 6350 §6.2.6")
  }

  /// The first usable date of some properties.
  private func date(
    of candidates: [Property], reference: String
  ) -> Result<VCardDate?, VCardFault> {
    var fault: VCardFault?
    for property in candidates {
      let text = plain(value(of: property).text)
      guard !text.isEmpty else { continue }
      do throws(VCardDate.Problem) {
        let calendar = property["CALSCALE"] ?? "gregorian"
        guard calendar.isEqualIgnoringASCIICase(to: "gregorian") else { throw .notDate }
        let omitted = property["X-APPLE-OMIT-YEAR"].flatMap { Int($0) }
        return .success(try VCardDate(parsing: text, omittedYear: omitted))
      } catch {
        let quoted = text.count > Self.quotedLimit ? text.prefix(Self.quotedLimit) + "…" : text[...]
        fault =
          fault
          ?? VCardFault(
            diagnostic: property.diagnostic(
              .warning, .invalidValue, "expected \(error.expected), found \"\(quoted)\"",
              reference: reference))
      }
    }
    return fault.map { .failure($0) } ?? .success(nil)
  }

  /// The label of a property: that of its group, in lower case.
  private func label(of property: Property) -> String {
    guard let group = property["GROUP"] else { return "" }
    let label = properties.first { other in
      other.isNamed("X-ABLABEL") && other["GROUP"]?.isEqualIgnoringASCIICase(to: group) == true
    }
    return label.map { plain(value(of: $0).text).lowercased() } ?? ""
  }

  /// The properties with some names; the most preferred first, otherwise in order of the card.
  private func preferred(named names: [PropertyName]) -> [Property] {
    let found = properties.filter { property in names.contains(where: property.isNamed) }
    let ranked = found.enumerated().map { (rank: Self.rank(of: $1), place: $0) }
    return ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map { found[$0.place] }
  }

  /// The rank of a property: its PREF from 1 through 100 (RFC 6350 §5.3), or the PREF among the
  /// types of earlier versions (RFC 2426 §4).
  private static func rank(of property: Property) -> Int {
    for parameter in property.parameters {
      switch parameter.name.canonicalName {
      case "PREF": return Int(parameter.value) ?? 1
      case "TYPE":
        let types = parameter.values.joined(separator: ",").asciiUppercased
        if types.split(separator: ",").contains("PREF") { return 1 }
      default: break
      }
    }
    return 101
  }

  private func value(of property: Property) -> VCalendarValue {
    VCalendarValue(property, isConverted: false, decoder: decoder)
  }

  /// The text on one line, without control characters.
  private func plain(_ text: String) -> String {
    let words = text.split { character in
      character.isWhitespace
        || character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
    }
    return words.joined(separator: " ")
  }
}

/// The reason why a date is not used.
struct VCardFault: Error {
  let diagnostic: Diagnostic
}

extension VCalendarValue {
  /// The texts between commas that are not escaped.
  fileprivate var list: [String] {
    TextEscaping.split(bytes.span, separator: ASCII.comma).map { range in
      var part = self
      part.bytes = Array(bytes[range])
      return part.text
    }
  }
}
