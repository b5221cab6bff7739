// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Sandbox {
  /// Runs a script in a session with an unlocked keyring of its own.
  func runWithKeyring(_ script: String) throws -> Result {
    let whole = """
      export XDG_RUNTIME_DIR="$DIR/run" XDG_DATA_HOME="$DIR/data"
      mkdir -p -m 700 "$XDG_RUNTIME_DIR"
      printf master | gnome-keyring-daemon --unlock --foreground --components=secrets \
        >/dev/null 2>&1 &
      keyring=$!
      trap 'kill $keyring' EXIT
      # Asking for a secret before the keyring has its name would start another one, which is locked.
      for i in $(seq 12000); do
        dbus-send --session --print-reply --dest=org.freedesktop.DBus / \
          org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets 2>/dev/null \
          | grep -q true && break
        sleep 0.05
      done
      \(script)
      """
    try Data(whole.utf8).write(to: folder.appending(path: "session.sh"))
    return try run("dbus-run-session -- sh session.sh")
  }
}
