// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The properties that repeat or complete the location or the description of an item.
///
/// A new location has other coordinates, and a new description another formatted version. With the
/// former ones, a program that prefers them would show the old place or the old text.
enum DependentProperties {
  /// Those of LOCATION: GEO (RFC 5545 §3.8.1.6) and the places of Apple's and Microsoft's programs.
  private static let ofLocation: Set<PropertyName> = [
    .geo, "X-APPLE-STRUCTURED-LOCATION", "X-MICROSOFT-LOCATIONS",
  ]
  /// Those of DESCRIPTION: STYLED-DESCRIPTION (RFC 9073 §6.5) and Outlook's HTML.
  private static let ofDescription: Set<PropertyName> = [.styledDescription, "X-ALT-DESC"]

  /// The properties that an edit removed with a location or a description, in words.
  static func losses(from before: Component, to after: Component) -> [String] {
    func isLost(_ names: Set<PropertyName>) -> Bool {
      before.properties.contains { names.contains($0.name) }
        && !after.properties.contains { names.contains($0.name) }
    }
    return (isLost(ofLocation) ? ["without its coordinates"] : [])
      + (isLost(ofDescription) ? ["without its formatted text"] : [])
  }

  /// Removes what depends on the texts that an edit replaced.
  ///
  /// - Parameters:
  ///   - component: The component after the edit.
  ///   - location: Whether its location is new.
  ///   - description: Whether its description is new.
  static func remove(
    from component: inout Component, location: Bool, description: Bool
  ) {
    var names: Set<PropertyName> = []
    if location { names.formUnion(ofLocation) }
    if description { names.formUnion(ofDescription) }
    guard !names.isEmpty else { return }
    component.properties = PropertyList(
      component.properties.compactMap { property in
        guard !names.contains(property.name) else { return nil }
        // ALTREP is the address of another version of the text (RFC 5545 §3.2.1).
        let isNew =
          location && property.isNamed(.location)
          || description && property.isNamed(.descriptionText)
        guard isNew, property[.alternateRepresentation] != nil else { return property }
        var plain = property
        plain[.alternateRepresentation] = nil
        return plain
      })
    guard location else { return }
    component.components = ComponentList(component.components.filter { $0.name != .location })
  }
}
