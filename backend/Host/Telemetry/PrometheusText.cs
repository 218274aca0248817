using System.Diagnostics.Metrics;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace NzbDav.Host.Telemetry;

/// <summary>The text format of Prometheus, version 0.0.4.</summary>
internal static class PrometheusText
{
    public const string ContentType = "text/plain; version=0.0.4; charset=utf-8";

    /// <summary>Declared as counters in the runtime's meter (.NET 10), although they can decrease.</summary>
    private static readonly string[] FalseCounters = ["dotnet.thread_pool.queue.length", "dotnet.thread_pool.thread.count"];

    /// <summary>Cached, because it is needed for each measurement.</summary>
    private static readonly ConditionalWeakTable<Instrument, string> FullNames = [];

    public static string Write(IEnumerable<MetricSeries> all)
    {
        var text = new StringBuilder();
        string? before = null;
        foreach (var series in all)
        {
            var name = series.Name;
            if (name != before)
            {
                before = name;
                text.Append("# HELP ").Append(name).Append(' ').Append(EscapeHelp(series.Instrument.Description)).Append('\n');
                text.Append("# TYPE ").Append(name).Append(' ')
                    .Append(IsHistogram(series.Instrument) ? "histogram" : IsCounter(series.Instrument) ? "counter" : "gauge").Append('\n');
            }

            Write(text, name, series);
        }

        return text.ToString();
    }

    public static string NameOf(string name) =>
        string.Create(name.Length, name, static (span, source) =>
        {
            for (var i = 0; i < span.Length; i++)
                span[i] = char.IsAsciiLetterOrDigit(source[i]) ? source[i] : '_';
        });

    public static string Escape(string value) =>
        value.Replace("\\", @"\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal)
            .Replace("\n", "\\n", StringComparison.Ordinal);

    /// <summary>The name with underscores, the unit, and <c>_total</c> for a counter.</summary>
    public static string FullNameOf(Instrument instrument) => FullNames.GetValue(instrument, static instrument =>
    {
        var unit = instrument.Unit switch { "s" => "_seconds", "By" => "_bytes", _ => "" };
        var name = NameOf(instrument.Name);

        // The suffix _count is reserved for a histogram's number of measurements, but the runtime uses it for gauges.
        if (name.EndsWith("_count", StringComparison.Ordinal) && !IsHistogram(instrument))
            name = name[..^"_count".Length] + "_number";
        return (name.EndsWith(unit, StringComparison.Ordinal) ? name : name + unit) + (IsCounter(instrument) ? "_total" : "");
    });

    private static string EscapeHelp(string? value) =>
        string.IsNullOrEmpty(value)
            ? "Not described." : value.Replace("\\", @"\\", StringComparison.Ordinal).Replace("\n", "\\n", StringComparison.Ordinal);

    private static void Write(StringBuilder text, string name, MetricSeries series)
    {
        var (sum, count, buckets) = series.Read();
        if (!IsHistogram(series.Instrument))
        {
            Line(text, name, series.Labels, sum);
            return;
        }

        if (series.Instrument.Unit == "s")
        {
            long below = 0;
            for (var i = 0; i < MetricSeries.Bounds.Length; i++)
            {
                below += buckets[i];
                Line(text, $"{name}_bucket", With(series.Labels, MetricSeries.Bounds[i].ToString(CultureInfo.InvariantCulture)), below);
            }
        }

        Line(text, $"{name}_bucket", With(series.Labels, "+Inf"), count);
        Line(text, $"{name}_sum", series.Labels, sum);
        Line(text, $"{name}_count", series.Labels, count);
    }

    private static void Line(StringBuilder text, string name, string labels, double value)
    {
        text.Append(name);
        if (labels.Length > 0)
            text.Append('{').Append(labels).Append('}');
        text.Append(' ').Append(NumberOf(value)).Append('\n');
    }

    private static string NumberOf(double value) =>
        double.IsPositiveInfinity(value)
            ? "+Inf" : double.IsNegativeInfinity(value) ? "-Inf" : value.ToString(CultureInfo.InvariantCulture);

    private static string With(string labels, string bound) => labels.Length > 0 ? $"{labels},le=\"{bound}\"" : $"le=\"{bound}\"";

    private static bool IsHistogram(Instrument instrument) => Kind(instrument) == typeof(Histogram<>);

    private static bool IsCounter(Instrument instrument) =>
        (Kind(instrument) == typeof(Counter<>) || Kind(instrument) == typeof(ObservableCounter<>))
            && !FalseCounters.Contains(instrument.Name);

    private static Type Kind(Instrument instrument) =>
        instrument.GetType() is { IsGenericType: true } type ? type.GetGenericTypeDefinition() : instrument.GetType();
}
