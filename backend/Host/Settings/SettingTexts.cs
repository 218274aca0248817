using System.Collections.Frozen;

namespace NzbDav.Host.Settings;

/// <summary>What people are told of each setting.</summary>
public static partial class SettingTexts
{
    private const string Providers = "providers";
    private const string Playback = "playback";
    private const string Imports = "imports";
    private const string Torrents = "torrents";
    private const string Arrs = "arrs";
    private const string Players = "players";
    private const string Library = "library";
    private const string Access = "access";
    private const string Backups = "backups";
    private const string Logs = "logs";

    /// <summary>What belongs together, in the order in which it is shown.</summary>
    public static IReadOnlyList<(string Id, string Title)> Groups { get; } =
    [
        (Providers, "Usenet providers"),
        (Playback, "Memory and playback"),
        (Imports, "Imports"),
        (Torrents, "Torrents"),
        (Arrs, "Sonarr, Radarr & Co"),
        (Players, "WebDAV and players"),
        (Library, "Library"),
        (Access, "Access and sign-in"),
        (Backups, "Backups"),
        (Logs, "Logs and metrics"),
    ];

    /// <summary>All, in the order in which they are shown.</summary>
    public static IReadOnlyList<SettingText> All { get; } = [];

    private static readonly FrozenDictionary<string, SettingText> ByPath = All.ToFrozenDictionary(text => text.Path, StringComparer.OrdinalIgnoreCase);

    /// <summary>What people are told of a setting; the names of unknown ones.</summary>
    public static SettingText Of(string path)
    {
        var pattern = string.Join(':', path.Split(':').Select(part => part.All(char.IsAsciiDigit) ? "#" : part));
        return ByPath.GetValueOrDefault(pattern) ?? new SettingText(pattern, "", "", "");
    }
}
