// SPDX-License-Identifier: Apache-2.0

import Epact
import TestSupport
import Testing

struct WatchPlanTests {
  /// Timing with round numbers.
  private static let timing: WatchPlan.Timing = {
    var timing = WatchPlan.Timing()
    (timing.interval, timing.jitter) = (900, 0.1)
    (timing.settling, timing.patience, timing.distance) = (2, 20, 10)
    (timing.firstPause, timing.longestPause) = (30, 3600)
    return timing
  }()

  /// A plan after its first run, which began at 0 and lasted a second.
  private static func started() -> WatchPlan {
    var plan = WatchPlan(timing, at: 0)
    _ = plan.begin(at: 0)
    plan.end(isFailure: false, at: 1, random: 0.5)
    return plan
  }

  @Test func theFirstRunIsDueAtOnce() {
    var plan = WatchPlan(Self.timing, at: 100)
    #expect(plan.nextRun == 100)
    #expect(plan.begin(at: 100) == [.start])
  }

  @Test func theIntervalVariesByATenth() {
    for (random, next) in [(0.0, 811.0), (0.5, 901), (1, 991)] {
      var plan = WatchPlan(Self.timing, at: 0)
      _ = plan.begin(at: 0)
      plan.end(isFailure: false, at: 1, random: random)
      #expect(abs(plan.nextRun - next) < 0.001)
    }
  }

  @Test func aRunStartsOnceFilesHaveSettled() {
    var plan = Self.started()
    plan.note(.change, at: 50)
    #expect(plan.nextRun == 52)
    plan.note(.change, at: 51)
    #expect(plan.nextRun == 53)
    #expect(plan.isOnlyForChanges(at: 53))
    #expect(plan.begin(at: 53) == [.change])
    plan.end(isFailure: false, at: 54, random: 0.5)
    #expect(plan.nextRun == 954)
  }

  @Test func changesThatNeverSettleAreNotAwaitedForEver() {
    var plan = Self.started()
    for second in 0..<30 { plan.note(.change, at: 100 + Double(second)) }
    #expect(plan.nextRun == 120)
  }

  @Test func changesOfSyncsAreDismissed() {
    var plan = Self.started()
    plan.note(.change, at: 50)
    plan.dismissChanges()
    #expect(plan.nextRun == 901)
  }

  @Test func aChangeDuringARunIsHandledByTheNextOne() {
    var plan = Self.started()
    plan.note(.change, at: 50)
    _ = plan.begin(at: 52)
    plan.note(.change, at: 53)
    plan.end(isFailure: false, at: 54, random: 0.5)
    #expect(plan.nextRun == 62, "ten seconds after the start of the last run")
  }

  @Test func aResumeAndANewNetworkAreDueAtOnce() {
    for cause in [WatchCause.resume, .network] {
      var plan = Self.started()
      plan.note(cause, at: 7000)
      // After a suspend the interval has passed, too.
      #expect(plan.nextRun <= 7002)
      #expect(plan.begin(at: 7002).contains(cause))
    }
  }

  @Test func pausesAfterFailuresDouble() {
    var plan = WatchPlan(Self.timing, at: 0)
    var now = 0.0
    var pauses: [Double] = []
    for _ in 0..<10 {
      now = plan.nextRun
      _ = plan.begin(at: now)
      plan.end(isFailure: true, at: now, random: 0.5)
      pauses.append(plan.nextRun - now)
    }
    #expect(pauses == [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
    _ = plan.begin(at: plan.nextRun)
    plan.end(isFailure: false, at: now, random: 0.5)
    #expect(plan.failures == 0)
    #expect(plan.nextRun == now + 900)
  }

  @Test func aChangeDoesNotEndAPauseAndANewNetworkDoes() {
    var plan = WatchPlan(Self.timing, at: 0)
    _ = plan.begin(at: 0)
    plan.end(isFailure: true, at: 1, random: 0.5)
    plan.note(.change, at: 2)
    #expect(plan.nextRun == 31)
    plan.note(.network, at: 3)
    #expect(plan.nextRun == 5)
    #expect(plan.begin(at: 5) == [.network, .change])
  }

  @Test func aResumeDuringAFailingRunEndsItsPause() {
    var plan = WatchPlan(Self.timing, at: 0)
    _ = plan.begin(at: 0)
    plan.note(.resume, at: 1)
    plan.end(isFailure: true, at: 2, random: 0.5)
    #expect(plan.nextRun == 3)
  }

  @Test("A storm of changes causes a bounded number of runs, and the last change is handled")
  func storm() {
    forAll(100) { random in
      var plan = Self.started()
      var now = 10.0
      var (runs, isHandled) = (0, false)
      func run(_ plan: inout WatchPlan, until end: Double) {
        while plan.nextRun <= end {
          let start = max(now, plan.nextRun)
          isHandled = plan.begin(at: start).contains(.change) || isHandled
          runs += 1
          plan.end(isFailure: false, at: start, random: 0.5)
        }
      }
      for _ in 0..<10_000 {
        now += Double.random(in: 0...0.1, using: &random)
        run(&plan, until: now)
        plan.note(.change, at: now)
        isHandled = false
      }
      let length = now - 10
      run(&plan, until: now + 30)
      #expect(Double(runs) <= length / 10 + 3)
      #expect(isHandled)
    }
  }
}
