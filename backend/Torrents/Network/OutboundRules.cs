using System.Net;

namespace NzbDav.Torrents.Network;

/// <summary>Which addresses that others have named may be connected to. Thread-safe.</summary>
/// <param name="MayDial">
/// True if a peer at this address may be dialled, whoever named it. Not asked for peers that the local discovery found or that connected to
/// us.
/// </param>
/// <param name="RefusalOf">
/// Why a tracker of this host must not be asked for through a proxy, which looks up the name itself; null = it may be. Must not look up
/// names.
/// </param>
public sealed record OutboundRules(Func<IPAddress, bool> MayDial, Func<string, string?> RefusalOf)
{
    /// <summary>Everything is allowed.</summary>
    public static OutboundRules None { get; } = new(static _ => true, static _ => null);
}

/// <summary>Finds the addresses of a host that a .torrent or magnet link names. Thread-safe.</summary>
/// <param name="host">A name, or an address as text; IPv6 with or without brackets.</param>
/// <param name="cancellationToken">Cancels the lookup.</param>
/// <returns>At least one.</returns>
/// <exception cref="System.Net.Sockets.SocketException">The name cannot be resolved.</exception>
/// <exception cref="IOException">Connections to the host are not allowed; the message tells the user why.</exception>
/// <exception cref="OperationCanceledException">The token fired.</exception>
public delegate ValueTask<IReadOnlyList<IPAddress>> HostResolver(string host, CancellationToken cancellationToken);
