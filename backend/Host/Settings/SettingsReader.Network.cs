using System.Globalization;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Host.Settings;

/// <summary>How torrents reach their peers.</summary>
public sealed partial class SettingsReader
{
    private TorrentSettings ReadNetwork(TorrentSettings settings) => settings with
    {
        Encryption = ReadEncryption(),
        Dht = Flag("Torrents:Dht", settings.Dht),
        DhtBootstrap = ReadBootstrap(),
    };

    private IReadOnlyList<string> ReadBootstrap()
    {
        var nodes = Names("Torrents:DhtBootstrap", []) ?? [];
        foreach (var node in nodes)
        {
            var colon = node.LastIndexOf(':');
            if (colon <= 0 || Uri.CheckHostName(node[..colon]) == UriHostNameType.Unknown || !ushort.TryParse(node.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var port) || port == 0)
                Fault("Torrents:DhtBootstrap", $"'{node}' is no node such as router.example.com:6881 or [2001:db8::1]:6881.");
        }

        return nodes;
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
                Fault("Torrents:Encryption", $"'{text}' is none of prefer, require and off.");
                return EncryptionPolicy.Prefer;
        }
    }
}
