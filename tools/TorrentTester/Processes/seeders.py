"""libtorrent as seeders of one folder: seeders.py TORRENT FOLDER COUNT BYTES-A-SECOND POLICY, until standard input is closed. POLICY: 0 RC4 only, 2 plain only. Prints their ports."""
import sys
import time

# Not the script beside this one, which has the module's name.
sys.path.pop(0)
import libtorrent as lt

torrent, folder, count, rate, policy = sys.argv[1:]
sessions = []
handles = []
for _ in range(int(count)):
    session = lt.session({
        "listen_interfaces": "127.0.0.1:0",
        "enable_dht": False,
        "enable_lsd": False,
        "enable_upnp": False,
        "enable_natpmp": False,
        "in_enc_policy": int(policy),
        "out_enc_policy": int(policy),
        "allowed_enc_level": 2 if policy == "0" else 3,
        "allow_multiple_connections_per_ip": True,
        "max_out_request_queue": 2000,
        "send_buffer_watermark": 4 << 20,
        "send_buffer_watermark_factor": 150,
        "alert_mask": 0,
    })
    handle = session.add_torrent({"ti": lt.torrent_info(torrent), "save_path": folder, "flags": lt.torrent_flags.seed_mode | lt.torrent_flags.upload_mode})
    if int(rate) > 0:
        handle.set_upload_limit(int(rate))
    sessions.append(session)
    handles.append(handle)
while not all(handle.status().is_seeding for handle in handles):
    time.sleep(0.01)
print(*[session.listen_port() for session in sessions], flush=True)
sys.stdin.read()
