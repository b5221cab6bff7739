// SPDX-License-Identifier: Apache-2.0

/// A finding in a block, by index into its records.
enum Finding: Sendable {
  case calendarBegan(line: Int)
  case property(line: Int)
  case component(Int)
  case calendarEnded(isComplete: Bool, end: Int)
  indirect case diagnostic(Diagnostic)
}
