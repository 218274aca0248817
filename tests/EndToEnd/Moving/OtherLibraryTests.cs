using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Migration.Tests.Fixtures;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.EndToEnd.Tests.Moving;

/// <summary>Libraries of altmount and SABnzbd move over, and old paths lead to the same bytes.</summary>
public sealed class OtherLibraryTests
{
    [Fact]
    public async Task An_altmount_library_moves_over_and_its_paths_lead_to_the_same_bytes()
    {
        await using var move = new MoveFixture();
        var (news, folder, old) = move;
        var fixture = new AltmountFixture(old.Path);

        // The articles are listed in the file itself; the .nzb is lost.
        var film = news.Post("film.mkv", 3_000_000);
        fixture.AddFirst("movies/First Film/First Film.mkv", film.Length,
            film.Segments.Select(segment => (segment.MessageId, (long)segment.Size, 0L, segment.Size - 1L)));
        var id = Guid.NewGuid();
        fixture.SetId("movies/First Film/First Film.mkv", id);

        // Volumes, with nothing that says where each one ends.
        var (show, volumes, packed) = PackedPosts.Pack(news, "inner-name.mkv", "Show.mkv", 2_500_000);
        fixture.AddFirst("tv/Show/Show.mkv", show.Length, Segments(volumes, packed));

        // The articles are in a store.
        var (third, parts, stored) = PackedPosts.Pack(news, "third-name.mkv", "Third.mkv", 1_500_000);
        var store = fixture.AddStore("tv/7-Third.nzbz", parts);
        var index = 0;
        fixture.AddThird("tv/Third/Third.mkv", third.Length, store,
            Segments(parts, stored).Select(segment => ((long)index++, segment.Size, segment.Start, segment.Last)));
        fixture.AddThird("tv/Lost/Lost.mkv", 1000, "/config/.nzbs/tv/8-Lost.nzbz", [(0, 1000, 0, 999)]);

        var output = await move.RunAsync("altmount", expected: 1);
        Assert.Contains("tv/Third: /content/tv/Third", output);
        Assert.Contains(output, line => line.Trim() == "tv/Lost: The store of its articles, /config/.nzbs/tv/8-Lost.nzbz, is not there.");

        await using var server = ServerHere.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.AssertFileAsync("/dav/movies/First%20Film/First%20Film.mkv", film);
        var digits = id.ToString("D");
        await client.AssertFileAsync($"/dav/.ids/{digits[0]}/{digits[1]}/{digits[2]}/{digits[3]}/{digits[4]}/{digits}", film);
        await client.AssertFileAsync("/dav/tv/Show/Show.mkv", show);
        await client.AssertFileAsync("/dav/tv/Third/Third.mkv", third);
        Assert.Equal(["Show", "Third"], await client.ListAsync("/dav/content/tv/"));

        // The folders of the old tree can be listed from the root down, as a mount does.
        Assert.Contains("tv", await client.ListAsync("/dav/"));
        Assert.Equal(["Show", "Third"], await client.ListAsync("/dav/tv/"));
        Assert.Equal(["Third.mkv"], await client.ListAsync("/dav/tv/Third/"));
    }

    [Fact]
    public async Task Encrypted_and_nested_altmount_archives_play_from_their_stores()
    {
        await using var move = new MoveFixture();
        var (news, folder, old) = move;
        var fixture = new AltmountFixture(old.Path);
        var (locked, volumes) = PackedPosts.Locked(news, "secret", seed: 22);
        var store = fixture.AddStore("movies/1-Locked.nzbz", volumes);
        fixture.AddThird(
            "movies/Locked/Locked.mkv", locked.Length, store, [(0, volumes[0].Segments[0].Size, 0, volumes[0].Segments[0].Size - 1)],
            meta => meta.Text(6, "secret").Number(8, 3).Bytes(10, new byte[32]).Bytes(11, new byte[16]));

        // A set of volumes inside another set: the file lists its segments, each with its offset in an inner volume.
        var (nested, outer) = PackedPosts.Nested(news, seed: 23);
        store = fixture.AddStore("movies/2-Nested.nzbz", outer);
        fixture.AddThird("movies/Nested/Nested.mkv", nested.Length, store, [], meta => meta.Bytes(15, new ProtobufText().Number(4, 100)
            .Number(5, nested.Length).Bytes(8, new ProtobufText().Number(1, 0).Number(3, 999).ToArray()).ToArray()));

        // The same without a store: nothing says where the inner volumes end.
        fixture.AddFirst("movies/Lost/Lost.mkv", nested.Length, [],
            meta => meta.Bytes(15, new ProtobufText().Number(4, 100).Number(5, nested.Length).ToArray()));

        await move.RunAsync("altmount", expected: 1);
        await using var server = ServerHere.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.AssertFileAsync("/dav/movies/Locked/Locked.mkv", locked);
        await client.AssertFileAsync("/dav/movies/Nested/Nested.mkv", nested);
        await client.AssertRangesAsync("/dav/movies/Nested/Nested.mkv", nested, count: 6, seed: 6);
        Assert.Equal(["Locked", "Nested"], await client.ListAsync("/dav/content/movies/"));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    [InlineData(6)]
    public async Task Nzbs_kept_by_SABnzbd_move_over(int version)
    {
        await using var move = new MoveFixture();
        var (news, folder, old) = move;
        var fixture = new SabnzbdFixture(old.Path, version);
        var (good, other, waiting) = (news.Post("good.mkv", 900_000), news.Post("other.mkv", 800_000), news.Post("waiting.mkv", 700_000));
        fixture.Add("Good", "movies", "Completed", [good]);
        fixture.Keep("Good", [good]);
        fixture.Add("Overwritten", "tv", "Completed", [waiting]);
        fixture.Keep("Overwritten", [other]);
        fixture.Add("Not kept", "tv", "Completed", [other]);
        fixture.Add("Failed", "tv", "Failed", [other]);
        fixture.Leave("Failed", [other], hasState: false);
        fixture.Leave("Waiting", [waiting]);

        // An earlier download failed in the folder that now has one of the same name.
        fixture.Add("Earlier", "tv", "Failed", [other], folder: "Waiting");

        var output = await move.RunAsync("sabnzbd", expected: 1);
        Assert.Contains(output, line => line.Contains("2 × It failed in SABnzbd.", StringComparison.Ordinal));
        Assert.Contains(output, line => line.Trim() == "tv/Not kept: Its .nzb is not in SABnzbd's folder of copies.");

        // Before version 1 there is no fingerprint that says which download a copy belongs to.
        Assert.Equal(version > 0, output.Any(line => line.Contains("tv/Overwritten: The copy of its .nzb", StringComparison.Ordinal)));
        await using var server = ServerHere.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.AssertFileAsync("/dav/content/movies/Good/good.mkv", good);
        await client.AssertFileAsync("/dav/content/other/Waiting/waiting.mkv", waiting);
        Assert.Null(await client.FindAsync("/dav/content/other/Failed"));
    }

    /// <summary>The articles of a file in volumes, in altmount's form.</summary>
    private static IEnumerable<(string Id, long Size, long Start, long Last)> Segments(
        IReadOnlyList<PostedFile> volumes, FixtureFile file) =>
        from volume in volumes.Zip(file.Parts)
        from segment in volume.First.Segments
        let start = Math.Max(0, volume.Second.Start - segment.Offset)
        let last = Math.Min(segment.Size, volume.Second.End - segment.Offset) - 1
        where last >= start
        select (segment.MessageId, (long)segment.Size, start, last);
}
