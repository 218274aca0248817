using System.Net;
using NzbDav.Torrents.Network;

namespace NzbDav.Torrents.Tests.Network;

/// <summary>Network interfaces chosen by the test.</summary>
internal sealed class FixedAddresses : ILocalAddresses
{
    public event Action? Changed;

    public List<LocalAddress> Addresses { get; } = [];

    public IReadOnlyList<LocalAddress> List() => [.. Addresses];

    public void Set(params ReadOnlySpan<(string Device, string? Address, bool IsUp)> addresses)
    {
        Addresses.Clear();
        foreach (var (device, address, isUp) in addresses)
            Addresses.Add(new LocalAddress(device, address is null ? null : IPAddress.Parse(address), isUp));
        Changed?.Invoke();
    }
}
