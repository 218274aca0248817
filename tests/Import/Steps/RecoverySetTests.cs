using NzbDav.Catalog.Jobs;
using NzbDav.Fakes.Archives;
using NzbDav.Fakes.Recovery;
using NzbDav.Import.Tests.Corpus;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Steps;

/// <summary>Recovery data as found in real posts: with meaningless names, without an index, with missing or unlisted articles, or written
/// by other programs.</summary>
public sealed class RecoverySetTests
{
    private const int SliceSize = 12_004;

    private static readonly byte[] Film = PostShape.Film(61, 290_001);
    private static readonly byte[] Other = PostShape.Film(62, 200_003);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Recovery_data_without_meaningful_names_are_recognised_by_their_bytes(bool isGoneAtImport)
    {
        var writer = new Par2Writer { SliceSize = SliceSize }.Add("Film.mkv", Film);
        (string, byte[])[] posted = [
            ("8f3a61c09d7e42b5", Film), ("b5e07d2f9146ac38", writer.Volume(3)), ("04c9d8e7f2a1b365", writer.Volume(4, first: 3))];
        await AssertMendedAsync(
            posted, isGoneAtImport, static segment => segment.File.Name[0] == '8' && segment.Index is 7 or 20, "Film.mkv", Film);
    }

    [Fact]
    public async Task A_film_in_unnamed_volumes_that_lost_articles_is_repaired_at_import()
    {
        var volumes = new Rar5Writer { VolumeSize = 60_000 }.Write(new PackedFile("Film.mkv", Film));
        var writer = new Par2Writer { SliceSize = SliceSize };
        for (var i = 0; i < volumes.Count; i++)
            writer.Add($"film.part{i + 1}.rar", volumes[i]);
        (string, byte[])[] posted = [
            .. volumes.Select(static (volume, i) => ($"{i}c4e07d2f9146ac38", volume)), ("f5e07d2f9146ac38", writer.Volume(4))];
        await AssertMendedAsync(
            posted, isGoneAtImport: true, static segment => segment.File.Name[0] == '2' && segment.Index == 0, "Film.mkv", Film);
    }

    [Fact]
    public async Task Each_of_several_unnamed_sets_without_an_index_repairs_its_own_file()
    {
        var (first, second) = (new Par2Writer { SliceSize = SliceSize }.Add("Film.mkv", Film),
            new Par2Writer { SliceSize = SliceSize }.Add("Other.mkv", Other));
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await new PostShape
        {
            Posted = [("11f0a2b3c4d5e6f7", Film), ("22f0a2b3c4d5e6f7", Other), ("33f0a2b3c4d5e6f7", first.Volume(3)),
                ("44f0a2b3c4d5e6f7", second.Volume(3))],
            Gone = static segment => segment.File.Name[0] is '1' or '2' && segment.Index == 9,
        }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        await fixture.AssertServedAsync("Film.mkv", Film, fixture.NewMendingOpener());
        await fixture.AssertServedAsync("Other.mkv", Other, fixture.NewMendingOpener());
        Assert.Equal(2, fixture.Patches.Count);
    }

    [Theory]
    [InlineData("set.vol0+6.par2", 3)]
    [InlineData("set.vol0+6.par2", 0)]
    [InlineData("set.par2", 0)]
    public async Task An_unlisted_article_of_the_recovery_data_costs_only_its_content(string name, int unlisted)
    {
        var writer = new Par2Writer { SliceSize = SliceSize }.Add("film.mkv", Film);
        var shape = new PostShape
        {
            Posted = [("film.mkv", Film), ("set.par2", writer.Index()), ("set.vol0+6.par2", writer.Volume(6))],
            Nzb = new NzbOptions { Include = segment => segment.File.Name != name || segment.Index != unlisted },
            Gone = static segment => segment.File.Name == "film.mkv" && segment.Index is 10 or 30,
        };
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await shape.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        await fixture.AssertServedAsync("film.mkv", Film, fixture.NewMendingOpener());
    }

    [Fact]
    public async Task A_set_description_is_assembled_from_several_incomplete_volumes()
    {
        // Each volume lacks a different half of the set's description.
        var writer = new Par2Writer { SliceSize = 4_000, RepeatsDescriptions = true }.Add("film.mkv", Film).Add("other.mkv", Other);
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await new PostShape
        {
            Posted = [("film.mkv", Film), ("other.mkv", Other), ("set.vol0+8.par2", writer.Volume(8)),
                ("set.vol8+8.par2", writer.Volume(8, first: 8))],
            Gone = static segment => segment.File.Name switch
            {
                "film.mkv" => segment.Index is 10,
                "set.vol0+8.par2" => segment.Index % 2 == 1,
                "set.vol8+8.par2" => segment.Index % 2 == 0 && segment.Index > 0,
                _ => false
            },
        }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null, 1), (job.State, job.FailureMessage, fixture.Patches.Count));
        await fixture.AssertServedAsync("film.mkv", Film, fixture.NewMendingOpener());
    }

    [Fact]
    public async Task A_set_written_like_ParPar_repairs_its_files()
    {
        var writer = new Par2Writer { SliceSize = SliceSize, RepeatsDescriptions = true, UnicodePackets = true }.Add("Größe 大.mkv", Film)
            .Add("b.mkv", Other);
        (string, byte[])[] posted = [("8f3a61c09d7e42b5", Film), ("b.mkv", Other), ("set.par2", writer.Index()),
            ("set.vol0+2.par2", writer.Volume(2)), ("set.vol2+2.par2", writer.Volume(2, first: 2))];
        await AssertMendedAsync(
            posted, isGoneAtImport: true, static segment => segment.File.Name[0] == '8' && segment.Index is 7 or 20, "Größe 大.mkv", Film);
    }

    [Fact]
    public async Task A_packed_set_is_reported_as_unusable()
    {
        var writer = new Par2Writer { SliceSize = SliceSize, IsPacked = true }.Add("film.mkv", Film);
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await new PostShape
        {
            Posted = [("film.mkv", Film), ("set.par2", writer.Index()), ("set.vol0+3.par2", writer.Volume(3))],
            Gone = static segment => segment.File.Name == "film.mkv" && segment.Index == 20,
        }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, 0), (job.State, fixture.Patches.Count));
        Assert.Contains(fixture.Log.Entries, static entry => entry.Message.Contains("a packed set", StringComparison.Ordinal));
    }

    private static async Task AssertMendedAsync(
        (string Name, byte[] Bytes)[] posted, bool isGoneAtImport, Func<PostedSegment, bool> gone, string name, byte[] source)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var shape = new PostShape { Posted = posted };
        var job = await (isGoneAtImport ? shape with { Gone = gone } : shape).RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        if (!isGoneAtImport)
        {
            fixture.Usenet.Cache.Reclaim(long.MaxValue);
            fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.Where(gone));
        }

        await fixture.AssertServedAsync(name, source, fixture.NewMendingOpener());
        Assert.InRange(fixture.Patches.Count, 1, 2);
    }
}
