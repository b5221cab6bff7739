// SPDX-License-Identifier: Apache-2.0

import EpactCommands

/// The entry point of the program.
///
/// It is a target of its own for the sake of how it is linked: all else is a library, which the
/// tests take too, and which is linked as the tests need it.
@main
enum EpactMain {
  static func main() {
    Program.main()
  }
}
