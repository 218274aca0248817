using NzbDav.Catalog.Jobs;
using NzbDav.Fakes;
using NzbDav.Import.Progress;
using NzbDav.Import.Tests.Corpus;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;

namespace NzbDav.Import.Tests.Steps;

/// <summary>Dead posts are refused; posts with holes, and posts that cannot be judged, are not.</summary>
public sealed class SurvivalTests
{
    [Theory]
    [InlineData(0.3)]
    [InlineData(0.9)]
    public async Task A_post_with_too_many_missing_articles_is_refused(double share)
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
    public async Task A_post_with_a_few_holes_is_imported()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var file = Post(fixture);
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.Where(segment => Inner(segment) && FaultTarget.Rate(0.03).Strikes(segment)));
        await fixture.EnqueueAsync([file]);
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
    }

    [Fact]
    public async Task Articles_that_another_provider_has_are_not_missing()
    {
        await using var fixture = await ImportFixture.OpenAsync([new() { Name = "one" }, new() { Name = "two" }]);
        var file = Post(fixture);
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.All);
        await fixture.EnqueueAsync([file]);
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
    }

    [Fact]
    public async Task A_post_with_too_many_articles_missing_in_every_copy_is_refused()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var shape = CopiedShapes.Again(CopiedShapes.Film)
            with
        { Gone = segment => segment.Index % 2 == 1, AgainGone = segment => segment.Index % 2 == 1 };
        var job = await shape.RunAsync(fixture);
        Assert.Equal((JobState.Failed, ImportFailure.Missing), (job.State, job.FailureCode));
    }

    [Fact]
    public async Task A_provider_that_cannot_answer_does_not_prove_articles_missing()
    {
        await using var fixture = await ImportFixture.OpenAsync(
            [new() { Name = "one" }, new() { Name = "two", Username = "me", Password = "right" }]);
        var file = Post(fixture);
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.Where(Inner));
        await fixture.EnqueueAsync([file]);
        var job = await fixture.RunAsync();
        Assert.Equal((JobState.Queued, ImportFailure.Unavailable), (job.State, job.FailureCode));
    }

    [Fact]
    public async Task The_limit_comes_from_the_setting()
    {
        await using var fixture = await ImportFixture.OpenAsync(rules: ImportFixture.Options with { MostMissing = 0.8 });
        var file = Post(fixture);
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.Where(segment => Inner(segment) && FaultTarget.Rate(0.5).Strikes(segment)));
        await fixture.EnqueueAsync([file]);
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
    }

    [Fact]
    public async Task All_articles_of_a_small_post_are_checked_at_once()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var file = fixture.Post("film.mkv")[0];
        var mock = fixture.Mocks[0];
        mock.Faults.Add(Fault.Stall(), FaultTarget.Where(segment => segment.Index == 0), timesInAll: 1);
        await fixture.EnqueueAsync([file]);
        var import = fixture.RunAsync();

        // Everything but the first article has been answered.
        await Until.TrueAsync(() => mock.Stats is { ArticlesAsked: 2 } stats && stats.Commands.GetValueOrDefault("STAT") == 1
            && fixture.Usenet is { QueuedRequests: 0, RequestsOnWire: 1 });
        Assert.False(import.IsCompleted);
        mock.DropConnections();
        Assert.Equal(JobState.Completed, (await import).State);
        Assert.Equal(1, mock.Stats.Commands["STAT"]);
    }

    [Fact]
    public async Task A_wrong_part_on_one_provider_is_fetched_from_the_next()
    {
        await using var fixture = await ImportFixture.OpenAsync([new() { Name = "one" }, new() { Name = "two" }]);
        var file = fixture.Post("film.mkv")[0];
        fixture.Mocks[0].Faults.Add(Fault.WrongArticle(), FaultTarget.Where(segment => segment.Index == 2));
        await fixture.EnqueueAsync([file]);
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
        Assert.Equal(1, fixture.Mocks[1].Stats.ArticlesServed);
    }

    [Fact]
    public async Task The_sample_needs_no_payload()
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
