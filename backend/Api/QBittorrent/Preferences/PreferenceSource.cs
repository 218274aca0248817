using System.Globalization;
using NzbDav.Content.Proxies;

namespace NzbDav.Api.QBittorrent;

/// <summary>The settings that preferences are made of, as of one moment. Immutable.</summary>
/// <param name="settings">By name.</param>
/// <param name="proxy">What torrents go through, with its password, which is no readable setting; null: nothing.</param>
internal sealed class PreferenceSource(IReadOnlyDictionary<string, QbitSetting> settings, ProxyAddress? proxy)
{
    public ProxyAddress? Proxy => proxy;

    /// <summary>Null when it is not set and has no default.</summary>
    public string? Text(string path) => settings.GetValueOrDefault(path)?.Value;

    public long Number(string path) => long.TryParse(Text(path), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number) ? number : 0;

    public double Decimal(string path) => double.TryParse(Text(path), NumberStyles.Float, CultureInfo.InvariantCulture, out var number) ? number : 0;

    public bool Flag(string path) => bool.TryParse(Text(path), out var flag) && flag;

    public string[] List(string path) => Text(path) is { } text and not "none" ? text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries) : [];

    /// <summary>A number as the setting takes it: one out of its range becomes the nearest that is in it.</summary>
    public string Bounded(string path, long number) =>
        (settings.GetValueOrDefault(path) is { } setting ? Math.Clamp(number, setting.Least, setting.Most) : number).ToString(CultureInfo.InvariantCulture);
}
