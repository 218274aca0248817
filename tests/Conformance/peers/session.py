"""libtorrent as a seeder, a leecher, or a peer that fetches nothing: session.py seed|leech|idle TORRENT|MAGNET FOLDER [ADDRESS:]PORT [plain|rc4] [utp] [lsd] [dht=ADDRESS:PORT] [PEER…].
Prints "ready", and "done" when all is there. Without plain or rc4 it takes both. With utp it neither connects nor is reached by TCP. LT_RATE in the environment is its limit of bytes a second."""
import os
import sys
import time

import libtorrent as lt

role, torrent, folder, listen, *more = sys.argv[1:]
encryption = 2 if "plain" in more else 0 if "rc4" in more else 1
entry = "".join(option[4:] for option in more if option.startswith("dht="))
# Without an address, at both families, as users' clients are; uTP stays on, so that it is tried first and TCP after it.
session = lt.session({
    "listen_interfaces": listen if ":" in listen else f"127.0.0.1:{listen},[::1]:{listen}",
    "enable_dht": bool(entry),
    "dht_bootstrap_nodes": entry,
    "enable_lsd": "lsd" in more,
    "enable_upnp": False,
    "enable_natpmp": False,
    "enable_outgoing_tcp": "utp" not in more,
    "enable_incoming_tcp": "utp" not in more,
    "allow_multiple_connections_per_ip": True,
    "in_enc_policy": encryption,
    "out_enc_policy": encryption,
    "allowed_enc_level": 2 if encryption == 0 else 3,
    "close_redundant_connections": False,
})
if entry:
    # All are at one address here, and nobody knows how others see it.
    session.apply_settings({"dht_restrict_routing_ips": False, "dht_restrict_search_ips": False, "dht_enforce_node_id": False, "dht_prefer_verified_node_ids": False})
if torrent.startswith("magnet:"):
    parameters = lt.parse_magnet_uri(torrent)
    parameters.save_path = folder
    handle = session.add_torrent(parameters)
else:
    handle = session.add_torrent({"ti": lt.torrent_info(torrent), "save_path": folder})
handle.set_upload_limit(int(os.environ.get("LT_RATE", "0")))
if role == "idle":
    handle.prioritize_pieces([0] * handle.torrent_file().num_pieces())
for peer in more:
    if peer not in ("plain", "rc4", "utp", "lsd") and not peer.startswith("dht="):
        address, port = peer.rsplit(":", 1)
        handle.connect_peer((address, int(port)))
print("ready", flush=True)
while role == "idle":
    time.sleep(1)
beats = 0
while not handle.status().is_seeding:
    time.sleep(0.1)
    beats += 1
    if entry and beats % 10 == 0:
        handle.force_dht_announce()
print("done", flush=True)
while role == "seed":
    time.sleep(1)
    if entry:
        handle.force_dht_announce()
