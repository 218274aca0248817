"""Makes a hybrid torrent (BEP 52): hybrid.py FOLDER TRACKER TORRENT. Prints its info-hash, its second one (version 2) and the first 20 bytes of that."""
import os
import sys

import libtorrent as lt

folder, tracker, out = sys.argv[1:]
files = lt.file_storage()
lt.add_files(files, folder)
made = lt.create_torrent(files, 256 << 10)
made.add_tracker(tracker)
lt.set_piece_hashes(made, os.path.dirname(folder))
with open(out, "wb") as stream:
    stream.write(lt.bencode(made.generate()))
hashes = lt.torrent_info(out).info_hashes()
print(hashes.v1, hashes.v2, str(hashes.v2)[:40])
