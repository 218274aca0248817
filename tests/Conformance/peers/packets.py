"""Notes every TCP and UDP packet that leaves this machine by eth0: packets.py INFO-HASH. Prints "ready", then per packet a line: seconds, tcp or udp, destination, and whether it names the
torrent. What the kernel sends by itself (ARP, ICMP, group membership) is left out."""
import socket
import struct
import sys
import time

raw = bytes.fromhex(sys.argv[1])
written = sys.argv[1].encode()
link = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
link.bind(("eth0", 0))
print("ready", flush=True)
while True:
    packet, (_, kind, direction, *_) = link.recvfrom(65536)
    if direction != socket.PACKET_OUTGOING:
        continue
    if kind == 0x0800:
        protocol, target = packet[9], socket.inet_ntop(socket.AF_INET, packet[16:20])
    elif kind == 0x86DD:
        protocol, target = packet[6], socket.inet_ntop(socket.AF_INET6, packet[24:40])
    else:
        continue
    if protocol in (6, 17):
        names = raw in packet or written in packet.lower()
        print(f"{time.time():.3f} {'tcp' if protocol == 6 else 'udp'} {target} {'named' if names else '-'}", flush=True)
