using System.Net;

namespace NzbDav.Torrents.Network;

/// <summary>Rules for connections to addresses that others have supplied. Thread-safe.</summary>
/// <param name="MayDial">
/// True if a peer at this address may be dialled, whatever the source. Not called for peers found by local discovery or connected to us.
/// </param>
/// <param name="RefusalOf">
/// Why requests to a tracker at this host must not go through a proxy, which resolves the name itself; null if they may. Must not resolve
/// names.
/// </param>
public sealed record OutboundRules(Func<IPAddress, bool> MayDial, Func<string, string?> RefusalOf)
{
    /// <summary>Everything is allowed.</summary>
    public static OutboundRules None { get; } = new(static _ => true, static _ => null);
}

/// <summary>Resolves a host given in a .torrent or magnet link. Thread-safe.</summary>
/// <param name="host">A name, or an address as text; IPv6 with or without brackets.</param>
/// <param name="cancellationToken">Cancels the lookup.</param>
/// <returns>At least one.</returns>
/// <exception cref="System.Net.Sockets.SocketException">The name cannot be resolved.</exception>
/// <exception cref="IOException">Connections to the host are not allowed; the message tells the user why.</exception>
/// <exception cref="OperationCanceledException">The token fired.</exception>
public delegate ValueTask<IReadOnlyList<IPAddress>> HostResolver(string host, CancellationToken cancellationToken);
