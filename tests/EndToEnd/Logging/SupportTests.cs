using System.IO.Compression;
using System.Text;
using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Operations;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Logging;

/// <summary>The support bundle holds what helps, and nothing confidential.</summary>
public sealed class SupportTests
{
    private const string Key = "supp0rt-full-key-8128";
    private const string AccountPassword = "acc0unt-496-pass";

    [Theory]
    [InlineData("Password=p0stgres,pass 28", "pass 28")]
    [InlineData("PWD='p0st;gr\"es-28'", "p0st")]
    [InlineData("Psw=p28", "p28")]
    public async Task The_support_bundle_does_not_hold_the_password_of_the_catalog(string password, string said)
    {
        using var folder = new Folder();
        var environment = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["NzbDav__Catalog__Connection"] = $"Host=127.0.0.1;Port=9;Database=nzbdav;{password};Username=me",
        };
        var path = Path.Combine(folder.Path, "bundle.zip");
        var (exit, _, errors) = await ServerHere.RunAsync(environment, "support", "--config", folder.Path, "--output", path);
        Assert.True(exit == 0, string.Join('\n', errors));
        var files = Read(await File.ReadAllBytesAsync(path));
        AssertNothing(files, said);
        var shown = JsonDocument.Parse(files["settings.json"]).RootElement.EnumerateArray()
            .Single(one => one.GetProperty("name").GetString() == "NzbDav__Catalog__Connection").GetProperty("value").GetString()!;
        Assert.Contains("Host=127.0.0.1", shown, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("Database=nzbdav", shown, StringComparison.OrdinalIgnoreCase);
    }

    [Theory]
    [InlineData("Imported {Job} as {Path}: {Files} files.", "Imported a as b as /c: d: 2 files.", "Job=a|Path=b as /c|Files=d: 2")]
    [InlineData("{First}{Second} s", "1 s 2 s", "First=|Second=1 s 2")]
    [InlineData("{Name}: {Value:0.0}", ": ", "Name=|Value=")]
    [InlineData("Stopped.", "Stopped.", "")]
    [InlineData("Stopped.", "Stopped. Stopped.", null)]
    [InlineData("abc{Name}cde", "abcde", null)]
    [InlineData("{Name} is {Value} of {Count}.", "x of 2 is y.", null)]
    public void A_template_finds_what_stands_in_its_holes(string template, string message, string? holes) =>
        Assert.Equal(holes, new MessageTemplate(template).Match(message) is { } found
            ? string.Join('|', found.Select(hole => $"{hole.Name}={hole.Of(message)}")) : null);

    [Fact]
    public async Task OPS_06_The_support_bundle_holds_no_secrets_or_names()
    {
        await using var news = new NewsServers(
            new MockProviderOptions { Name = "one", Username = "acme-user", Password = AccountPassword });
        using var folder = new Folder();
        var environment = ServerProcess.Environment(news);
        environment["NzbDav__Usenet__Providers__0__Username"] = "acme-user";
        environment["NzbDav__Usenet__Providers__0__Password"] = AccountPassword;
        environment["NzbDav__Api__Key"] = Key;
        environment["NzbDav__Import__Passwords__0"] = "archive-pass-6";
        var film = news.Post("Hidden.Film.2020.mkv", 2_000_000);
        var gone = news.Post("Vanished.Show.S01.mkv", 2_000_000);
        news.Fault(Fault.Missing, FaultTarget.File(gone));
        await using var server = ServerProcess.Start(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0");
        using var client = await server.ClientAsync();
        await client.PutAsync("/dav/nzbs/movies/Hidden Film.nzb".Replace(" ", "%20", StringComparison.Ordinal), NzbWriter.ToBytes([film]));
        await client.UntilAsync("/dav/content/movies/Hidden%20Film/Hidden.Film.2020.mkv");
        await client.AssertFileAsync("/dav/content/movies/Hidden%20Film/Hidden.Film.2020.mkv", film);
        await client.PutAsync("/dav/nzbs/tv/Vanished.nzb", NzbWriter.ToBytes([gone]));
        client.Http.DefaultRequestHeaders.Add("X-Api-Key", Key);
        await Deadline.UntilAsync(async () => PrometheusLint.Read(
            (await client.AskAsync("GET", "/metrics")).Text).Samples["nzbdav_history_jobs{state=\"failed\"}"] == 1, "the job failed");
        using var operatorClient = new OperatorClient(client.Http.BaseAddress!.AbsoluteUri, Key);
        var files = Read(await operatorClient.DownloadAsync("/api/v1/support"));
        Assert.Equal(["health.json", "jobs.json", "metrics.txt", "recording.jsonl", "settings.json", "streams.json", "versions.json"],
            files.Keys.Where(name => !name.StartsWith("logs/", StringComparison.Ordinal)).Order(StringComparer.Ordinal));
        AssertNothing(files, Key, AccountPassword, "acme-user", "archive-pass-6", Gateway.Password, "Hidden", "Vanished");
        PrometheusLint.Read(files["metrics.txt"]);
        var log = files.Single(file => file.Key.StartsWith("logs/", StringComparison.Ordinal)).Value;
        Assert.Contains("Provider one: connected to 127.0.0.1:", log, StringComparison.Ordinal);
        Assert.Contains("Imported <name> as /content/movies/<name>: 1 files, 2000000 bytes", log, StringComparison.Ordinal);
        var stream = JsonDocument.Parse(files["streams.json"]).RootElement.EnumerateArray()
            .Single(one => one.GetProperty("size").GetInt64() == 2_000_000);
        Assert.Equal((2_000_000, 2_000_000, "complete"),
            (stream.GetProperty("length").GetInt64(), stream.GetProperty("sent").GetInt64(), stream.GetProperty("outcome").GetString()));
        Assert.False(stream.TryGetProperty("path", out _));
        var settings = JsonDocument.Parse(files["settings.json"]).RootElement.EnumerateArray().ToDictionary(one => one.GetProperty("name")
            .GetString()!, one => (one.GetProperty("value").GetString(), one.GetProperty("source").GetString()));
        Assert.Equal(("set", "environment"), settings["NzbDav__Usenet__Providers__0__Password"]);
        Assert.Equal(("127.0.0.1", "environment"), settings["NzbDav__Usenet__Providers__0__Host"]);
        var versions = JsonDocument.Parse(files["versions.json"]).RootElement;
        Assert.StartsWith("3.", versions.GetProperty("sqlite").GetString(), StringComparison.Ordinal);

        var named = Read(await operatorClient.DownloadAsync("/api/v1/support?names=true"));
        AssertNothing(named, Key, AccountPassword, "acme-user", "archive-pass-6", Gateway.Password);
        Assert.Contains("Hidden Film", named["jobs.json"], StringComparison.Ordinal);
        Assert.Contains("Hidden.Film.2020.mkv", named["streams.json"], StringComparison.Ordinal);
        Assert.Contains(
            "Imported", named.Single(file => file.Key.StartsWith("logs/", StringComparison.Ordinal)).Value, StringComparison.Ordinal);

        // From the command line, even when the catalog is unusable.
        var path = Path.Combine(folder.Path, "bundle.zip");
        var (exit, _, errors) = await ServerProcess.RunAsync(environment, "support", "--config", folder.Path, "--output", path);
        Assert.True(exit == 0, string.Join('\n', errors));
        AssertNothing(Read(await File.ReadAllBytesAsync(path)), Key, AccountPassword, "acme-user", "archive-pass-6", Gateway.Password,
            "Hidden", "Vanished");
        server.Terminate();
        Assert.Equal(0, await server.ExitAsync());
        foreach (var database in Directory.GetFiles(folder.Path, "nzbdav.sqlite*"))
            await File.WriteAllTextAsync(database, "damaged");
        File.Delete(path);
        Assert.Equal(0, (await ServerHere.RunAsync(environment, "support", "--config", folder.Path, "--output", path)).ExitCode);
        var broken = Read(await File.ReadAllBytesAsync(path));
        Assert.Contains("damaged", broken["catalog.txt"], StringComparison.Ordinal);
        Assert.Contains(broken.Keys, name => name.StartsWith("logs/", StringComparison.Ordinal));
    }

    private static void AssertNothing(Dictionary<string, string> files, params string[] secrets)
    {
        foreach (var (name, text) in files)
        {
            foreach (var secret in secrets)
                Assert.True(!text.Contains(secret, StringComparison.Ordinal),
                    $"'{secret}' is in {name}: {Array.Find(text.Split('\n'), line => line.Contains(secret, StringComparison.Ordinal))}");
        }
    }

    private static Dictionary<string, string> Read(byte[] bundle)
    {
        using var zip = new ZipArchive(new MemoryStream(bundle));
        return zip.Entries.ToDictionary(entry => entry.FullName, entry =>
        {
            using var reader = new StreamReader(entry.Open(), Encoding.UTF8);
            return reader.ReadToEnd();
        });
    }
}
