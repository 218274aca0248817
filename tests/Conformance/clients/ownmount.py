"""What a program may ask of a mount and a shell cannot: system calls, and what they answer.

Usage: ownmount.py CHECK ARGUMENT…; silent and 0 if all is well, otherwise the last line says what is not.
"""

import ctypes
import errno
import fcntl
import mmap
import os
import random
import select
import signal
import socket
import stat
import sys
import tempfile
import time

libc = ctypes.CDLL(None, use_errno=True)
READ_ONLY = ("EROFS", "EPERM", "EACCES")


def because(text):
    print(text)
    sys.exit(1)


def same(what, expected, found):
    if expected != found:
        because(f"{what}: expected {expected!r}, found {found!r}")


def answer(attempt):
    """The name of the error that a call ends with; its result if there is none."""
    try:
        return attempt()
    except OSError as error:
        return "EOPNOTSUPP" if error.errno == errno.EOPNOTSUPP else errno.errorcode[error.errno]


def state(path):
    found = os.lstat(path)
    return (found.st_mode, found.st_size, found.st_uid, found.st_gid, found.st_mtime_ns, found.st_nlink, found.st_ino)


def opened(path, flags):
    os.close(os.open(path, flags, 0o644))
    return "it succeeded"


def check_readonly(folder, file, link):
    """No call changes anything, and each says so. FOLDER holds FILE; LINK is a symbolic link to it."""
    new = folder + "/new"
    calls = {
        "create": (lambda: opened(new, os.O_CREAT | os.O_WRONLY), READ_ONLY),
        "create, exclusive": (lambda: opened(new, os.O_CREAT | os.O_EXCL | os.O_RDWR), READ_ONLY),
        "create what is there, exclusive": (lambda: opened(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY), ("EEXIST",)),
        "create a file without a name": (lambda: opened(folder, os.O_TMPFILE | os.O_RDWR), (*READ_ONLY, "EOPNOTSUPP")),
        "mkdir": (lambda: os.mkdir(new), READ_ONLY),
        "mkdir of what is there": (lambda: os.mkdir(folder), ("EEXIST",)),
        "mknod of a pipe": (lambda: os.mkfifo(new), READ_ONLY),
        "mknod of a file": (lambda: os.mknod(new, stat.S_IFREG | 0o644), READ_ONLY),
        "mknod of a device": (lambda: os.mknod(new, stat.S_IFCHR | 0o644, os.makedev(1, 3)), READ_ONLY),
        "symlink": (lambda: os.symlink("/nowhere", new), READ_ONLY),
        "link": (lambda: os.link(file, new), READ_ONLY),
        "link of a symbolic link": (lambda: os.link(link, new, follow_symlinks=False), READ_ONLY),
        "link out of the mount": (lambda: os.link(file, tempfile.gettempdir() + "/ownmount-link"), ("EXDEV",)),
        "link out of the mount, of a symbolic link": (
            lambda: os.link(link, tempfile.gettempdir() + "/ownmount-link", follow_symlinks=False), ("EXDEV",)),
        "rename out of the mount": (lambda: os.rename(file, tempfile.gettempdir() + "/ownmount-link"), ("EXDEV",)),
        "bind of a socket": (lambda: socket.socket(socket.AF_UNIX).bind(new), READ_ONLY),
        "open to write": (lambda: opened(file, os.O_WRONLY), READ_ONLY),
        "open to read and write": (lambda: opened(file, os.O_RDWR), READ_ONLY),
        "open to append": (lambda: opened(file, os.O_WRONLY | os.O_APPEND), READ_ONLY),
        "open to write from the start": (lambda: opened(file, os.O_WRONLY | os.O_TRUNC), READ_ONLY),
        "open to read, emptied": (lambda: opened(file, os.O_RDONLY | os.O_TRUNC), READ_ONLY),
        "open through a link to write": (lambda: opened(link, os.O_WRONLY), READ_ONLY),
        "open of a folder to write": (lambda: opened(folder, os.O_RDWR), ("EISDIR",)),
        "truncate": (lambda: os.truncate(file, 0), READ_ONLY),
        "truncate, longer": (lambda: os.truncate(file, 1 << 40), READ_ONLY),
        "chmod": (lambda: os.chmod(file, 0o777), READ_ONLY),
        "chmod of a folder": (lambda: os.chmod(folder, 0o700), READ_ONLY),
        "chown": (lambda: os.chown(file, 1, 1), READ_ONLY),
        "chown of a link": (lambda: os.lchown(link, 1, 1), READ_ONLY),
        "utimes": (lambda: os.utime(file, (1, 1)), READ_ONLY),
        "utimes, now": (lambda: os.utime(file), READ_ONLY),
        "setxattr": (lambda: os.setxattr(file, "user.x", b"1"), (*READ_ONLY, "EOPNOTSUPP")),
        "removexattr": (lambda: os.removexattr(file, "user.x"), (*READ_ONLY, "EOPNOTSUPP", "ENODATA")),
        "exchange": (lambda: exchanged(file, folder), ("EINVAL", *READ_ONLY)),
        "unlink of a folder": (lambda: os.unlink(folder), ("EISDIR", "EPERM")),
        "rmdir of a file": (lambda: os.rmdir(file), ("ENOTDIR",)),
        "rmdir of a folder that holds something": (lambda: os.rmdir(folder), ("ENOTEMPTY",)),
    }
    before = state(folder), state(file), state(link), sorted(os.listdir(folder))
    for name, (call, allowed) in calls.items():
        found = answer(call)
        if found not in allowed:
            because(f"{name}: {found}, and not {' or '.join(allowed)}")
    descriptor = os.open(file, os.O_RDONLY)
    same("write", "EBADF", answer(lambda: os.write(descriptor, b"x")))
    same("ftruncate", "EINVAL", answer(lambda: os.ftruncate(descriptor, 0)))
    same("fallocate", "EBADF", answer(lambda: os.posix_fallocate(descriptor, 0, 10)))
    if answer(lambda: os.fchmod(descriptor, 0o777)) not in READ_ONLY:
        because("fchmod succeeded")
    same("mmap to write", "EACCES", answer(lambda: mmap.mmap(descriptor, 4096, mmap.MAP_SHARED, mmap.PROT_WRITE)))
    # What only looks is no change.
    os.fsync(descriptor)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    fcntl.lockf(descriptor, fcntl.LOCK_SH)
    os.close(descriptor)
    for attribute in "user.x", "security.capability", "system.posix_acl_access":
        found = answer(lambda: os.getxattr(file, attribute))
        if found not in ("ENODATA", "EOPNOTSUPP"):
            because(f"getxattr of {attribute}: {found}")
    if answer(lambda: os.listxattr(file)) not in ([], "EOPNOTSUPP"):
        because("listxattr")
    same("what is there afterwards", before, (state(folder), state(file), state(link), sorted(os.listdir(folder))))


def exchanged(one, other):
    if libc.renameat2(-100, os.fsencode(one), -100, os.fsencode(other), 2) != 0:
        raise OSError(ctypes.get_errno(), "renameat2")
    return "it succeeded"


def check_fixed(root):
    """The folders of the tree itself stay."""
    before = sorted(os.listdir(root))
    for name in before:
        for call in (lambda: os.rmdir(f"{root}/{name}"), lambda: os.rename(f"{root}/{name}", f"{root}/{name}.new")):
            found = answer(call)
            if found not in (*READ_ONLY, "EBUSY", "ENOTEMPTY"):
                because(f"change of /{name}: {found}")
    same("the root", before, sorted(os.listdir(root)))


def check_names(folder, *there):
    """Names that are there, and names that are not: the right error for each. FOLDER holds the names THERE."""
    for name in there:
        os.stat(f"{folder}/{name}")
    same("names", sorted(there), sorted(os.listdir(folder)))
    file = f"{folder}/{there[0]}"
    expected = {
        "n" * 255: "ENOENT",
        "n" * 256: "ENAMETOOLONG",
        "n" * 1000: "ENAMETOOLONG",
        "n" * 4000: "ENAMETOOLONG",
        "ü" * 127: "ENOENT",
        "ü" * 128: "ENAMETOOLONG",
        there[0].upper() + "x": "ENOENT",
        " ": "ENOENT",
        "...": "ENOENT",
        "a\nb": "ENOENT",
        "a\\b": "ENOENT",
        "%20": "ENOENT",
        "no/such/path": "ENOENT",
        there[0] + "/": "ENOTDIR",
        there[0] + "/x": "ENOTDIR",
    }
    for name, error in expected.items():
        found = answer(lambda: os.stat(f"{folder}/{name}"))
        same(f"stat of {name[:40]!r}, {len(os.fsencode(name))} bytes", error, found)
    for name in b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xff" * 255:
        same(f"stat of {name[:10]}", "ENOENT", answer(lambda: os.stat(os.fsencode(folder) + b"/" + name)))
    for name in "n" * 256, "ü" * 128:
        same("mkdir of a long name", "ENAMETOOLONG", answer(lambda: os.mkdir(f"{folder}/{name}")))
        same("rename to a long name", "ENAMETOOLONG", answer(lambda: os.rename(file, f"{folder}/{name}")))
    same("..", os.stat(os.path.dirname(folder)).st_ino, os.stat(folder + "/..").st_ino)
    same("opendir of a file", "ENOTDIR", answer(lambda: os.listdir(file)))
    same("readlink of a file", "EINVAL", answer(lambda: os.readlink(file)))
    same("read of a folder", "EISDIR", answer(lambda: os.read(os.open(folder, os.O_RDONLY), 10)))


class Entry(ctypes.Structure):
    _fields_ = [("inode", ctypes.c_ulong), ("offset", ctypes.c_long), ("length", ctypes.c_ushort), ("kind", ctypes.c_ubyte), ("name", ctypes.c_char * 256)]


libc.opendir.restype = ctypes.c_void_p
libc.readdir.restype = ctypes.POINTER(Entry)
libc.telldir.restype = ctypes.c_long
for function in libc.readdir, libc.telldir, libc.rewinddir, libc.closedir:
    function.argtypes = [ctypes.c_void_p]
libc.seekdir.argtypes = [ctypes.c_void_p, ctypes.c_long]


class Folder:
    """An open folder, as C programs see it."""

    def __init__(self, path):
        self.handle = libc.opendir(os.fsencode(path))
        if not self.handle:
            because(f"opendir: {os.strerror(ctypes.get_errno())}")

    def next(self):
        ctypes.set_errno(0)
        entry = libc.readdir(self.handle)
        if not entry:
            same("errno of readdir", 0, ctypes.get_errno())
            return None
        return os.fsdecode(entry.contents.name)

    def rest(self):
        return list(iter(self.next, None))

    def tell(self):
        return libc.telldir(self.handle)

    def seek(self, place):
        libc.seekdir(self.handle, place)

    def rewind(self):
        libc.rewinddir(self.handle)

    def close(self):
        libc.closedir(self.handle)


def check_folder(path, count):
    """A long listing: whole, each name once, the same from each place that telldir names, and again after rewinddir."""
    folder = Folder(path)
    names, places = [], [folder.tell()]
    while (name := folder.next()) is not None:
        names.append(name)
        places.append(folder.tell())
    same("entries", int(count) + 2, len(names))
    same("different names", len(names), len(set(names)))
    if not {".", ".."} <= set(names):
        because("there is no . and ..")
    folder.rewind()
    same("the listing after rewinddir", names, folder.rest())
    chance = random.Random(1)
    for at in [0, len(names), *chance.sample(range(len(names)), 20)]:
        folder.seek(places[at])
        same(f"the entry after seekdir to {at}", names[at] if at < len(names) else None, folder.next())
    folder.close()
    for entry in os.scandir(path):
        found = entry.stat(follow_symlinks=False)
        same(f"kind of {entry.name}", (stat.S_ISDIR(found.st_mode), stat.S_ISREG(found.st_mode)), (entry.is_dir(follow_symlinks=False), entry.is_file(follow_symlinks=False)))
    same("links of a folder", True, os.stat(path).st_nlink >= 1)


def check_changing(path, command):
    """A listing that began before COMMAND changed the folder has each name that stays exactly once."""
    before = set(os.listdir(path))
    folder = Folder(path)
    names = [folder.next() for _ in range(5)]
    if os.system(command) != 0:
        because("the folder could not be changed")
    deadline = time.monotonic() + 10
    while set(os.listdir(path)) == before:
        if time.monotonic() > deadline:
            because("the folder did not change")
        time.sleep(0.05)
    names += folder.rest()
    same("different names", len(names), len(set(names)))
    after = set(os.listdir(path))
    missing = (before & after) - set(names)
    if missing:
        because(f"not listed: {sorted(missing)[:3]}")
    folder.rewind()
    same("after rewinddir", sorted(after), sorted(set(folder.rest()) - {".", ".."}))
    folder.close()


def check_statfs(path):
    found = os.statvfs(path)
    same("longest name", 255, found.f_namemax)
    if found.f_bsize < 512 or found.f_frsize < 512 or found.f_bavail > found.f_blocks or found.f_blocks == 0:
        because(f"it is {found}")


def check_reads(file, source):
    """All ways to read: each gives the bytes of SOURCE."""
    with open(source, "rb") as whole:
        data = whole.read()
    size = len(data)
    descriptor = os.open(file, os.O_RDONLY)
    same("size", size, os.fstat(descriptor).st_size)
    same("blocks", True, os.fstat(descriptor).st_blocks * 512 >= size)
    for at, count in ((0, 1), (size - 1, 1), (size - 1, 10), (size - 5000, 100000), (234567, 3 << 20), (4095, 2), (0, 4096)):
        same(f"{count} bytes at {at}", data[at : at + count], os.pread(descriptor, count, at))
    for at in size, size + 1, size + 4096, 1 << 40, (1 << 63) - 4097:
        same(f"pread at {at}", b"", os.pread(descriptor, 4096, at))
    same("pread before the start", "EINVAL", answer(lambda: os.pread(descriptor, 1, -1)))
    same("pread of nothing", b"", os.pread(descriptor, 0, 5))
    chance = random.Random(2)
    for _ in range(200):
        at, count = chance.randrange(size), chance.choice((1, 100, 4096, 65536))
        same(f"{count} bytes at {at}", data[at : at + count], os.pread(descriptor, count, at))
    parts = [bytearray(1000), bytearray(70000), bytearray(3)]
    os.preadv(descriptor, parts, 177777)
    same("preadv", data[177777 : 177777 + 71003], b"".join(parts))
    same("seek to the end", size, os.lseek(descriptor, 0, os.SEEK_END))
    same("read at the end", b"", os.read(descriptor, 100))
    same("the first data", 0, os.lseek(descriptor, 0, os.SEEK_DATA))
    same("the first hole", size, os.lseek(descriptor, 0, os.SEEK_HOLE))
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_SEQUENTIAL)
    os.posix_fadvise(descriptor, 1 << 18, 1 << 20, os.POSIX_FADV_WILLNEED)
    same("a file is ready", True, bool(select.select([descriptor], [], [], 5)[0]))
    same("ioctl", "ENOTTY", answer(lambda: fcntl.ioctl(descriptor, 0x5401, bytes(64))))

    with mmap.mmap(descriptor, 0, mmap.MAP_SHARED, mmap.PROT_READ) as mapped:
        for at in [0, size - 10, *(chance.randrange(size) for _ in range(200))]:
            same(f"mapped at {at}", data[at : at + 300], mapped[at : at + 300])
        same("mapped, all", True, mapped[:] == data)
    with mmap.mmap(descriptor, 100000, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE, offset=1 << 18) as mapped:
        mapped[:5] = b"12345"
        same("mapped, changed for oneself", data[(1 << 18) + 5 : (1 << 18) + 100000], mapped[5:])
    same("the file itself", data[1 << 18 : (1 << 18) + 5], os.pread(descriptor, 5, 1 << 18))

    with tempfile.TemporaryFile() as copy:
        at = 0
        while sent := os.sendfile(copy.fileno(), descriptor, at, size - at):
            at += sent
        same("sendfile", (size, True), (at, data == os.pread(copy.fileno(), size + 1, 0)))
    os.lseek(descriptor, 0, os.SEEK_SET)
    collected = bytearray()
    reading, writing = os.pipe()
    while moved := os.splice(descriptor, writing, 65536):
        while moved:
            part = os.read(reading, moved)
            collected += part
            moved -= len(part)
    same("splice", True, collected == data)
    with tempfile.TemporaryFile() as copy:
        found = answer(lambda: os.copy_file_range(descriptor, copy.fileno(), 100000, 3, 0))
        if found != "EXDEV":
            same("copy_file_range", data[3 : 3 + found], os.pread(copy.fileno(), 200000, 0))
    os.close(descriptor)


def check_direct(file, source):
    """O_DIRECT, as some databases and dd read."""
    with open(source, "rb") as whole:
        data = whole.read()
    descriptor = os.open(file, os.O_RDONLY | os.O_DIRECT)
    buffer = mmap.mmap(-1, 4 << 20)
    for at, count in ((0, 4096), (0, 4 << 20), (1 << 20, 1 << 20), (len(data) & ~4095, 8192), ((len(data) + 8191) & ~4095, 4096), (512, 512)):
        with memoryview(buffer)[:count] as view:
            found = os.preadv(descriptor, [view], at)
            same(f"{count} bytes at {at}", True, data[at : at + count] == bytes(view[:found]))
    os.close(descriptor)


def check_many(folder, sources):
    """All files of FOLDER open at once, each read; SOURCES has files of the same names."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    names = sorted(os.listdir(folder))
    if soft < len(names) + 100:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 10000), hard))
    files = [os.open(f"{folder}/{name}", os.O_RDONLY) for name in names]
    for name, file in zip(names, files):
        with open(f"{sources}/{name}", "rb") as source:
            same(name, True, source.read() == os.read(file, 1 << 20))
    for file in files:
        os.close(file)


def check_opens(file, source, count):
    """One file open COUNT times at once, each with a place of its own."""
    with open(source, "rb") as whole:
        data = whole.read()
    files = [os.open(file, os.O_RDONLY) for _ in range(int(count))]
    chance = random.Random(3)
    for descriptor in files:
        at = chance.randrange(len(data))
        same(f"a byte at {at}", data[at : at + 5000], os.pread(descriptor, 5000, at))
    for descriptor in files:
        os.close(descriptor)


def check_slow(file, source, report):
    """Reads on until it fails; REPORT gets the error. What it read is compared."""
    with open(source, "rb") as whole:
        data = whole.read()
    descriptor = os.open(file, os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_RANDOM)
    # What the kernel kept would go on to be read.
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    at = 0
    with open(report, "w") as said:
        while True:
            found = answer(lambda: os.pread(descriptor, 16384, at))
            if isinstance(found, str):
                said.write(found)
                return
            # What is there before an error comes as less than was asked for.
            if not found or found != data[at : at + len(found)]:
                said.write(f"{len(found)} wrong bytes at {at}")
                return
            if at == 0:
                said.write("began ")
                said.flush()
            os.posix_fadvise(descriptor, at, 16384, os.POSIX_FADV_DONTNEED)
            at = (at + len(found)) % len(data)
            time.sleep(0.005)


def check_reader(file, source):
    """Reads at random places until it fails or is ended; wrong bytes are the only fault."""
    with open(source, "rb") as whole:
        data = whole.read()
    chance = random.Random()
    while True:
        try:
            descriptor = os.open(file, os.O_RDONLY)
            for _ in range(50):
                at = chance.randrange(len(data))
                found = os.pread(descriptor, 50000, at)
                if not found or found != data[at : at + len(found)]:
                    because(f"{len(found)} wrong bytes at {at}")
            os.close(descriptor)
        except OSError:
            return


def check_waits(file, at):
    """Reads where its provider is silent, until a signal ends it, as most programs are ended."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.pread(os.open(file, os.O_RDONLY), 100, int(at))


def check_stats(file, count):
    before = state(file)
    for _ in range(int(count)):
        same("what stat says", before, state(file))
        answer(lambda: os.stat(file + ".none"))


signal.signal(signal.SIGPIPE, signal.SIG_DFL)
globals()["check_" + sys.argv[1]](*sys.argv[2:])
