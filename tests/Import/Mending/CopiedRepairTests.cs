using NzbDav.Catalog.Jobs;
using NzbDav.Fakes.Recovery;
using NzbDav.Import.Tests.Corpus;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;
using static NzbDav.Import.Tests.Mending.MendedPost;

namespace NzbDav.Import.Tests.Mending;

/// <summary>
/// Files that were posted more than once: an article that all copies lost is restored for those who read all of them as one.
/// </summary>
public sealed class CopiedRepairTests
{
    private static readonly Par2Writer Writer = new Par2Writer { SliceSize = SliceSize }.Add("film.mkv", Film);

    private static readonly (string Name, byte[] Bytes)[] Twice = [
        ("film.mkv", Film), ("film.mkv", Film), ("set.par2", Writer.Index()), ("set.vol0+6.par2", Writer.Volume(6))];

    [Theory]
    [InlineData(20)]
    [InlineData(0, 20)]
    [InlineData(41)]
    public async Task An_article_that_both_copies_of_a_file_lost_is_restored_at_import(params int[] gone)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await new PostShape { Posted = Twice, Gone = segment => IsFilm(segment) && gone.Contains(segment.Index) }.RunAsync(
            fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        await fixture.AssertServedAsync("film.mkv", Film);
    }

    [Theory]
    [InlineData("missing")]
    [InlineData("damaged")]
    [InlineData("STAT lies")]
    public async Task An_article_that_both_copies_of_a_file_lose_later_is_restored_for_its_readers(string fault)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, Twice);
        Spoil(fixture, fault, static segment => IsFilm(segment) && segment.Index is 0 or 20);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task An_article_is_restored_although_nothing_is_left_of_one_copy(int dead)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, Twice);
        Spoil(fixture, "missing", segment => IsFilm(segment) && (segment.File.Number == dead || segment.Index is 0 or 20));
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
        Assert.Equal(2, fixture.Patches.Count);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_article_is_restored_that_the_nzb_lists_with_one_of_another_file(bool isOtherGone)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(
            fixture, new PostShape { Posted = [Twice[0], .. Twice[2..]], Again = [("film.mkv", PostShape.Film(59, Film.Length))] });
        var item = (await fixture.FindAsync(FilmPath))!;
        var own = await Task.WhenAll(Enumerable.Range(0, 42).Select(segment => IdOfAsync(fixture, item, segment)));
        Spoil(fixture, "missing",
            segment => segment.MessageId == own[20] || (isOtherGone && IsFilm(segment) && !own.Contains(segment.MessageId)));
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
    }

    [Theory]
    [InlineData(5)]
    [InlineData(0)]
    [InlineData(41)]
    public async Task An_article_of_which_one_copy_is_not_listed_is_restored(int unlisted)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, new PostShape
        {
            Posted = Twice,
            Nzb = new NzbOptions { Include = segment => !(IsFilm(segment) && segment.File.Number == 2 && segment.Index == unlisted) }
        });
        Spoil(fixture, "missing", segment => IsFilm(segment) && (segment.Index == unlisted || segment.Index == 20));
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
    }

    [Fact]
    public async Task Different_files_of_one_name_and_length_get_their_own_bytes()
    {
        var other = PostShape.Film(60, Film.Length);
        var writer = new Par2Writer { SliceSize = SliceSize }.Add("film.mkv", Film).Add("other.mkv", other);
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(
            fixture, [("film.mkv", Film), ("film.mkv", other), ("set.par2", writer.Index()), ("set.vol0+6.par2", writer.Volume(6))]);
        Spoil(fixture, "missing", static segment => IsFilm(segment) && segment.Index == 20);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
        Assert.Equal(Hash(other), Hash(await ReadAsync(fixture, "content/movies/The Job (2024)/other.mkv")));
    }

    private static bool IsFilm(PostedSegment segment) => segment.File.Name == "film.mkv";
}
