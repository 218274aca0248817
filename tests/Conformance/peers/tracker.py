"""A tracker that names one peer to everybody, by IPv4 or IPv6: tracker.py ADDRESS PORT PEER-ADDRESS PEER-PORT. Prints "ready"."""
import http.server
import socket
import sys

address, port, peer, peer_port = sys.argv[1:]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = b"d8:intervali60e5:peersld2:ip%d:%s4:porti%seeee" % (len(peer), peer.encode(), peer_port.encode())
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6 if ":" in address else socket.AF_INET


server = Server((address, int(port)), Handler)
print("ready", flush=True)
server.serve_forever()
