// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

extension PropertyCodec where Value == Image {
  private static let parameters = ParameterMapping<Image>([
    .text(.formatType) { swap(&$0.formatType, &$1) },
    .words(.display) { swap(&$0.displays, &$1) },
    .text(.alternateRepresentation) { swap(&$0.alternateRepresentation, &$1) },
  ])

  /// An image (RFC 7986 §5.10).
  static let image = PropertyCodec(
    read: { property, _ in
      var image = Image(
        property.isDeclared(.binary)
          ? .inline(base64: property.rawValue) : .uri(property.rawValue))
      parameters.read(property, into: &image)
      return image
    },
    edit: { image, property in
      parameters.write(image, to: &property)
      switch image.content {
      case .uri(let uri): property.set(rawValue: uri, as: .uri)
      case .inline(let base64): property.set(rawValue: base64, as: .binary)
      }
    })
}

extension PropertyCodec where Value == Conference {
  private static let parameters = ParameterMapping<Conference>([
    .words(.feature) { swap(&$0.features, &$1) },
    .text(.label) { swap(&$0.label, &$1) },
    .text(.language) { swap(&$0.language, &$1) },
  ])

  /// A conference (RFC 7986 §5.11).
  static let conference = PropertyCodec(
    read: { property, _ in
      var conference = Conference(property.rawValue)
      parameters.read(property, into: &conference)
      return conference
    },
    edit: { conference, property in
      parameters.write(conference, to: &property)
      property.set(rawValue: conference.uri, as: .uri)
    })
}

extension PropertyCodec where Value == StyledDescription {
  private static let parameters = ParameterMapping<StyledDescription>([
    .text(.formatType) { swap(&$0.formatType, &$1) },
    .boolean(.derived) { swap(&$0.isDerived, &$1) },
    .text(.language) { swap(&$0.language, &$1) },
  ])

  /// A description with formatting (RFC 9073 §6.5).
  static let styledDescription = PropertyCodec(
    read: { property, _ in
      var description = StyledDescription(
        property.isDeclared(.uri) ? .uri(property.rawValue) : .text(property.text))
      parameters.read(property, into: &description)
      return description
    },
    edit: { description, property in
      parameters.write(description, to: &property)
      switch description.content {
      case .uri(let uri): property.set(rawValue: uri, as: .uri)
      case .text(let text): property.set(rawValue: TextEscaping.escape(text), as: .text)
      }
    })
}

extension PropertyCodec where Value == StructuredData {
  private static let parameters = ParameterMapping<StructuredData>([
    .text(.formatType) { swap(&$0.formatType, &$1) },
    .text(.schema) { swap(&$0.schema, &$1) },
  ])

  /// Machine-readable data (RFC 9073 §6.6).
  static let structuredData = PropertyCodec(
    read: { property, _ in
      let content: StructuredData.Content =
        property.isDeclared(.uri)
        ? .uri(property.rawValue)
        : property.isDeclared(.binary)
          ? .inline(base64: property.rawValue) : .text(property.text)
      var data = StructuredData(content)
      parameters.read(property, into: &data)
      return data
    },
    edit: { data, property in
      parameters.write(data, to: &property)
      switch data.content {
      case .uri(let uri): property.set(rawValue: uri, as: .uri)
      case .inline(let base64): property.set(rawValue: base64, as: .binary)
      case .text(let text): property.set(rawValue: TextEscaping.escape(text), as: .text)
      }
    })
}

extension PropertyCodec where Value == Link {
  private static let parameters = ParameterMapping<Link>([
    .text(.linkRelation) { swap(&$0.relation, &$1) },
    .text(.formatType) { swap(&$0.formatType, &$1) },
    .text(.label) { swap(&$0.label, &$1) },
    .text(.language) { swap(&$0.language, &$1) },
  ])

  /// A reference to a resource outside of the calendar (RFC 9253 §8.2).
  static let link = PropertyCodec(
    read: { property, _ in
      let target: Link.Target =
        property.isDeclared(.uid)
        ? .uid(property.text)
        : property.isDeclared(.xmlReference)
          ? .xmlReference(property.rawValue) : .uri(property.rawValue)
      var link = Link(target)
      parameters.read(property, into: &link)
      return link
    },
    edit: { link, property in
      parameters.write(link, to: &property)
      switch link.target {
      case .uri(let uri): property.set(rawValue: uri, as: .uri)
      case .uid(let uid): property.set(rawValue: TextEscaping.escape(uid), as: .uid)
      case .xmlReference(let reference): property.set(rawValue: reference, as: .xmlReference)
      }
    })
}

extension Property {
  /// Whether the VALUE parameter declares a type (RFC 5545 §3.2.20).
  fileprivate func isDeclared(_ type: ValueType) -> Bool {
    self[.value]?.asciiUppercased == type.rawValue
  }

  /// Sets a value and declares its type, unless the property already states both.
  fileprivate mutating func set(rawValue value: String, as type: ValueType) {
    let isDefault = self[.value] == nil && PropertyTable.row(for: name)?.valueType == type
    if !isDeclared(type), !isDefault || rawValue != value { self[.value] = type.rawValue }
    set(.encoding, to: type == .binary ? self[.encoding] ?? "BASE64" : nil)
    set(rawValue: value)
  }
}
