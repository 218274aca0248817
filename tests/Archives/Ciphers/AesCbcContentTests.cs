using System.Security.Cryptography;
using NzbDav.Archives.Ciphers;
using NzbDav.Archives.Layouts;
using NzbDav.Content;
using NzbDav.Fakes;
using static NzbDav.Fakes.ContentReads;

namespace NzbDav.Archives.Tests.Ciphers;

public sealed class AesCbcContentTests
{
    [Theory]
    [InlineData(16)]
    [InlineData(32)]
    public async Task Any_range_decrypts_right_whatever_the_size_of_the_leases(int keySize)
    {
        for (var seed = 0; seed < 200; seed++)
        {
            var random = new Random(seed);
            var plain = SeededBytes.Make(seed, random.Next(1, 3000));
            var pool = new DiagnosticBufferPool();
            var (content, inner) = Encrypt(plain, keySize, pool, segmentSize: random.Next(1, 300));
            var start = random.Next(plain.Length + 1);
            var end = random.Next(start, plain.Length + 1);

            Assert.Equal(plain[start..end], await ReadAsync(content, start, end));

            Assert.Equal(inner.ReadersOpened, inner.ReadersDisposed);
            pool.AssertAllReturned();
            pool.AssertNothingReserved();
        }
    }

    [Fact]
    public async Task One_reader_covers_the_preceding_block_to_the_last_block()
    {
        var (content, inner) = Encrypt(SeededBytes.Make(1, 1000), 32, new DiagnosticBufferPool());

        await ReadAsync(content, 100, 200);
        await ReadAsync(content, 5, 6);
        await ReadAsync(content, 999, 1000);
        await ReadAsync(content, 7, 7);

        Assert.Equal(
            [new MemoryRequest(80, 208, ReadIntent.Playback), new MemoryRequest(0, 16, ReadIntent.Playback),
                new MemoryRequest(976, 1008, ReadIntent.Playback), new MemoryRequest(0, 0, ReadIntent.Playback)],
            inner.Requests);
    }

    [Fact]
    public async Task A_lease_is_decrypted_as_a_whole()
    {
        var (content, _) = Encrypt(SeededBytes.Make(2, 700_000), 32, new DiagnosticBufferPool(), segmentSize: 350_000);
        await using var reader = content.OpenReader(0, 700_000, ReadIntent.Playback);

        var lengths = new List<int>();
        while (true)
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            if (lease.IsEmpty)
                break;
            lengths.Add(lease.Length);
        }

        Assert.Equal([350_000, 350_000], lengths);
    }

    [Fact]
    public async Task A_failure_stays_at_its_position_and_can_be_retried()
    {
        var plain = SeededBytes.Make(3, 1000);
        var (content, inner) = Encrypt(plain, 16, new DiagnosticBufferPool());
        inner.FailAt(333, ContentFault.Unavailable, times: 1);
        await using var reader = content.OpenReader(10, 1000, ReadIntent.Playback);
        var read = new List<byte>();
        var faults = 0;
        while (true)
        {
            try
            {
                using var lease = await reader.NextAsync(CancellationToken.None);
                if (lease.IsEmpty)
                    break;
                read.AddRange(lease.Memory.Span);
            }
            catch (ContentException)
            {
                faults++;
                Assert.Equal(10 + read.Count, reader.Position);
            }
        }

        Assert.Equal(1, faults);
        Assert.Equal(plain[10..], read);
    }

    [Fact]
    public async Task Leases_outlive_their_reader_and_a_disposed_reader_throws()
    {
        var plain = SeededBytes.Make(4, 100);
        var pool = new DiagnosticBufferPool();
        var (content, _) = Encrypt(plain, 32, pool, segmentSize: 200);
        var reader = content.OpenReader(0, 100, ReadIntent.Playback);
        var lease = await reader.NextAsync(CancellationToken.None);
        await reader.DisposeAsync();
        await reader.DisposeAsync();

        Assert.Equal(plain, lease.Memory.ToArray());
        lease.Dispose();
        pool.AssertAllReturned();
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await reader.NextAsync(CancellationToken.None));
    }

    [Fact]
    public void Invalid_arguments_are_refused()
    {
        var pool = new DiagnosticBufferPool();
        Assert.Throws<ArgumentException>(
            () => new AesCbcContent(new MemoryContent(new byte[17]), new ArchiveCipher(new byte[16], new byte[16]), 1, pool));
        Assert.Throws<ArgumentException>(
            () => new AesCbcContent(new MemoryContent(new byte[16]), new ArchiveCipher(new byte[15], new byte[16]), 1, pool));
        Assert.Throws<ArgumentException>(
            () => new AesCbcContent(new MemoryContent(new byte[16]), new ArchiveCipher(new byte[16], new byte[12]), 1, pool));
        Assert.Throws<ArgumentOutOfRangeException>(
            () => new AesCbcContent(new MemoryContent(new byte[16]), new ArchiveCipher(new byte[16], new byte[16]), 17, pool));
    }

    /// <summary>What a lease costs in managed memory does not depend on its size: payload is pooled.</summary>
    [Fact]
    public async Task Payload_is_pooled()
    {
        var (content, _) = Encrypt(SeededBytes.Make(5, 1_600_000), 32, new BufferPool(new BufferBudget(64 << 20)), segmentSize: 160_000);
        for (var i = 0; i < 3; i++)
            await DrainAsync(content);
        var before = GC.GetAllocatedBytesForCurrentThread();

        await DrainAsync(content);

        // Ten leases; each has its own objects (lease, reference-counted buffer, the one-shot cipher's handle).
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 10 * 2000);
    }

    private static async Task DrainAsync(IContent content)
    {
        await using var reader = content.OpenReader(0, content.Length, ReadIntent.Playback);
        while (true)
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            if (lease.IsEmpty)
                return;
        }
    }

    private static (AesCbcContent Content, MemoryContent Inner) Encrypt(byte[] plain, int keySize, BufferPool pool, int segmentSize = 64)
    {
        var key = SeededBytes.Make(90, keySize);
        var iv = SeededBytes.Make(91, 16);
        using var aes = Aes.Create();
        aes.Key = key;
        var padded = plain;
        Array.Resize(ref padded, (plain.Length + 15) / 16 * 16);
        var inner = new MemoryContent(aes.EncryptCbc(padded, iv, PaddingMode.None), segmentSize, pool as DiagnosticBufferPool);
        return (new AesCbcContent(inner, new ArchiveCipher(key, iv), plain.Length, pool), inner);
    }
}
