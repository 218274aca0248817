"""Succeeds when a tracker names a peer's port: named.py ANNOUNCE INFO-HASH PORT."""
import sys
import urllib.parse
import urllib.request

announce, info_hash, port = sys.argv[1:]


def ask(event):
    query = urllib.parse.urlencode({
        "info_hash": bytes.fromhex(info_hash), "peer_id": b"-XX0000-looks-around", "port": 9, "uploaded": 0, "downloaded": 0, "left": 1,
        "compact": 1, "numwant": 200, "event": event,
    })
    return urllib.request.urlopen(announce + "?" + query, timeout=5).read()


answer = ask("started")
ask("stopped")
mark = answer.index(b"5:peers") + 7
colon = answer.index(b":", mark)
peers = answer[colon + 1:colon + 1 + int(answer[mark:colon])]
ports = [int.from_bytes(peers[at + 4:at + 6], "big") for at in range(0, len(peers), 6)]
sys.exit(0 if int(port) in ports else 1)
