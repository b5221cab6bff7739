// SPDX-License-Identifier: Apache-2.0

import TestSupport

extension Fault {
  /// What goes wrong with connections.
  static let ofTransport: [Fault] = [
    .answer("t_reset_all", .fail) { _ in [.reset] },
    .answer("t_reset_list", .fail, to: .list) { _ in [.reset] },
    .answer("t_close_no_response", .fail, to: .data) { _ in [.close] },
    .answer("t_hang_headers", .fail, to: .list, idle: 1) { _ in
      [.pause(milliseconds: 8000), .close]
    },
    .spoil("t_stall_midbody", .fail, .list, idle: 1) { _, reply in
      [reply.head(), .bytes(Array(reply.body.prefix(200))), .pause(milliseconds: 8000), .close]
    },
    .spoil("t_drip", .ok, .list) { _, reply in
      [reply.head()]
        + stride(from: 0, to: reply.body.count, by: 100).flatMap { start in
          [
            LoopbackServer.Step.bytes(
              Array(reply.body[start..<min(start + 100, reply.body.count)])),
            .pause(milliseconds: 3),
          ]
        }
    },
    .spoil("t_trunc_length", .fail, .list) { _, reply in reply.cut(to: reply.body.count / 2) },
    .spoil("t_trunc_chunked", .fail, .list) { _, reply in
      reply.cutChunk(to: reply.body.count / 2)
    },
    .spoil("t_trunc_wellformed_len", .fail, .list) { _, reply in
      reply.shortened(to: reply.body.count / 2)
    },
    .spoil("t_trunc_tail", .fail, .list) { _, reply in reply.cut(to: reply.body.count - 300) },
    .spoil("t_trunc_tail_chunked", .fail, .list) { _, reply in
      reply.cutChunk(to: reply.body.count - 300)
    },
    .spelling("t_trunc_data", .fail) { style in
      style.data = { _, text in String(text.prefix(text.count / 2)) }
    },
    .spoil("t_close_each", .ok) { _, reply in reply.steps + [.close] },
    .spoil("t_lost_ack_put", .either, .put) { scene, _ in scene.count == 1 ? [.reset] : nil },
    .spoil("t_lost_ack_delete", .either, .delete) { scene, _ in
      scene.count == 1 ? [.reset] : nil
    },
    .spoil("t_500_after_put", .either, .put) { _, _ in Reply("500 Internal Server Error").steps },
  ]
}
