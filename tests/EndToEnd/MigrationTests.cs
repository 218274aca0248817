using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Migration.Tests.Fixtures;
using NzbDav.MockUsenet.Archives;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests;

/// <summary><c>nzbdav migrate</c>: libraries of other programs come over, and old paths lead to the same bytes.</summary>
public sealed partial class MigrationTests
{
    [Theory]
    [InlineData(NzbdavEra.First)]
    [InlineData(NzbdavEra.Multipart)]
    [InlineData(NzbdavEra.QueueTexts)]
    [InlineData(NzbdavEra.Blobs)]
    [InlineData(NzbdavEra.Infinidysk)]
    public async Task A_library_of_nzbdav_comes_over_and_its_paths_lead_to_the_same_bytes(NzbdavEra era)
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var old = new Folder();
        using var fixture = new NzbdavFixture(old.Path, era);
        var film = news.Post("Old Film.mkv", 3_000_000);
        var plain = new FixtureFile("Old Film.mkv", film.Length, [FixturePart.Whole(film)]);
        fixture.Add("movies", "Old Film (2021)", NzbWriter.ToBytes([film]), null, plain);
        var (show, volumes, packed) = Pack(news, "inner-name.mkv", "Show S01E01.mkv", 2_500_000);
        fixture.Add("tv", "Show S01E01", NzbWriter.ToBytes(volumes), null, packed);
        var (second, _, unkept) = Pack(news, "other-name.mkv", "Not kept.mkv", 1_200_000);
        fixture.Add("tv", "Not kept", null, null, unkept);
        var waiting = news.Post("waiting.mkv", 900_000);
        fixture.Queue("movies", "Waiting", NzbWriter.ToBytes([waiting]));

        var product = era == NzbdavEra.Infinidysk ? "infinidysk" : "nzbdav";
        var json = Path.Combine(old.Path, "report.json");
        var (exit, output, errors) = await ServerProcess.RunAsync(news.Environment, "migrate", "--config", folder.Path, "--from", product, old.Path, "--json", json);
        Assert.True(exit == 0, string.Join('\n', [.. output, .. errors]));
        Assert.Contains("movies/Old Film (2021): /content/movies/Old Film (2021)", output);
        using (var report = JsonDocument.Parse(await File.ReadAllBytesAsync(json)))
        {
            Assert.Equal(4, report.RootElement.GetProperty("came").GetArrayLength());
            Assert.Equal(era < NzbdavEra.Blobs ? 3 : 1, report.RootElement.GetProperty("came").EnumerateArray().Count(title => title.GetProperty("rebuilt").GetBoolean()));
        }

        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.AssertFileAsync("/dav/content/movies/Old%20Film%20(2021)/Old%20Film.mkv", film);
        await client.AssertFileAsync("/dav/" + plain.IdPath, film);
        await client.AssertFileAsync("/dav/" + packed.IdPath, show);
        await client.AssertRangesAsync("/dav/" + packed.IdPath, show, count: 6, seed: 3);
        await client.AssertFileAsync("/dav/content/tv/Show%20S01E01/Show%20S01E01.mkv", show);
        await client.AssertFileAsync("/dav/" + unkept.IdPath, second);
        await client.AssertFileAsync("/dav/content/movies/Waiting/waiting.mkv", waiting);

        // A mount finds only what is listed.
        Assert.Contains("Show S01E01.mkv", await client.ListAsync("/dav/content/tv/Show%20S01E01/"));
        for (var cut = packed.IdPath.LastIndexOf('/'); cut > 0; cut = packed.IdPath.LastIndexOf('/', cut - 1))
            Assert.Contains(packed.IdPath[(cut + 1)..].Split('/')[0], await client.ListAsync($"/dav/{packed.IdPath[..cut]}/"));

        // Another run brings nothing twice.
        var (again, told, _) = await ServerProcess.RunAsync(news.Environment, "migrate", "--config", folder.Path, "--from", product, old.Path);
        Assert.True(again == 0, string.Join('\n', told));
        Assert.Contains(told, line => line.Contains("4 × It came in an earlier run.", StringComparison.Ordinal));
        Assert.Equal(["Old Film (2021)", "Waiting"], await client.ListAsync("/dav/content/movies/"));
    }

    /// <summary>Posts a file in RAR volumes under a name that the archive does not tell.</summary>
    private static (PostedFile Content, IReadOnlyList<PostedFile> Volumes, FixtureFile File) Pack(NewsServers news, string inner, string shown, int length)
    {
        var source = new SeededSource(7, inner, length);
        var bytes = new byte[length];
        source.Fill(0, bytes);
        var volumes = StoredRar.Pack(inner, bytes, 1_000_000);
        var posted = news.Store.AddPost([.. volumes.Select((volume, index) => ($"packed.part{index + 1:d2}.rar", (IArticleSource)new MemorySource(volume)))], new PostOptions { ArticleSize = 300_000 });

        // Not posted anywhere the server looks: what the bytes are compared with.
        var content = new ArticleStore().AddFile(inner, source);
        return (content, posted, new FixtureFile(shown, length, FixturePart.Of(volumes, posted, bytes)) { IsPacked = true });
    }
}
