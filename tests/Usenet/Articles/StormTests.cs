using NzbDav.Content;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>
/// Everything at once: readers that open, leave, cancel and share, broken connections, damaged articles and too little memory.
/// </summary>
public sealed class StormTests
{
    private const int Article = 200_000;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task A_storm_of_faults_neither_hangs_leaks_nor_corrupts(int seed)
    {
        await using var usenet = new UsenetFixture(
            [new() { Name = "one" }, new() { Name = "two", Holds = segment => segment.Index % 11 != 5 }], (options, _) =>
                options with { MaxConnections = 4 }, budget: 8 << 20);
        var file = usenet.Post(20_000_000, new PostOptions { ArticleSize = Article });
        var content = usenet.Client.Open(UsenetFixture.TrueMap(file));
        usenet.Mocks[0].Faults.Add(Fault.Drop(after: 50_000, reset: true), FaultTarget.Rate(0.1, (ulong)seed), timesEach: 1);
        usenet.Mocks[0].Faults.Add(Fault.Corrupt, FaultTarget.Rate(0.1, (ulong)seed + 100), timesEach: 2);
        usenet.Mocks[1].Faults.Add(Fault.Truncated(), FaultTarget.Rate(0.1, (ulong)seed + 200), timesEach: 1);
        await Task.WhenAll(
            Enumerable.Range(0, 6).Select(worker => Task.Run(() => ReadAsync(usenet, content, file, new Random((seed * 100) + worker)))));
        await UsenetFixture.AssertReadsAsync(content, file, 0, file.Length, ReadIntent.Download);
        await Fakes.Until.TrueAsync(() => usenet.Client is { QueuedRequests: 0, RequestsOnWire: 0 });
    }

    private static async Task ReadAsync(UsenetFixture usenet, IContent content, PostedFile file, Random random)
    {
        for (var round = 0; round < 25; round++)
        {
            var start = random.NextInt64(file.Length);
            var end = Math.Min(file.Length, start + random.Next(1, 3_000_000));
            var intent = (ReadIntent)random.Next(5);
            await using var reader = content.OpenReader(start, end, intent);
            using var cancel = new CancellationTokenSource();
            var wrongUpTo = long.MaxValue;
            try
            {
                while (reader.Position < end && random.Next(20) != 0)
                {
                    var at = reader.Position;
                    var next = reader.NextAsync(cancel.Token);
                    if (random.Next(15) == 0)
                        await cancel.CancelAsync();
                    using var lease = await next;
                    var expected = new byte[lease.Length];
                    file.Source.Fill(at, expected);
                    if (expected.AsSpan().SequenceEqual(lease.Memory.Span))
                        continue;

                    // Lent before it was verified: the reader must end before the article does.
                    Assert.True(intent is ReadIntent.Playback or ReadIntent.Probe, $"wrong bytes at {at} for {intent}");
                    wrongUpTo = Math.Min(wrongUpTo, ((at / Article) + 1) * Article);
                }
            }
            catch (OperationCanceledException) when (cancel.IsCancellationRequested)
            {
            }
            catch (ContentException e) when (e.Fault is ContentFault.Corrupt or ContentFault.Unavailable)
            {
                // A reader that had lent bytes of a damaged article is told so; one that lost too many connections too.
            }

            Assert.True(reader.Position < wrongUpTo, $"wrong bytes before {wrongUpTo} were passed over");
            if (random.Next(10) == 0)
                usenet.Mocks[random.Next(2)].DropConnections(reset: random.Next(2) == 0);
        }
    }
}
