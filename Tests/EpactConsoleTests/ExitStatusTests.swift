// SPDX-License-Identifier: Apache-2.0

import EpactConsole
import Testing

struct ExitStatusTests {
  @Test func exitStatusesHaveAnOrderOfGravity() {
    #expect(ExitStatus.worst(of: []) == .done)
    #expect(ExitStatus.worst(of: [.done, .conflicts, .someFailed]) == .someFailed)
    #expect(ExitStatus.worst(of: [.unavailable, .stoppedByGuard]) == .stoppedByGuard)
    for status in ExitStatus.allCases {
      #expect(ExitStatus.worst(of: [status, .done]) == status, "\(status) is in no order")
    }
  }
}
