using NzbDav.Catalog.Jobs;
using NzbDav.Fakes;
using NzbDav.Fakes.Recovery;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;

namespace NzbDav.Import.Tests.Steps;

/// <summary>Names known only from recovery data.</summary>
public sealed class RecoveryNamesTests
{
    private static readonly byte[] Movie = [0x1A, 0x45, 0xDF, 0xA3, .. SeededBytes.Make(1, 60_000)];
    private static readonly byte[] Subtitles = SeededBytes.Make(2, 700);

    [Theory]
    [InlineData(10_000)]
    [InlineData(20_000)]
    [InlineData(716_800)]
    public async Task Obfuscated_files_get_their_names_from_the_hash_of_their_first_16_KiB(int articleSize)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var par2 = new Par2Writer().Add("The Movie (2020).mkv", Movie).Add("Subs/The Movie (2020).en.srt", Subtitles);
        var files = Post(fixture, articleSize, ("x", Movie), ("y", Subtitles), ("z", par2.Index()));
        await fixture.EnqueueAsync(files);
        var job = await fixture.RunAsync();
        Assert.Null(job.FailureMessage);
        Assert.Equal(["Subs", "The Movie (2020).mkv"], (await fixture.PublishedAsync()).Order(StringComparer.Ordinal));
        Assert.NotNull(await fixture.FindAsync("content/movies/Job/Subs/The Movie (2020).en.srt"));
    }

    [Fact]
    public async Task Without_an_index_a_recovery_volume_provides_the_names()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var par2 = new Par2Writer().Add("The Movie (2020).mkv", Movie);
        await fixture.EnqueueAsync(Post(fixture, 20_000, ("x", Movie), ("z", par2.Volume(12))));
        await fixture.RunAsync();
        Assert.Equal(["The Movie (2020).mkv"], await fixture.PublishedAsync());
    }

    [Fact]
    public async Task An_unreadable_recovery_set_costs_only_the_names()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var par2 = new Par2Writer().Add("The Movie (2020).mkv", Movie);
        var files = Post(fixture, 4_000, ("x", Movie), ("z", par2.Volume(12)));
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.Where(segment => segment.File == files[1] && segment.Index > 0));
        await fixture.EnqueueAsync(files);
        var job = await fixture.RunAsync();
        Assert.Null(job.FailureMessage);
        Assert.Equal(["Job.mkv"], await fixture.PublishedAsync());
    }

    [Fact]
    public async Task Names_in_recovery_data_cannot_leave_the_job_folder()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var par2 = new Par2Writer().Add("../../../../etc/cron.d/evil.mkv", Movie).Add("C:\\Windows\\con.srt", Subtitles);
        await fixture.EnqueueAsync(Post(fixture, 20_000, ("x", Movie), ("y", Subtitles), ("z", par2.Index())));
        await fixture.RunAsync();
        Assert.NotNull(await fixture.FindAsync("content/movies/Job/etc/cron.d/evil.mkv"));
        Assert.NotNull(await fixture.FindAsync("content/movies/Job/Windows/_con.srt"));
        Assert.Null(await fixture.FindAsync("etc"));
    }

    [Fact]
    public async Task Recovery_volumes_are_not_fetched_when_not_needed()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var par2 = new Par2Writer().Add("movie.mkv", Movie);
        var files = fixture.Store.AddPost(
            [("movie.mkv", new MemorySource(Movie)), ("movie.par2", new MemorySource(par2.Index())),
                ("movie.vol0+3.par2", new MemorySource(par2.Volume(3))), ("movie.vol3+9.par2", new MemorySource(par2.Volume(9)))],
            new PostOptions { ArticleSize = 20_000 });
        var asked = fixture.Mocks[0].Faults.Add(
            Fault.Missing, FaultTarget.Where(segment => segment.File == files[2] || segment.File == files[3]));
        await fixture.EnqueueAsync(files);
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
        Assert.Equal(0, asked.Struck);
    }

    private static IReadOnlyList<PostedFile> Post(ImportFixture fixture, int articleSize, params (string Name, byte[] Bytes)[] files) =>
        fixture.Store.AddPost(
            [.. files.Select(file => (file.Name, (IArticleSource)new MemorySource(file.Bytes)))], new PostOptions
            { ArticleSize = articleSize, Obfuscated = true });
}
