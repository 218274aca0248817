using System.Net.Http.Headers;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Reading;

/// <summary>Many readers, many ranges, many aborts: always the right bytes, and everything is returned.</summary>
public sealed class LoadTests
{
    private const long Size = 64 << 20;

    [Theory]
    [InlineData(0)]
    [InlineData(10)]
    public async Task RNG_20_Many_readers_of_one_file_get_the_right_bytes(int latency)
    {
        const int Readers = 16;
        await using var news = new NewsServers(new MockProviderOptions { Name = "one", Latency = TimeSpan.FromMilliseconds(latency) });
        await using var gateway = await Gateway.StartAsync(news, change: settings => settings with { MemoryBudgetMiB = 32 });
        var file = news.Post("big.mkv", Size);
        var path = await gateway.ImportAsync("big", file) + "/big.mkv";
        await gateway.Client.AssertFileAsync(path, file);
        gateway.ForgetArticles();
        await gateway.Client.AssertRangesAsync(path, file, count: 200, seed: 1);
        gateway.ForgetArticles();
        await Task.WhenAll(Enumerable.Range(0, Readers).Select(reader => reader % 8 == 0
            ? gateway.Client.AssertFileAsync(path, file)
            : gateway.Client.AssertRangesAsync(path, file, count: 20, seed: 100 + reader, longest: 8_000_000)));
        await gateway.AssertNothingLeaksAsync();
    }

    [Fact]
    public async Task RNG_21_Aborted_reads_leak_nothing()
    {
        const int Aborts = 200;
        const int Together = 8;
        await using var news = new NewsServers(new MockProviderOptions { Name = "one", Latency = TimeSpan.FromMilliseconds(2) });
        await using var gateway = await Gateway.StartAsync(news, change: settings => settings with { MemoryBudgetMiB = 32 });
        var file = news.Post("left.mkv", Size);
        var path = await gateway.ImportAsync("left", file) + "/left.mkv";
        await Parallel.ForAsync(0, Aborts, new ParallelOptions { MaxDegreeOfParallelism = Together }, async (number, _) =>
        {
            var random = new Random(number);
            using var gone = new CancellationTokenSource();
            using var request = new HttpRequestMessage(HttpMethod.Get, path);
            request.Headers.Range = new RangeHeaderValue(random.NextInt64(Size - 1), null);

            // Some abort before the first byte, some after a few, some after many.
            if (number % 4 == 0)
            {
                var pending = gateway.Client.Http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, gone.Token);
                await gone.CancelAsync();
                try
                {
                    (await pending).Dispose();
                }
                catch (OperationCanceledException)
                {
                }

                return;
            }

            using var response = await gateway.Client.Http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, gone.Token);
            await using var body = await response.Content.ReadAsStreamAsync(gone.Token);
            var wanted = number % 4 == 1 ? 1 : random.Next(1 << 20);
            var piece = new byte[64 << 10];
            for (int got = 0, read = 1; got < wanted && read > 0; got += read)
                read = await body.ReadAsync(piece, gone.Token);
        });

        await gateway.AssertNothingLeaksAsync();

        // An abort closes no connection. A few are replaced while they look silent: this process has more to do than the processors.
        Assert.InRange(news.First.Stats.ConnectionsOpened, 1, Aborts / 4);

        // Reading works as before.
        await gateway.Client.AssertFileAsync(path, file);
        await gateway.AssertNothingLeaksAsync();
    }
}
