"""Nodes of the DHT that know no torrent: nodes.py COUNT ADDRESS ENTRY. Prints "ready" with the ports. Transmission announces itself only when it knows more than eight nodes."""
import sys
import time

import libtorrent as lt

count, address, entry = sys.argv[1:]
sessions = [lt.session({
    "listen_interfaces": f"{address}:0",
    "enable_dht": True,
    "dht_bootstrap_nodes": entry,
    "dht_restrict_routing_ips": False,
    "dht_restrict_search_ips": False,
    "dht_prefer_verified_node_ids": False,
    "enable_lsd": False,
    "enable_upnp": False,
    "enable_natpmp": False,
}) for _ in range(int(count))]
while not all(session.listen_port() for session in sessions):
    time.sleep(0.1)
print("ready", *(session.listen_port() for session in sessions), flush=True)
while True:
    time.sleep(1)
