# SPDX-License-Identifier: Apache-2.0
"""A file system of its own for clients and servers, where that can be had.

On one that is shared, what others write is made durable with what is measured, and a file system without a
journal goes around the numbers of files that anybody deleted within the last minutes, with each file anew.
"""

import ctypes
import os
import pathlib
import subprocess
import tempfile

SIZE = 8 << 30
FILES = 1_000_000
NEW_MOUNT_NAMESPACE = 0x00020000


def own_disk(folder, size=SIZE, files=FILES):
    """Mounts a new ext4 file system, for this process and its children alone; else gives a plain folder.

    Returns the folder, what it is, and what has to be kept as long as it is used.
    """
    folder = pathlib.Path(folder)
    keep = tempfile.TemporaryDirectory(dir=folder, prefix="disk-")
    place = pathlib.Path(keep.name)
    image, mount = place / "image", place / "mount"
    mount.mkdir()
    try:
        with open(image, "wb") as file:
            file.truncate(size)
        quietly("mkfs.ext4", "-q", "-F", "-m", "0", "-N", str(files), image)
        if ctypes.CDLL(None, use_errno=True).unshare(NEW_MOUNT_NAMESPACE) != 0:
            raise OSError(ctypes.get_errno(), "unshare")
        quietly("mount", "--make-rprivate", "/")
        quietly("mount", "-o", "loop,noatime", image, mount)
    except (OSError, subprocess.CalledProcessError):
        image.unlink(missing_ok=True)
        return place, "a folder of the shared file system", keep
    # It goes with the last process that sees it; its name can go at once.
    image.unlink()
    return mount, "an ext4 file system of its own", Unmount(mount, keep)


class Unmount:
    """Takes the file system away at the end."""

    def __init__(self, mount, keep):
        self.mount, self.keep = mount, keep

    def cleanup(self):
        subprocess.run(["umount", "--lazy", self.mount], check=False)
        self.keep.cleanup()


def quietly(*words):
    environment = {**os.environ, "PATH": os.environ.get("PATH", "") + ":/usr/sbin:/sbin"}
    subprocess.run(
        [str(word) for word in words], check=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=environment)
