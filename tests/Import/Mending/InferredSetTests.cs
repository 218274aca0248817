using NzbDav.Catalog.Jobs;
using NzbDav.Content;
using NzbDav.Fakes.Archives;
using NzbDav.Fakes.Recovery;
using NzbDav.Import.Probing;
using NzbDav.Import.Progress;
using NzbDav.Import.Tests.Corpus;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using static NzbDav.Import.Tests.Mending.InferredSet;

namespace NzbDav.Import.Tests.Mending;

/// <summary>Regular sets of volumes: an import fetches only three of them, and what it infers of the others is proven before a byte of
/// theirs is sent.</summary>
public sealed class InferredSetTests
{
    [Theory]
    [InlineData("RAR5", "", 4)]
    [InlineData("RAR5", "secret", 4)]
    [InlineData("RAR4", "", 4)]
    [InlineData("7z", "", 4)]
    [InlineData("7z", "secret", 5)]
    [InlineData("split", "", 3)]
    public async Task A_set_of_a_hundred_volumes_needs_only_a_few_articles(string kind, string password, int articles)
    {
        var film = PostShape.Film(78, 990_000);
        await using var fixture = await ImportFixture.OpenAsync();
        var item = await ImportAsync(fixture, Volumes(kind, film, 10_000, password), password: password);
        Assert.InRange(fixture.Mocks[0].Stats.ArticlesServed, 3, articles);

        // The survival check and one question for each volume that was left out.
        Assert.InRange(fixture.Mocks[0].Stats.Commands["STAT"], 97, 98 + 48);
        Assert.InRange((await StoredAsync(fixture, item)).Inferred.Count, 96, 98);
        await AssertWholeAsync(fixture.Opener, item, film);
        Assert.Equal(0, Mended(fixture));
    }

    [Fact]
    public async Task A_set_with_two_files_is_inferred()
    {
        var note = PostShape.Film(5, 321);
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, PostShape.Named(new Rar5Writer { VolumeSize = VolumeSize }.Write(
            new PackedFile("Film.mkv", Film), new PackedFile("Film.nfo", note)), count => VolumeNaming.Part("set", count)));
        Assert.InRange(fixture.Mocks[0].Stats.ArticlesServed, 3, 5);
        await AssertWholeAsync(fixture.Opener, (await fixture.FindAsync("content/movies/Job/Film.mkv"))!, Film);
        await AssertWholeAsync(fixture.Opener, (await fixture.FindAsync("content/movies/Job/Film.nfo"))!, note);
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
    public async Task A_volume_lost_after_the_import_fails_clearly_and_others_still_work(bool restart)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var posted = Post(fixture, Volumes("RAR5", Film, VolumeSize));
        var item = await ImportAsync(fixture, posted);
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.File(posted[9]));
        var opener = restart ? fixture.NewOpener() : fixture.Opener;
        var content = await opener.OpenAsync(item, CancellationToken.None);
        var fault = await Assert.ThrowsAsync<ContentException>(
            () => ContentBytes.ReadAsync(content, (9 * VolumeSize) + 15_000, 10, ReadIntent.Playback, CancellationToken.None));
        Assert.Equal(ContentFault.Missing, fault.Fault);
        await AssertRangeAsync(opener, item, Film, 0, 8 * VolumeSize);
        await AssertRangeAsync(opener, item, Film, 11 * VolumeSize, Film.Length);
    }

    [Theory]
    [InlineData(20_000, false, 5)]
    [InlineData(20_000, true, 5)]
    [InlineData(7_000, false, 64)]
    [InlineData(7_000, true, 64)]
    public async Task Recovery_data_name_parts_that_were_not_fetched(int article, bool swapped, int articles)
    {
        // Renamed after the recovery data were made, as posters do. Where articles are smaller than the hashed beginning, a name cannot be
        // proven and the whole beginning is fetched.
        var names = VolumeNaming.Numeric("Real.Name.mkv", 20);
        var par = names.Zip(Film.Chunk(VolumeSize)).Aggregate(new Par2Writer(), (writer, part) => writer.Add(part.First, part.Second));
        var parts = Film.Chunk(VolumeSize).ToArray();
        if (swapped)
            (parts[6], parts[12]) = (parts[12], parts[6]);
        await using var fixture = await ImportFixture.OpenAsync();
        var posted = Post(fixture, [.. VolumeNaming.Numeric("aaaaaaaaaaaaaaaaaaaaaaaa", 20).Zip(parts), ("set.par2", par.Index())],
            new PostOptions { ArticleSize = article });
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
    public async Task Sizes_from_recovery_data_override_inferred_ones()
    {
        // Sizes that the .nzb cannot show, as encoded ones differ by more.
        var archive = new SevenZipWriter().Write(new PackedFile("Film.mkv", Film))[0];
        var volumes = Cut(archive, [.. Enumerable.Range(0, 18).Select(i => VolumeSize + (i == 5 ? -9 : i == 6 ? 9 : 0))]);
        var named = VolumeNaming.Numeric("set.7z", volumes.Count).Zip(volumes).ToArray();
        var par = named.Aggregate(new Par2Writer(), (writer, part) => writer.Add(part.First, part.Second));
        await using var fixture = await ImportFixture.OpenAsync();
        var item = await ImportAsync(fixture, [.. named, ("set.par2", par.Index())]);
        Assert.Empty((await StoredAsync(fixture, item)).Inferred);
        await AssertWholeAsync(fixture.Opener, item, Film);
        Assert.Equal(0, Mended(fixture));
    }
}
