// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Epact

extension Instant {
  /// The instant in UTC (RFC 3339).
  var timestamp: String {
    guard let civil = civil() else { return description }
    let (date, time) = (civil.date, civil.time)
    let numbers = [date.year, date.month, date.day, time.hour, time.minute, time.second]
    let digits = numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }
    return digits[..<3].joined(separator: "-") + "T" + digits[3...].joined(separator: ":") + "Z"
  }
}
