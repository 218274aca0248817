using NzbDav.Catalog.Jobs;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.Import.Probing;
using NzbDav.Import.Tests.Corpus;
using NzbDav.MockUsenet.Articles;
using NzbDav.Usenet.Articles;
using static NzbDav.Import.Tests.Mending.MendedPost;

namespace NzbDav.Import.Tests.Mending;

/// <summary>Articles lost after the import: readers of a published file wait for its repair and get the right bytes.</summary>
public sealed class ReadRepairTests
{
    public static TheoryData<string> Kinds => ["missing", "damaged", "STAT lies", "other article"];

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_reader_gets_every_byte_of_a_file_that_lost_articles_after_its_import(string fault)
    {
        await using var fixture = await ImportFixture.OpenAsync([new() { Name = "one" }, new() { Name = "two" }]);
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 9));
        Spoil(fixture, fault, static segment => segment.File.Name == "film.mkv" && segment.Index is 0 or 20 or 41);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));

        // Where only the slices tell what is wrong, all articles in them are made again.
        Assert.InRange(fixture.Patches.Count, 3, fault == "missing" ? 3 : 6);

        // The patches stay, because the file needs them.
        var job = (await fixture.FindAsync(FilmPath))!.JobId!.Value;
        Assert.Contains(job.ToString(System.Globalization.CultureInfo.InvariantCulture),
            await fixture.Tree.ListPatchedPostsAsync(CancellationToken.None));
        fixture.Usenet.Cache.Reclaim(long.MaxValue);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
        Assert.Equal(1, Times(fixture, "was repaired"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_reader_gets_every_byte_of_an_archived_file_that_lost_articles(bool isEncrypted)
    {
        var writer = new Rar5Writer { VolumeSize = 60_000, Password = isEncrypted ? "secret" : null };
        var volumes = PostShape.Named(writer.Write(new PackedFile("film.mkv", Film)), count => VolumeNaming.Part("set", count)).ToArray();
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, WithRecovery(volumes, 6), isEncrypted ? "secret" : null);
        Spoil(fixture, "missing", segment => segment.File.Name == volumes[2].Name && segment.Index is 3 or 4);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
        Assert.Equal(2, fixture.Patches.Count);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task A_missing_head_of_an_inferred_volume_is_restored_when_needed_as_proof(int from)
    {
        var film = PostShape.Film(59, 590_000);
        var volumes = PostShape.Named(new Rar5Writer { VolumeSize = 30_000 }.Write(new PackedFile("film.mkv", film)),
            count => VolumeNaming.Part("set", count)).ToArray();
        await using var fixture = await ImportFixture.OpenAsync();

        // Articles as large as what recovery data have hashed of each file: of smaller ones all are fetched.
        await ImportAsync(fixture, new PostShape { Posted = WithRecovery(volumes, 9), Options = new PostOptions { ArticleSize = 20_000 } });
        var item = (await fixture.FindAsync(FilmPath))!;
        Assert.NotEmpty((await fixture.Maps.ReadAsync(item.ExtentMap!.Value, CancellationToken.None)).Inferred);
        Spoil(fixture, "missing", segment => segment.File.Name == volumes[9].Name && segment.Index == 0);

        // A seek past the head of the volume still needs it.
        var content = await fixture.NewMendingOpener().OpenAsync(item, CancellationToken.None);
        var start = from == 0 ? 0 : (30_000 * 9) + 25_000;
        var read = await ContentBytes.ReadAsync(content, start, film.Length - start, ReadIntent.Playback, CancellationToken.None);
        Assert.Equal(Hash(film[start..]), Hash(read));
        Assert.Equal((1, 1), (fixture.Patches.Count, Times(fixture, "was repaired")));
    }

    [Fact]
    public async Task Two_readers_wait_for_one_repair()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 3));
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index == 20);
        var opener = fixture.NewMendingOpener();
        var read = await Task.WhenAll(ReadAsync(fixture, FilmPath, opener), ReadAsync(fixture, FilmPath, opener));
        Assert.All(read, bytes => Assert.Equal(Hash(Film), Hash(bytes)));
        Assert.Equal(1, Times(fixture, "was repaired"));
    }

    [Fact]
    public async Task Only_the_set_that_protects_the_article_is_read()
    {
        var other = PostShape.Film(58, 200_003);
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, [.. WithRecovery([("film.mkv", Film)], 3, "film"), .. WithRecovery([("other.mkv", other)], 3, "other")]);
        Spoil(fixture, "missing", static segment => segment.File.Name is "film.mkv" or "other.mkv" && segment.Index == 20);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
        Assert.Equal(1, fixture.Patches.Count);
        Assert.Equal(Hash(other), Hash(await ReadAsync(fixture, "content/movies/The Job (2024)/other.mkv")));
        Assert.Equal(2, fixture.Patches.Count);
    }

    [Fact]
    public async Task A_hole_found_by_read_ahead_is_repaired_before_the_reader_arrives()
    {
        const int Hole = 30;
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 3));
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index == Hole);
        var item = (await fixture.FindAsync(FilmPath))!;
        var content = await fixture.NewMendingOpener().OpenAsync(item, CancellationToken.None);
        await using var reader = content.OpenReader(0, content.Length, ReadIntent.Playback);
        var bytes = new MemoryStream();
        while (fixture.Usenet.Gone.Count == 0 && reader.Position < Hole * 7_000)
        {
            await TakeAsync(reader, bytes);

            // Waits until read-ahead has reached its limit.
            await Until.TrueAsync(() => fixture.Usenet.QueuedRequests + fixture.Usenet.RequestsOnWire == 0);
        }

        Assert.True(reader.Position < Hole * 7_000, $"the reader is at {reader.Position}, and nothing was read ahead");
        await TakeAsync(reader, bytes);
        await Until.TrueAsync(() => fixture.Patches.Count == 1);
        Assert.True(reader.Position <= Hole * 7_000, "the reader waited for it");
        while (bytes.Length < Film.Length)
            await TakeAsync(reader, bytes);
        Assert.Equal(Hash(Film), Hash(bytes.ToArray()));
    }

    [Fact]
    public async Task A_known_hole_is_repaired_as_soon_as_its_file_is_opened()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 3));
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index == 40);

        // A reader has met the hole, without a repairer at that time.
        await Assert.ThrowsAsync<ContentException>(() => ReadAsync(fixture, FilmPath, fixture.NewOpener()));
        var content = await fixture.NewMendingOpener().OpenAsync((await fixture.FindAsync(FilmPath))!, CancellationToken.None);
        await using var reader = content.OpenReader(0, 100, ReadIntent.Probe);
        await Until.TrueAsync(() => fixture.Patches.Count == 1);
        Assert.Equal(0, reader.Position);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
    }

    [Fact]
    public async Task A_hole_that_the_import_could_not_repair_is_repaired_when_the_file_is_opened()
    {
        await using var fixture = await ImportFixture.OpenAsync();

        // Patches cannot be stored: a file is where the folder should be.
        var folder = PatchFolder.In(fixture.Database.Options.ConfigFolder);
        await File.WriteAllTextAsync(folder, "in the way");
        var job = await new PostShape
        {
            Posted = WithRecovery([("film.mkv", Film)], 2),
            Gone = segment => segment.File.Name == "film.mkv" && segment.Index == 20
        }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, 0), (job.State, fixture.Patches.Count));
        File.Delete(folder);
        await fixture.NewMendingOpener().OpenAsync((await fixture.FindAsync(FilmPath))!, CancellationToken.None);
        await Until.TrueAsync(() => fixture.Patches.Count == 1);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
    }

    private static async Task TakeAsync(ContentReader reader, MemoryStream bytes)
    {
        using var lease = await reader.NextAsync(CancellationToken.None);
        bytes.Write(lease.Memory.Span);
    }
}
