using System.Text.Json;

namespace NzbDav.FullNzbTester;

/// <summary>What the mock has done so far, from its side port.</summary>
internal sealed class MockStats(HttpClient http, int port)
{
    /// <summary>Articles that were asked for since the start.</summary>
    public Task<long> BodiesAsync(CancellationToken cancellationToken) => CountAsync("commands", "BODY", cancellationToken);

    /// <summary>How often it misbehaved in one way, such as <c>Corrupt</c>.</summary>
    public Task<long> FaultsAsync(string kind, CancellationToken cancellationToken) => CountAsync("faults", kind, cancellationToken);

    private async Task<long> CountAsync(string group, string name, CancellationToken cancellationToken)
    {
        using var stats = JsonDocument.Parse(await http.GetStringAsync(new Uri($"http://127.0.0.1:{port}/stats"), cancellationToken));
        return stats.RootElement.GetProperty("providers")[0].GetProperty(group).TryGetProperty(name, out var count) ? count.GetInt64() : 0;
    }
}
