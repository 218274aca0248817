using System.IO.Compression;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Serving;

namespace NzbDav.EndToEnd.Tests.Access;

/// <summary>The secret that encrypts the keys of the configuration folder.</summary>
public sealed class KeySecretTests
{
    private const string Stored = "the password of the provider";

    [Fact]
    public async Task Keys_and_their_backups_open_nothing_without_the_secret()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using (var clear = await StartAsync(null))
            await StoreAsync(clear);
        Assert.Contains(Keys(), static text => text.Contains("masterKey", StringComparison.Ordinal));

        await using (var gateway = await StartAsync("a secret of the environment"))
        {
            Assert.All(Keys(), static text => Assert.DoesNotContain("masterKey", text, StringComparison.Ordinal));
            using var client = OperatorClient.Of(gateway);
            Assert.Equal(Stored, await StoredAsync(client));
            var name = (await client.AskAsync("POST", "/api/v1/backups")).Body.GetProperty("name").GetString();
            using var zip = new ZipArchive(new MemoryStream(await client.DownloadAsync($"/api/v1/backups/{name}")));
            var keys = zip.Entries.Where(static entry => entry.Name.EndsWith(".xml", StringComparison.Ordinal)).ToArray();
            Assert.NotEmpty(keys);
            foreach (var key in keys)
            {
                using var reader = new StreamReader(key.Open());
                Assert.DoesNotContain("masterKey", await reader.ReadToEndAsync(), StringComparison.Ordinal);
            }
        }

        // A wrong secret prevents the start: it would lose what the keys encrypt.
        foreach (var wrong in new[] { null, "another secret of somebody" })
        {
            var e = await Assert.ThrowsAsync<ServerStartException>(() => StartAsync(wrong));
            Assert.Contains("NzbDav__Keys__Secret", e.Message, StringComparison.Ordinal);
        }

        await using var again = await StartAsync("a secret of the environment");
        using var last = OperatorClient.Of(again);
        Assert.Equal(Stored, await StoredAsync(last));

        Task<Gateway> StartAsync(string? secret) =>
            Gateway.StartAsync(
                news, folder, environment: new Dictionary<string, string?> { ["Torrents:Enabled"] = "false", ["Keys:Secret"] = secret });

        string[] Keys() => [.. Directory.GetFiles(Path.Combine(folder.Path, "keys"), "key-*.xml").Select(File.ReadAllText)];
    }

    [Fact]
    public void A_short_secret_is_refused() => Assert.Contains(
        Gateway.Sources(new Dictionary<string, string?> { ["Keys:Secret"] = "short" })
            .Read(new Dictionary<string, string>(StringComparer.Ordinal)).Faults,
        static fault => fault.Path == "Keys:Secret");

    private static async Task StoreAsync(Gateway gateway)
    {
        using var client = OperatorClient.Of(gateway);
        var (status, body) = await client.AskAsync("PATCH", "/api/v1/settings", $$"""{"Import:Passwords:0":"{{Stored}}"}""");
        Assert.True(status == System.Net.HttpStatusCode.OK, body.ToString());
    }

    private static async Task<string?> StoredAsync(OperatorClient client) =>
        (await client.AskAsync("POST", "/api/v1/settings/export", """{"secrets":true}""")).Body.GetProperty("settings").GetProperty("Import:Passwords:0").GetString();
}
