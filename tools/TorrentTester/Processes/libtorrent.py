"""What libtorrent makes of the same download: libtorrent.py TORRENT ADDRESS PORT FOLDER POLICY (0 RC4 only, 2 plain only). Prints seconds from adding to the last byte, CPU seconds, and
those of them in the kernel. With a sixth argument, "serve", it then prints its port and "done", and serves everybody until its input ends."""
import os
import sys
import time

# Not this file, which has the module's name.
sys.path.pop(0)
import libtorrent as lt

torrent, address, port, folder, policy, *serve = sys.argv[1:]
session = lt.session({
    "listen_interfaces": "127.0.0.1:0",
    "enable_dht": False,
    "enable_lsd": False,
    "enable_upnp": False,
    "enable_natpmp": False,
    "in_enc_policy": int(policy),
    "out_enc_policy": int(policy),
    "allowed_enc_level": 2 if policy == "0" else 3,
    "enable_outgoing_utp": False,
    "allow_multiple_connections_per_ip": True,
    "request_queue_time": 3,
    "max_out_request_queue": 2000,
    "alert_mask": 0,
    "unchoke_slots_limit": -1 if serve else 8,
})
info = lt.torrent_info(torrent)
started, cpu = time.monotonic(), os.times()
handle = session.add_torrent({"ti": info, "save_path": folder})
handle.connect_peer((address, int(port)))
while not handle.status().is_seeding:
    time.sleep(0.005)
used = os.times()
if serve:
    print("port", session.listen_port(), "\ndone", flush=True)
    sys.stdin.read()
    sys.exit()
print(time.monotonic() - started, used.user + used.system - cpu.user - cpu.system, used.system - cpu.system)
