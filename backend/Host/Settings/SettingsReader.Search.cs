using System.Globalization;
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
