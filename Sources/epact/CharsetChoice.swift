// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// What a person says about the charset of files.
enum CharsetChoice: ExpressibleByArgument, Sendable, Hashable {
  /// To be found out for each file.
  case auto
  /// This one, whatever the bytes look like.
  case named(String)

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self = argument.lowercased() == "auto" ? .auto : .named(argument)
  }
}
