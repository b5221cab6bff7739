// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

extension CalendarItem {
  /// What the calendar of an item that has none of its own says of its maker (RFC 5545 §3.7.3).
  package static let productID = "-//Epact//Epact//EN"

  /// Reads an iCalendar object that holds exactly one item.
  ///
  /// Bad values and lines that are no content lines are kept as they stand; only what shows that the
  /// object is not whole is refused.
  ///
  /// - Parameters:
  ///   - bytes: The whole object.
  ///   - normalForm: The form in which the item is compared with others.
  /// - Throws: `ItemError` if the bytes are not an iCalendar object, are cut off, or hold no item or
  ///   several: nothing that is not understood as a whole is ever taken for an item.
  public init(
    parsing bytes: [UInt8], normalForm: NormalForm = NormalForm()
  ) throws(ItemError) {
    try self.init(parsing: bytes, normalForm: normalForm, fingerprint: nil)
  }

  /// Reads an iCalendar object whose fingerprint is known.
  ///
  /// - Parameters:
  ///   - bytes: The whole object.
  ///   - normalForm: The form in which the item is compared with others.
  ///   - fingerprint: What the very same bytes mean in that form; nil if it is not known.
  /// - Throws: `ItemError` as without a fingerprint.
  package init(
    parsing bytes: [UInt8], normalForm: NormalForm, fingerprint: Fingerprint?
  ) throws(ItemError) {
    let stream: CalendarStream
    do throws(SyntaxError) {
      stream = try CalendarStream(parsing: bytes)
    } catch {
      throw ItemError(
        code: .limit, position: error.diagnostic.position, message: error.diagnostic.message)
    }
    guard let calendar = stream.calendars.first else {
      throw ItemError(
        code: .notCalendar, position: stream.diagnostics.first?.position,
        message: "expected BEGIN:VCALENDAR, found no calendar")
    }
    if let fault = stream.diagnostics.first(where: \.isStructural) {
      throw ItemError(code: .incomplete, position: fault.position, message: fault.message)
    }
    if stream.calendars.count > 1 {
      throw ItemError(
        code: .severalItems, position: stream.calendars[1].position,
        message: "expected one calendar, found \(stream.calendars.count)")
    }
    try self.init(calendar: calendar, normalForm: normalForm, fingerprint: fingerprint)
  }

  /// Makes an item of components that share one UID.
  ///
  /// - Parameters:
  ///   - components: The main component and its overrides, in any order.
  ///   - timeZones: The VTIMEZONE components that they use.
  ///   - calendarProperties: Properties of the calendar around them; VERSION and PRODID are added
  ///     where they are missing (RFC 5545 §3.6).
  /// - Throws: `ItemError` if the components are not exactly one item.
  public init(
    components: [Component], timeZones: [Component] = [], calendarProperties: [Property] = []
  ) throws(ItemError) {
    var properties = calendarProperties
    if !properties.contains(where: { $0.isNamed(.version) }) {
      properties.insert(Property(.version, rawValue: "2.0"), at: 0)
    }
    if !properties.contains(where: { $0.isNamed(.productID) }) {
      properties.insert(Property(.productID, rawValue: Self.productID), at: 1)
    }
    try self.init(
      calendar: Component(
        .calendar, properties: properties, components: timeZones + components))
  }

  /// The item with other components around which the same calendar stands.
  ///
  /// - Throws: `ItemError` if the components are not exactly one item.
  package func replacing(
    components: [Component], timeZones: [Component]
  ) throws(ItemError) -> CalendarItem {
    var calendar = calendar
    let others = calendar.components.filter { ItemKind($0.name) == nil && $0.name != .timeZone }
    calendar.components = ComponentList(timeZones + components + others)
    return try CalendarItem(calendar: calendar, normalForm: normalForm)
  }
}
