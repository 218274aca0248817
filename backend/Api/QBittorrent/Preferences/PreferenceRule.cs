namespace NzbDav.Api.QBittorrent;

/// <summary>Preferences that belong together, and the settings that they are.</summary>
/// <param name="Tell">Their values as they are now, by name.</param>
/// <param name="Change">The settings for other values, by name; null: the default.</param>
internal sealed record PreferenceRule(Func<PreferenceSource, IReadOnlyDictionary<string, object>> Tell, Func<PreferenceValues, PreferenceSource, IEnumerable<(string Path, string? Value)>> Change)
{
    /// <summary>What a caller must be allowed to do for a change. Where traffic goes and who is let in is for administrators.</summary>
    public ApiRights Needs { get; init; } = ApiRights.Change;

    /// <summary>One preference that is one setting.</summary>
    public static PreferenceRule Of(string name, string path, Func<PreferenceSource, object> tell, Func<PreferenceValues, PreferenceSource, string?> change) => new(
        source => new Dictionary<string, object>(StringComparer.Ordinal) { [name] = tell(source) },
        (values, source) => [(path, change(values, source))]);

    public static PreferenceRule Flag(string name, string path) =>
        Of(name, path, source => source.Flag(path), (values, _) => values.Flag(name) ? "true" : "false");

    /// <summary>A number of something, where less than 1 means no bound.</summary>
    /// <param name="name">The preference.</param>
    /// <param name="path">The setting.</param>
    /// <param name="none">What the setting has for no bound; null: its largest value.</param>
    public static PreferenceRule Count(string name, string path, long? none = null) => Of(
        name,
        path,
        source => source.Number(path) is var number && number == none ? -1L : number,
        (values, source) => source.Bounded(path, values.Number(name) is > 0 and var number ? number : none ?? int.MaxValue));

    /// <summary>Bytes a second, 0 for no limit, of a setting in KiB a second. Less than 1 KiB is 1, as in the original.</summary>
    public static PreferenceRule Rate(string name, string path) =>
        Of(name, path, source => source.Number(path) << 10, (values, source) => source.Bounded(path, Kibibytes(values.Number(name))));

    /// <summary>KiB a second for bytes a second; 0: no limit.</summary>
    public static long Kibibytes(long bytes) => bytes <= 0 ? 0 : Math.Max(1, bytes >> 10);
}
