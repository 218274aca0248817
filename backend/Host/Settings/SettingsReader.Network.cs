using NzbDav.Torrents.Network;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Host.Settings;

/// <summary>How torrents reach their peers.</summary>
public sealed partial class SettingsReader
{
    private TorrentSettings ReadNetwork(TorrentSettings settings) => settings with
    {
        Encryption = ReadEncryption(),
        Bind = ReadBind(),
        Proxy = ReadProxy(),
        Blocklist = ReadBlocklist(),
        PortMapping = Flag("Torrents:PortMapping", settings.PortMapping),
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
            Fault("Torrents:Blocklist", $"'{path}' is no absolute path.");
        return path;
    }

    private ProxyAddress? ReadProxy()
    {
        if (Secret("Torrents:Proxy") is not { } text)
            return null;

        // The text is not repeated: it may hold a password.
        if (!ProxyAddress.TryParse(text, out var proxy))
            Fault("Torrents:Proxy", "it is no address such as socks5://user:password@host:1080 or http://host:8080.");
        return proxy;
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
