using System.Globalization;
using NzbDav.Api.Native.Play;
using NzbDav.Arr.Indexers;

namespace NzbDav.Host.Settings;

public sealed partial class SettingsReader
{
    /// <summary>The settings of one more indexer, with <c>#</c> in place of its number.</summary>
    public static IReadOnlyList<SettingEntry> IndexerTemplate()
    {
        var reader = new SettingsReader(new ConfigurationBuilder().Build());
        reader.ReadIndexer("Search:Indexers:#");
        return [.. reader._entries.Values];
    }

    private SearchOptions ReadSearch() => new()
    {
        Checks = Number("Search:Checks", 0, 0, 10),
        Titles = ReadTitles("Search:TitlesUrl", "https://v3-cinemeta.strem.io"),
        AnimeTitles = ReadTitles("Search:AnimeTitlesUrl", "https://anime-kitsu.strem.fun"),
    };

    private Uri? ReadTitles(string path, string usual)
    {
        const string Manifest = "/manifest.json";
        var text = Text(path, usual) ?? usual;
        if (text.Equals("off", StringComparison.OrdinalIgnoreCase))
            return null;
        if (text.EndsWith(Manifest, StringComparison.Ordinal))
            text = text[..^Manifest.Length];
        if (Uri.TryCreate(text.TrimEnd('/'), UriKind.Absolute, out var address) && address.Scheme is "http" or "https")
            return address;
        Fault(path, $"'{text}' is neither the address of a Stremio add-on, such as {usual}, nor off.");
        return null;
    }

    private List<IndexerOptions> ReadIndexers()
    {
        var indexers = new List<IndexerOptions>();
        foreach (var section in _root.GetSection("Search:Indexers").GetChildren())
        {
            var path = $"Search:Indexers:{section.Key}";
            if (!int.TryParse(section.Key, NumberStyles.None, CultureInfo.InvariantCulture, out _))
                Fault(path, "they are numbered: NzbDav__Search__Indexers__0__Url and so on.");
            else if (ReadIndexer(path) is { } indexer)
                indexers.Add(indexer);
        }

        return indexers;
    }

    private IndexerOptions? ReadIndexer(string path)
    {
        var (url, key, name) = (Text($"{path}:Url") ?? "", Secret($"{path}:ApiKey"), Text($"{path}:Name"));
        var options = new IndexerOptions { Name = name ?? "", Url = url, ApiKey = key };
        if (options.Problem() is { } problem)
        {
            Fault(path, problem);
            return null;
        }

        return options with { Name = name ?? new Uri(url).Host };
    }
}
