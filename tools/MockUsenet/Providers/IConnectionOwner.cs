using System.Net.Sockets;
using NzbDav.MockUsenet.Pacing;
using NzbDav.MockUsenet.Transports;

namespace NzbDav.MockUsenet.Providers;

/// <summary>What a connection needs from the provider that accepted it. Thread-safe.</summary>
internal interface IConnectionOwner
{
    /// <summary>Wraps an accepted socket, after the TLS handshake where there is one.</summary>
    /// <param name="socket">Owned by the transport from here on.</param>
    /// <param name="delay">Waits out the round trip before the handshake.</param>
    Task<Transport> SecureAsync(Socket socket, DelayWaiter delay);

    /// <summary>Called once when a connection that counts against the limit has ended.</summary>
    /// <param name="vanished">True if the client left without QUIT, so that its place may stay taken for a while.</param>
    void GiveBack(bool vanished);
}
