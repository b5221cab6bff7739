// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import ICalSyntax

/// Definitions of time zones that items use but do not define.
///
/// Programs such as Outlook rely on definitions, and cannot interpret the times otherwise.
enum MissingTimeZones {
  /// The definitions, sorted by name; a warning reports zones that cannot be defined.
  static func definitions(for items: [CalendarItem], in context: Context) -> [Component] {
    let missing = MissingDefinitions(of: items, zones: context.zoneResolver)
    for error in missing.errors { context.console.warn("\(error); no definition is written") }
    return missing.definitions
  }
}
