using System.Text.Json;

namespace NzbDav.FullNzbTester;

/// <summary>The mock's side port.</summary>
internal sealed class MockStats(HttpClient http, int port)
{
    /// <summary>Articles that were asked for since the start.</summary>
    public async Task<long> BodiesAsync(CancellationToken cancellationToken)
    {
        using var stats = JsonDocument.Parse(await http.GetStringAsync(new Uri($"http://127.0.0.1:{port}/stats"), cancellationToken));
        return stats.RootElement.GetProperty("providers")[0].GetProperty("commands").TryGetProperty("BODY", out var bodies) ? bodies.GetInt64() : 0;
    }
}
