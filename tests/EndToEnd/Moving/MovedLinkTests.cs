using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Migration.Tests.Fixtures;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Moving;

/// <summary>Links in a library are rewritten.</summary>
public sealed class MovedLinkTests
{
    [Fact]
    public async Task Library_links_are_rewritten_and_unrelated_links_are_left_alone()
    {
        await using var move = new MoveFixture();
        var (news, folder, old) = move;
        using var library = new Folder();
        var film = news.Post("film.mkv", 900_000);
        var file = new FixtureFile("Film.mkv", film.Length, [FixturePart.Whole(film)]);
        using (var fixture = new NzbdavFixture(old.Path, NzbdavEra.Blobs))
            fixture.Add("movies", "Film", NzbWriter.ToBytes([film]), null, file);
        await move.RunAsync("nzbdav");

        string At(string name) => Path.Combine(library.Path, name);
        Directory.CreateDirectory(At("below"));
        var targets = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["id.mkv"] = "/mnt/nzbdav/" + file.IdPath,
            ["below/path.mkv"] = "/mnt/nzbdav/content/movies/Film/Film.mkv",
            ["real.mkv"] = "/data/content/movies/Film/Film.mkv",
            ["foreign.mkv"] = "/srv/films/other.mkv",
            ["unknown.mkv"] = $"/mnt/nzbdav/.ids/0/0/0/0/0/00000{Guid.NewGuid().ToString("D")[5..]}",
        };
        foreach (var (name, target) in targets)
            File.CreateSymbolicLink(At(name), target);
        var address = $"http://old:3000/view/{file.IdPath}?downloadKey=abc&extension=mkv";
        File.WriteAllText(At("film.strm"), address + "\n");
        File.WriteAllText(At("foreign.strm"), "http://elsewhere/film.mkv");
        var environment = new Dictionary<string, string>(news.Environment, StringComparer.Ordinal)
        { ["NzbDav__WebDav__MountPath"] = "/mnt/new", ["NzbDav__Strm__Url"] = "http://127.0.0.1:1" };

#if !POSTGRES
        var (dryExit, dry, dryErrors) = await ServerHere.RunAsync(
            environment, "links", "rewrite", "--config", folder.Path, library.Path, "--dry-run");
        Assert.True(dryExit == 0, string.Join('\n', [.. dry, .. dryErrors]));
        Assert.Equal("3 links would be rewritten, 0 point here already, 4 point elsewhere and stay as they are.", Assert.Single(dry));
        Assert.All(targets, link => Assert.Equal(link.Value, new FileInfo(At(link.Key)).LinkTarget));
        Assert.Equal(address + "\n", File.ReadAllText(At("film.strm")));
#endif

        var (exit, output, errors) = await ServerProcess.RunAsync(environment, "links", "rewrite", "--config", folder.Path, library.Path);
        Assert.True(exit == 0, string.Join('\n', [.. output, .. errors]));
        Assert.Equal("3 links rewritten, 0 point here already, 4 point elsewhere and stay as they are.", Assert.Single(output));
        var written = new FileInfo(At("id.mkv")).LinkTarget!;
        Assert.Matches("^/mnt/new/\\.ids/[0-9a-f]/[0-9a-f]/[0-9a-f]/[0-9a-f]/[0-9a-f]/[0-9a-f]{16}$", written);
        Assert.Equal(written, new FileInfo(At("below/path.mkv")).LinkTarget);
        foreach (var name in (string[])["real.mkv", "foreign.mkv", "unknown.mkv"])
            Assert.Equal(targets[name], new FileInfo(At(name)).LinkTarget);
        Assert.Equal("http://elsewhere/film.mkv", File.ReadAllText(At("foreign.strm")));
        var strm = File.ReadAllText(At("film.strm"));
        Assert.StartsWith("http://127.0.0.1:1/view/", strm, StringComparison.Ordinal);
        Assert.EndsWith("\n", strm, StringComparison.Ordinal);
        Assert.Equal(
            7, Directory.EnumerateFileSystemEntries(library.Path, "*", SearchOption.AllDirectories).Count(path => !Directory.Exists(path)));

        await using var server = ServerHere.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.AssertFileAsync("/dav" + written["/mnt/new".Length..], film);
        await client.AssertFileAsync(strm.Trim()["http://127.0.0.1:1".Length..], film);
        var (_, again, _) = await ServerHere.RunAsync(environment, "links", "rewrite", "--config", folder.Path, library.Path);
        Assert.Equal("0 links rewritten, 3 point here already, 4 point elsewhere and stay as they are.", Assert.Single(again));
    }
}
