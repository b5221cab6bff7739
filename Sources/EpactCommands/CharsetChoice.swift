// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact

/// The charset of files as chosen by the user.
enum CharsetChoice: ExpressibleByArgument, Sendable, Hashable {
  /// Detected for each file.
  case auto
  /// The named charset, without detection.
  case named(String)

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self = argument.lowercased() == "auto" ? .auto : .named(argument)
  }
}
