using System.Globalization;
using System.Net;
using NzbDav.Content.Proxies;
using NzbDav.Torrents.Wire;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Host.Settings;

/// <summary>The network settings of torrents.</summary>
public sealed partial class SettingsReader
{
    private TorrentSettings ReadNetwork(TorrentSettings settings) => settings with
    {
        Encryption = ReadEncryption(),
        Bind = ReadBind(),
        Proxy = ReadProxy("Torrents:Proxy"),
        Blocklist = ReadBlocklist(),
        BannedAddresses = ReadBannedAddresses(),
        PortMapping = Flag("Torrents:PortMapping", settings.PortMapping),
        Dht = Flag("Torrents:Dht", settings.Dht),
        DhtBootstrap = ReadBootstrap(),
    };

    private string? ReadBind()
    {
        var text = Text("Torrents:Bind");
        if (text is not null && text.AsSpan().ContainsAny(" /\0"))
            Fault("Torrents:Bind", $"'{text}' is neither an address such as 10.8.0.2 nor an interface such as wg0.");
        return text;
    }

    private string? ReadBlocklist()
    {
        var path = Text("Torrents:Blocklist");
        if (path is not null && !Path.IsPathFullyQualified(path))
            Fault("Torrents:Blocklist", $"'{path}' is not an absolute path.");
        return path;
    }

    private List<IPAddress> ReadBannedAddresses()
    {
        var addresses = new List<IPAddress>();
        foreach (var text in Names("Torrents:BannedAddresses", []))
        {
            if (IPAddress.TryParse(text, out var address))
                addresses.Add(address);
            else
                Fault("Torrents:BannedAddresses", $"'{text}' is not an address such as 203.0.113.7.");
        }

        return addresses;
    }

    private ProxyAddress? ReadProxy(string path)
    {
        if (Secret(path) is not { } text)
            return null;

        // The text is not repeated: it may contain a password.
        if (!ProxyAddress.TryParse(text, out var proxy))
            Fault(path, "it is not an address such as socks5://user:password@host:1080 or http://host:8080.");
        return proxy;
    }

    private IReadOnlyList<string> ReadBootstrap()
    {
        var nodes = Names("Torrents:DhtBootstrap", []) ?? [];
        foreach (var node in nodes)
        {
            var colon = node.LastIndexOf(':');
            if (colon <= 0 || Uri.CheckHostName(node[..colon]) == UriHostNameType.Unknown || !ushort.TryParse(node.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var port) || port == 0)
                Fault("Torrents:DhtBootstrap", $"'{node}' is not a node such as router.example.com:6881 or [2001:db8::1]:6881.");
        }

        return nodes;
    }

    private UtpPolicy ReadUtp()
    {
        switch (Choice("Torrents:Utp", "dial"))
        {
            case null or "dial":
                return UtpPolicy.Dial;
            case "on":
                return UtpPolicy.On;
            case "off":
                return UtpPolicy.Off;
            case var text:
                Fault("Torrents:Utp", $"'{text}' is not one of dial, on and off.");
                return UtpPolicy.Dial;
        }
    }

    private EncryptionPolicy ReadEncryption()
    {
        switch (Choice("Torrents:Encryption", "prefer"))
        {
            case null or "prefer":
                return EncryptionPolicy.Prefer;
            case "require":
                return EncryptionPolicy.Require;
            case "off":
                return EncryptionPolicy.Off;
            case { } text:
                Fault("Torrents:Encryption", $"'{text}' is not one of prefer, require and off.");
                return EncryptionPolicy.Prefer;
        }
    }
}
