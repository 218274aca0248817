using System.Globalization;

namespace NzbDav.FullNzbTester.Dav;

/// <summary>
/// Counters and gauges in Prometheus' text format. Lines that cannot be parsed are ignored. If a series occurs more than
/// once, the highest value counts.
/// </summary>
internal sealed class MetricsPage
{
    private static readonly string[] Holding = ["_readers_open", "_segments_held", "_leases"];

    private readonly Dictionary<string, double> _values = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _types = new(StringComparer.Ordinal);

    private MetricsPage()
    {
    }

    public static MetricsPage Parse(string text)
    {
        var page = new MetricsPage();
        foreach (var raw in text.Split('\n'))
        {
            var line = raw.Trim();
            if (line.StartsWith('#'))
            {
                // # TYPE nzbdav_articles_fetched_total counter
                if (line.Split(' ', StringSplitOptions.RemoveEmptyEntries) is ["#", "TYPE", var name, var type])
                    page._types[name] = type;
                continue;
            }

            // name{label="a b"} value [timestamp]
            var end = line.IndexOf('}', StringComparison.Ordinal) is var brace and >= 0
                ? brace + 1 : line.IndexOf(' ', StringComparison.Ordinal);
            if (end > 0 && line[end..].Split(' ', StringSplitOptions.RemoveEmptyEntries) is [var number, ..]
                && double.TryParse(number, NumberStyles.Float, CultureInfo.InvariantCulture, out var value))
                page._values[line[..end]] = Math.Max(value, page._values.GetValueOrDefault(line[..end], double.NegativeInfinity));
        }

        return page;
    }

    /// <summary>Null unless the server answers 200.</summary>
    public static async Task<MetricsPage?> ReadAsync(HttpClient http, Uri url, CancellationToken cancellationToken)
    {
        using var response = await http.GetAsync(url, cancellationToken);
        return response.StatusCode == System.Net.HttpStatusCode.OK
            ? Parse(await response.Content.ReadAsStringAsync(cancellationToken)) : null;
    }

    /// <summary>The sum of a counter or gauge over its labels; null when there is none of that name.</summary>
    /// <param name="name">Without labels.</param>
    /// <param name="label">Only series whose labels contain this, such as <c>outcome="found"</c>; empty for all.</param>
    public double? Total(string name, string label = "") =>
        Sum(series => Family(series) == name && series.Contains(label, StringComparison.Ordinal));

    /// <summary>Gauges of what readers hold: 0 when nobody reads.</summary>
    public IEnumerable<(string Name, double Value)> Held() => _values
        .Where(entry => entry.Key.StartsWith("nzbdav_", StringComparison.Ordinal) && !IsCounter(entry.Key)
            && Array.Exists(Holding, word => Family(entry.Key).EndsWith(word, StringComparison.Ordinal)))
        .Select(entry => (entry.Key, entry.Value))
        .Concat(Uncached());

    /// <summary>Bytes allocated so far; null when the page does not say.</summary>
    public double? Allocated =>
        Sum(name => name.StartsWith("dotnet_gc", StringComparison.Ordinal) && name.Contains("allocated", StringComparison.Ordinal));

    /// <summary>Buffers in use that hold no segment of the cache: each kept segment has one.</summary>
    private IEnumerable<(string Name, double Value)> Uncached()
    {
        if (_values.TryGetValue("nzbdav_buffers_rented", out var rented) && _values.TryGetValue("nzbdav_segments_cached", out var cached))
            yield return ("nzbdav_buffers_rented beyond nzbdav_segments_cached", Math.Max(0, rented - cached));
    }

    private static string Family(string name) => name.IndexOf('{', StringComparison.Ordinal) is var brace and >= 0 ? name[..brace] : name;

    private double? Sum(Func<string, bool> which)
    {
        var found = _values.Where(entry => which(entry.Key)).Select(entry => entry.Value).ToArray();
        return found.Length == 0 ? null : found.Sum();
    }

    /// <summary>A histogram's sum and count are counters too; its buckets are not needed here.</summary>
    private bool IsCounter(string name)
    {
        var family = Family(name);
        if (family.EndsWith("_bucket", StringComparison.Ordinal))
            return false;
        if (_types.TryGetValue(family, out var type))
            return type == "counter";
        return family.EndsWith("_total", StringComparison.Ordinal) || family.EndsWith("_sum", StringComparison.Ordinal)
            || family.EndsWith("_count", StringComparison.Ordinal);
    }
}
