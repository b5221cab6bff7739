// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// The properties of a calendar folder, each in a separate file, as in khal and vdirsyncer (vdir).
///
/// | file | content |
/// |---|---|
/// | `displayname` | the name for people |
/// | `color` | the color as `#RRGGBB` |
/// | `description` | a text |
/// | `order` | the position in a list of calendars, as a number |
///
/// The files are UTF-8, and a line break after the text is ignored. They are written like items:
/// completely or not at all, and durably.
public struct FolderProperties: Sendable {
  private let anchor: FolderAnchor
  private let isReadOnly: Bool

  init(anchor: FolderAnchor, isReadOnly: Bool) {
    self.anchor = anchor
    self.isReadOnly = isReadOnly
  }

  /// Reads the existing files.
  ///
  /// - Throws: `StoreError` if an existing file cannot be read, because an unknown value is not a
  ///   missing one.
  public func collectionProperties() throws -> CollectionProperties {
    let folder = try anchor.open()
    var properties = CollectionProperties()
    for property in CollectionProperty.allCases {
      properties[property] = try Self.text(Self.name(of: property), in: folder)
    }
    return properties
  }

  /// Writes the file of a property, or removes it for nil.
  public func set(
    _ property: CollectionProperty, to value: String?
  ) throws -> CollectionPropertyOutcome {
    guard !isReadOnly else { throw StoreError.readOnly(anchor.path) }
    let name = Self.name(of: property)
    let folder = try anchor.open()
    guard let value = value.flatMap(property.canonical) else {
      if try folder.status(of: name) != nil { try folder.remove(name) }
      try folder.synchronize()
      return .done
    }
    if let reason = Self.objection(to: value, as: property) { return .refused(reason: reason) }
    guard try Self.text(name, in: folder) != value else { return .done }
    try AtomicFile.write(
      Array(value.utf8), to: folder.path(of: name), permissions: .shared)
    try anchor.check()
    return .done
  }

  /// The name of the file of a property.
  package static func name(of property: CollectionProperty) -> String {
    switch property {
    case .name: "displayname"
    case .color: "color"
    case .description: "description"
    case .order: "order"
    }
  }

  /// The reason why a folder cannot store a value; colors must be `#RRGGBB`.
  private static func objection(to value: String, as property: CollectionProperty) -> String? {
    guard value.utf8.count <= CollectionProperty.sizeLimit else {
      return "it is longer than \(CollectionProperty.sizeLimit) bytes"
    }
    guard !value.utf8.contains(0) else { return "it contains a NUL character" }
    guard property == .color else { return nil }
    let digits = value.dropFirst()
    let isColor =
      value.hasPrefix("#") && digits.utf8.count == 6 && digits.allSatisfy(\.isHexDigit)
    return isColor ? nil : "a folder accepts only colours of the form #RRGGBB"
  }

  private static func text(
    _ name: String, in folder: borrowing OpenFolder
  ) throws(StoreError) -> String? {
    guard try folder.status(of: name) != nil else { return nil }
    let bytes = try folder.openFile(name).readAll(limit: CollectionProperty.sizeLimit)
    guard var text = String(validating: bytes, as: UTF8.self) else {
      throw StoreError(
        code: .notCalendar, path: folder.path(of: name), message: "the file is not UTF-8")
    }
    if let last = text.last, last.isNewline { text.removeLast() }
    return text.isEmpty ? nil : text
  }
}
