// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

struct MemoryRemoteTests {
  @Test func `The double of a remote does what every remote must`() async throws {
    try await RemoteConformance(MemoryRemote()).run()
  }
}
