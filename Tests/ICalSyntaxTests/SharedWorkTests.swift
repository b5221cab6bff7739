// SPDX-License-Identifier: Apache-2.0

import Foundation
import ICalSyntax
import Synchronization
import Testing

struct SharedWorkTests {
  @Test(arguments: [1, 2, 5])
  func `The results are in the order of the parts`(cores: Int) {
    for count in [0, 1, 2, 50] {
      let work = SharedWork(count, { $0 }, { $0 == $1 ? 2 * $0 : -1 })
      #expect(work.results(cores: cores) == (0..<count).map { 2 * $0 })
    }
  }

  @Test func `The caller does a part itself that a helper holds up`() {
    let caller = pthread_self()
    let isHeld = Mutex(false)
    let isReleased = Mutex(false)
    let end = Date(timeIntervalSinceNow: 20)
    let work = SharedWork(
      3, { $0 },
      { index, _ in
        if pthread_equal(pthread_self(), caller) == 0 {
          isHeld.withLock { $0 = true }
          while !isReleased.withLock({ $0 }), Date() < end { usleep(1_000) }
          return -1
        }
        // The first part is not finished before a helper has taken another one.
        while !isHeld.withLock({ $0 }), Date() < end { usleep(1_000) }
        return index
      })
    let results = work.results(cores: 2)
    isReleased.withLock { $0 = true }
    #expect(results == [0, 1, 2])
  }
}
