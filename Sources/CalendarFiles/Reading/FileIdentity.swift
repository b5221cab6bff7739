// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// The identity of a file, which changes when the file is replaced.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// Takes the identity from the properties of a file.
  package init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}
