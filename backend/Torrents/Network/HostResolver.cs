using System.Net;

namespace NzbDav.Torrents.Network;

/// <summary>Finds the addresses of a host that a .torrent or magnet link names. Thread-safe.</summary>
/// <param name="host">A name, or an address as text; IPv6 with or without brackets.</param>
/// <param name="cancellationToken">Cancels the lookup.</param>
/// <returns>At least one.</returns>
/// <exception cref="System.Net.Sockets.SocketException">The name cannot be resolved.</exception>
/// <exception cref="IOException">Connections to the host are not allowed; the message tells the user why.</exception>
/// <exception cref="OperationCanceledException">The token fired.</exception>
public delegate ValueTask<IReadOnlyList<IPAddress>> HostResolver(string host, CancellationToken cancellationToken);
