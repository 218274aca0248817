using System.Text.Json;

namespace NzbDav.FullNzbTester.Processes;

/// <summary>The mock's counters, read from its side port.</summary>
internal sealed class MockStats(HttpClient http, int port)
{
    /// <summary>Articles requested since the start.</summary>
    public Task<long> BodiesAsync(CancellationToken cancellationToken) => CountAsync("commands", "BODY", cancellationToken);

    /// <summary>How often one kind of fault occurred, such as <c>Corrupt</c>.</summary>
    public Task<long> FaultsAsync(string kind, CancellationToken cancellationToken) => CountAsync("faults", kind, cancellationToken);

    /// <summary>TLS handshakes since the start, and how many of them resumed a session.</summary>
    public async Task<(long All, long Resumed)> HandshakesAsync(CancellationToken cancellationToken)
    {
        using var stats = await ReadAsync(cancellationToken);
        var provider = stats.RootElement.GetProperty("providers")[0];
        return (provider.GetProperty("handshakes").GetInt64(), provider.GetProperty("handshakesResumed").GetInt64());
    }

    private async Task<long> CountAsync(string group, string name, CancellationToken cancellationToken)
    {
        using var stats = await ReadAsync(cancellationToken);
        return stats.RootElement.GetProperty("providers")[0].GetProperty(group).TryGetProperty(name, out var count) ? count.GetInt64() : 0;
    }

    private async Task<JsonDocument> ReadAsync(CancellationToken cancellationToken) =>
        JsonDocument.Parse(await http.GetStringAsync(new Uri($"http://127.0.0.1:{port}/stats"), cancellationToken));
}
