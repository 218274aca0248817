namespace NzbDav.Access.Sessions;

/// <summary>A short name for people of what a <c>User-Agent</c> header says.</summary>
internal static class ProgramName
{
    private const int Longest = 64;

    // Each calls itself by the names of those before it too, so the order counts.
    private static readonly (string Mark, string Name)[] Browsers =
        [("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Vivaldi/", "Vivaldi"), ("FxiOS/", "Firefox"), ("Firefox/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari")];

    private static readonly (string Mark, string Name)[] Systems =
        [("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS X", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux")];

    /// <summary><c>Firefox on Linux</c>, or the first product named, <c>curl</c>; null when nothing is said.</summary>
    public static string? Of(string? userAgent)
    {
        if (string.IsNullOrWhiteSpace(userAgent))
            return null;
        if (Find(Browsers, userAgent) is { } browser)
            return Find(Systems, userAgent) is { } system ? $"{browser} on {system}" : browser;
        var end = userAgent.AsSpan().IndexOfAny('/', ' ', '(');
        var name = new string([.. (end > 0 ? userAgent[..end] : userAgent).Where(static c => !char.IsControl(c)).Take(Longest)]);
        return name.Length > 0 ? name : null;
    }

    private static string? Find((string Mark, string Name)[] known, string text) =>
        Array.Find(known, one => text.Contains(one.Mark, StringComparison.Ordinal)).Name;
}
