// SPDX-License-Identifier: Apache-2.0

import Epact
import EpactServe
import Testing

/// The one answer to a form, and its end.
@Suite(.timeLimit(.minutes(60))) struct HandoffAnswerTests {
  private static let hour = 3600.0

  @Test("One form is processed at a time, and none after the answer")
  func oneForm() {
    let answer = HandoffAnswer()
    #expect(answer.begin())
    #expect(!answer.begin())
    answer.reopen()
    #expect(answer.begin() && answer.outcome == nil)
    answer.give(.saved)
    #expect(!answer.begin())
    answer.reopen()
    #expect(answer.outcome == .saved && !answer.begin())
  }

  @Test("An answer ends the form when its confirmation was seen")
  func confirmed() async {
    let answer = HandoffAnswer()
    async let end: Void = answer.end(within: Self.hour)
    #expect(answer.begin())
    answer.give(.chosen(["a"]))
    answer.see()
    await end
    #expect(answer.outcome == .chosen(["a"]))
  }

  @Test("Without an answer in time, the form is cancelled")
  func expired() async {
    let answer = HandoffAnswer()
    async let end: Void = answer.end(within: 0)
    while answer.outcome == nil { await Task.yield() }
    answer.see()
    await end
    #expect(answer.outcome == .cancelled && !answer.begin())
  }

  @Test("A form that is processed at the end of the time is the last one")
  func processed() async {
    let answer = HandoffAnswer()
    #expect(answer.begin())
    async let end: Void = answer.end(within: 0)
    // A form that has to be corrected is over then, and the time ends at some moment.
    while answer.outcome == nil {
      answer.reopen()
      await Task.yield()
      _ = answer.begin()
    }
    answer.see()
    await end
    #expect(answer.outcome == .cancelled)
  }
}
