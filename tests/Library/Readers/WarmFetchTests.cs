using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Library.Readers;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet;
using NzbDav.Usenet.Accounts;

namespace NzbDav.Library.Tests.Readers;

/// <summary>Articles that kept readers fetch from a provider over real sockets.</summary>
public sealed class WarmFetchTests
{
    [Fact]
    public async Task Every_article_is_fetched_once_and_a_burst_that_stops_fetches_little_extra()
    {
        const int Articles = 40;
        const int ArticleSize = 200_000;
        var store = new ArticleStore();
        var posted = store.AddFile(
            "film.mkv", new SeededSource(5, "film.mkv", Articles * ArticleSize), new PostOptions { ArticleSize = ArticleSize });
        await using var provider = MockProvider.Start(store);
        var pool = new DiagnosticBufferPool();
        var time = new ManualTimeProvider();
        using var readers = new WarmReaders(pool.Budget, time);

        // The clock stands still, so nothing is late and requested twice.
        await using (var usenet = new UsenetClient(
            [new ProviderOptions { Host = "127.0.0.1", Port = provider.Port, UseTls = false, MaxConnections = 4 }], pool, time,
                NullLogger<UsenetClient>.Instance))
        {
            usenet.Start();
            var table = new SegmentTable.Builder();
            for (var i = 0; i < Articles; i++)
                table.Add(System.Text.Encoding.ASCII.GetBytes(posted.Segments[i].MessageId), (long)i * ArticleSize, ArticleSize);
            var content = readers.Keep(usenet.Open(ExtentMap.OfWholeSegments(table.Build())));

            // A burst that stops: fetches no more than what was read and the narrow window of a newly opened reader.
            const int Piece = 300_000;
            for (long at = 0; at < 12 * Piece; at += Piece)
                await CompareAsync(content, posted, at, at + Piece);
            await Until.TrueAsync(() => usenet.RequestsOnWire == 0 && usenet.QueuedRequests == 0);
            Assert.InRange(provider.Stats.ArticlesServed, 18, 18 + 8);

            // Reads in ranges to the end: each article is fetched once.
            for (long at = 12 * Piece; at < content.Length; at += Piece)
                await CompareAsync(content, posted, at, Math.Min(content.Length, at + Piece));
            Assert.Equal(Articles, provider.Stats.ArticlesServed);
            Assert.Equal(0, provider.Stats.ArticlesAskedAgain);
        }

        Assert.Equal(0, readers.Parked);
    }

    private static async Task CompareAsync(IContent content, PostedFile posted, long start, long end)
    {
        var expected = new byte[end - start];
        posted.Source.Fill(start, expected);
        var got = new List<byte>();
        await using var reader = content.OpenReader(start, end, ReadIntent.Playback);
        while (true)
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            if (lease.IsEmpty)
                break;
            got.AddRange(lease.Memory.Span);
        }

        Assert.Equal(expected, got);
    }
}
