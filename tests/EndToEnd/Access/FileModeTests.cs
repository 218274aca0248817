using System.Runtime.Versioning;
using NzbDav.EndToEnd.Tests.Running;

namespace NzbDav.EndToEnd.Tests.Access;

/// <summary>Other users of the machine cannot read the program's files; and how the first user is announced.</summary>
public sealed class FileModeTests
{
    private const UnixFileMode Others = UnixFileMode.OtherRead | UnixFileMode.OtherWrite | UnixFileMode.OtherExecute;
    private const UnixFileMode GroupMore = UnixFileMode.GroupWrite;
    private const UnixFileMode Group = UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.GroupExecute;

    [Fact]
    public async Task Catalog_keys_and_logs_are_readable_by_their_user_alone_even_after_an_upgrade()
    {
        if (OperatingSystem.IsWindows())
            return;
        await using var news = new NewsServers();
        using var folder = new Folder();
        await using (var before = await Gateway.StartAsync(news, folder))
        {
            await before.ImportAsync("Film", news.Post("film.mkv", 1_000_000));
            AssertWithout([Path.Combine(folder.Path, "keys")], Others | Group);
        }

        foreach (var path in All(folder))
            File.SetUnixFileMode(path, Directory.Exists(path) ? (UnixFileMode)0b111_101_101 : (UnixFileMode)0b110_100_100);

        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.PutAsync(
            DavClient.Path("nzbs", "movies", "Other.nzb"), MockUsenet.Nzb.NzbWriter.ToBytes([news.Post("other.mkv", 1_000_000)]));
        string[] secret = [.. Directory.GetFiles(folder.Path),
            .. All(folder).Where(path => path.Contains("/logs", StringComparison.Ordinal)), .. Directory.GetDirectories(folder.Path)];
        Assert.Contains(secret, path => path.EndsWith("nzbdav.sqlite-wal", StringComparison.Ordinal));
        AssertWithout(secret, Others | GroupMore);
        string[] keys = [.. All(folder).Where(path => path.Contains("/keys", StringComparison.Ordinal))];
        Assert.True(keys.Length >= 5);
        AssertWithout(keys, Others | Group);
    }

    [Theory]
    [InlineData("off")]
    [InlineData("information")]
    public async Task The_first_user_instructions_are_logged_once_at_any_log_level(string level)
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        var environment = ServerProcess.Environment(news);
        environment["NzbDav__Log__Level"] = level;
        await using var server = ServerProcess.Start(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0");
        using var client = await server.ClientAsync();
        Assert.Single(server.Output, line => line.Contains("/setup?token=", StringComparison.Ordinal));
    }

    [UnsupportedOSPlatform("windows")]
    private static void AssertWithout(IEnumerable<string> paths, UnixFileMode mode)
    {
        foreach (var path in paths)
            Assert.Equal((path, (UnixFileMode)0), (path, File.GetUnixFileMode(path) & mode));
    }

    private static string[] All(Folder folder) => [.. Directory.EnumerateFileSystemEntries(folder.Path, "*", SearchOption.AllDirectories)];
}
