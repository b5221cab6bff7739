// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

@main
struct Epact: AsyncParsableCommand {
  func run() async throws {}
}
