"""Makes a private torrent (BEP 27) of another one, and prints its info-hash: private.py IN OUT. Trackers are left out: retrack.py adds one."""
import hashlib
import sys


def read(data, at):
    """The value that begins here, and its end."""
    if data[at:at + 1] == b"i":
        end = data.index(b"e", at)
        return int(data[at + 1:end]), end + 1
    if data[at:at + 1] == b"l":
        items, at = [], at + 1
        while data[at:at + 1] != b"e":
            item, at = read(data, at)
            items.append(item)
        return items, at + 1
    if data[at:at + 1] == b"d":
        pairs, at = {}, at + 1
        while data[at:at + 1] != b"e":
            key, at = read(data, at)
            pairs[key], at = read(data, at)
        return pairs, at + 1
    colon = data.index(b":", at)
    end = colon + 1 + int(data[at:colon])
    return data[colon + 1:end], end


def write(value):
    if isinstance(value, int):
        return b"i%de" % value
    if isinstance(value, bytes):
        return b"%d:%s" % (len(value), value)
    if isinstance(value, list):
        return b"l%se" % b"".join(map(write, value))
    return b"d%se" % b"".join(write(key) + write(value[key]) for key in sorted(value))


info = read(open(sys.argv[1], "rb").read(), 0)[0][b"info"]
info[b"private"] = 1
open(sys.argv[2], "wb").write(write({b"info": info}))
print(hashlib.sha1(write(info)).hexdigest())
