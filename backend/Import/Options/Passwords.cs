using NzbDav.Catalog.Jobs;
using NzbDav.Torrents.Metadata;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Options;

/// <summary>Collects the passwords for encrypted archives in the order in which they are tried.</summary>
internal static class Passwords
{
    private const string Open = "{{";
    private const string Close = "}}";
    private const string Key = "password=";

    /// <summary>
    /// First the password given with the job or in its name, then those in the .nzb, then the list in the settings; each once.
    /// </summary>
    public static IReadOnlyList<string> Of(CatalogJob job, NzbDocument document, ImportOptions options)
    {
        IEnumerable<string> inNzb = document.Meta.TryGetValue("password", out var values) ? values : [];
        return Distinct([job.Password, .. inNzb, .. options.Passwords]);
    }

    /// <summary>
    /// First the password given with a torrent's job, then the one in the torrent's own name, then the list in the settings; each once.
    /// </summary>
    public static IReadOnlyList<string> Of(string? given, TorrentInfo info, ImportOptions options) =>
        Distinct([given, FromName(info.Name).Password, .. options.Passwords]);

    /// <summary>Splits a password off the end of a name: <c>name{{password}}</c> or <c>name password=secret</c>.</summary>
    /// <param name="stem">The name without its extension.</param>
    /// <returns>The name without the password, and the password; null if there is none.</returns>
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

    /// <summary>Splits a password off a requested name: as <see cref="FromName"/>, or <c>name/password</c> as SABnzbd does.</summary>
    /// <param name="title">The name without its extension.</param>
    /// <returns>The name without the password, and the password; null if there is none.</returns>
    public static (string Name, string? Password) FromTitle(string title)
    {
        var slash = title.IndexOf('/', StringComparison.Ordinal);
        var braces = title.IndexOf(Open, StringComparison.Ordinal);
        if (slash <= 0 || (braces >= 0 && braces < slash) || title.Contains(Key, StringComparison.OrdinalIgnoreCase)
            || title.Contains("://", StringComparison.Ordinal))
            return FromName(title);
        var isSpaced = slash + 1 < title.Length && title[slash - 1] == ' ' && title[slash + 1] == ' ';
        var (name, password) = (title[..slash].Trim(' ', '.'), title[(slash + (isSpaced ? 2 : 1))..]);
        return name.Length > 0 && password.Length > 0 ? (name, password) : FromName(title);
    }

    private static string[] Distinct(IEnumerable<string?> passwords) =>
        [.. passwords.OfType<string>().Where(static password => password.Length > 0).Distinct(StringComparer.Ordinal)];
}
