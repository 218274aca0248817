using System.Globalization;
using NzbDav.Conformance.Tests.Stubs;
using NzbDav.Fakes;
using NzbDav.WebDav.Store;

namespace NzbDav.Conformance.Tests.Files;

/// <summary>Articles whose bytes are sent before their checksum is known, and turn out damaged at the end of the requested range.</summary>
public sealed class UnverifiedBytesTests : IDisposable
{
    private const int Article = 10_000;
    private const int Size = 10 * Article;

    private readonly DiagnosticBufferPool _pool = new();
    private readonly byte[] _bytes = SeededBytes.Make(31, Size);
    private readonly ManualContent _content;

    public UnverifiedBytesTests() => _content = new ManualContent(_bytes, Article, _pool, new ManualTimeProvider());

    public void Dispose()
    {
        Assert.Equal(0, _content.Cache.Open);
        _content.Cache.Reclaim(long.MaxValue);
        _pool.AssertAllReturned();
    }

    [Theory]
    [InlineData("/dav/film.mkv", "", false)]
    [InlineData("/dav/film.mkv", "", true)]
    [InlineData("/dav/film.mkv", "0-2499", false)]
    [InlineData("/dav/film.mkv", "0-2499", true)]
    [InlineData("/dav/film.mkv", "20000-29999", true)]
    [InlineData("/dav/film.mkv", "12345-34567", false)]
    [InlineData("/dav/film.mkv", "12345-34567", true)]
    [InlineData("/dav/film.mkv", "5-7,20000-22000", false)]
    [InlineData("/dav/film.mkv", "5-7,20000-22000", true)]
    [InlineData("/dav/film.mkv", "40000-54000,70001-70002,0-3", true)]
    [InlineData("/view", "10-30", true)]
    [InlineData("/view", "0-15000", false)]
    [InlineData("/view", "3-4,5000-15000", true)]
    public async Task A_response_with_bytes_that_turn_out_wrong_never_ends_cleanly(string target, string ranges, bool runsOn)
    {
        var store = new StubStore();
        store.Root.Add(new ContentFile("film.mkv", runsOn ? new RunOnContent(_content) : _content));
        await using var server = await WebDavServer.StartAsync(store);
        var link = target == "/view" ? WebDavServer.Links.PathTo(StorePath.Root.Child("film.mkv"), "film.mkv") : target;
        (string, string)[] headers = ranges.Length == 0
            ? [("Connection", "close")] : [("Connection", "close"), ("Range", "bytes=" + ranges)];
        _content.Fetcher.OnBegin = segment => segment.Complete(_content.BytesOf(segment));
        var right = await WireAsync(server, link, headers);
        Assert.True(RawResponse.Parse(right, isHead: false).IsComplete);

        foreach (var (start, end) in Ranges(ranges))
        {
            // Offset on the wire of the last byte of this range. The byte before it is wrong, and is sent before anybody can know.
            var before = right.AsSpan().LastIndexOf(_bytes.AsSpan(start, end - start + 1)) + (end - start);
            var (article, attempt) = Damage(end - 1);
            await using var connection = await RawConnection.OpenAsync(server.Port);
            await connection.SendHeadAsync("GET", link, headers);
            var sent = await connection.ReadAtLeastAsync(before);
            Assert.Equal(before, sent.Length);
            attempt().Withdraw();
            article().Complete(_content.BytesOf(article()));
            Assert.Empty(await connection.ReadToEndAsync());
        }

        Assert.All(server.Log.Entries, entry => Assert.Contains("film.mkv", entry.Text, StringComparison.Ordinal));
        Assert.Equal(Ranges(ranges).Count(), server.Log.Entries.Count);
    }

    [Fact]
    public async Task A_single_byte_is_sent_once_it_is_verified()
    {
        var store = new StubStore();
        store.Root.Add(new ContentFile("film.mkv", new RunOnContent(_content)));
        await using var server = await WebDavServer.StartAsync(store);
        var (article, attempt) = Damage(77);
        var sending = server.SendAsync("GET", "/dav/film.mkv", ("Range", "bytes=77-77"));
        await Until.TrueAsync(() => attempt() is not null);
        attempt().Withdraw();
        article().Complete(_content.BytesOf(article()));

        // Whether it was lent before the verdict or not.
        var response = await sending;
        Assert.True(!response.IsComplete || response.Body.AsSpan().SequenceEqual(_bytes.AsSpan(77, 1)));
    }

    /// <summary>The next copy of the article arrives whole with this byte damaged, and its checksum is not known yet. All other articles
    /// arrive intact.</summary>
    private (Func<ManualSegment> Article, Func<ManualAttempt> Attempt) Damage(int place)
    {
        ManualSegment? article = null;
        ManualAttempt? attempt = null;
        _content.Cache.Reclaim(long.MaxValue);
        _content.Fetcher.OnBegin = segment =>
        {
            var bytes = _content.BytesOf(segment);
            if (article is not null || segment.Key.Id != $"s{place / Article}")
            {
                segment.Complete(bytes);
                return;
            }

            bytes[place % Article] ^= 1;
            article = segment;
            attempt = segment.Answer(bytes).Show(bytes.Length);
        };
        return (() => article!, () => attempt!);
    }

    private static async Task<byte[]> WireAsync(WebDavServer server, string link, (string, string)[] headers)
    {
        await using var connection = await RawConnection.OpenAsync(server.Port);
        await connection.SendHeadAsync("GET", link, headers);
        return await connection.ReadToEndAsync();
    }

    private static IEnumerable<(int Start, int End)> Ranges(string ranges) => ranges.Length == 0
        ? [(0, Size - 1)]
        : ranges.Split(',').Select(part => part.Split('-')).Select(ends => (Number(ends[0]), Number(ends[1])));

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}
