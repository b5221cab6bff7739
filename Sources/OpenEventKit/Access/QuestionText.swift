// SPDX-License-Identifier: Apache-2.0

import CalendarSync
package import Epact

/// The words of a question about the access of a program, which every prompt shows.
extension ProgramQuestion {
  /// The question in lines; each is escaped for display.
  package var lines: [String] {
    var lines = [
      "\(program) (\(identifier)) asks for access to your calendars.",
      "It wants to \(Self.allowance(of: tier, for: entity)).",
    ]
    if status == .writeOnly {
      lines.append("So far it can \(Self.allowance(of: .writeOnly, for: entity)).")
    }
    lines.append("Purpose: \(purpose)")
    return lines.map(SafeText.escaped)
  }

  /// The operations that a tier allows.
  private static func allowance(of tier: AccessTier, for entity: ProgramEntity) -> String {
    switch tier {
    case .none: "use no \(entity.rawValue)"
    case .writeOnly: "add \(entity.rawValue), and read nothing"
    case .full: "read, change and delete all \(entity.rawValue) in all calendars"
    }
  }
}
