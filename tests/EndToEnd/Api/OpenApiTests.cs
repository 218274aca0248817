using System.Net;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Commands;

namespace NzbDav.EndToEnd.Tests.Api;

/// <summary>The OpenAPI document.</summary>
public sealed class OpenApiTests
{
    private const string Renew =
        "docs/openapi.json is not what the server says. Renew it: dotnet run --project backend -- openapi docs/openapi.json";

    [Fact]
    public async Task Docs_openapi_json_matches_the_server()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var client = OperatorClient.Of(gateway);
        var said = OpenApiCommand.Normalize(System.Text.Encoding.UTF8.GetString(await client.DownloadAsync("/api/v1/openapi.json")));
        var path = Documentation();
        Assert.True(File.Exists(path) && await File.ReadAllTextAsync(path) == said, Renew);
    }

    [Fact]
    public async Task Every_route_of_the_native_API_is_documented_with_a_right_and_its_errors()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var client = OperatorClient.Of(gateway);
        var (status, document) = await client.AskAsync("GET", "/api/v1/openapi.json");
        Assert.Equal(HttpStatusCode.OK, status);
        var operations = document.GetProperty("paths").EnumerateObject()
            .SelectMany(path => path.Value.EnumerateObject()
                .Select(operation => (Name: $"{operation.Name.ToUpperInvariant()} {path.Name}", operation.Value)))
            .ToDictionary(pair => pair.Name, pair => pair.Value, StringComparer.Ordinal);
        Assert.Contains("GET /api/v1/jobs", operations.Keys);
        foreach (var (name, operation) in operations)
        {
            Assert.True(operation.TryGetProperty("x-rights", out var rights), name);
            if (rights.GetArrayLength() > 0)
                Assert.True(operation.GetProperty("responses").TryGetProperty("401", out _)
                    && operation.GetProperty("responses").TryGetProperty("403", out _), name);
        }

        using var anonymous = new OperatorClient(gateway.Root, null);
        Assert.Equal(HttpStatusCode.Unauthorized, (await anonymous.AskAsync("GET", "/api/v1/openapi.json")).Status);
    }

    private static string Documentation()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder!.FullName, "NzbDav.sln")))
            folder = folder.Parent;
        return Path.Combine(folder.FullName, "docs", "openapi.json");
    }
}
