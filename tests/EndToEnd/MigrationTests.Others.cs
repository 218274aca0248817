using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Migration.Tests.Fixtures;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.EndToEnd.Tests;

public sealed partial class MigrationTests
{
    [Fact]
    public async Task A_library_of_altmount_comes_over_and_its_paths_lead_to_the_same_bytes()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var old = new Folder();
        var fixture = new AltmountFixture(old.Path);

        // Articles in the file; the .nzb is gone.
        var film = news.Post("film.mkv", 3_000_000);
        fixture.AddFirst("movies/First Film/First Film.mkv", film.Length, film.Segments.Select(segment => (segment.MessageId, (long)segment.Size, 0L, segment.Size - 1L)));
        var id = Guid.NewGuid();
        fixture.SetId("movies/First Film/First Film.mkv", id);

        // Volumes, without a word where one ends.
        var (show, volumes, packed) = Pack(news, "inner-name.mkv", "Show.mkv", 2_500_000);
        fixture.AddFirst("tv/Show/Show.mkv", show.Length, Segments(volumes, packed));

        // A store.
        var (third, parts, stored) = Pack(news, "third-name.mkv", "Third.mkv", 1_500_000);
        var store = fixture.AddStore("tv/7-Third.nzbz", parts);
        var index = 0;
        fixture.AddThird("tv/Third/Third.mkv", third.Length, store, Segments(parts, stored).Select(segment => ((long)index++, segment.Size, segment.Start, segment.Last)));
        fixture.AddThird("tv/Lost/Lost.mkv", 1000, "/config/.nzbs/tv/8-Lost.nzbz", [(0, 1000, 0, 999)]);

        var (exit, output, errors) = await ServerProcess.RunAsync(news.Environment, "migrate", "--config", folder.Path, "--from", "altmount", old.Path);
        Assert.True(exit == 1, string.Join('\n', [.. output, .. errors]));
        Assert.True(output.Contains("tv/Third: /content/tv/Third"), string.Join('\n', [.. output, .. errors]));
        Assert.Contains(output, line => line.Trim() == "tv/Lost: The store of its articles, /config/.nzbs/tv/8-Lost.nzbz, is not there.");

        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.AssertFileAsync("/dav/movies/First%20Film/First%20Film.mkv", film);
        var digits = id.ToString("D");
        await client.AssertFileAsync($"/dav/.ids/{digits[0]}/{digits[1]}/{digits[2]}/{digits[3]}/{digits[4]}/{digits}", film);
        await client.AssertFileAsync("/dav/tv/Show/Show.mkv", show);
        await client.AssertFileAsync("/dav/tv/Third/Third.mkv", third);
        Assert.Equal(["Show", "Third"], await client.ListAsync("/dav/content/tv/"));

        // The folders of the old tree can be listed from the root on, as a mount does.
        Assert.Contains("tv", await client.ListAsync("/dav/"));
        Assert.Equal(["Show", "Third"], await client.ListAsync("/dav/tv/"));
        Assert.Equal(["Third.mkv"], await client.ListAsync("/dav/tv/Third/"));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    [InlineData(6)]
    public async Task What_SABnzbd_kept_comes_over(int version)
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var old = new Folder();
        var fixture = new SabnzbdFixture(old.Path, version);
        var (good, other, waiting) = (news.Post("good.mkv", 900_000), news.Post("other.mkv", 800_000), news.Post("waiting.mkv", 700_000));
        fixture.Add("Good", "movies", "Completed", [good]);
        fixture.Keep("Good", [good]);
        fixture.Add("Overwritten", "tv", "Completed", [waiting]);
        fixture.Keep("Overwritten", [other]);
        fixture.Add("Not kept", "tv", "Completed", [other]);
        fixture.Add("Failed", "tv", "Failed", [other]);
        fixture.Leave("Waiting", [waiting]);

        var (exit, output, errors) = await ServerProcess.RunAsync(news.Environment, "migrate", "--config", folder.Path, "--from", "sabnzbd", old.Path);
        Assert.True(exit == 1, string.Join('\n', [.. output, .. errors]));
        Assert.Contains(output, line => line.Contains("1 × It failed in SABnzbd.", StringComparison.Ordinal));
        Assert.Contains(output, line => line.Trim() == "tv/Not kept: Its .nzb is not in SABnzbd's folder of copies.");

        // Before version 1 no fingerprint tells what a copy is of.
        Assert.Equal(version > 0, output.Any(line => line.Contains("tv/Overwritten: The copy of its .nzb", StringComparison.Ordinal)));
        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.AssertFileAsync("/dav/content/movies/Good/good.mkv", good);
        await client.AssertFileAsync("/dav/content/other/Waiting/waiting.mkv", waiting);
    }

    /// <summary>The articles of a file in volumes, as altmount keeps them.</summary>
    private static IEnumerable<(string Id, long Size, long Start, long Last)> Segments(IReadOnlyList<PostedFile> volumes, FixtureFile file) =>
        from volume in volumes.Zip(file.Parts)
        from segment in volume.First.Segments
        let start = Math.Max(0, volume.Second.Start - segment.Offset)
        let last = Math.Min(segment.Size, volume.Second.End - segment.Offset) - 1
        where last >= start
        select (segment.MessageId, (long)segment.Size, start, last);
}
