// SPDX-License-Identifier: Apache-2.0

/// The reason why a run failed, for people.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
