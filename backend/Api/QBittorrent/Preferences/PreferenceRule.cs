using System.Globalization;
using NzbDav.Access.Keys;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Content.Proxies;

namespace NzbDav.Api.QBittorrent.Preferences;

/// <summary>Maps preferences that belong together to settings.</summary>
/// <param name="Read">Their current values, by name.</param>
/// <param name="Change">The settings for changed values, by name; null: the default.</param>
internal sealed record PreferenceRule(Func<PreferenceSource, IReadOnlyDictionary<string, object>> Read,
    Func<PreferenceValues, PreferenceSource, IEnumerable<(string Path, string? Value)>> Change)
{
    /// <summary>The rights that a caller needs for a change. Only administrators may change where traffic goes and who is let in.</summary>
    public ApiRights Needs { get; init; } = ApiRights.Change;

    /// <summary>True if a caller of a network that need not log in may change it too.</summary>
    public bool IsForTrustedNetworks { get; init; }

    /// <summary>True if a caller may change it.</summary>
    public bool Allows(QbitCaller caller) => (caller.Rights & Needs) == Needs || (IsForTrustedNetworks && caller.IsOfTrustedNetwork);

    /// <summary>Maps one preference to one setting.</summary>
    public static PreferenceRule Of(
        string name, string path, Func<PreferenceSource, object> tell, Func<PreferenceValues, PreferenceSource, string?> change) => new(
        source => new Dictionary<string, object>(StringComparer.Ordinal) { [name] = tell(source) },
        (values, source) => [(path, change(values, source))]);

    public static PreferenceRule Flag(string name, string path) =>
        Of(name, path, source => source.Flag(path), (values, _) => values.Flag(name) ? "true" : "false");

    /// <summary>Maps a count, where less than 1 means no limit.</summary>
    /// <param name="name">The preference.</param>
    /// <param name="path">The setting.</param>
    /// <param name="none">The setting's value for no limit; null: its largest value.</param>
    public static PreferenceRule Count(string name, string path, long? none = null) => Of(
        name,
        path,
        source => source.Number(path) is var number && number == none ? -1L : number,
        (values, source) => source.Bounded(path, values.Number(name) is > 0 and var number ? number : none ?? int.MaxValue));

    /// <summary>Maps bytes per second to a setting in KiB per second; 0: no limit. Less than 1 KiB becomes 1, as in qBittorrent.</summary>
    public static PreferenceRule Rate(string name, string path) =>
        Of(name, path, source => source.Number(path) << 10, (values, source) => source.Bounded(path, Kibibytes(values.Number(name))));

    /// <summary>Converts bytes per second to KiB per second; 0: no limit.</summary>
    public static long Kibibytes(long bytes) => bytes <= 0 ? 0 : Math.Max(1, bytes >> 10);
}

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

    public long Number(string path) =>
        long.TryParse(Text(path), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number) ? number : 0;

    public double Decimal(string path) =>
        double.TryParse(Text(path), NumberStyles.Float, CultureInfo.InvariantCulture, out var number) ? number : 0;

    public bool Flag(string path) => bool.TryParse(Text(path), out var flag) && flag;

    public string[] List(string path) => Text(path) is { } text and not "none"
        ? text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries) : [];

    /// <summary>Formats a number for a setting; a number outside the setting's range becomes the nearest allowed one.</summary>
    public string Bounded(string path, long number) =>
        (settings.GetValueOrDefault(path) is { } setting ? Math.Clamp(number, setting.Least, setting.Most) : number)
            .ToString(CultureInfo.InvariantCulture);
}
