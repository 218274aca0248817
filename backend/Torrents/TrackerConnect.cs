using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents;

/// <summary>Connects to the first address that answers, by the route that <see cref="TorrentOptions.Bind"/> allows.</summary>
/// <param name="addresses">Tried in order.</param>
/// <param name="port">1 … 65535.</param>
/// <param name="cancellationToken">Cancels the attempt.</param>
/// <exception cref="IOException">There is no route at the moment.</exception>
/// <exception cref="SocketException">None answers.</exception>
public delegate ValueTask<Socket> TrackerConnect(IReadOnlyList<IPAddress> addresses, int port, CancellationToken cancellationToken);
