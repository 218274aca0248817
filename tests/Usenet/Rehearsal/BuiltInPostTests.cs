using System.Security.Cryptography;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Rehearsal;

namespace NzbDav.Usenet.Tests.Rehearsal;

/// <summary>The post that the program reads to warm up, through the real client.</summary>
public sealed class BuiltInPostTests
{
    private const int Articles = 5;
    private const int Size = 30_001;

    [Fact]
    public async Task It_is_laid_out_and_read_like_any_post_and_its_connections_end()
    {
        var pool = new DiagnosticBufferPool();
        var post = new BuiltInPost(Articles, Size);
        await using (var usenet = post.Connect(pool, TimeProvider.System))
        {
            usenet.Start();
            var layout = await usenet.LayOutAsync(
                [.. post.MessageIds], FetchPriority.Import, new Dictionary<int, ArticleHeader>(), CancellationToken.None);
            var map = ExtentMap.OfWholeSegments(layout.Segments!);
            Assert.Equal(Articles * Size, map.Length);

            using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
            await using (var reader = usenet.Open(map).OpenReader(0, map.Length, ReadIntent.Playback))
            {
                for (var read = 0L; read < map.Length;)
                {
                    using var lease = await reader.NextAsync(CancellationToken.None);
                    Assert.False(lease.IsEmpty);
                    hash.AppendData(lease.Memory.Span);
                    read += lease.Memory.Length;
                }
            }

            Assert.Equal(SHA256.HashData(Plain()), hash.GetHashAndReset());
            usenet.Cache.Reclaim(long.MaxValue);
            var gone = await usenet.ProbeAsync("9@built-in", FetchPriority.Import, CancellationToken.None);
            Assert.Equal(ContentFault.Missing, gone.Fault);
        }

        Assert.Equal(0, pool.Rented);
    }

    private static byte[] Plain() => [.. Enumerable.Range(0, Articles).SelectMany(static part =>
    {
        var bytes = new byte[Size];
        new Random(part).NextBytes(bytes);
        return bytes;
    })];
}
