using System.Net;
using System.Net.Sockets;

namespace NzbDav.Torrents.Connections;

/// <summary>
/// Limits dials to an address family that does not work here while the other does, as IPv6 behind many routers: it gets an eighth of all
/// dials until one succeeds. Failures alone say nothing, because most addresses of a swarm are gone or behind a router: a family counts as
/// failing only if the other has connected since it last did. Not thread-safe.
/// </summary>
internal sealed class FamilyDials
{
    /// <summary>Failures in a row of a family that has never connected.</summary>
    private const int MostFailures = 16;

    /// <summary>Failures in a row of one that has: a swarm may be dead as a whole.</summary>
    private const int MostFailuresSinceConnected = 64;

    private readonly Family[] _families = [new(), new()];

    /// <summary>True if another dial may be made.</summary>
    /// <param name="address">The address to dial.</param>
    /// <param name="most">Most dials of both families.</param>
    public bool MayDial(IPAddress address, int most)
    {
        var family = _families[IndexOf(address)];
        return !family.Fails || family.Dials < Math.Max(1, most / 8);
    }

    /// <summary>Counts a dial that begins. <see cref="OnDialEnded"/> follows.</summary>
    public void OnDialStarted(IPAddress address) => _families[IndexOf(address)].Dials++;

    /// <summary>Counts a dial that has ended.</summary>
    public void OnDialEnded(IPAddress address, bool isConnected)
    {
        var index = IndexOf(address);
        var (family, other) = (_families[index], _families[1 - index]);
        family.Dials--;
        if (!isConnected)
        {
            family.Failures = Math.Min(MostFailuresSinceConnected, family.Failures + 1);
            return;
        }

        (family.Failures, family.HasConnected, family.HasOtherConnected) = (0, true, false);
        other.HasOtherConnected = true;
    }

    /// <summary>True for IPv6, except for an IPv4 address mapped to IPv6.</summary>
    public static bool IsSix(IPAddress address) => address is { AddressFamily: AddressFamily.InterNetworkV6, IsIPv4MappedToIPv6: false };

    private static int IndexOf(IPAddress address) => IsSix(address) ? 1 : 0;

    private sealed class Family
    {
        public int Dials { get; set; }

        /// <summary>Failures in a row.</summary>
        public int Failures { get; set; }

        public bool HasConnected { get; set; }

        /// <summary>True if the other family has connected since this one last did.</summary>
        public bool HasOtherConnected { get; set; }

        public bool Fails => HasOtherConnected && Failures >= (HasConnected ? MostFailuresSinceConnected : MostFailures);
    }
}
