using System.Security.Cryptography;
using NzbDav.Archives.Ciphers;
using NzbDav.Archives.Layouts;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Library.Readers;

namespace NzbDav.Library.Tests.Readers;

/// <summary>
/// Bytes are sent before their article is verified. A range read to its end still has the right bytes, whatever reader is in between.
/// </summary>
public sealed class UnverifiedBytesTests
{
    private const int Article = 100_000;
    private const int Size = 6_000_003;

    private readonly ManualTimeProvider _time = new();
    private readonly DiagnosticBufferPool _pool = new();
    private readonly byte[] _bytes = SeededBytes.Make(11, Size);

    /// <summary>
    /// Consecutive ranges until readers are kept; then one range ends in, or just behind, an article that is damaged within that range.
    /// </summary>
    [Theory]
    [InlineData("plain")]
    [InlineData("slice")]
    [InlineData("parts")]
    [InlineData("encrypted")]
    [InlineData("encrypted parts")]
    public async Task A_range_read_to_its_end_has_the_right_bytes(string shape)
    {
        var random = new Random(7);
        var broken = 0;
        for (var round = 0; round < 16; round++)
        {
            var (source, content, place) = Make(shape);
            using var readers = new WarmReaders(_pool.Budget, _time);
            var network = new DamagingNetwork(source);
            var warm = readers.Keep(content);
            var at = random.Next(Size / 3);
            var ranges = new List<int> { at };
            while (ranges[^1] - at < WarmReaders.BurstLength + 1_000_000)
                ranges.Add(ranges[^1] + 1 + random.Next(500_000));

            // Somewhere in the last range, not far from its end.
            var (start, end) = (ranges[^2], ranges[^1]);
            network.Damage(place(end - 1 - random.Next(Math.Min(end - start, 2 * Article))), Article, comesAgain: random.Next(2) == 0);
            for (var i = 0; i + 1 < ranges.Count; i++)
                broken += await ReadRangeAsync(warm, ranges[i], ranges[i + 1], network.Judge) ? 0 : 1;

            // The client requests the aborted range again.
            Assert.True(await ReadRangeAsync(warm, start, end, network.Judge));
            readers.Dispose();
            while (network.Judge())
            {
            }

            Assert.Equal(0, source.Cache.Open);
            source.Cache.Reclaim(long.MaxValue);
            _pool.AssertAllReturned();
            _pool.AssertNothingReserved();
        }

        Assert.InRange(broken, 1, 16);
    }

    [Fact]
    public async Task A_kept_reader_holds_back_only_the_last_byte_of_each_range()
    {
        var (source, content, _) = Make("plain");
        using var readers = new WarmReaders(_pool.Budget, _time);
        var warm = readers.Keep(content);
        source.Fetcher.OnBegin = segment => segment.Complete(source.BytesOf(segment));
        for (var at = 0; at < WarmReaders.BurstLength; at += Article)
            await ReadRangeAsync(warm, at, at + Article, () => false);

        // Now readers are kept. The range ends in the middle of an article that has arrived whole and is not verified.
        source.Fetcher.OnBegin = segment => segment.Send();
        var start = (int)(WarmReaders.BurstLength + Article - 1) / Article * Article;
        await using var reader = warm.OpenReader(start, start + 50_000, ReadIntent.Playback);
        var next = source.Fetcher[$"s{start / Article}"];
        var attempt = next.Answer(source.BytesOf(next)).Show(Article);
        using (var first = await reader.NextAsync(CancellationToken.None))
            Assert.Equal((49_999, false), (first.Length, first.IsVerified));
        var last = reader.NextAsync(CancellationToken.None).AsTask();
        Assert.False(last.IsCompleted);
        attempt.Complete();
        using (var lease = await last)
            Assert.Equal((1, true), (lease.Length, lease.IsVerified));
        await reader.DisposeAsync();
        Assert.Equal(1, readers.Parked);

        // The bytes that the reader had lent are verified by now: they are sent at once; only the article's own last byte is still held
        // back.
        await using var follower = warm.OpenReader(start + 50_000, start + Article + 10, ReadIntent.Playback);
        using var rest = await follower.NextAsync(CancellationToken.None);
        Assert.Equal((49_999, true), (rest.Length, rest.IsVerified));
        foreach (var segment in source.Fetcher.Pending)
            segment.Fail(ContentFault.Missing);
    }

    [Fact]
    public async Task A_reader_is_not_kept_after_wrong_bytes()
    {
        var (source, content, _) = Make("plain");
        using var readers = new WarmReaders(_pool.Budget, _time);
        var warm = readers.Keep(content);
        source.Fetcher.OnBegin = segment => segment.Complete(source.BytesOf(segment));
        var start = 0;
        for (; start < WarmReaders.BurstLength; start += Article)
            await ReadRangeAsync(warm, start, start + Article, () => false);
        source.Fetcher.OnBegin = segment => segment.Send();
        await using (var reader = warm.OpenReader(start, start + 50_000, ReadIntent.Playback))
        {
            var next = source.Fetcher[$"s{start / Article}"];
            var wrong = source.BytesOf(next);
            wrong[70_000] ^= 1;
            wrong[20_000] ^= 1;
            var attempt = next.Answer(wrong).Show(Article);
            (await reader.NextAsync(CancellationToken.None)).Dispose();
            var last = reader.NextAsync(CancellationToken.None).AsTask();
            attempt.Withdraw();
            next.Complete(source.BytesOf(next));
            Assert.Equal(ContentFault.Corrupt, (await Assert.ThrowsAsync<ContentException>(() => last)).Fault);
            Assert.Equal(start + 49_999, reader.Position);
        }

        Assert.Equal(0, readers.Parked);
        foreach (var segment in source.Fetcher.Pending)
            segment.Fail(ContentFault.Missing);
    }

    /// <summary>Reads a range; false if it broke off. Compares the bytes of a completed range.</summary>
    private async Task<bool> ReadRangeAsync(IContent content, int start, int end, Func<bool> judge)
    {
        var got = new byte[end - start];
        var length = 0;
        await using var reader = content.OpenReader(start, end, ReadIntent.Playback);
        try
        {
            while (true)
            {
                var next = reader.NextAsync(CancellationToken.None).AsTask();
                while (!next.IsCompleted && judge())
                    await Task.Yield();
                using var lease = await next;
                if (lease.IsEmpty)
                    break;
                lease.Memory.CopyTo(got.AsMemory(length));
                length += lease.Length;
            }
        }
        catch (ContentException)
        {
            Assert.True(length < got.Length, "all bytes were lent before the fault");
            return false;
        }

        Assert.Equal(SHA256.HashData(_bytes.AsSpan(start, end - start)), SHA256.HashData(got.AsSpan(0, length)));
        return true;
    }

    /// <summary>A content, its source, and the mapping from its offsets to those of the source.</summary>
    private (ManualContent Source, IContent Content, Func<int, int> Place) Make(string shape)
    {
        ManualContent source;
        switch (shape)
        {
            case "plain":
                source = Source(_bytes);
                return (source, source, at => at);
            case "slice":
                source = Source([.. SeededBytes.Make(1, 777), .. _bytes, .. SeededBytes.Make(2, 33)]);
                return (source, new SliceContent(source, 777, Size), at => at + 777);
            case "parts":
                source = Source(_bytes);
                return (source, new ConcatenatedContent([new SliceContent(source, 0, 1_234_567), new SliceContent(source, 1_234_567, 5),
                    new SliceContent(source, 1_234_572, Size - 1_234_572)]), at => at);
            case "encrypted":
                source = Source(Encrypt(_bytes, 1));
                return (source, Decrypted(source, 1, Size), at => at);
            default:
                const int First = 2_500_001;
                var (one, two) = (Encrypt(_bytes[..First], 1), Encrypt(_bytes[First..], 2));
                source = Source([.. one, .. two]);
                var parts = new ConcatenatedContent([Decrypted(new SliceContent(source, 0, one.Length), 1, First),
                    Decrypted(new SliceContent(source, one.Length, two.Length), 2, Size - First)]);
                return (source, parts, at => at < First ? at : at - First + one.Length);
        }
    }

    private ManualContent Source(byte[] bytes) => new(bytes, Article, _pool, _time);

    private AesCbcContent Decrypted(IContent cipher, int seed, long length) =>
        new(cipher, new ArchiveCipher(SeededBytes.Make(seed, 32), SeededBytes.Make(seed + 10, 16)), length, _pool);

    private static byte[] Encrypt(byte[] plain, int seed)
    {
        using var aes = Aes.Create();
        aes.Key = SeededBytes.Make(seed, 32);
        return aes.EncryptCbc(plain, SeededBytes.Make(seed + 10, 16), PaddingMode.Zeros);
    }
}
