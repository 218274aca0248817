using NzbDav.Content;
using NzbDav.Fakes.Archives;
using NzbDav.Import.Probing;
using NzbDav.Import.Tests.Corpus;
using NzbDav.MockUsenet.Articles;
using static NzbDav.Import.Tests.Mending.InferredSet;

namespace NzbDav.Import.Tests.Mending;

/// <summary>
/// Sets whose volumes are not as was inferred: that is found before a wrong byte is sent, and the layout is mended and stored.
/// </summary>
public sealed class WrongLayoutTests
{
    [Theory]
    [InlineData("sequential", false)]
    [InlineData("sequential", true)]
    [InlineData("seek", false)]
    [InlineData("seek", true)]
    public async Task Differing_headers_are_detected_while_reading_and_the_layout_is_corrected(string how, bool restart)
    {
        // Their differences make up for each other, so that the sum is right; bytes 5 × 30,000 … 9 × 30,000 lie elsewhere than was
        // inferred.
        var writer = new Rar5Writer { VolumeSize = VolumeSize, MainExtra = volume => volume switch { 5 => 60, 9 => 20, _ => 40 } };
        await using var fixture = await ImportFixture.OpenAsync();
        var item = await ImportAsync(
            fixture, PostShape.Named(writer.Write(new PackedFile("Film.mkv", Film)), count => VolumeNaming.Part("set", count)));
        Assert.NotEmpty((await StoredAsync(fixture, item)).Inferred);
        if (how == "seek")
            await AssertRangeAsync(restart ? fixture.NewOpener() : fixture.Opener, item, Film, (5 * VolumeSize) + 9_000, 6 * VolumeSize);
        else
            await AssertWholeAsync(restart ? fixture.NewOpener() : fixture.Opener, item, Film);
        Assert.Equal(1, Mended(fixture));

        // The correction is stored: the layout is not determined again.
        await UntilStoredAsync(fixture, item);
        await AssertWholeAsync(fixture.NewOpener(), (await fixture.Tree.GetAsync(item.Id, CancellationToken.None))!, Film);
        Assert.Equal(1, Mended(fixture));
    }

    [Fact]
    public async Task A_reader_that_received_wrong_bytes_is_ended()
    {
        // Volume 7 alone is as was inferred, but its data begin 20 bytes later in the file: that shows in volume 9, and a reader that began
        // in 7 must not go on.
        var writer = new Rar5Writer { VolumeSize = VolumeSize, MainExtra = volume => volume switch { 5 => 60, 9 => 20, _ => 40 } };
        await using var fixture = await ImportFixture.OpenAsync();
        var item = await ImportAsync(
            fixture, PostShape.Named(writer.Write(new PackedFile("Film.mkv", Film)), count => VolumeNaming.Part("set", count)));
        var content = await fixture.Opener.OpenAsync(item, CancellationToken.None);
        var fault = await Assert.ThrowsAsync<ContentException>(
            () => ContentBytes.ReadAsync(content, 7 * VolumeSize, 3 * VolumeSize, ReadIntent.Playback, CancellationToken.None));
        Assert.Equal(ContentFault.Corrupt, fault.Fault);
        await AssertWholeAsync(fixture.Opener, item, Film);
        await UntilStoredAsync(fixture, item);
    }

    [Theory]
    [InlineData("RAR5", false)]
    [InlineData("RAR5", true)]
    public async Task Swapped_volumes_are_put_in_order(string kind, bool restart)
    {
        var volumes = Volumes(kind, Film, VolumeSize).ToArray();
        (volumes[6].Bytes, volumes[12].Bytes) = (volumes[12].Bytes, volumes[6].Bytes);
        await using var fixture = await ImportFixture.OpenAsync();
        var item = await ImportAsync(fixture, volumes);

        // In the middle of it: its first article is looked at all the same.
        await AssertRangeAsync(
            restart ? fixture.NewOpener() : fixture.Opener, item, Film, (6 * VolumeSize) + 12_000, (6 * VolumeSize) + 14_000);
        await UntilStoredAsync(fixture, item);
        await AssertWholeAsync(fixture.Opener, (await fixture.Tree.GetAsync(item.Id, CancellationToken.None))!, Film);
        Assert.Equal(1, Mended(fixture));
    }

    /// <summary>Articles too small for what is kept of each beginning.</summary>
    [Fact]
    public async Task Swapped_volumes_are_put_in_order_even_with_articles_smaller_than_their_heads()
    {
        var film = PostShape.Film(79, 60_000);
        var volumes = Volumes("RAR5", film, 3_000).ToArray();
        (volumes[6].Bytes, volumes[12].Bytes) = (volumes[12].Bytes, volumes[6].Bytes);
        await using var fixture = await ImportFixture.OpenAsync();
        var item = await ImportAsync(fixture, fixture.Store.AddPost([.. volumes.Select(
            volume => (volume.Name, (IArticleSource)new MemorySource(volume.Bytes)))], Articles with { ArticleSize = 700 }));
        await AssertWholeAsync(fixture.Opener, item, film);
        await UntilStoredAsync(fixture, item);
        await AssertWholeAsync(fixture.NewOpener(), (await fixture.Tree.GetAsync(item.Id, CancellationToken.None))!, film);
    }

    [Fact]
    public async Task A_volume_of_another_size_is_detected_in_sets_without_headers()
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
    public async Task Parts_with_other_yEnc_names_fail_clearly_when_nothing_shows_their_order()
    {
        var parts = VolumeNaming.Numeric("Film.mkv", 20).Zip(Film.Chunk(VolumeSize)).ToArray();
        await using var fixture = await ImportFixture.OpenAsync();
        var posted = fixture.Store.AddPost(
            [.. parts.Select(part => (part.First, (IArticleSource)new MemorySource(part.Second)))], Articles);
        var odd = fixture.Store.AddPost(
            [(parts[6].First, new MemorySource(parts[6].Second))], Articles with { YencName = _ => "Other.mkv.013" });
        var item = await ImportAsync(fixture, [.. posted.Take(6), odd[0], .. posted.Skip(7)]);
        var content = await fixture.Opener.OpenAsync(item, CancellationToken.None);
        var fault = await Assert.ThrowsAsync<ContentException>(
            () => ContentBytes.ReadAsync(content, 0, Film.Length, ReadIntent.Playback, CancellationToken.None));
        Assert.Contains("'Film.mkv.007' calls itself 'Other.mkv.013'", fault.Message, StringComparison.Ordinal);
        await AssertRangeAsync(fixture.Opener, item, Film, 0, 6 * VolumeSize);
    }

    [Fact]
    public async Task Without_the_nzb_a_wrong_layout_fails_clearly()
    {
        var volumes = Volumes("RAR5", Film, VolumeSize).ToArray();
        (volumes[6].Bytes, volumes[12].Bytes) = (volumes[12].Bytes, volumes[6].Bytes);
        await using var fixture = await ImportFixture.OpenAsync();
        var item = await ImportAsync(fixture, volumes);
        await fixture.Jobs.DeleteAsync(item.JobId!.Value, withContent: false, CancellationToken.None);
        var content = await fixture.Opener.OpenAsync(
            (await fixture.Tree.GetAsync(item.Id, CancellationToken.None))!, CancellationToken.None);
        var fault = await Assert.ThrowsAsync<ContentException>(
            () => ContentBytes.ReadAsync(content, 0, Film.Length, ReadIntent.Playback, CancellationToken.None));
        Assert.Contains("no longer kept", fault.Message, StringComparison.Ordinal);
        Assert.Contains("set.part07.rar", fault.Message, StringComparison.Ordinal);
    }
}
