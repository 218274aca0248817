using System.Security.Cryptography;
using NzbDav.Catalog;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.Library;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests;

/// <summary>Long sets of volumes that look regular: most of them are not fetched by the import, and what was reckoned of them is proven before a byte of it leaves.</summary>
public sealed class ReckonedSetTests
{
    private const int VolumeSize = 30_000;
    private static readonly PostOptions Articles = new() { ArticleSize = 7_000 };

    /// <summary>Twenty volumes.</summary>
    private static readonly byte[] Film = PostShape.Film(77, 590_000);

    [Theory]
    [InlineData("RAR5", "", 4)]
    [InlineData("RAR5", "secret", 4)]
    [InlineData("RAR4", "", 4)]
    [InlineData("7z", "", 4)]
    [InlineData("7z", "secret", 5)]
    [InlineData("split", "", 3)]
    public async Task A_set_of_a_hundred_volumes_costs_a_handful_of_articles(string kind, string password, int articles)
    {
        var film = PostShape.Film(78, 990_000);
        await using var fixture = await ImportFixture.OpenAsync();
        var item = await ImportAsync(fixture, Volumes(kind, film, 10_000, password), password: password);
        Assert.InRange(fixture.Mocks[0].Stats.ArticlesServed, 3, articles);

        // The survival check and one question for each volume that was left out.
        Assert.InRange(fixture.Mocks[0].Stats.Commands["STAT"], 97, 98 + 48);
        Assert.InRange((await StoredAsync(fixture, item)).Reckoned.Count, 96, 98);
        await AssertWholeAsync(fixture.Opener, item, film);
        Assert.Equal(0, Mended(fixture));
    }

    [Fact]
    public async Task Two_files_beside_each_other_in_a_set()
    {
        var note = PostShape.Film(5, 321);
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, PostShape.Named(new Rar5Writer { VolumeSize = VolumeSize }.Write(new PackedFile("Film.mkv", Film), new PackedFile("Film.nfo", note)), count => VolumeNaming.Part("set", count)));
        Assert.InRange(fixture.Mocks[0].Stats.ArticlesServed, 3, 5);
        await AssertWholeAsync(fixture.Opener, (await fixture.FindAsync("content/movies/Job/Film.mkv"))!, Film);
        await AssertWholeAsync(fixture.Opener, (await fixture.FindAsync("content/movies/Job/Film.nfo"))!, note);
    }

    [Theory]
    [InlineData("sequential", false)]
    [InlineData("sequential", true)]
    [InlineData("seek", false)]
    [InlineData("seek", true)]
    public async Task Headers_that_differ_are_found_when_they_are_read_and_the_layout_is_mended(string how, bool restart)
    {
        // Their differences make up for each other, so that the sum is right; bytes 5 × 30,000 … 9 × 30,000 lie elsewhere than was reckoned.
        var writer = new Rar5Writer { VolumeSize = VolumeSize, MainExtra = volume => volume switch { 5 => 60, 9 => 20, _ => 40 } };
        await using var fixture = await ImportFixture.OpenAsync();
        var item = await ImportAsync(fixture, PostShape.Named(writer.Write(new PackedFile("Film.mkv", Film)), count => VolumeNaming.Part("set", count)));
        Assert.NotEmpty((await StoredAsync(fixture, item)).Reckoned);
        if (how == "seek")
            await AssertRangeAsync(restart ? fixture.NewOpener() : fixture.Opener, item, Film, (5 * VolumeSize) + 9_000, 6 * VolumeSize);
        else
            await AssertWholeAsync(restart ? fixture.NewOpener() : fixture.Opener, item, Film);
        Assert.Equal(1, Mended(fixture));

        // What was found out is stored: nothing is found out again.
        await UntilStoredAsync(fixture, item);
        await AssertWholeAsync(fixture.NewOpener(), (await fixture.Tree.GetAsync(item.Id, CancellationToken.None))!, Film);
        Assert.Equal(1, Mended(fixture));
    }

    [Fact]
    public async Task A_reader_that_was_sent_what_turns_out_to_be_wrong_is_ended()
    {
        // Volume 7 alone has what was reckoned of it, but its data begin 20 bytes later in the file: that shows in volume 9, and a reader that began in 7 must not go on.
        var writer = new Rar5Writer { VolumeSize = VolumeSize, MainExtra = volume => volume switch { 5 => 60, 9 => 20, _ => 40 } };
        await using var fixture = await ImportFixture.OpenAsync();
        var item = await ImportAsync(fixture, PostShape.Named(writer.Write(new PackedFile("Film.mkv", Film)), count => VolumeNaming.Part("set", count)));
        var content = await fixture.Opener.OpenAsync(item, CancellationToken.None);
        var fault = await Assert.ThrowsAsync<ContentException>(() => ContentBytes.ReadAsync(content, 7 * VolumeSize, 3 * VolumeSize, ReadIntent.Playback, CancellationToken.None));
        Assert.Equal(ContentFault.Corrupt, fault.Fault);
        await AssertWholeAsync(fixture.Opener, item, Film);
        await UntilStoredAsync(fixture, item);
    }

    [Theory]
    [InlineData("RAR5", false)]
    [InlineData("RAR5", true)]
    public async Task Volumes_that_were_swapped_are_put_in_order(string kind, bool restart)
    {
        var volumes = Volumes(kind, Film, VolumeSize).ToArray();
        (volumes[6].Bytes, volumes[12].Bytes) = (volumes[12].Bytes, volumes[6].Bytes);
        await using var fixture = await ImportFixture.OpenAsync();
        var item = await ImportAsync(fixture, volumes);

        // In the middle of it: its first article is looked at all the same.
        await AssertRangeAsync(restart ? fixture.NewOpener() : fixture.Opener, item, Film, (6 * VolumeSize) + 12_000, (6 * VolumeSize) + 14_000);
        await UntilStoredAsync(fixture, item);
        await AssertWholeAsync(fixture.Opener, (await fixture.Tree.GetAsync(item.Id, CancellationToken.None))!, Film);
        Assert.Equal(1, Mended(fixture));
    }

    /// <summary>So little is known of each beginning that the archive's reader would reckon by itself, by the names that lie.</summary>
    [Fact]
    public async Task Volumes_that_were_swapped_are_put_in_order_where_articles_are_smaller_than_their_heads()
    {
        var film = PostShape.Film(79, 60_000);
        var volumes = Volumes("RAR5", film, 3_000).ToArray();
        (volumes[6].Bytes, volumes[12].Bytes) = (volumes[12].Bytes, volumes[6].Bytes);
        await using var fixture = await ImportFixture.OpenAsync();
        var item = await ImportAsync(fixture, fixture.Store.AddPost([.. volumes.Select(volume => (volume.Name, (IArticleSource)new MemorySource(volume.Bytes)))], Articles with { ArticleSize = 700 }));
        await AssertWholeAsync(fixture.Opener, item, film);
        await UntilStoredAsync(fixture, item);
        await AssertWholeAsync(fixture.NewOpener(), (await fixture.Tree.GetAsync(item.Id, CancellationToken.None))!, film);
    }

    [Fact]
    public async Task A_volume_with_another_size_is_found_out_where_there_are_no_headers()
    {
        var archive = new SevenZipWriter().Write(new PackedFile("Film.mkv", Film))[0];
        int[] sizes = [.. Enumerable.Range(0, 18).Select(i => VolumeSize + (i == 5 ? -9 : i == 6 ? 9 : 0))];
        var volumes = Cut(archive, sizes);
        await using var fixture = await ImportFixture.OpenAsync();
        var item = await ImportAsync(fixture, VolumeNaming.Numeric("set.7z", volumes.Count).Zip(volumes));
        await AssertWholeAsync(fixture.Opener, item, Film);
        Assert.Equal(1, Mended(fixture));
        await UntilStoredAsync(fixture, item);
    }

    [Fact]
    public async Task Parts_that_call_themselves_otherwise_fail_clearly_where_nothing_tells_their_order()
    {
        var parts = VolumeNaming.Numeric("Film.mkv", 20).Zip(Film.Chunk(VolumeSize)).ToArray();
        await using var fixture = await ImportFixture.OpenAsync();
        var posted = fixture.Store.AddPost([.. parts.Select(part => (part.First, (IArticleSource)new MemorySource(part.Second)))], Articles);
        var odd = fixture.Store.AddPost([(parts[6].First, new MemorySource(parts[6].Second))], Articles with { YencName = _ => "Other.mkv.013" });
        var item = await ImportAsync(fixture, [.. posted.Take(6), odd[0], .. posted.Skip(7)]);
        var content = await fixture.Opener.OpenAsync(item, CancellationToken.None);
        var fault = await Assert.ThrowsAsync<ContentException>(() => ContentBytes.ReadAsync(content, 0, Film.Length, ReadIntent.Playback, CancellationToken.None));
        Assert.Contains("'Film.mkv.007' calls itself 'Other.mkv.013'", fault.Message, StringComparison.Ordinal);
        await AssertRangeAsync(fixture.Opener, item, Film, 0, 6 * VolumeSize);
    }

    [Theory]
    [InlineData("RAR5")]
    [InlineData("7z")]
    [InlineData("split")]
    public async Task A_set_that_lacks_a_volume_is_refused_at_once(string kind)
    {
        var volumes = Volumes(kind, Film, VolumeSize).ToList();
        volumes.RemoveAt(9);
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await RunAsync(fixture, Post(fixture, volumes));
        Assert.Equal(JobState.Failed, job.State);
        Assert.Equal(ImportFailure.MissingVolumes, job.FailureCode);
    }

    [Fact]
    public async Task A_volume_whose_articles_are_gone_makes_the_import_fail()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var posted = Post(fixture, Volumes("RAR5", Film, VolumeSize));
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.File(posted[9]));
        var job = await RunAsync(fixture, posted);
        Assert.Equal((JobState.Failed, ImportFailure.Missing), (job.State, job.FailureCode));
        Assert.Contains(posted[9].Name, job.FailureMessage, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_volume_that_goes_after_the_import_fails_clearly_and_others_do_not(bool restart)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var posted = Post(fixture, Volumes("RAR5", Film, VolumeSize));
        var item = await ImportAsync(fixture, posted);
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.File(posted[9]));
        var opener = restart ? fixture.NewOpener() : fixture.Opener;
        var content = await opener.OpenAsync(item, CancellationToken.None);
        var fault = await Assert.ThrowsAsync<ContentException>(() => ContentBytes.ReadAsync(content, (9 * VolumeSize) + 15_000, 10, ReadIntent.Playback, CancellationToken.None));
        Assert.Equal(ContentFault.Missing, fault.Fault);
        await AssertRangeAsync(opener, item, Film, 0, 8 * VolumeSize);
        await AssertRangeAsync(opener, item, Film, 11 * VolumeSize, Film.Length);
    }

    [Fact]
    public async Task Without_the_nzb_a_wrong_layout_fails_clearly()
    {
        var volumes = Volumes("RAR5", Film, VolumeSize).ToArray();
        (volumes[6].Bytes, volumes[12].Bytes) = (volumes[12].Bytes, volumes[6].Bytes);
        await using var fixture = await ImportFixture.OpenAsync();
        var item = await ImportAsync(fixture, volumes);
        await fixture.Jobs.DeleteAsync(item.JobId!.Value, withContent: false, CancellationToken.None);
        var content = await fixture.Opener.OpenAsync((await fixture.Tree.GetAsync(item.Id, CancellationToken.None))!, CancellationToken.None);
        var fault = await Assert.ThrowsAsync<ContentException>(() => ContentBytes.ReadAsync(content, 0, Film.Length, ReadIntent.Playback, CancellationToken.None));
        Assert.Contains("no longer kept", fault.Message, StringComparison.Ordinal);
        Assert.Contains("set.part07.rar", fault.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(20_000, false, 5)]
    [InlineData(20_000, true, 5)]
    [InlineData(7_000, false, 64)]
    [InlineData(7_000, true, 64)]
    public async Task Recovery_data_name_parts_that_were_not_looked_at(int article, bool swapped, int articles)
    {
        // Renamed after the recovery data were made, as posters do. What articles are too small to hold as much as was hashed cannot be proven: it is fetched.
        var names = VolumeNaming.Numeric("Real.Name.mkv", 20);
        var par = names.Zip(Film.Chunk(VolumeSize)).Aggregate(new Par2Writer(), (writer, part) => writer.Add(part.First, part.Second));
        var parts = Film.Chunk(VolumeSize).ToArray();
        if (swapped)
            (parts[6], parts[12]) = (parts[12], parts[6]);
        await using var fixture = await ImportFixture.OpenAsync();
        var posted = Post(fixture, [.. VolumeNaming.Numeric("aaaaaaaaaaaaaaaaaaaaaaaa", 20).Zip(parts), ("set.par2", par.Index())], new PostOptions { ArticleSize = article });
        await ImportAsync(fixture, posted);
        Assert.InRange(fixture.Mocks[0].Stats.ArticlesServed, 4, articles);
        var film = (await fixture.FindAsync("content/movies/Job/Real.Name.mkv"))!;
        await AssertRangeAsync(fixture.Opener, film, Film, (6 * VolumeSize) + 25_000, (6 * VolumeSize) + 26_000);
        await AssertWholeAsync(fixture.Opener, film, Film);
        Assert.Equal(swapped && article == 20_000 ? 1 : 0, Mended(fixture));
        if (Mended(fixture) > 0)
            await UntilStoredAsync(fixture, film);
    }

    [Fact]
    public async Task Recovery_data_that_tell_other_sizes_are_believed()
    {
        // Sizes that the .nzb cannot show, as encoded ones differ by more.
        var archive = new SevenZipWriter().Write(new PackedFile("Film.mkv", Film))[0];
        var volumes = Cut(archive, [.. Enumerable.Range(0, 18).Select(i => VolumeSize + (i == 5 ? -9 : i == 6 ? 9 : 0))]);
        var named = VolumeNaming.Numeric("set.7z", volumes.Count).Zip(volumes).ToArray();
        var par = named.Aggregate(new Par2Writer(), (writer, part) => writer.Add(part.First, part.Second));
        await using var fixture = await ImportFixture.OpenAsync();
        var item = await ImportAsync(fixture, [.. named, ("set.par2", par.Index())]);
        Assert.Empty((await StoredAsync(fixture, item)).Reckoned);
        await AssertWholeAsync(fixture.Opener, item, Film);
        Assert.Equal(0, Mended(fixture));
    }

    /// <summary>How often a layout was found out anew.</summary>
    private static int Mended(ImportFixture fixture) => fixture.MenderLog.Entries.Count(entry => entry.Message.Contains("laid out anew", StringComparison.Ordinal));

    private static IEnumerable<(string Name, byte[] Bytes)> Volumes(string kind, byte[] film, int size, string password = "")
    {
        var secret = password.Length > 0 ? password : null;
        PackedFile packed = new("Film.mkv", film);
        return kind switch
        {
            "RAR5" => PostShape.Named(new Rar5Writer { VolumeSize = size, Password = secret }.Write(packed), count => VolumeNaming.Part("set", count)),
            "RAR4" => PostShape.Named(new Rar4Writer { VolumeSize = size, Password = secret }.Write(packed), count => VolumeNaming.Letter("set", count)),
            "7z" => PostShape.Named(new SevenZipWriter { VolumeSize = size, Password = secret }.Write(packed), count => VolumeNaming.Numeric("set.7z", count)),
            _ => VolumeNaming.Numeric("Film.mkv", (film.Length + size - 1) / size).Zip(film.Chunk(size)),
        };
    }

    private static List<byte[]> Cut(byte[] bytes, int[] sizes)
    {
        var parts = new List<byte[]>();
        var at = 0;
        foreach (var size in sizes)
        {
            parts.Add(bytes[at..(at + size)]);
            at += size;
        }

        parts.Add(bytes[at..]);
        Assert.InRange(parts[^1].Length, 1, VolumeSize * 2);
        return [.. parts.SkipLast(1), .. parts[^1].Chunk(VolumeSize)];
    }

    private static IReadOnlyList<PostedFile> Post(ImportFixture fixture, IEnumerable<(string Name, byte[] Bytes)> files, PostOptions? options = null) =>
        fixture.Store.AddPost([.. files.Select(file => (file.Name, (IArticleSource)new MemorySource(file.Bytes)))], options ?? Articles);

    private static Task<CatalogItem> ImportAsync(ImportFixture fixture, IEnumerable<(string Name, byte[] Bytes)> files, string password = "") => ImportAsync(fixture, Post(fixture, files), password);

    /// <summary>Imports a post and gives its film.</summary>
    private static async Task<CatalogItem> ImportAsync(ImportFixture fixture, IReadOnlyList<PostedFile> posted, string password = "")
    {
        var job = await RunAsync(fixture, posted, password);
        Assert.Null(job.FailureMessage);
        CatalogItem? biggest = null;
        await foreach (var item in fixture.Tree.ListAsync(job.ItemId!.Value, after: null, CancellationToken.None))
            biggest = item.Size > (biggest?.Size ?? -1) ? item : biggest;
        return biggest!;
    }

    private static async Task<CatalogJob> RunAsync(ImportFixture fixture, IReadOnlyList<PostedFile> posted, string password = "")
    {
        await fixture.EnqueueAsync(NzbWriter.ToBytes(posted), password: password.Length > 0 ? password : null);
        return await fixture.RunAsync();
    }

    private static async Task<StoredExtentMap> StoredAsync(ImportFixture fixture, CatalogItem item) =>
        await fixture.Maps.ReadAsync((await fixture.Tree.GetAsync(item.Id, CancellationToken.None))!.ExtentMap!.Value, CancellationToken.None);

    /// <summary>Waits until the item has another map than when it was published.</summary>
    private static Task UntilStoredAsync(ImportFixture fixture, CatalogItem item) =>
        Until.TrueAsync(async () => (await fixture.Tree.GetAsync(item.Id, CancellationToken.None))!.ExtentMap != item.ExtentMap);

    private static Task AssertWholeAsync(ContentOpener opener, CatalogItem item, byte[] source) => AssertRangeAsync(opener, item, source, 0, source.Length);

    private static async Task AssertRangeAsync(ContentOpener opener, CatalogItem item, byte[] source, int start, int end)
    {
        Assert.Equal(source.Length, item.Size);
        var content = await opener.OpenAsync(item, CancellationToken.None);
        var read = await ContentBytes.ReadAsync(content, start, end - start, ReadIntent.Playback, CancellationToken.None);
        Assert.Equal(Convert.ToHexString(SHA256.HashData(source.AsSpan(start, end - start))), Convert.ToHexString(SHA256.HashData(read)));
    }
}
