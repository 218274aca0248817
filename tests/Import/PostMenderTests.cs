using System.Security.Cryptography;
using NzbDav.Catalog;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.Usenet.Articles;

namespace NzbDav.Import.Tests;

/// <summary>What goes after the import: readers of a published file wait for its repair and get the right bytes.</summary>
public sealed class PostMenderTests
{
    /// <summary>No article, of 7,000 bytes each, ends where a slice does.</summary>
    private const int SliceSize = 12_004;

    private const string FilmPath = "content/movies/The Job (2024)/film.mkv";

    private static readonly byte[] Film = PostShape.Film(57, 290_001);

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

        // They stay: the file needs them.
        var job = (await fixture.FindAsync(FilmPath))!.JobId!.Value;
        Assert.Contains(job.ToString(System.Globalization.CultureInfo.InvariantCulture), await fixture.Tree.ListPatchedPostsAsync(CancellationToken.None));
        fixture.Usenet.Cache.Reclaim(long.MaxValue);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
        Assert.Equal(1, Times(fixture, "was repaired"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task So_it_does_of_a_file_in_an_archive(bool isEncrypted)
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
    public async Task Where_what_was_reckoned_of_a_volume_cannot_be_proven_its_head_is_made_again(int from)
    {
        var film = PostShape.Film(59, 590_000);
        var volumes = PostShape.Named(new Rar5Writer { VolumeSize = 30_000 }.Write(new PackedFile("film.mkv", film)), count => VolumeNaming.Part("set", count)).ToArray();
        await using var fixture = await ImportFixture.OpenAsync();

        // Articles as large as what recovery data have hashed of each file: of smaller ones all are fetched.
        await ImportAsync(fixture, new PostShape { Posted = WithRecovery(volumes, 9), Options = new PostOptions { ArticleSize = 20_000 } });
        var item = (await fixture.FindAsync(FilmPath))!;
        Assert.NotEmpty((await fixture.Maps.ReadAsync(item.ExtentMap!.Value, CancellationToken.None)).Reckoned);
        Spoil(fixture, "missing", segment => segment.File.Name == volumes[9].Name && segment.Index == 0);

        // A seek behind the head of the volume needs it all the same.
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
    public async Task What_reading_ahead_finds_gone_is_repaired_before_the_reader_is_there()
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

            // Reading ahead gets as far as it may.
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
    public async Task What_cannot_be_repaired_ends_the_read_with_both_reasons_and_is_tried_again_after_hours_or_with_other_providers()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 1));
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index is 10 or 20 or 30);
        for (var read = 0; read < 2; read++)
        {
            var error = await Assert.ThrowsAsync<ContentException>(() => ReadAsync(fixture, FilmPath));
            Assert.Equal(ContentFault.Missing, error.Fault);
            Assert.Contains("The recovery data do not mend it: ", error.Message, StringComparison.Ordinal);
            Assert.EndsWith("slices are missing, and 1 recovery slices are there.", error.Message, StringComparison.Ordinal);
        }

        Assert.Equal(1, Times(fixture, "could not be repaired"));
        Assert.EndsWith("recovery slices are there.", fixture.Posts.Tell((await fixture.FindAsync(FilmPath))!), StringComparison.Ordinal);
        fixture.Clock.Advance(PostMender.FailedFor);
        await Assert.ThrowsAsync<ContentException>(() => ReadAsync(fixture, FilmPath));
        Assert.Equal(2, Times(fixture, "could not be repaired"));

        fixture.Mocks[0].Faults.Clear();
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index is 10);
        fixture.Usenet.SetProviders([.. fixture.Usenet.Providers.Select(static provider => provider.Options with { MaxConnections = 3 })]);
        await Assert.ThrowsAsync<ContentException>(() => ReadAsync(fixture, FilmPath));
        Assert.Equal(3, Times(fixture, "could not be repaired"));
    }

    [Fact]
    public async Task A_repair_that_lacks_recovery_data_is_not_read_for_again_not_even_after_a_restart()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 1));
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index is 10 or 20 or 30);
        await Assert.ThrowsAsync<ContentException>(() => ReadAsync(fixture, FilmPath));
        var item = (await fixture.FindAsync(FilmPath))!;
        var failure = await fixture.Posts.FindFailureAsync(item, CancellationToken.None);
        Assert.EndsWith("slices are missing, and 1 recovery slices are there.", failure!.Reason, StringComparison.Ordinal);

        // That far no slice of the film was read for it: what is there can be told without.
        Assert.True(Asked(fixture, "BODY") < Film.Length / 7_000, $"{Asked(fixture, "BODY")} articles were fetched");

        await using var restarted = fixture.NewPosts();
        Assert.Equal(failure, await restarted.FindFailureAsync(item, CancellationToken.None));
        var (bodies, stats) = (Asked(fixture, "BODY"), Asked(fixture, "STAT"));
        for (var read = 0; read < 3; read++)
        {
            var outcome = await restarted.MendAsync(item, await IdOfAsync(fixture, item, 10), CancellationToken.None);
            Assert.Equal((MendState.Failed, failure.Reason), (outcome.State, outcome.Reason));
        }

        Assert.Equal((bodies, stats), (Asked(fixture, "BODY"), Asked(fixture, "STAT")));
        Assert.Equal(failure.Reason, restarted.Tell(item));
        Assert.Equal(1, Times(fixture, "could not be repaired"));

        // Hours later it is, and so it is with other providers.
        fixture.Clock.Advance(PostMender.FailedFor);
        Assert.Null(await restarted.FindFailureAsync(item, CancellationToken.None));
        await using (var later = fixture.NewPosts())
            Assert.Equal(MendState.Failed, (await later.MendAsync(item, await IdOfAsync(fixture, item, 10), CancellationToken.None)).State);
        Assert.Equal(2, Times(fixture, "could not be repaired"));
        fixture.Mocks[0].Faults.Clear();
        fixture.Usenet.SetProviders([.. fixture.Usenet.Providers.Select(static provider => provider.Options with { Username = "another", Password = "one" })]);
        await using var other = fixture.NewPosts();
        Assert.Null(await other.FindFailureAsync(item, CancellationToken.None));
    }

    [Fact]
    public async Task A_hole_that_is_known_is_repaired_as_soon_as_its_file_is_opened()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 3));
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index == 40);

        // Somebody met it, with nobody to repair it then.
        await Assert.ThrowsAsync<ContentException>(() => ReadAsync(fixture, FilmPath, fixture.NewOpener()));
        var content = await fixture.NewMendingOpener().OpenAsync((await fixture.FindAsync(FilmPath))!, CancellationToken.None);
        await using var reader = content.OpenReader(0, 100, ReadIntent.Probe);
        await Until.TrueAsync(() => fixture.Patches.Count == 1);
        Assert.Equal(0, reader.Position);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
    }

    [Fact]
    public async Task A_repair_that_a_stop_cut_short_goes_on_when_the_file_is_opened()
    {
        await using var fixture = await ImportFixture.OpenAsync(configure: options => options with { MaxConnections = 8 });
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 3));
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index == 20);
        var mock = fixture.Mocks[0];
        var stall = mock.Faults.Add(Fault.Stall(), FaultTarget.Where(static segment => segment.File.Name == "set.vol0+3.par2"));
        var item = (await fixture.FindAsync(FilmPath))!;
        await using (var first = fixture.NewPosts())
        {
            first.Begin(item, await IdOfAsync(fixture, item, 20));
            await Until.TrueAsync(() => stall.Struck > 0);
        }

        mock.Faults.Remove(stall);
        mock.DropConnections();
        Assert.Equal(0, fixture.Patches.Count);
        await using var restarted = fixture.NewPosts();
        await fixture.NewMendingOpener(posts: restarted).OpenAsync(item, CancellationToken.None);
        await Until.TrueAsync(() => fixture.Patches.Count == 1);
        await Until.TrueAsync(() => restarted.Tell(item) is null);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
    }

    [Fact]
    public async Task A_hole_that_the_import_could_not_mend_then_is_repaired_as_soon_as_the_file_is_opened()
    {
        await using var fixture = await ImportFixture.OpenAsync();

        // Nothing can be kept: a file is where the folder should be.
        var folder = PatchFolder.In(fixture.Database.Options.ConfigFolder);
        await File.WriteAllTextAsync(folder, "in the way");
        var job = await new PostShape { Posted = WithRecovery([("film.mkv", Film)], 2), Gone = segment => segment.File.Name == "film.mkv" && segment.Index == 20 }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, 0), (job.State, fixture.Patches.Count));
        File.Delete(folder);
        await fixture.NewMendingOpener().OpenAsync((await fixture.FindAsync(FilmPath))!, CancellationToken.None);
        await Until.TrueAsync(() => fixture.Patches.Count == 1);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
    }

    [Fact]
    public async Task A_post_without_recovery_data_says_so()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, [("film.mkv", Film)]);
        Spoil(fixture, "missing", static segment => segment.Index == 20);
        var error = await Assert.ThrowsAsync<ContentException>(() => ReadAsync(fixture, FilmPath));
        Assert.EndsWith("Its post has no recovery data.", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Nothing_is_repaired_where_that_is_switched_off()
    {
        await using var fixture = await ImportFixture.OpenAsync(rules: ImportFixture.Options with { RepairsReads = false });
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 3));
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index == 20);
        var error = await Assert.ThrowsAsync<ContentException>(() => ReadAsync(fixture, FilmPath));
        Assert.Equal((ContentFault.Missing, 0), (error.Fault, fixture.Patches.Count));
        Assert.Empty(fixture.PostsLog.Entries);
    }

    [Fact]
    public async Task A_repair_that_takes_too_long_is_not_waited_for_and_goes_on()
    {
        await using var fixture = await ImportFixture.OpenAsync(configure: options => options with { MaxConnections = 8 });
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 3));
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index == 20);
        var mock = fixture.Mocks[0];
        var stall = mock.Faults.Add(Fault.Stall(), FaultTarget.Where(static segment => segment.File.Name == "set.par2"));
        var item = (await fixture.FindAsync(FilmPath))!;
        var reading = ReadAsync(fixture, FilmPath);
        await Until.TrueAsync(() => stall.Struck > 0);
        for (var second = 0; !reading.IsCompleted; second++)
        {
            Assert.True(second < 60, "it is waited for without end");
            await Until.TrueAsync(() => fixture.Clock.ArmedTimers > 0 || reading.IsCompleted);
            fixture.Clock.Advance(TimeSpan.FromSeconds(1));
        }

        var error = await Assert.ThrowsAsync<ContentException>(() => reading);
        Assert.Equal(ContentFault.Unavailable, error.Fault);
        Assert.EndsWith("Its repair from the recovery data of its post has begun.", error.Message, StringComparison.Ordinal);
        Assert.Equal("Its repair from the recovery data of its post has begun.", fixture.Posts.Tell(item));
        mock.Faults.Remove(stall);
        mock.DropConnections();
        await Until.TrueAsync(() => fixture.Patches.Count == 1);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
        await Until.TrueAsync(() => fixture.Posts.Tell(item) is null);
    }

    [Fact]
    public async Task While_another_post_is_repaired_nobody_waits_long()
    {
        var other = PostShape.Film(58, 200_003);
        await using var fixture = await ImportFixture.OpenAsync(configure: options => options with { MaxConnections = 8 });
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 3, "first"));
        await ImportAsync(fixture, WithRecovery([("other.mkv", other)], 3, "second"), job: "Another (2024)");
        Spoil(fixture, "missing", static segment => segment.File.Name is "film.mkv" or "other.mkv" && segment.Index == 20);
        var mock = fixture.Mocks[0];
        var stall = mock.Faults.Add(Fault.Stall(), FaultTarget.Where(static segment => segment.File.Name == "first.par2"));
        var first = ReadAsync(fixture, FilmPath);
        await Until.TrueAsync(() => stall.Struck > 0);

        var second = ReadAsync(fixture, "content/movies/Another (2024)/other.mkv");
        var waited = 0;
        for (; !second.IsCompleted; waited++)
        {
            Assert.False(first.IsCompleted, "the first gave up before");
            await Until.TrueAsync(() => fixture.Clock.ArmedTimers > 1 || second.IsCompleted);
            fixture.Clock.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.InRange(waited, 1, (int)IPostMender.Patience.TotalSeconds - 1);
        var error = await Assert.ThrowsAsync<ContentException>(() => second);
        Assert.Equal(ContentFault.Unavailable, error.Fault);
        Assert.EndsWith("Its repair from the recovery data of its post waits for that of another.", error.Message, StringComparison.Ordinal);
        mock.Faults.Remove(stall);
        mock.DropConnections();
        Assert.Equal(Hash(Film), Hash(await first));
        await Until.TrueAsync(() => fixture.Patches.Count == 2);
        Assert.Equal(Hash(other), Hash(await ReadAsync(fixture, "content/movies/Another (2024)/other.mkv")));
    }

    private static async Task ImportAsync(ImportFixture fixture, (string Name, byte[] Bytes)[] posted, string? password = null, string job = "The Job (2024)") =>
        await ImportAsync(fixture, new PostShape { Posted = posted, Password = password, Job = job });

    private static async Task ImportAsync(ImportFixture fixture, PostShape shape)
    {
        var job = await shape.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        Assert.Equal(0, fixture.Patches.Count);
        fixture.Usenet.Cache.Reclaim(long.MaxValue);
    }

    private static void Spoil(ImportFixture fixture, string fault, Func<PostedSegment, bool> strikes)
    {
        foreach (var mock in fixture.Mocks)
        {
            mock.Faults.Add(
                fault switch { "damaged" => Fault.Corrupt, "STAT lies" => Fault.StatLies, "other article" => Fault.WrongArticle(), _ => Fault.Missing },
                FaultTarget.Where(strikes));
        }
    }

    private static (string Name, byte[] Bytes)[] WithRecovery((string Name, byte[] Bytes)[] files, int slices, string name = "set")
    {
        var writer = new Par2Writer { SliceSize = SliceSize };
        foreach (var (file, bytes) in files)
            writer.Add(file, bytes);
        return [.. files, (name + ".par2", writer.Index()), ($"{name}.vol0+{slices}.par2", writer.Volume(slices))];
    }

    private static async Task<byte[]> ReadAsync(ImportFixture fixture, string path, Library.ContentOpener? opener = null)
    {
        var item = await fixture.FindAsync(path);
        var content = await (opener ?? fixture.NewMendingOpener()).OpenAsync(item!, CancellationToken.None);
        return await ContentBytes.ReadAsync(content, 0, (int)item!.Size, ReadIntent.Playback, CancellationToken.None);
    }

    private static async Task TakeAsync(ContentReader reader, MemoryStream bytes)
    {
        using var lease = await reader.NextAsync(CancellationToken.None);
        bytes.Write(lease.Memory.Span);
    }

    private static long Asked(ImportFixture fixture, string command) => fixture.Mocks.Sum(mock => mock.Stats.Commands.GetValueOrDefault(command));

    private static async Task<string> IdOfAsync(ImportFixture fixture, CatalogItem item, int segment) => (await fixture.MapOfAsync(item)).Segments.Id(segment);

    private static int Times(ImportFixture fixture, string text) => fixture.PostsLog.Entries.Count(entry => entry.Message.Contains(text, StringComparison.Ordinal));

    private static string Hash(byte[] bytes) => Convert.ToHexString(SHA256.HashData(bytes));
}
