using System.Net;
using System.Net.Sockets;

namespace NzbDav.Torrents.Connections;

/// <summary>
/// Limits dials to an address family that fails, as IPv6 does behind many routers: after sixteen failures in a row it gets an eighth of all
/// dials until one succeeds. Not thread-safe.
/// </summary>
internal sealed class FamilyDials
{
    private const int MostFailures = 16;
    private readonly int[] _dials = new int[2];
    private readonly int[] _failures = new int[2];

    /// <summary>True if another dial may be made.</summary>
    /// <param name="address">The address to dial.</param>
    /// <param name="most">Most dials of both families.</param>
    public bool MayDial(IPAddress address, int most)
    {
        var family = FamilyOf(address);
        return _failures[family] < MostFailures || _dials[family] < Math.Max(1, most / 8);
    }

    /// <summary>Counts a dial that begins. <see cref="OnDialEnded"/> follows.</summary>
    public void OnDialStarted(IPAddress address) => _dials[FamilyOf(address)]++;

    /// <summary>Counts a dial that has ended.</summary>
    public void OnDialEnded(IPAddress address, bool isConnected)
    {
        var family = FamilyOf(address);
        _dials[family]--;
        _failures[family] = isConnected ? 0 : Math.Min(MostFailures, _failures[family] + 1);

        // No peer can be reached at all, so neither family is worse than the other.
        if (_failures[0] == MostFailures && _failures[1] == MostFailures)
            _failures[1 - family] = _failures[family] = MostFailures / 2;
    }

    /// <summary>True for IPv6, except for an IPv4 address mapped to IPv6.</summary>
    public static bool IsSix(IPAddress address) => address is { AddressFamily: AddressFamily.InterNetworkV6, IsIPv4MappedToIPv6: false };

    private static int FamilyOf(IPAddress address) => IsSix(address) ? 1 : 0;
}
