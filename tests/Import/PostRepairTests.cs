using System.Security.Cryptography;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Catalog;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.MockUsenet.Faults;
using NzbDav.Usenet.Articles;

namespace NzbDav.Import.Tests;

/// <summary>Posts that lost articles and have recovery data are mended by the import and served to the byte.</summary>
public sealed class PostRepairTests
{
    /// <summary>No article, of 7,000 bytes each, ends where a slice does.</summary>
    private const int SliceSize = 12_004;

    private static readonly byte[] Film = PostShape.Film(31, 290_001);

    [Theory]
    [InlineData(3, 9, 15, 21)]
    [InlineData(0, 7, 14)]
    [InlineData(41, 7, 14)]
    [InlineData(0, 41, 20)]
    public async Task A_post_that_lost_articles_is_mended_and_served_to_the_byte(params int[] gone)
    {
        await using var fixture = await ImportFixture.OpenAsync([new() { Name = "one" }, new() { Name = "two" }]);
        var job = await new PostShape { Posted = WithRecovery([("film.mkv", Film)], 9), Gone = segment => segment.File.Name == "film.mkv" && gone.Contains(segment.Index) }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        Assert.Equal(gone.Length, fixture.Patches.Count);
        await AssertServedAsync(fixture, "film.mkv", Film);

        // It is on the disk.
        var again = new PatchFolder(PatchFolder.In(fixture.Database.Options.ConfigFolder), NullLogger<PatchFolder>.Instance);
        Assert.Equal(gone.Length, again.Count);
    }

    [Fact]
    public async Task Of_a_post_that_lost_too_much_both_reasons_are_told()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await new PostShape { Posted = WithRecovery([("film.mkv", Film)], 3), Gone = segment => segment.File.Name == "film.mkv" && segment.Index % 4 == 1 }.RunAsync(fixture);
        Assert.Equal((JobState.Failed, ImportFailure.Missing), (job.State, job.FailureCode));
        Assert.Contains("Too many articles of this post are gone", job.FailureMessage, StringComparison.Ordinal);
        Assert.EndsWith("The recovery data do not mend it: 19 slices are missing, and 3 recovery slices are there.", job.FailureMessage, StringComparison.Ordinal);
        Assert.Equal(0, fixture.Patches.Count);
    }

    [Fact]
    public async Task A_hole_that_does_not_refuse_a_post_is_mended_too()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await new PostShape { Posted = WithRecovery([("film.mkv", Film)], 2), Gone = segment => segment.File.Name == "film.mkv" && segment.Index == 20 }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, 1), (job.State, fixture.Patches.Count));
        Assert.Contains(job.Timings, timing => timing.Step == "repair");
        await AssertServedAsync(fixture, "film.mkv", Film);
    }

    [Fact]
    public async Task Damaged_articles_are_made_again_too()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        fixture.Mocks[0].Faults.Add(Fault.Corrupt, FaultTarget.Where(segment => segment.File.Name == "film.mkv" && segment.Index is 0 or 12));
        var job = await new PostShape { Posted = WithRecovery([("film.mkv", Film)], 6) }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        await AssertServedAsync(fixture, "film.mkv", Film);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public async Task An_article_with_the_headers_of_a_volume_is_made_again(int volume)
    {
        var volumes = PostShape.Named(new Rar5Writer { VolumeSize = 60_000 }.Write(new PackedFile("Film.mkv", Film)), count => VolumeNaming.Part("set", count)).ToArray();
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await new PostShape { Posted = WithRecovery(volumes, 4), Gone = segment => segment.File.Name == volumes[volume].Name && segment.Index == 0 }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        await AssertServedAsync(fixture, "Film.mkv", Film);
    }

    [Fact]
    public async Task A_volume_of_which_both_ends_are_gone_is_placed_by_its_name()
    {
        var volumes = PostShape.Named(new Rar5Writer { VolumeSize = 60_000 }.Write(new PackedFile("Film.mkv", Film)), count => VolumeNaming.Part("set", count)).ToArray();
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await new PostShape { Posted = WithRecovery(volumes, 6), Gone = segment => segment.File.Name == volumes[1].Name }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        await AssertServedAsync(fixture, "Film.mkv", Film);
    }

    [Fact]
    public async Task A_hole_in_a_recovery_volume_costs_the_slice_that_it_is_in()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await new PostShape
        {
            Posted = WithRecovery([("film.mkv", Film)], 6),
            Gone = segment => segment.File.Name switch { "film.mkv" => segment.Index is 0 or 10, "set.vol0+6.par2" => segment.Index == 4, _ => false },
        }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        await AssertServedAsync(fixture, "film.mkv", Film);
    }

    [Fact]
    public async Task A_post_of_which_nothing_is_gone_is_not_repaired()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await new PostShape { Posted = WithRecovery([("film.mkv", Film)], 2) }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, 0), (job.State, fixture.Patches.Count));
        Assert.DoesNotContain(job.Timings, timing => timing.Step == "repair");
    }

    private static (string Name, byte[] Bytes)[] WithRecovery((string Name, byte[] Bytes)[] files, int slices)
    {
        var writer = new Par2Writer { SliceSize = SliceSize };
        foreach (var (name, bytes) in files)
            writer.Add(name, bytes);
        return [.. files, ("set.par2", writer.Index()), ($"set.vol0+{slices}.par2", writer.Volume(slices))];
    }

    private static async Task AssertServedAsync(ImportFixture fixture, string name, byte[] source)
    {
        var item = await fixture.FindAsync($"content/movies/The Job (2024)/{name}");
        Assert.Equal(source.Length, item?.Size);
        var content = await fixture.NewOpener().OpenAsync(item!, CancellationToken.None);
        var read = await ContentBytes.ReadAsync(content, 0, source.Length, ReadIntent.Playback, CancellationToken.None);
        Assert.Equal(Convert.ToHexString(SHA256.HashData(source)), Convert.ToHexString(SHA256.HashData(read)));
    }
}
