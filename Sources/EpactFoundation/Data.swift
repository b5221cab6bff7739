// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import Foundation
public import ICalSyntax

extension CalendarStream {
  /// Parses a stream.
  ///
  /// - Throws: `SyntaxError` if a limit is reached.
  public init(parsing data: Data, limits: ParserLimits = ParserLimits()) throws(SyntaxError) {
    try self.init(parsing: Array(data), limits: limits)
  }
}

extension CalendarItem {
  /// Parses an iCalendar object that contains exactly one item.
  ///
  /// - Throws: `ItemError` if the data is no iCalendar object, or has no item or several ones.
  public init(parsing data: Data) throws(ItemError) {
    try self.init(parsing: Array(data))
  }
}

extension CalendarExport {
  /// Writes items as one calendar.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - properties: The properties of the calendar besides VERSION and PRODID, such as NAME.
  /// - Returns: The contents of the file.
  public static func data(
    of items: some Sequence<CalendarItem>, properties: [Property] = []
  ) -> Data {
    Data(bytes(of: items, properties: properties))
  }
}
