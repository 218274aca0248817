using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents;

/// <summary>Connects to the first of some addresses that answers, by the way that <see cref="TorrentOptions.Bind"/> leaves.</summary>
/// <param name="addresses">In order.</param>
/// <param name="port">1 … 65535.</param>
/// <param name="cancellationToken">Ends it.</param>
/// <exception cref="IOException">There is no way at present.</exception>
/// <exception cref="SocketException">None answers.</exception>
public delegate ValueTask<Socket> TrackerConnect(IReadOnlyList<IPAddress> addresses, int port, CancellationToken cancellationToken);
