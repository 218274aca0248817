using NzbDav.Catalog;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;

namespace NzbDav.Import.Tests;

/// <summary>Posts that are dead are refused; posts with holes, and posts of which nobody can say, are not.</summary>
public sealed class SurvivalTests
{
    [Theory]
    [InlineData(0.3)]
    [InlineData(0.9)]
    public async Task A_post_of_which_too_much_is_gone_is_refused(double share)
    {
        await using var fixture = await ImportFixture.OpenAsync([new() { Name = "one" }, new() { Name = "two" }]);
        var file = Post(fixture);
        foreach (var mock in fixture.Mocks)
            mock.Faults.Add(Fault.Missing, FaultTarget.Where(segment => Inner(segment) && FaultTarget.Rate(share).Strikes(segment)));
        await fixture.EnqueueAsync([file]);
        var job = await fixture.RunAsync();
        Assert.Equal((JobState.Failed, ImportFailure.Missing), (job.State, job.FailureCode));
        Assert.Contains("Too many articles of this post are gone: about ", job.FailureMessage, StringComparison.Ordinal);
        Assert.Contains("is missing on every provider (one, two)", job.FailureMessage, StringComparison.Ordinal);
        Assert.Equal("validate", job.Timings[^1].Step);
        Assert.Empty(await fixture.PublishedAsync());
    }

    [Fact]
    public async Task A_post_with_holes_is_imported()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var file = Post(fixture);
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.Where(segment => Inner(segment) && FaultTarget.Rate(0.03).Strikes(segment)));
        await fixture.EnqueueAsync([file]);
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
    }

    [Fact]
    public async Task What_one_provider_lacks_and_another_has_is_there()
    {
        await using var fixture = await ImportFixture.OpenAsync([new() { Name = "one" }, new() { Name = "two" }]);
        var file = Post(fixture);
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.All);
        await fixture.EnqueueAsync([file]);
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
    }

    [Fact]
    public async Task A_post_of_which_every_copy_of_too_much_is_gone_is_refused()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var shape = CopiedShapes.Again(CopiedShapes.Film) with { Gone = segment => segment.Index % 2 == 1, AgainGone = segment => segment.Index % 2 == 1 };
        var job = await shape.RunAsync(fixture);
        Assert.Equal((JobState.Failed, ImportFailure.Missing), (job.State, job.FailureCode));
    }

    [Fact]
    public async Task Silence_proves_nothing()
    {
        await using var fixture = await ImportFixture.OpenAsync([new() { Name = "one" }, new() { Name = "two", Username = "me", Password = "right" }]);
        var file = Post(fixture);
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.Where(Inner));
        await fixture.EnqueueAsync([file]);
        var job = await fixture.RunAsync();
        Assert.Equal((JobState.Queued, ImportFailure.Unavailable), (job.State, job.FailureCode));
    }

    [Fact]
    public async Task The_limit_is_the_settings()
    {
        await using var fixture = await ImportFixture.OpenAsync(rules: ImportFixture.Options with { MostMissing = 0.8 });
        var file = Post(fixture);
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.Where(segment => Inner(segment) && FaultTarget.Rate(0.5).Strikes(segment)));
        await fixture.EnqueueAsync([file]);
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
    }

    [Fact]
    public async Task A_small_post_is_asked_for_all_at_once()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var file = fixture.Post("film.mkv")[0];
        var mock = fixture.Mocks[0];
        mock.Faults.Add(Fault.Stall(), FaultTarget.Where(segment => segment.Index == 0), timesInAll: 1);
        await fixture.EnqueueAsync([file]);
        var import = fixture.RunAsync();

        // All is answered but the first article.
        await Until.TrueAsync(() => mock.Stats is { ArticlesAsked: 2 } stats && stats.Commands.GetValueOrDefault("STAT") == 1 && fixture.Usenet is { QueuedRequests: 0, RequestsOnWire: 1 });
        Assert.False(import.IsCompleted);
        mock.DropConnections();
        Assert.Equal(JobState.Completed, (await import).State);
        Assert.Equal(1, mock.Stats.Commands["STAT"]);
    }

    [Fact]
    public async Task What_is_another_part_on_one_provider_is_asked_of_the_next()
    {
        await using var fixture = await ImportFixture.OpenAsync([new() { Name = "one" }, new() { Name = "two" }]);
        var file = fixture.Post("film.mkv")[0];
        fixture.Mocks[0].Faults.Add(Fault.WrongArticle(), FaultTarget.Where(segment => segment.Index == 2));
        await fixture.EnqueueAsync([file]);
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
        Assert.Equal(1, fixture.Mocks[1].Stats.ArticlesServed);
    }

    [Fact]
    public async Task The_sample_costs_no_payload()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var file = Post(fixture);
        var asked = fixture.Mocks[0].Faults.Add(Fault.StatLies, FaultTarget.Where(Inner));
        await fixture.EnqueueAsync([file]);

        // STAT says that they are there, and BODY is asked of none of them.
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
        Assert.Equal(0, asked.Struck);
    }

    private static bool Inner(PostedSegment segment) => segment.Index > 0 && segment.Index < segment.File.Segments.Count - 1;

    private static PostedFile Post(ImportFixture fixture) =>
        fixture.Store.AddFile("movie.mkv", new SeededSource(1, "movie", 8_000_000), new PostOptions { ArticleSize = 70_000 });
}
