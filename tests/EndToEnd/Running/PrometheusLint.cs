using System.Globalization;
using System.Text.RegularExpressions;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>
/// A strict parser of the Prometheus text format 0.0.4: fails on everything that promtool refuses or complains about. Keeps samples by name
/// and labels.
/// </summary>
internal sealed partial class PrometheusLint
{
    private readonly Dictionary<string, string> _types = new(StringComparer.Ordinal);
    private readonly HashSet<string> _help = new(StringComparer.Ordinal);
    private readonly HashSet<string> _ended = new(StringComparer.Ordinal);

    private PrometheusLint()
    {
    }

    public Dictionary<string, double> Samples { get; } = new(StringComparer.Ordinal);

    public IReadOnlyDictionary<string, string> Types => _types;

    public static PrometheusLint Read(string text)
    {
        Assert.EndsWith("\n", text, StringComparison.Ordinal);
        var lint = new PrometheusLint();
        string? family = null;
        foreach (var line in text[..^1].Split('\n'))
        {
            if (line.StartsWith("# HELP ", StringComparison.Ordinal))
                lint._help.Add(lint.Begin(ref family, line.Split(' ', 4), "HELP"));
            else if (line.StartsWith("# TYPE ", StringComparison.Ordinal))
                lint.ReadType(ref family, line.Split(' '));
            else
                lint.ReadSample(family, line);
        }

        foreach (var (name, type) in lint._types)
            lint.CheckFamily(name, type);
        return lint;
    }

    /// <summary>Asserts that counters, and the counts of histograms, never go down.</summary>
    public void AssertFollows(PrometheusLint before)
    {
        foreach (var (series, value) in before.Samples)
        {
            var family = Family(series.Split('{')[0]);
            if (_types.GetValueOrDefault(family) is "counter" or "histogram" && Samples.TryGetValue(series, out var now))
                Assert.True(now >= value, $"{series} went from {value} to {now}");
        }
    }

    private string Begin(ref string? family, string[] parts, string what)
    {
        Assert.True(parts.Length == 4 && parts[3].Length > 0, $"# {what} {parts[2]} says nothing");
        var name = parts[2];
        Assert.Matches("^[a-zA-Z_:][a-zA-Z0-9_:]*$", name);
        if (family != name)
        {
            if (family is not null)
                Assert.True(_ended.Add(family), $"{family} is in two places");
            Assert.DoesNotContain(name, _ended);
            family = name;
        }

        Assert.False(what == "HELP" ? _help.Contains(name) : _types.ContainsKey(name), $"{what} of {name} stands twice");
        return name;
    }

    private void ReadType(ref string? family, string[] parts)
    {
        var name = Begin(ref family, parts, "TYPE");
        Assert.Contains(parts[3], (string[])["counter", "gauge", "histogram"]);
        Assert.Contains(name, _help);
        _types[name] = parts[3];
        Assert.Equal(parts[3] == "counter", name.EndsWith("_total", StringComparison.Ordinal));
        Assert.DoesNotMatch("_(milliseconds|ms|mib|mb|kb|percent|count|sum|bucket|info)$", name);
        Assert.DoesNotMatch("[A-Z]|__", name);
        Assert.Matches("^(nzbdav|dotnet|http_server|kestrel)_", name);
    }

    private void ReadSample(string? family, string line)
    {
        var match = Sample().Match(line);
        Assert.True(match.Success, $"not a sample: {line}");
        var name = match.Groups["name"].Value;
        Assert.True(family is not null && Family(name) == family, $"{name} stands under {family}");
        var value = match.Groups["value"].Value;
        var number = value switch
        {
            "+Inf" => double.PositiveInfinity,
            "-Inf" => double.NegativeInfinity,
            _ => double.Parse(value, NumberStyles.Float, CultureInfo.InvariantCulture)
        };
        var labels = Label().Matches(match.Groups["labels"].Value);
        Assert.Equal(match.Groups["labels"].Value, string.Join(',', labels.Select(label => label.Value)));
        Assert.Equal(labels.Count, labels.Select(label => label.Groups["name"].Value).Distinct(StringComparer.Ordinal).Count());
        Assert.All(labels, label => Assert.False(label.Groups["name"].Value.StartsWith("__", StringComparison.Ordinal)));
        Assert.True(Samples.TryAdd($"{name}{{{match.Groups["labels"].Value}}}", number), $"{line} stands twice");
    }

    private void CheckFamily(string name, string type)
    {
        var own = Samples.Where(sample => Family(sample.Key.Split('{')[0]) == name).ToList();
        Assert.NotEmpty(own);
        Assert.True(own.Count <= 1_000, $"{name} has {own.Count} series");
        if (type == "counter")
            Assert.All(own, sample => Assert.InRange(sample.Value, 0, double.MaxValue));
        if (type != "histogram")
            return;
        var buckets = own.Where(sample => sample.Key.StartsWith($"{name}_bucket{{", StringComparison.Ordinal))
            .GroupBy(sample => Bound().Replace(sample.Key, ""), StringComparer.Ordinal).ToList();
        Assert.NotEmpty(buckets);
        foreach (var series in buckets)
        {
            var labels = series.Key[(name.Length + "_bucket{".Length)..].TrimEnd('}').TrimEnd(',');
            var bounds = series.Select(sample => (Bound: Bound().Match(sample.Key).Groups["bound"].Value, sample.Value)).ToList();
            Assert.Equal("+Inf", bounds[^1].Bound);
            Assert.Equal(bounds.SkipLast(1).Select(one => double.Parse(one.Bound, CultureInfo.InvariantCulture)).Order(),
                bounds.SkipLast(1).Select(one => double.Parse(one.Bound, CultureInfo.InvariantCulture)));
            Assert.Equal(bounds.Select(one => one.Value).Order(), bounds.Select(one => one.Value));
            Assert.Equal(bounds[^1].Value, Samples[$"{name}_count{{{labels}}}"]);
            Assert.Contains($"{name}_sum{{{labels}}}", Samples.Keys);
        }
    }

    private string Family(string name)
    {
        var stem = Suffix().Replace(name, "");
        return stem != name && _types.GetValueOrDefault(stem) == "histogram" ? stem : name;
    }

    [GeneratedRegex("""^(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(?<labels>.*)\})? (?<value>[^ ]+)$""", RegexOptions.ExplicitCapture)]
    private static partial Regex Sample();

    [GeneratedRegex("""(?<name>[a-zA-Z_][a-zA-Z0-9_]*)="(?:[^"\\\n]|\\["\\n])*"(?=,|$)""", RegexOptions.ExplicitCapture)]
    private static partial Regex Label();

    [GeneratedRegex(""",?le="(?<bound>[^"]*)" """, RegexOptions.ExplicitCapture | RegexOptions.IgnorePatternWhitespace)]
    private static partial Regex Bound();

    [GeneratedRegex("_(bucket|sum|count)$", RegexOptions.ExplicitCapture)]
    private static partial Regex Suffix();
}
