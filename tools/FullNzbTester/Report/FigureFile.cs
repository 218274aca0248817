using System.Text.Json;
using System.Text.Json.Nodes;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Options;

namespace NzbDav.FullNzbTester.Report;

/// <summary>Figures as a flat JSON object of numbers, <c>network.name_unit</c>, which any tool can compare.</summary>
internal static class FigureFile
{
    public static async Task WriteAsync(
        string path, IReadOnlyList<(NetworkProfile Network, RunFindings Findings)> runs, CancellationToken cancellationToken)
    {
        var root = new JsonObject { ["passed"] = runs.All(run => run.Findings.Passed) };
        foreach (var (network, findings) in runs)
        {
            foreach (var figure in Figures(network, findings))
                root[figure.Name] = figure.Value;
        }

        root["failures"] = JsonFile.Array(
            runs.SelectMany(run => run.Findings.Failures.Select(failure => $"{run.Network.Name}: {failure}")));
        await JsonFile.WriteAsync(path, root, cancellationToken);
    }

    /// <summary>All numbers of a file, by name.</summary>
    /// <exception cref="JsonException">It is not JSON.</exception>
    public static async Task<IReadOnlyDictionary<string, double>> ReadAsync(string path, CancellationToken cancellationToken)
    {
        await using var file = File.OpenRead(path);
        using var document = await JsonDocument.ParseAsync(file, cancellationToken: cancellationToken);
        return document.RootElement.EnumerateObject().Where(member => member.Value.ValueKind == JsonValueKind.Number)
            .ToDictionary(member => member.Name, member => member.Value.GetDouble(), StringComparer.Ordinal);
    }

    /// <summary>The measured figures with their full names.</summary>
    public static IEnumerable<Figure> Figures(NetworkProfile network, RunFindings findings) => findings.Rows
        .SelectMany(row => row.Figures)
        .Concat([new Figure("compared_bytes", findings.BytesCompared), new Figure("wrong_bytes", findings.WrongBytes)])
        .Where(figure => figure.Value is { } value && double.IsFinite(value))
        .Select(figure => figure with { Name = $"{network.Name}.{figure.Name}" });
}
