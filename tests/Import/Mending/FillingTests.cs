using System.Security.Cryptography;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.Fakes.Recovery;
using NzbDav.Import.Tests.Corpus;
using NzbDav.Library.Filling;
using NzbDav.Library.Items;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using static NzbDav.Fakes.ContentReads;

namespace NzbDav.Import.Tests.Mending;

/// <summary>Filler for bytes that are gone for good, when the user wants films to play on.</summary>
public sealed class FillingTests
{
    private const int Article = 7_000;
    private const int Length = 900_001;

    private static readonly LibraryOptions Zeros = new() { Holes = HolePolicy.Zeros };

    [Fact]
    public async Task A_Matroska_file_plays_on_with_zeros_in_place_of_missing_articles()
    {
        var film = Containers.Matroska(1, Length);
        await using var fixture = await OpenAsync("film.mkv", film, 5, 50, 51, 100);
        var expected = Without(film, 5, 50, 51, 100);
        var content = await OpenAsync(fixture, "film.mkv");
        await using (var reader = content.OpenReader(0, film.Length, ReadIntent.Playback))
        {
            Assert.Equal(Hash(expected), Hash(await ReadToEndAsync(reader)));
            var filler = reader.Observe().Filler;
            Assert.Equal((4L * Article, 100), (filler!.Bytes, filler.Segment));
            Assert.EndsWith("Its post has no recovery data.", filler.Reason, StringComparison.Ordinal);
        }

        // Starts inside one hole and ends inside another.
        var (start, end) = ((5 * Article) + 10, (50 * Article) + 20);
        await using (var reader = content.OpenReader(start, end, ReadIntent.Probe))
            Assert.Equal(Hash(expected[start..end]), Hash(await ReadToEndAsync(reader)));
        Assert.Equal(4, fixture.OpenerLog.Entries.Count(
            entry => entry.Message.Contains("are replaced by filler for whoever plays it", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData(188)]
    [InlineData(192)]
    public async Task A_transport_stream_is_filled_with_aligned_null_packets(int packet)
    {
        var film = Containers.Transport(2, Length, packet);
        await using var fixture = await OpenAsync("film.ts", film, 90, 91);
        var read = await ReadAsync(await OpenAsync(fixture, "film.ts"), 0, Length);
        var (start, end) = (90 * Article, 92 * Article);
        Assert.Equal(Hash(film[..start]), Hash(read[..start]));
        Assert.Equal(Hash(film[end..]), Hash(read[end..]));
        var packets = 0;
        for (var at = (start / packet * packet) + packet; at + packet <= end; at += packet, packets++)
        {
            Assert.Equal(-1, read.AsSpan(at, packet - 188).IndexOfAnyExcept((byte)0));
            Assert.Equal([0x47, 0x1F, 0xFF, 0x10], read[(at + packet - 188)..(at + packet - 184)]);
            Assert.Equal(-1, read.AsSpan(at + packet - 184, 184).IndexOfAnyExcept((byte)0xFF));
        }

        Assert.InRange(packets, 70, 80);

        // The packet that the hole cuts at its end is one that nobody reads.
        var last = end / packet * packet;
        Assert.Equal(0x47, read[last + packet - 188]);
    }

    [Fact]
    public async Task An_encrypted_file_is_filled_in_its_plaintext_including_the_block_after_the_hole()
    {
        var film = Containers.Matroska(3, Length);
        var volumes = PostShape.Named(new Rar5Writer { VolumeSize = 300_000, Password = "secret" }.Write(new PackedFile("film.mkv", film)),
            count => VolumeNaming.Part("set", count)).ToArray();
        await using var fixture = await ImportFixture.OpenAsync();
        Assert.Equal(JobState.Completed, (await new PostShape { Posted = volumes, Password = "secret" }.RunAsync(fixture)).State);
        fixture.Usenet.Cache.Reclaim(long.MaxValue);
        Lose(fixture, segment => segment.File.Name == volumes[1].Name && segment.Index is 20 or 21);
        var read = await ReadAsync(await OpenAsync(fixture, "film.mkv"), 0, Length);
        var first = film.AsSpan().CommonPrefixLength(read);
        var last = Length;
        while (film[last - 1] == read[last - 1])
            last--;

        // Whole cipher blocks: those at both ends of the hole, and the one after it.
        Assert.InRange(last - first, (2 * Article) - 16, (2 * Article) + 48);
        Assert.Equal(-1, read.AsSpan(first, last - first).IndexOfAnyExcept((byte)0));

        // A reader that begins behind the hole has the right bytes.
        var content = await OpenAsync(fixture, "film.mkv");
        await using var reader = content.OpenReader(last + 16, Length, ReadIntent.Playback);
        Assert.Equal(Hash(film[(last + 16)..]), Hash(await ReadToEndAsync(reader)));
        Assert.Null(reader.Observe().Filler);
    }

    [Fact]
    public async Task Media_data_of_an_MP4_is_filled()
    {
        var film = Containers.Mp4(4, Length);
        await using var fixture = await OpenAsync("film.mp4", film, 60);
        Assert.Equal(Hash(Without(film, 60)), Hash(await ReadAsync(await OpenAsync(fixture, "film.mp4"), 0, Length)));
    }

    [Theory]
    [InlineData("head.mkv", 0)]
    [InlineData("cues.mkv", (Length - Containers.MatroskaCues) / Article)]
    [InlineData("moov.mp4", (Length - 10_000) / Article)]
    [InlineData("tables.ts", 10)]
    [InlineData("disc.iso", 60)]
    [InlineData("subtitles.srt", 60)]
    public async Task A_hole_in_an_essential_part_of_the_container_ends_the_read(string name, int lost)
    {
        var film = Path.GetExtension(name) switch
        {
            ".mkv" => Containers.Matroska(5, Length),
            ".mp4" => Containers.Mp4(5, Length),
            ".ts" => Containers.Transport(5, Length, 188),
            _ => SeededBytes.Make(5, Length),
        };
        await using var fixture = await OpenAsync(name, film, lost);
        var error = await Assert.ThrowsAsync<ContentException>(async () => await ReadAsync(await OpenAsync(fixture, name), 0, Length));
        Assert.Equal(ContentFault.Missing, error.Fault);
    }

    [Theory]
    [InlineData(ReadIntent.Download)]
    [InlineData(ReadIntent.Import)]
    [InlineData(ReadIntent.Health)]
    public async Task Copies_and_checks_of_a_file_get_no_filler(ReadIntent intent)
    {
        await using var fixture = await OpenAsync("film.mkv", Containers.Matroska(6, Length), 50);
        var content = await OpenAsync(fixture, "film.mkv");
        await using var reader = content.OpenReader(0, Length, intent);
        Assert.Equal(ContentFault.Missing, (await Assert.ThrowsAsync<ContentException>(() => ReadToEndAsync(reader))).Fault);
    }

    [Fact]
    public async Task Without_the_setting_the_read_ends_and_with_it_the_next_one_continues()
    {
        var film = Containers.Matroska(7, Length);
        await using var fixture = await OpenAsync("film.mkv", film, 50);
        var options = new Live<LibraryOptions>(new LibraryOptions());
        var content = await OpenAsync(fixture, "film.mkv", options);
        await Assert.ThrowsAsync<ContentException>(() => ReadAsync(content, 0, Length));
        options.Value = Zeros;
        Assert.Equal(Hash(Without(film, 50)), Hash(await ReadAsync(content, 0, Length)));
    }

    [Fact]
    public async Task A_repairable_hole_is_not_filled()
    {
        var film = Containers.Matroska(8, Length);
        var writer = new Par2Writer { SliceSize = 12_004 }.Add("film.mkv", film);
        await using var fixture = await ImportFixture.OpenAsync();
        Assert.Equal(JobState.Completed, (await new PostShape
        {
            Posted = [
            ("film.mkv", film), ("set.par2", writer.Index()), ("set.vol0+4.par2", writer.Volume(4))]
        }.RunAsync(fixture)).State);
        fixture.Usenet.Cache.Reclaim(long.MaxValue);
        Lose(fixture, segment => segment.File.Name == "film.mkv" && segment.Index == 50);
        Assert.Equal(Hash(film), Hash(await ReadAsync(await OpenAsync(fixture, "film.mkv"), 0, Length)));
    }

    [Fact]
    public async Task A_hole_is_filled_while_its_repair_takes_longer_than_a_player_waits()
    {
        var film = Containers.Matroska(9, Length);
        var writer = new Par2Writer { SliceSize = 12_004 }.Add("film.mkv", film);
        await using var fixture = await ImportFixture.OpenAsync(configure: options => options with { MaxConnections = 8 });
        Assert.Equal(JobState.Completed, (await new PostShape
        {
            Posted = [
            ("film.mkv", film), ("set.par2", writer.Index()), ("set.vol0+4.par2", writer.Volume(4))]
        }.RunAsync(fixture)).State);
        fixture.Usenet.Cache.Reclaim(long.MaxValue);
        Lose(fixture, segment => segment.File.Name == "film.mkv" && segment.Index == 50);
        var mock = fixture.Mocks[0];
        var stall = mock.Faults.Add(Fault.Stall(), FaultTarget.Where(static segment => segment.File.Name == "set.par2"));
        var content = await OpenAsync(fixture, "film.mkv");
        var reading = ReadAsync(content, 0, Length);
        await Until.TrueAsync(() => stall.Struck > 0);
        for (var second = 0; !reading.IsCompleted; second++)
        {
            Assert.True(second < 60, "it is waited for without end");
            await Until.TrueAsync(() => fixture.Clock.ArmedTimers > 0 || reading.IsCompleted);
            fixture.Clock.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.Equal(Hash(Without(film, 50)), Hash(await reading));
        mock.Faults.Remove(stall);
        mock.DropConnections();
        await Until.TrueAsync(() => fixture.Patches.Count == 1);
        Assert.Equal(Hash(film), Hash(await ReadAsync(content, 0, Length)));
    }

    private static async Task<ImportFixture> OpenAsync(string name, byte[] film, params int[] lost)
    {
        var fixture = await ImportFixture.OpenAsync();
        var job = await new PostShape
        {
            Posted = [(name, film)],
            Options = new PostOptions { ArticleSize = Article },
            Job = "The Job (2024)",
            Category = "other"
        }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        fixture.Usenet.Cache.Reclaim(long.MaxValue);
        Lose(fixture, segment => lost.Contains(segment.Index));
        return fixture;
    }

    private static void Lose(ImportFixture fixture, Func<PostedSegment, bool> strikes) =>
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.Where(strikes));

    private static async Task<IContent> OpenAsync(ImportFixture fixture, string name, Live<LibraryOptions>? options = null) =>
        await fixture.NewMendingOpener(options ?? Zeros).OpenAsync((await fixture.FindAsync($"content/movies/The Job (2024)/{name}")
            ?? await fixture.FindAsync($"content/other/The Job (2024)/{name}"))!, CancellationToken.None);

    private static byte[] Without(byte[] film, params int[] lost)
    {
        var left = film.ToArray();
        foreach (var index in lost)
            left.AsSpan(index * Article, Article).Clear();
        return left;
    }

    private static string Hash(byte[] bytes) => Convert.ToHexString(SHA256.HashData(bytes));
}
