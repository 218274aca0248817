using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Host.Settings;

/// <summary>How torrents reach their peers.</summary>
public sealed partial class SettingsReader
{
    private TorrentSettings ReadNetwork(TorrentSettings settings) => settings with
    {
        Encryption = ReadEncryption(),
    };

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
