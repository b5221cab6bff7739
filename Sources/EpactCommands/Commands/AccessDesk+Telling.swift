// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import CivilTime
import Epact

/// Output of the access state of a remote.
extension AccessDesk {
  /// The access state on one line.
  func line(nameWidth: Int = 0) -> ConsoleText {
    let title = DisplayWidth.padded(SafeText.escaped(name), to: nameWidth)
    var line: ConsoleText = "\(title, .bold)  \(status.rawValue, color)  \(identity)"
    if let grant {
      line =
        line
        + ": \(grant.purpose) \("(\(grant.grantedAt.timestamp) by \(grant.grantedBy))", .dim)"
    }
    guard let restriction else { return line }
    return line + "; \(restriction)"
  }

  private var color: ConsoleText.Style? {
    switch status {
    case .full, .writeOnly: .green
    case .denied, .restricted: .yellow
    case .notDetermined: nil
    }
  }

  /// The JSON representation.
  var json: JSONValue {
    [
      "remote": .string(name), "identity": .string(identity.description),
      "status": .string(status.rawValue), "tier": JSONValue(grant?.tier.rawValue),
      "purpose": JSONValue(grant?.purpose),
      "grantedAt": JSONValue(grant.map { $0.grantedAt.timestamp }),
      "grantedBy": JSONValue(grant?.grantedBy),
      "restriction": restriction.map {
        [
          "tier": .string($0.tier.rawValue), "decidedBy": .string($0.decidedBy),
          "place": .string($0.place),
        ]
      } ?? .null,
    ]
  }
}
