using NzbDav.Catalog.Jobs;
using NzbDav.Content;
using NzbDav.Fakes.Archives;
using NzbDav.Fakes.Recovery;
using NzbDav.Import.Tests.Corpus;
using static NzbDav.Import.Tests.Mending.MendedPost;

namespace NzbDav.Import.Tests.Steps;

/// <summary>
/// Posted files whose names say nothing, or whose beginnings cannot be read, are matched with the right description of the recovery set.
/// </summary>
public sealed class PartMatchTests
{
    private static readonly byte[] Film = PostShape.Film(71, 290_001);

    /// <summary>PAR2 hashes the first 16 KiB: more than one article here.</summary>
    [Theory]
    [InlineData("STAT lies", 0)]
    [InlineData("STAT lies", 1)]
    [InlineData("damaged", 0)]
    [InlineData("damaged", 1)]
    public async Task A_file_without_a_meaningful_name_whose_beginning_STAT_confirms_but_nobody_delivers_is_repaired(
        string fault, int segment)
    {
        var writer = new Par2Writer { SliceSize = SliceSize }.Add("Film.mkv", Film);
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, [("8f3a61c09d7e42b5", Film), ("b5e07d2f9146ac38", writer.Volume(4))]);
        Spoil(fixture, fault, posted => posted.File.Name[0] == '8' && posted.Index == segment);
        await fixture.AssertServedAsync("Film.mkv", Film, fixture.NewMendingOpener());
    }

    [Theory]
    [InlineData("STAT lies")]
    [InlineData("damaged")]
    public async Task A_volume_without_a_meaningful_name_whose_first_article_nobody_delivers_is_repaired_at_import(string fault)
    {
        var volumes = new Rar5Writer { VolumeSize = 60_000 }.Write(new PackedFile("Film.mkv", Film));
        var writer = new Par2Writer { SliceSize = SliceSize };
        for (var i = 0; i < volumes.Count; i++)
            writer.Add($"film.part{i + 1}.rar", volumes[i]);
        await using var fixture = await ImportFixture.OpenAsync();
        Spoil(fixture, fault, static posted => posted.File.Name[0] == '2' && posted.Index == 0);
        var job = await new PostShape
        {
            Posted = [.. volumes.Select(static (volume, i) => ($"{i}c4e07d2f9146ac38", volume)),
            ("f5e07d2f9146ac38", writer.Volume(4))]
        }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        await fixture.AssertServedAsync("Film.mkv", Film);
    }

    [Theory]
    [InlineData("missing")]
    [InlineData("STAT lies")]
    [InlineData("damaged")]
    public async Task Volumes_of_one_length_without_meaningful_names_and_first_articles_are_repaired(string fault)
    {
        var volumes = new Rar5Writer { VolumeSize = 60_000 }.Write(new PackedFile("Film.mkv", Film));
        var writer = new Par2Writer { SliceSize = SliceSize };
        for (var i = 0; i < volumes.Count; i++)
            writer.Add($"film.part{i + 1}.rar", volumes[i]);
        await using var fixture = await ImportFixture.OpenAsync();
        Spoil(fixture, fault, static posted => posted.File.Name[0] is '1' or '2' or '3' && posted.Index == 0);
        var job = await new PostShape
        {
            Posted = [.. volumes.Select(static (volume, i) => ($"{i}c4e07d2f9146ac38", volume)),
            ("f5e07d2f9146ac38", writer.Volume(12))]
        }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        await fixture.AssertServedAsync("Film.mkv", Film);
    }

    [Fact]
    public async Task Each_of_two_identical_files_is_repaired()
    {
        var writer = new Par2Writer { SliceSize = SliceSize }.Add("a.mkv", Film).Add("b.mkv", Film);
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, [("8f3a61c09d7e42b5", Film), ("04c9d8e7f2a1b365", Film), ("b5e07d2f9146ac38", writer.Volume(4))]);
        Spoil(fixture, "missing", static posted => posted.File.Name[0] is '8' or '0' && posted.Index == 20);
        Assert.Equal([Hash(Film), Hash(Film)], await HashFilmsAsync(fixture));
        Assert.Equal(2, fixture.Patches.Count);
    }

    [Theory]
    [InlineData("a.mkv", "b.mkv", "")]
    [InlineData("b.mkv", "a.mkv", "")]
    [InlineData("a.mkv", "b.mkv", "Folder/")]
    [InlineData("b.mkv", "a.mkv", "Folder/")]
    public async Task Files_with_the_same_length_and_beginning_are_told_apart_by_their_names(string first, string second, string folder)
    {
        // Equal in the first 16 KiB, which PAR2 hashes.
        byte[] other = [.. Film[..(16 << 10)], .. PostShape.Film(72, Film.Length)[(16 << 10)..]];
        var bytes = new Dictionary<string, byte[]>(StringComparer.Ordinal) { ["a.mkv"] = Film, ["b.mkv"] = other };
        var writer = new Par2Writer { SliceSize = SliceSize }.Add(folder + "a.mkv", Film).Add(folder + "b.mkv", other);
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(
            fixture, [(first, bytes[first]), (second, bytes[second]), ("set.par2", writer.Index()), ("set.vol0+4.par2", writer.Volume(4))]);
        Spoil(fixture, "missing", static posted => posted.File.Name is "a.mkv" or "b.mkv" && posted.Index == 20);
        Assert.Equal(new[] { Hash(Film), Hash(other) }.Order(), (await HashFilmsAsync(fixture)).Order());
        Assert.Equal(2, fixture.Patches.Count);
    }

    [Theory]
    [InlineData("Folder/film.mkv")]
    [InlineData(@"Folder\film.mkv")]
    public async Task A_file_that_the_set_describes_in_a_folder_is_matched_by_its_own_name(string described)
    {
        // Of two files of one length whose beginnings are gone, only the names tell which is which.
        var other = PostShape.Film(73, Film.Length);
        var writer = new Par2Writer { SliceSize = SliceSize }.Add(described, Film).Add("Folder/other.mkv", other);
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(
            fixture, [("film.mkv", Film), ("other.mkv", other), ("set.par2", writer.Index()), ("set.vol0+6.par2", writer.Volume(6))]);
        Spoil(fixture, "missing", static posted => posted.File.Name is "film.mkv" or "other.mkv" && posted.Index == 0);
        Assert.Equal(new[] { Hash(Film), Hash(other) }.Order(), (await HashFilmsAsync(fixture)).Order());
    }

    [Theory]
    [InlineData("a.mkv", "b.mkv", "8f3a61c09d7e42b5")]
    [InlineData("One/film.mkv", "Two/film.mkv", "film.mkv")]
    public async Task A_file_without_a_beginning_that_two_descriptions_fit_is_told_by_one_of_its_slices(
        string first, string second, string name)
    {
        byte[][] films = [PostShape.Film(74, 60_001), PostShape.Film(75, 60_001)];
        var writer = new Par2Writer { SliceSize = SliceSize }.Add(first, films[0]).Add(second, films[1]);
        foreach (var film in films)
        {
            await using var fixture = await ImportFixture.OpenAsync();
            await ImportAsync(fixture, [(name, film), ("b5e07d2f9146ac38", writer.Volume(12))]);
            Spoil(fixture, "missing", segment => segment.File.Name == name && segment.Index == 0);
            Assert.Equal([Hash(film)], await HashFilmsAsync(fixture));
        }
    }

    [Theory]
    [InlineData("a.mkv", "b.mkv", "8f3a61c09d7e42b5")]
    [InlineData("One/film.mkv", "Two/film.mkv", "film.mkv")]
    public async Task A_file_without_a_whole_slice_that_two_descriptions_fit_is_never_given_the_bytes_of_the_other(
        string first, string second, string name)
    {
        // There are enough recovery data to restore a whole file.
        byte[][] films = [PostShape.Film(74, SliceSize - 100), PostShape.Film(75, SliceSize - 100)];
        var writer = new Par2Writer { SliceSize = SliceSize }.Add(first, films[0]).Add(second, films[1]);
        foreach (var film in films)
        {
            await using var fixture = await ImportFixture.OpenAsync();
            await ImportAsync(fixture, [(name, film), ("b5e07d2f9146ac38", writer.Volume(12))]);
            Spoil(fixture, "missing", segment => segment.File.Name == name && segment.Index == 0);
            await Assert.ThrowsAsync<ContentException>(() => HashFilmsAsync(fixture));
            Assert.Equal(0, fixture.Patches.Count);
        }
    }

    /// <summary>The hashes of all published films, as readers get them.</summary>
    private static async Task<List<string>> HashFilmsAsync(ImportFixture fixture, string folder = "content/movies/The Job (2024)")
    {
        var hashes = new List<string>();
        foreach (var name in await fixture.ListAsync(folder))
        {
            if (name.EndsWith(".mkv", StringComparison.Ordinal))
                hashes.Add(Hash(await ReadAsync(fixture, $"{folder}/{name}")));
            else
                hashes.AddRange(await HashFilmsAsync(fixture, $"{folder}/{name}"));
        }

        return hashes;
    }
}
