using System.Net;

namespace NzbDav.Torrents.Wire;

/// <summary>A peer to dial, and the torrent to ask it for.</summary>
/// <param name="Remote">The peer's address.</param>
/// <param name="Greeting">Our handshake, which names the torrent. The dialer may send it with its first bytes: see
/// <see cref="ITransport.IsGreeted"/>.</param>
/// <param name="IsPlain">True if the last connection to the peer was plain because an encrypted one failed.</param>
/// <param name="ByUtp">True to connect by uTP (BEP 29), not by TCP.</param>
internal readonly record struct DialTarget(IPEndPoint Remote, Handshake Greeting, bool IsPlain = false, bool ByUtp = false);

/// <summary>What uTP (BEP 29) is used for.</summary>
public enum UtpPolicy
{
    /// <summary>Peers that cannot be reached by TCP are dialled by it. Costs no rate: nothing that TCP carries goes by uTP.</summary>
    Dial,

    /// <summary>Peers may connect by it as well. Most clients then do so first, although TCP would be faster: it gives way to all other
    /// traffic.</summary>
    On,

    /// <summary>It is not used.</summary>
    Off,
}
