namespace NzbDav.Content.Tests;

internal static class Reads
{
    /// <summary>Reads so many bytes and compares each with what the map says; no lease may pass them.</summary>
    public static async Task ExactlyAsync(ContentReader reader, ExtentMap map, long count)
    {
        var oracle = SegmentFixture.Oracle(map);
        while (count > 0)
        {
            var at = (int)reader.Position;
            using var lease = await reader.NextAsync(CancellationToken.None);
            Assert.InRange(lease.Length, 1, count);
            Assert.True(oracle.AsSpan(at, lease.Length).SequenceEqual(lease.Memory.Span), $"wrong bytes at {at}");
            Assert.Equal(at + lease.Length, reader.Position);
            count -= lease.Length;
        }
    }

    /// <summary>The exception of the next read.</summary>
    public static Task<ContentException> FailsAsync(ContentReader reader) =>
        Assert.ThrowsAsync<ContentException>(async () => (await reader.NextAsync(CancellationToken.None)).Dispose());
}
