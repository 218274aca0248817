"""libtorrent as a seeder or a leecher: session.py seed|leech TORRENT|MAGNET FOLDER PORT [plain|rc4]. Prints "ready", and "done" when all is there. Without plain or rc4 it takes both.
LT_ADDRESS is where it listens, LT_RATE its limit of bytes a second."""
import os
import sys
import time

import libtorrent as lt

role, torrent, folder, port = sys.argv[1:5]
encryption = {"plain": 2, "rc4": 0}.get(sys.argv[5] if len(sys.argv) > 5 else "", 1)
session = lt.session({
    "listen_interfaces": os.environ.get("LT_ADDRESS", "127.0.0.1") + ":" + port,
    "enable_dht": False,
    "enable_lsd": False,
    "enable_upnp": False,
    "enable_natpmp": False,
    "allow_multiple_connections_per_ip": True,
    "in_enc_policy": encryption,
    "out_enc_policy": encryption,
    "allowed_enc_level": 2 if encryption == 0 else 3,
    "enable_outgoing_utp": False,
})
if torrent.startswith("magnet:"):
    parameters = lt.parse_magnet_uri(torrent)
    parameters.save_path = folder
    handle = session.add_torrent(parameters)
else:
    handle = session.add_torrent({"ti": lt.torrent_info(torrent), "save_path": folder})
handle.set_upload_limit(int(os.environ.get("LT_RATE", "0")))
print("ready", flush=True)
while not handle.status().is_seeding:
    time.sleep(0.1)
print("done", flush=True)
while role == "seed":
    time.sleep(1)
