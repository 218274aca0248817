using System.Globalization;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Content.Proxies;

namespace NzbDav.Api.QBittorrent.Preferences;

/// <summary>The settings behind the preferences, at one moment. Immutable.</summary>
/// <param name="settings">By name.</param>
/// <param name="port">The port at which peers reach this server; 0: none.</param>
/// <param name="proxy">The proxy of torrents, with its password, which is not a readable setting; null: none.</param>
internal sealed class PreferenceSource(IReadOnlyDictionary<string, QbitSetting> settings, int port, ProxyAddress? proxy)
{
    public long Port => port;

    public ProxyAddress? Proxy => proxy;

    /// <summary>Null when it is not set and has no default.</summary>
    public string? Text(string path) => settings.GetValueOrDefault(path)?.Value;

    public long Number(string path) => long.TryParse(Text(path), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number) ? number : 0;

    public double Decimal(string path) => double.TryParse(Text(path), NumberStyles.Float, CultureInfo.InvariantCulture, out var number) ? number : 0;

    public bool Flag(string path) => bool.TryParse(Text(path), out var flag) && flag;

    public string[] List(string path) => Text(path) is { } text and not "none" ? text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries) : [];

    /// <summary>Formats a number for a setting; a number outside the setting's range becomes the nearest allowed one.</summary>
    public string Bounded(string path, long number) =>
        (settings.GetValueOrDefault(path) is { } setting ? Math.Clamp(number, setting.Least, setting.Most) : number).ToString(CultureInfo.InvariantCulture);
}
