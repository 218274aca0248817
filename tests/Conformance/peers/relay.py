"""Passes datagrams of 127.0.0.1:PORT on to 127.0.0.1:PEER and back, without TCP: relay.py PORT PEER [DELAY-IN-MS LOSS-IN-PERCENT].
The delay and the loss hold for each way. For one client at a time."""
import heapq
import random
import select
import socket
import sys
import time

port, peer = int(sys.argv[1]), int(sys.argv[2])
delay, loss = (float(sys.argv[3]) / 1000, float(sys.argv[4]) / 100) if len(sys.argv) > 3 else (0, 0)
front, back = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
for end in (front, back):
    end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
    end.setblocking(False)
front.bind(("127.0.0.1", port))
client = None
waiting = []
count = 0
while True:
    now = time.monotonic()
    while waiting and waiting[0][0] <= now:
        _, _, is_back, datagram = heapq.heappop(waiting)
        (front if is_back else back).sendto(datagram, client if is_back else ("127.0.0.1", peer))
    ready, _, _ = select.select([front, back], [], [], max(0, waiting[0][0] - now) if waiting else None)
    for end in ready:
        try:
            for _ in range(64):
                datagram, sender = end.recvfrom(65536)
                if end is front:
                    client = sender
                if random.random() >= loss:
                    count += 1
                    heapq.heappush(waiting, (time.monotonic() + delay, count, end is back, datagram))
        except BlockingIOError:
            pass
