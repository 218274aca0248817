using System.Net.Http.Headers;
using NzbDav.Access;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Commands;

/// <summary>Writes the API's document, as a server that has nothing but its defaults tells it: for <c>docs/openapi.json</c>.</summary>
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
        // Nothing of this machine's settings, no torrents, no provider: only the routes count.
        var sources = new SettingSources(new ConfigurationBuilder().Build());
        await using var server = await NzbDavServer.CreateAsync(
            sources, folder, "http://127.0.0.1:0", demo: false, static all => all with { Torrents = all.Torrents with { Enabled = false } }, cancellationToken);
        await server.StartAsync(cancellationToken);
        using var http = new HttpClient { BaseAddress = new Uri(server.Urls[0]) };
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", server.Services.GetRequiredService<ApiKeys>().Full);
        return Normalize(await http.GetStringAsync("/api/v1/openapi.json", cancellationToken));
    }

    /// <summary>Lines end as they do in the repository.</summary>
    internal static string Normalize(string document) => document.ReplaceLineEndings("\n").TrimEnd('\n') + "\n";
}
