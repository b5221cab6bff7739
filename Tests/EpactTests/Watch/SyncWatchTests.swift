// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import Epact
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct SyncWatchTests {
  /// Times that let a test run quickly.
  private static func timing(_ settling: Double = 0.05) -> WatchPlan.Timing {
    var timing = WatchPlan.Timing()
    (timing.settling, timing.patience, timing.distance) = (settling, 0.5, settling)
    return timing
  }

  /// The causes of the runs of a watch, one after the other.
  private typealias Runs = AsyncStream<Set<WatchCause>>

  /// Starts a watch whose syncs are counted only.
  private func start(
    _ scene: WatchScene, _ timing: WatchPlan.Timing, end: SyncWatch.RunEnd = .done
  ) -> (Task<Void, any Error>, Runs) {
    let (runs, noting) = Runs.makeStream()
    let task = Task {
      defer { noting.finish() }
      try await SyncWatch(scene.file, timing: timing, machine: scene.machine).run { causes in
        noting.yield(causes)
        return end
      }
    }
    return (task, runs)
  }

  @Test func anEditStartsARun() async throws {
    let scene = try WatchScene()
    let (task, stream) = start(scene, Self.timing())
    var runs = stream.makeAsyncIterator()
    #expect(await runs.next() == [.start])
    try scene.scene.write("New", titled: "New", to: "local")
    #expect(await runs.next() == [.change])
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func whatASyncWritesStartsNoRun() async throws {
    let scene = try WatchScene()
    try scene.scene.write("Concert", titled: "Concert", to: "remote")
    let set = try SyncSet(try scene.file.load(), machine: scene.machine)
    var access = try await set.access(to: "disk")
    try await access.store(.full, purpose: SyncScene.purpose)
    let (runs, noting) = Runs.makeStream()
    let task = Task {
      try await SyncWatch(scene.file, timing: Self.timing(), machine: scene.machine).run { causes in
        _ = try await SyncSet(try scene.file.load(), machine: scene.machine).run()
        noting.yield(causes)
        return .done
      }
    }
    var iterator = runs.makeAsyncIterator()
    #expect(await iterator.next() == [.start])
    #expect(try scene.scene.text("Concert", in: "local").contains("SUMMARY:Concert"))
    // A run for the new file would begin within a fraction of this time.
    try await Task.sleep(for: .seconds(1))
    scene.report(.resumed, at: 1000)
    #expect(await iterator.next() == [.resume])
    task.cancel()
  }

  @Test func aNewFolderOfAnAccountStartsARun() async throws {
    let scene = try WatchScene()
    try scene.scene.folder.makeFolder("cals")
    try scene.scene.folder.write(
      (WatchScene.configuration + WatchScene.account).utf8, to: "config.toml")
    let (task, stream) = start(scene, Self.timing())
    var runs = stream.makeAsyncIterator()
    #expect(await runs.next() == [.start])
    try scene.scene.folder.makeFolder("cals/club")
    #expect(await runs.next() == [.change])
    task.cancel()
  }

  @Test func aNewConfigurationIsWatched() async throws {
    let scene = try WatchScene()
    let (task, stream) = start(scene, Self.timing())
    var runs = stream.makeAsyncIterator()
    #expect(await runs.next() == [.start])
    try scene.scene.folder.makeFolder("other")
    let text = WatchScene.configuration.replacing("path = \"local\"", with: "path = \"other\"")
    try scene.scene.folder.write(text.utf8, to: "config.toml")
    #expect(await runs.next()?.contains(.configuration) == true)
    try scene.scene.write("New", titled: "New", to: "other")
    while let causes = await runs.next(), !causes.contains(.change) {}
    task.cancel()
  }

  @Test("A resume after a suspend starts a run at once, on the clock of a test")
  func suspend() async throws {
    let scene = try WatchScene(isClockControlled: true)
    let (task, stream) = start(scene, Self.timing(0))
    var runs = stream.makeAsyncIterator()
    #expect(await runs.next() == [.start])
    // Shorter than the interval: no timer would have expired.
    scene.report(.resumed, at: 1300)
    #expect(await runs.next() == [.resume])
    scene.report(.networkJoined, at: 1310)
    #expect(await runs.next() == [.network])
    // Longer than the interval, which passed meanwhile.
    scene.report(.resumed, at: 100_000)
    #expect(await runs.next() == [.resume, .interval])
    task.cancel()
  }

  @Test func aFailedRunIsFollowedByAPause() async throws {
    let scene = try WatchScene(isClockControlled: true)
    let (pauses, noting) = AsyncStream<Double>.makeStream()
    let task = Task {
      try await SyncWatch(scene.file, timing: Self.timing(0), machine: scene.machine).run(
        pausing: { noting.yield($0) }, { _ in .failed })
    }
    var iterator = pauses.makeAsyncIterator()
    #expect(await iterator.next() == 30)
    scene.report(.resumed, at: 1010)
    #expect(await iterator.next() == 60)
    task.cancel()
  }

  @Test func aConfigurationHasOneWatchAtATime() async throws {
    let scene = try WatchScene()
    let (task, stream) = start(scene, Self.timing())
    var runs = stream.makeAsyncIterator()
    _ = await runs.next()
    let watch = SyncWatch(scene.file, machine: scene.machine)
    let error = await #expect(throws: StoreError.self) { try await watch.run { _ in .done } }
    #expect(error?.code == .locked)
    #expect(error?.message.hasPrefix("watch is already running (pid ") == true)
    task.cancel()
    _ = await task.result
    let (again, others) = start(scene, Self.timing())
    runs = others.makeAsyncIterator()
    #expect(await runs.next() == [.start])
    again.cancel()
  }

  @Test("Ten thousand changes of files start few runs, and the last one is seen")
  func storm() async throws {
    let scene = try WatchScene()
    let count = Mutexed(0)
    let timing = Self.timing(0.2)
    let clock = ContinuousClock()
    let begin = clock.now
    let (seen, noting) = AsyncStream<Void>.makeStream()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await SyncWatch(scene.file, timing: timing, machine: scene.machine).run { _ in
          count.value.withLock { $0 += 1 }
          let text = try? scene.scene.text("99", in: "local")
          if text?.contains("SUMMARY:Round 99") == true { noting.yield() }
          return .done
        }
      }
      group.addTask {
        for round in 0..<100 {
          for number in 0..<100 {
            try scene.scene.write("\(number)", titled: "Round \(round)", to: "local")
          }
          await Task.yield()
        }
      }
      var iterator = seen.makeAsyncIterator()
      await iterator.next()
      group.cancelAll()
      while let result = await group.nextResult() {
        if case .failure(let error) = result, !(error is CancellationError) { throw error }
      }
    }
    let seconds = (clock.now - begin) / .seconds(1)
    #expect(Double(count.value.withLock(\.self)) <= seconds / timing.distance + 3)
  }
}
