"""Writes a .torrent anew with one tracker or one node of the DHT (BEP 5), and prints its info-hash: retrack.py IN ANNOUNCE OUT, or retrack.py IN dht:ADDRESS:PORT OUT."""
import hashlib
import sys

source, announce, target = sys.argv[1:]
data = open(source, "rb").read()


def skip(at):
    """The end of the value that begins here."""
    if data[at:at + 1] == b"i":
        return data.index(b"e", at) + 1
    if data[at:at + 1] in (b"l", b"d"):
        at += 1
        while data[at:at + 1] != b"e":
            at = skip(at)
        return at + 1
    colon = data.index(b":", at)
    return colon + 1 + int(data[at:colon])


at = 1
info = None
while data[at:at + 1] != b"e":
    end = skip(at)
    key = data[at:end].split(b":", 1)[1]
    value = skip(end)
    if key == b"info":
        info = data[end:value]
    at = value
if announce.startswith("dht:"):
    address, port = announce[4:].rsplit(":", 1)
    known = b"d4:info%s5:nodesll%d:%si%seeee" % (info, len(address), address.encode(), port.encode())
else:
    url = announce.encode()
    known = b"d8:announce%d:%s4:info%se" % (len(url), url, info)
open(target, "wb").write(known)
print(hashlib.sha1(info).hexdigest())
