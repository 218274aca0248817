using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes.Archives;
using NzbDav.Migration.Tests.Fixtures;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests;

public sealed partial class MigrationTests
{
    [Theory]
    [InlineData(NzbdavEra.Blobs)]
    [InlineData(NzbdavEra.Infinidysk)]
    public async Task An_encrypted_archive_of_nzbdav_plays_where_its_nzb_was_kept(NzbdavEra era)
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var old = new Folder();
        var (film, volumes) = Locked(news, "secret", seed: 21);
        var file = new FixtureFile("Film.mkv", film.Length, [.. volumes.Select(FixturePart.Whole)]) { IsPacked = true, IsEncrypted = true };
        using (var fixture = new NzbdavFixture(old.Path, era))
            fixture.Add("movies", "Film", NzbWriter.ToBytes(volumes), "Film{{secret}}.nzb", file);

        await MoveAsync(news, folder, "nzbdav", old);
        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.AssertFileAsync("/dav/" + file.IdPath, film);
        await client.AssertRangesAsync("/dav/content/movies/Film/Film.mkv", film, count: 6, seed: 5);
    }

    [Fact]
    public async Task Encrypted_and_nested_archives_of_altmount_play_from_their_stores()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var old = new Folder();
        var fixture = new AltmountFixture(old.Path);
        var (locked, volumes) = Locked(news, "secret", seed: 22);
        var store = fixture.AddStore("movies/1-Locked.nzbz", volumes);
        fixture.AddThird("movies/Locked/Locked.mkv", locked.Length, store, [(0, volumes[0].Segments[0].Size, 0, volumes[0].Segments[0].Size - 1)],
            meta => meta.Text(6, "secret").Number(8, 3).Bytes(10, new byte[32]).Bytes(11, new byte[16]));

        // A set of volumes inside one: the file's segments stand in it, each with the place of an inner volume.
        var (nested, outer) = Nested(news, seed: 23);
        store = fixture.AddStore("movies/2-Nested.nzbz", outer);
        fixture.AddThird("movies/Nested/Nested.mkv", nested.Length, store, [], meta => meta.Bytes(15, new ProtobufText().Number(4, 100).Number(5, nested.Length).Bytes(8, new ProtobufText().Number(1, 0).Number(3, 999).ToArray()).ToArray()));

        // The same without a store: nothing tells where the inner volumes end.
        fixture.AddFirst("movies/Lost/Lost.mkv", nested.Length, [], meta => meta.Bytes(15, new ProtobufText().Number(4, 100).Number(5, nested.Length).ToArray()));

        await MoveAsync(news, folder, "altmount", old, expected: 1);
        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.AssertFileAsync("/dav/movies/Locked/Locked.mkv", locked);
        await client.AssertFileAsync("/dav/movies/Nested/Nested.mkv", nested);
        await client.AssertRangesAsync("/dav/movies/Nested/Nested.mkv", nested, count: 6, seed: 6);
        Assert.Equal(["Locked", "Nested"], await client.ListAsync("/dav/content/movies/"));
    }

    [Fact]
    public async Task A_library_of_nzbdav2_comes_over_with_its_packed_texts()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var old = new Folder();
        var (plain, waiting) = (news.Post("plain.mkv", 900_000), news.Post("waiting.mkv", 400_000));
        var (show, _, packed) = Pack(news, "inner-name.mkv", "Show.mkv", 1_500_000);
        var (locked, volumes) = Locked(news, "secret", seed: 24);
        var (one, two) = (new FixtureFile("Plain.mkv", plain.Length, [FixturePart.Whole(plain)]), new FixtureFile("Locked.mkv", locked.Length, [.. volumes.Select(FixturePart.Whole)]) { IsPacked = true, IsEncrypted = true });
        using (var fixture = new NzbdavFixture(old.Path, NzbdavEra.QueueTexts, second: true))
        {
            fixture.Add("movies", "Plain", null, null, one);
            fixture.Add("tv", "Show", null, null, packed);
            fixture.Add("tv", "Obfuscated", null, null, packed with { Id = Guid.NewGuid(), IsObfuscated = true });

            // Its history keeps the .nzb, so that what the layout cannot give comes all the same.
            var release = fixture.Add("movies", "Locked", null, null, two);
            fixture.Finish(release, "movies", "Locked", NzbWriter.ToBytes(volumes, new NzbOptions { Meta = [new("password", "secret")] }));
            fixture.Queue("movies", "Waiting", NzbWriter.ToBytes([waiting]));
        }

        var (exit, output, errors) = await ServerProcess.RunAsync(news.Environment, "migrate", "--config", folder.Path, "--from", "nzbdav", old.Path);
        Assert.True(exit == 1, string.Join('\n', [.. output, .. errors]));
        Assert.StartsWith("nzbdav2 in ", output[0], StringComparison.Ordinal);
        Assert.Contains(output, line => line.Contains("tv/Obfuscated: ", StringComparison.Ordinal) && line.Contains("only nzbdav2 reads", StringComparison.Ordinal));
        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.AssertFileAsync("/dav/" + one.IdPath, plain);
        await client.AssertFileAsync("/dav/" + packed.IdPath, show);
        await client.AssertFileAsync("/dav/" + two.IdPath, locked);
        await client.AssertFileAsync("/dav/content/movies/Waiting/waiting.mkv", waiting);
    }

    /// <summary>Posts a file in encrypted RAR volumes.</summary>
    private static (PostedFile Content, IReadOnlyList<PostedFile> Volumes) Locked(NewsServers news, string password, int seed)
    {
        var (content, bytes) = Content("film.mkv", 1_200_000, seed);
        return (content, Post(news, $"locked-{seed}", new Rar5Writer { VolumeSize = 500_000, Password = password }.Write(new PackedFile("film.mkv", bytes))));
    }

    /// <summary>Posts a file in RAR volumes that are themselves in RAR volumes.</summary>
    private static (PostedFile Content, IReadOnlyList<PostedFile> Volumes) Nested(NewsServers news, int seed)
    {
        var (content, bytes) = Content("film.mkv", 1_200_000, seed);
        var inner = new Rar5Writer { VolumeSize = 450_000 }.Write(new PackedFile("film.mkv", bytes));
        return (content, Post(news, $"outer-{seed}", new Rar5Writer { VolumeSize = 700_000 }.Write([.. inner.Select((volume, index) => new PackedFile($"in.part{index + 1:d2}.rar", volume))])));
    }

    /// <summary>A file that is posted nowhere: what bytes are compared with.</summary>
    private static (PostedFile Posted, byte[] Bytes) Content(string name, int length, int seed)
    {
        var source = new SeededSource((ulong)seed, name, length);
        var bytes = new byte[length];
        source.Fill(0, bytes);
        return (new ArticleStore().AddFile(name, source), bytes);
    }

    private static IReadOnlyList<PostedFile> Post(NewsServers news, string name, IReadOnlyList<byte[]> volumes) =>
        news.Store.AddPost([.. volumes.Select((volume, index) => ($"{name}.part{index + 1:d2}.rar", (IArticleSource)new MemorySource(volume)))], new PostOptions { ArticleSize = 200_000 });
}
