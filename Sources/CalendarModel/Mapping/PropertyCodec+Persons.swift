// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// How a field stands in one parameter of a property.
struct ParameterRow<Model>: Sendable {
  let read: @Sendable (Property, inout Model) -> Void
  let write: @Sendable (Model, inout Property) -> Void

  /// A text, or nil where there is none.
  static func text(
    _ name: ParameterName, _ field: Field<Model, String?>
  ) -> Self {
    Self(
      read: { $1[keyPath: field] = $0[name] },
      write: { $1.set(name, to: $0[keyPath: field]) })
  }

  /// A word, which is `otherwise` where there is none.
  static func word<Word: RawRepresentable & Hashable & Sendable>(
    _ name: ParameterName, _ field: Field<Model, Word>, otherwise: Word
  ) -> Self where Word.RawValue == String {
    Self(
      read: { property, model in
        let word = property[name].flatMap { Word(rawValue: $0.asciiUppercased) }
        model[keyPath: field] = word ?? otherwise
      },
      write: { model, property in
        let value = model[keyPath: field]
        let before = property[name].flatMap { Word(rawValue: $0.asciiUppercased) }
        guard (before ?? otherwise) != value else { return }
        property[name] = value == otherwise ? nil : value.rawValue
      })
  }

  /// A truth value, which is false where there is none.
  static func boolean(
    _ name: ParameterName, _ field: Field<Model, Bool>
  ) -> Self {
    Self(
      read: { $1[keyPath: field] = $0[name]?.asciiUppercased == "TRUE" },
      write: { model, property in
        let before = property[name]?.asciiUppercased == "TRUE"
        guard before != model[keyPath: field] else { return }
        property[name] = before ? nil : "TRUE"
      })
  }

  /// An address, or nil where there is none.
  static func address(
    _ name: ParameterName, _ field: Field<Model, CalendarAddress?>
  ) -> Self {
    Self(
      read: { $1[keyPath: field] = $0[name].map { CalendarAddress($0) } },
      write: { model, property in
        let value = model[keyPath: field]
        if property[name].map({ CalendarAddress($0) }) != value { property[name] = value?.rawValue }
      })
  }

  /// Several addresses.
  static func addresses(
    _ name: ParameterName, _ field: Field<Model, [CalendarAddress]>
  ) -> Self {
    Self(
      read: { $1[keyPath: field] = $0.addresses(name) },
      write: { model, property in
        let value = model[keyPath: field]
        guard property.addresses(name) != value else { return }
        var all = property.parameters
        let place = all.firstIndex { $0.name == name } ?? all.endIndex
        all.removeAll { $0.name == name }
        if !value.isEmpty {
          all.insert(Parameter(name, value.map(\.rawValue)), at: min(place, all.count))
        }
        property.parameters = all
      })
  }
}

extension Property {
  fileprivate func addresses(_ name: ParameterName) -> [CalendarAddress] {
    parameters.filter { $0.name == name }.flatMap(\.values).map { CalendarAddress($0) }
  }
}

extension PropertyCodec where Value == Attendee {
  private static let rows: [ParameterRow<Attendee>] = [
    .text(.commonName, \.commonName),
    .word(.calendarUserType, \.userType, otherwise: .individual),
    .word(.role, \.role, otherwise: .required),
    .word(.participationStatus, \.participationStatus, otherwise: .needsAction),
    .boolean(.rsvp, \.expectsReply),
    .addresses(.member, \.memberships),
    .addresses(.delegatedTo, \.delegatedTo),
    .addresses(.delegatedFrom, \.delegatedFrom),
    .address(.sentBy, \.sentBy),
    .text(.directory, \.directory),
  ]

  /// Somebody who takes part (RFC 5545 §3.8.4.1).
  static let attendee = PropertyCodec(
    read: { property, diagnostics in
      guard case .calendarAddress(let address)? = property.typedValue(&diagnostics) else {
        return nil
      }
      var attendee = Attendee(CalendarAddress(address.string))
      for row in rows { row.read(property, &attendee) }
      return attendee
    },
    edit: { attendee, property in
      for row in rows { row.write(attendee, &property) }
      property.set(address: attendee.address)
    })
}

extension PropertyCodec where Value == Organizer {
  private static let rows: [ParameterRow<Organizer>] = [
    .text(.commonName, \.commonName),
    .address(.sentBy, \.sentBy),
    .text(.directory, \.directory),
  ]

  /// Who organizes a meeting (RFC 5545 §3.8.4.3).
  static let organizer = PropertyCodec(
    read: { property, diagnostics in
      guard case .calendarAddress(let address)? = property.typedValue(&diagnostics) else {
        return nil
      }
      var organizer = Organizer(CalendarAddress(address.string))
      for row in rows { row.read(property, &organizer) }
      return organizer
    },
    edit: { organizer, property in
      for row in rows { row.write(organizer, &property) }
      property.set(address: organizer.address)
    })
}

extension Property {
  /// Sets the address unless it is the same in another case.
  fileprivate mutating func set(address: CalendarAddress) {
    if CalendarAddress(rawValue) != address { rawValue = address.rawValue }
  }
}
