using System.Net.Http.Headers;
using NzbDav.Access.Keys;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Commands;

/// <summary>Writes the API document of a server with default settings, for <c>docs/openapi.json</c>.</summary>
internal static class OpenApiCommand
{
    public static async Task<int> RunAsync(FileInfo output, CancellationToken cancellationToken)
    {
        using var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(output.FullName, await ReadAsync(folder.Path, cancellationToken), cancellationToken);
        return 0;
    }

    private static async Task<string> ReadAsync(string folder, CancellationToken cancellationToken)
    {
        // Without this machine's settings, torrents or providers: only the routes matter.
        var sources = new SettingSources(new ConfigurationBuilder().Build());
        await using var server = await NzbDavServer.CreateAsync(
            sources, folder, "http://127.0.0.1:0", demo: false, static all =>
                all with { Torrents = all.Torrents with { Enabled = false } }, cancellationToken);
        await server.StartAsync(cancellationToken);
        using var http = new HttpClient { BaseAddress = new Uri(server.Urls[0]) };
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue(
            "Bearer", server.Services.GetRequiredService<ApiKeys>().Full);
        return Normalize(await http.GetStringAsync("/api/v1/openapi.json", cancellationToken));
    }

    /// <summary>Uses the line endings of the repository.</summary>
    internal static string Normalize(string document) => document.ReplaceLineEndings("\n").TrimEnd('\n') + "\n";
}
