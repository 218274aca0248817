using NzbDav.Catalog.Jobs;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.Import.Probing;
using NzbDav.Import.Tests.Corpus;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.Import.Tests.Steps;

/// <summary>The date that an .nzb gives is stored with the files of the post, and decides who is asked for their articles: by the import,
/// and by readers after a restart.</summary>
public sealed class PostDateTests
{
    private const int Retention = 1_000;

    /// <summary>Of connections and articles. Stands still, so that nothing is late.</summary>
    private readonly ManualTimeProvider _time = new(new DateTimeOffset(2030, 1, 4, 12, 0, 0, TimeSpan.Zero));

    [Theory]
    [InlineData(false, Retention - 1, true)]
    [InlineData(false, Retention + 2, false)]
    [InlineData(true, Retention - 1, true)]
    [InlineData(true, Retention + 2, false)]
    public async Task Articles_are_requested_from_providers_with_enough_retention(bool packed, int age, bool isFirstAsked)
    {
        var posted = _time.GetUtcNow() - TimeSpan.FromDays(age);
        var film = PostShape.Film(7, 300_000);
        await using var fixture = await StartAsync();
        var volumes = packed
            ? PostShape.Named(new Rar5Writer { VolumeSize = 100_000 }.Write(new PackedFile("Film.mkv", film)),
                static count => VolumeNaming.Part("set", count))
            : [("Film.mkv", film)];
        var post = fixture.Store.AddPost([.. volumes.Select(static volume =>
            (volume.Item1, (IArticleSource)new MemorySource(volume.Item2)))], new PostOptions { ArticleSize = 7_000, Date = posted });
        await fixture.EnqueueAsync(post);
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
        var item = (await fixture.FindAsync("content/movies/Job/Film.mkv"))!;
        var stored = await fixture.Maps.ReadAsync(item.ExtentMap!.Value, CancellationToken.None);
        Assert.Equal((posted - DateTimeOffset.UnixEpoch).Days, stored.Map.Segments.PostedDay);

        fixture.Usenet.Cache.Reclaim(long.MaxValue);
        var content = await fixture.NewOpener().OpenAsync(item, CancellationToken.None);
        Assert.Equal(film, await ContentBytes.ReadAsync(content, 0, film.Length, ReadIntent.Playback, CancellationToken.None));
        foreach (var (mock, index) in fixture.Mocks.Select(static (mock, index) => (mock, index)))
        {
            var asked = mock.Stats.ArticlesAsked + mock.Stats.Commands.GetValueOrDefault("STAT");
            Assert.Equal(isFirstAsked == (index == 0), asked > 0);
        }
    }

    [Fact]
    public async Task An_nzb_without_a_date_is_imported_and_read()
    {
        await using var fixture = await StartAsync();
        var post = fixture.Store.AddPost([("Film.mkv", new SeededSource(1, "Film.mkv", 25_000))],
            new PostOptions { ArticleSize = 10_000, Date = DateTimeOffset.UnixEpoch });
        await fixture.EnqueueAsync(post);
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
        var item = (await fixture.FindAsync("content/movies/Job/Film.mkv"))!;
        Assert.Equal(0, (await fixture.Maps.ReadAsync(item.ExtentMap!.Value, CancellationToken.None)).Map.Segments.PostedDay);
        Assert.Equal(0, fixture.Mocks[1].Stats.ArticlesAsked);
    }

    private Task<ImportFixture> StartAsync() => ImportFixture.OpenAsync(
        [new MockProviderOptions { Name = "0" }, new MockProviderOptions { Name = "1" }], static account =>
            account with { RetentionDays = account.Priority == 0 ? Retention : 0 }, lineTime: _time);
}
