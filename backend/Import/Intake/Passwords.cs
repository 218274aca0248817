using NzbDav.Catalog;
using NzbDav.Torrents.Metadata;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import;

/// <summary>Where passwords of encrypted archives come from, and in which order they are tried.</summary>
internal static class Passwords
{
    private const string Open = "{{";
    private const string Close = "}}";
    private const string Key = "password=";

    /// <summary>What was given with the job or in its name, then what the .nzb says, then the list of the settings; each once.</summary>
    public static IReadOnlyList<string> Of(CatalogJob job, NzbDocument document, ImportOptions options)
    {
        IEnumerable<string> said = document.Meta.TryGetValue("password", out var values) ? values : [];
        return Distinct([job.Password, .. said, .. options.Passwords]);
    }

    /// <summary>What came with a torrent's job, then what the torrent's own name says, then the list of the settings; each once.</summary>
    public static IReadOnlyList<string> Of(string? given, TorrentInfo info, ImportOptions options) => Distinct([given, FromName(info.Name).Password, .. options.Passwords]);

    /// <summary>Takes a password out of a name: <c>name{{password}}</c> or <c>name password=secret</c>, at its end.</summary>
    /// <param name="stem">Without the ending.</param>
    /// <returns>The name without it; the password, null when there is none.</returns>
    public static (string Name, string? Password) FromName(string stem)
    {
        var open = stem.IndexOf(Open, StringComparison.Ordinal);
        if (open >= 0 && stem.EndsWith(Close, StringComparison.Ordinal) && stem.Length - Close.Length > open + Open.Length)
            return (stem[..open].TrimEnd(), stem[(open + Open.Length)..^Close.Length]);
        var key = stem.LastIndexOf(Key, StringComparison.OrdinalIgnoreCase);
        if (key > 0 && key + Key.Length < stem.Length && !char.IsLetterOrDigit(stem[key - 1]))
            return (stem[..key].TrimEnd(' ', '.', '_', '-', '(', '['), stem[(key + Key.Length)..].Trim());
        return (stem, null);
    }

    private static string[] Distinct(IEnumerable<string?> passwords) => [.. passwords.OfType<string>().Where(static password => password.Length > 0).Distinct(StringComparer.Ordinal)];
}
