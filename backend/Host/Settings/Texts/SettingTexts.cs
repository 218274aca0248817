using System.Collections.Frozen;

namespace NzbDav.Host.Settings.Texts;

/// <summary>The texts of a setting: the source for the page, for OpenAPI and for docs/configuration.md. Immutable.</summary>
/// <param name="Path">Its name, with <c>#</c> for a number.</param>
/// <param name="Group">The id of one of <see cref="SettingTexts.Groups"/>.</param>
/// <param name="Title">Its title, in a few words.</param>
/// <param name="Description">What it does, when one would change it, and what its unit means: one or two plain sentences.</param>
public sealed record SettingText(string Path, string Group, string Title, string Description)
{
    /// <summary>The unit of a number, such as <c>MiB</c>; null: none.</summary>
    public string? Unit { get; init; }

    /// <summary>True for a number of which 0 means that there is no limit: the page says so in its place.</summary>
    public bool ZeroIsNoLimit { get; init; }

    /// <summary>The allowed values with their titles; null: any of its kind.</summary>
    public IReadOnlyList<(string Value, string Title)>? Choices { get; init; }

    /// <summary>True for a setting that few people need: the page shows it under "more".</summary>
    public bool IsAdvanced { get; init; }

    /// <summary>The form of a text or a list, such as <c>absolute path</c>; null: any of its kind.</summary>
    public string? Form { get; init; }

    /// <summary>What applies if it is not set, as text, where there is no default value or it differs by machine; otherwise null.</summary>
    public string? DefaultNote { get; init; }
}

/// <summary>The texts of all settings.</summary>
public static partial class SettingTexts
{
    private const string Providers = "providers";
    private const string Playback = "playback";
    private const string Imports = "imports";
    private const string Torrents = "torrents";
    private const string Arrs = "arrs";
    private const string Players = "players";
    private const string Library = "library";
    private const string Health = "health";
    private const string Access = "access";
    private const string Backups = "backups";
    private const string Logs = "logs";

    private const string Names = "names, separated by commas";
    private const string Hosts = "names, addresses or networks, separated by commas; `*`";
    private const string Networks = "addresses or networks, separated by commas";
    private const string Patterns = "patterns with `*` and `?`, separated by commas; `none`";
    private const string KeyForm = "text, at least 8 characters";

    /// <summary>The groups of settings, in display order.</summary>
    public static IReadOnlyList<(string Id, string Title)> Groups { get; } =
    [
        (Providers, "Usenet providers"),
        (Playback, "Memory and playback"),
        (Imports, "Imports"),
        (Torrents, "Torrents"),
        (Arrs, "Sonarr, Radarr & Co"),
        (Players, "WebDAV and players"),
        (Library, "Library"),
        (Health, "Health checks"),
        (Access, "Access and sign-in"),
        (Backups, "Backups"),
        (Logs, "Logs and metrics"),
    ];

    /// <summary>All texts, in display order.</summary>
    public static IReadOnlyList<SettingText> All => AllTexts.Value;

    // Lazy, because the parts are static fields in other files, which are initialized in no defined order.
    private static readonly Lazy<SettingText[]> AllTexts =
        new(Join);

    private static readonly Lazy<FrozenDictionary<string, int>> Places =
        new(static () => All.Select((text, place) => (text.Path, place))
            .ToFrozenDictionary(pair => pair.Path, pair => pair.place, StringComparer.OrdinalIgnoreCase));

    /// <summary>The texts of a setting; empty texts for an unknown one.</summary>
    public static SettingText Of(string path)
    {
        var pattern = PatternOf(path);
        return Places.Value.TryGetValue(pattern, out var place) ? All[place] : new SettingText(pattern, "", "", "");
    }

    /// <summary>The index of a setting in <see cref="All"/>; for an unknown one, the number of all.</summary>
    public static int PlaceOf(string path) => Places.Value.GetValueOrDefault(PatternOf(path), All.Count);

    private static SettingText[] Join() => [.. OfProviders, .. OfPlayback, .. OfImports, .. OfTorrents, .. OfArrs, .. OfPlayers,
        .. OfLibrary, .. OfHealth, .. OfAccess, .. OfBackups, .. OfLogs];

    private static string PatternOf(string path) =>
        string.Join(':', path.Split(':').Select(static part => part.All(char.IsAsciiDigit) ? "#" : part));
}
