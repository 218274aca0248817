using System.Net;
using System.Net.NetworkInformation;

namespace NzbDav.Torrents.Network;

/// <summary>The interfaces listed by the operating system.</summary>
internal sealed class SystemAddresses : ILocalAddresses, IDisposable
{
    public SystemAddresses() => NetworkChange.NetworkAddressChanged += OnChanged;

    public event Action? Changed;

    public IReadOnlyList<LocalAddress> List()
    {
        var found = new List<LocalAddress>();
        try
        {
            foreach (var device in NetworkInterface.GetAllNetworkInterfaces())
            {
                // Tunnels and the loopback interface report no state although they work.
                var isUp = device.OperationalStatus is OperationalStatus.Up or OperationalStatus.Unknown;
                var addresses = device.GetIPProperties().UnicastAddresses.Select(static address => address.Address).ToArray();
                if (addresses.Length == 0)
                    found.Add(new LocalAddress(device.Name, null, isUp));
                found.AddRange(addresses.Select(address => new LocalAddress(device.Name, WithoutScope(address), isUp)));
            }
        }
        catch (NetworkInformationException)
        {
            // If the interfaces cannot be listed, they count as missing: nothing is sent.
        }

        return found;
    }

    public void Dispose() => NetworkChange.NetworkAddressChanged -= OnChanged;

    private static IPAddress WithoutScope(IPAddress address) =>
        address.IsIPv6LinkLocal ? address : new IPAddress(address.GetAddressBytes());

    private void OnChanged(object? sender, EventArgs e) => Changed?.Invoke();
}

/// <summary>The interfaces of this machine. Thread-safe.</summary>
internal interface ILocalAddresses
{
    /// <summary>Raised on any thread when the addresses may have changed.</summary>
    event Action? Changed;

    /// <summary>All addresses, and the interfaces without an address.</summary>
    IReadOnlyList<LocalAddress> List();
}

/// <summary>An address of this machine.</summary>
/// <param name="Device">The interface with the address.</param>
/// <param name="Address">The address; null = the interface has none.</param>
/// <param name="IsUp">True if the interface can be used.</param>
internal sealed record LocalAddress(string Device, IPAddress? Address, bool IsUp);
