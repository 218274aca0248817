using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Migration.Tests.Fixtures;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Moving;

/// <summary>Libraries of nzbdav and its forks move over, and old paths lead to the same bytes.</summary>
public sealed class NzbdavLibraryTests
{
    [Theory]
    [InlineData(NzbdavEra.First)]
    [InlineData(NzbdavEra.Multipart)]
    [InlineData(NzbdavEra.QueueTexts)]
    [InlineData(NzbdavEra.Blobs)]
    [InlineData(NzbdavEra.Infinidysk)]
    public async Task An_nzbdav_library_moves_over_and_its_paths_lead_to_the_same_bytes(NzbdavEra era)
    {
        await using var move = new MoveFixture();
        var (news, folder, old) = move;
        using var fixture = new NzbdavFixture(old.Path, era);
        var film = news.Post("Old Film.mkv", 3_000_000);
        var plain = new FixtureFile("Old Film.mkv", film.Length, [FixturePart.Whole(film)]);
        fixture.Add("movies", "Old Film (2021)", NzbWriter.ToBytes([film]), null, plain);
        var (show, volumes, packed) = PackedPosts.Pack(news, "inner-name.mkv", "Show S01E01.mkv", 2_500_000);
        fixture.Add("tv", "Show S01E01", NzbWriter.ToBytes(volumes), null, packed);
        var (second, _, unkept) = PackedPosts.Pack(news, "other-name.mkv", "Not kept.mkv", 1_200_000);
        fixture.Add("tv", "Not kept", null, null, unkept);
        var waiting = news.Post("waiting.mkv", 900_000);
        fixture.Queue("movies", "Waiting", NzbWriter.ToBytes([waiting]));

        var product = era == NzbdavEra.Infinidysk ? "infinidysk" : "nzbdav";
        var json = Path.Combine(old.Path, "report.json");
        var output = await move.RunAsync(product, more: ["--json", json]);
        Assert.Contains("movies/Old Film (2021): /content/movies/Old Film (2021)", output);
        using (var report = JsonDocument.Parse(await File.ReadAllBytesAsync(json)))
        {
            Assert.Equal(4, report.RootElement.GetProperty("came").GetArrayLength());
            Assert.Equal(era < NzbdavEra.Blobs ? 3 : 1,
                report.RootElement.GetProperty("came").EnumerateArray().Count(title => title.GetProperty("rebuilt").GetBoolean()));
        }

        await using var server = ServerHere.Serve(news, folder);
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

        // Another run moves nothing twice.
        var (again, told, _) = await ServerHere.RunAsync(news.Environment, "migrate", "--config", folder.Path, "--from", product, old.Path);
        Assert.True(again == 0, string.Join('\n', told));
        Assert.Contains(told, line => line.Contains("4 × It was migrated in an earlier run.", StringComparison.Ordinal));
        Assert.Equal(["Old Film (2021)", "Waiting"], await client.ListAsync("/dav/content/movies/"));
    }

    [Fact]
    public async Task An_nzbdav2_library_moves_over_with_its_compressed_columns()
    {
        await using var move = new MoveFixture();
        var (news, folder, old) = move;
        var (plain, waiting) = (news.Post("plain.mkv", 900_000), news.Post("waiting.mkv", 400_000));
        var (show, _, packed) = PackedPosts.Pack(news, "inner-name.mkv", "Show.mkv", 1_500_000);
        var (locked, volumes) = PackedPosts.Locked(news, "secret", seed: 24);
        var (one, two) = (new FixtureFile("Plain.mkv", plain.Length, [FixturePart.Whole(plain)]),
            new FixtureFile("Locked.mkv", locked.Length, [.. volumes.Select(FixturePart.Whole)]) { IsPacked = true, IsEncrypted = true });
        using (var fixture = new NzbdavFixture(old.Path, NzbdavEra.QueueTexts, second: true))
        {
            fixture.Add("movies", "Plain", null, null, one);
            fixture.Add("tv", "Show", null, null, packed);
            fixture.Add("tv", "Obfuscated", null, null, packed with { Id = Guid.NewGuid(), IsObfuscated = true });

            // Its history keeps the .nzb, so files that the layout cannot describe are moved too.
            var release = fixture.Add("movies", "Locked", null, null, two);
            fixture.Finish(release, "movies", "Locked", NzbWriter.ToBytes(volumes, new NzbOptions { Meta = [new("password", "secret")] }));
            fixture.Queue("movies", "Waiting", NzbWriter.ToBytes([waiting]));
        }

        var output = await move.RunAsync("nzbdav", expected: 1);
        Assert.StartsWith("nzbdav2 in ", output[0], StringComparison.Ordinal);
        Assert.Contains(output, line => line.Contains("tv/Obfuscated: ", StringComparison.Ordinal)
            && line.Contains("only nzbdav2 reads", StringComparison.Ordinal));
        await using var server = ServerHere.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.AssertFileAsync("/dav/" + one.IdPath, plain);
        await client.AssertFileAsync("/dav/" + packed.IdPath, show);
        await client.AssertFileAsync("/dav/" + two.IdPath, locked);
        await client.AssertFileAsync("/dav/content/movies/Waiting/waiting.mkv", waiting);
    }

    [Theory]
    [InlineData(NzbdavEra.Blobs)]
    [InlineData(NzbdavEra.Infinidysk)]
    public async Task An_encrypted_nzbdav_archive_plays_if_its_nzb_was_kept(NzbdavEra era)
    {
        await using var move = new MoveFixture();
        var (news, folder, old) = move;
        var (film, volumes) = PackedPosts.Locked(news, "secret", seed: 21);
        var file = new FixtureFile("Film.mkv", film.Length, [.. volumes.Select(FixturePart.Whole)]) { IsPacked = true, IsEncrypted = true };
        using (var fixture = new NzbdavFixture(old.Path, era))
            fixture.Add("movies", "Film", NzbWriter.ToBytes(volumes), "Film{{secret}}.nzb", file);

        await move.RunAsync("nzbdav");
        await using var server = ServerHere.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.AssertFileAsync("/dav/" + file.IdPath, film);
        await client.AssertRangesAsync("/dav/content/movies/Film/Film.mkv", film, count: 6, seed: 5);
    }
}
