// SPDX-License-Identifier: Apache-2.0

/// Why a run failed, for people.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
