#if !POSTGRES
using NzbDav.Catalog.Tree;
using NzbDav.Content;

namespace NzbDav.Catalog.Tests.Torrents;

public sealed class TorrentLayoutTests
{
    private static readonly TorrentLayout Sample = new(
    [
        new TorrentSpan(ByteSpan.OfLength(0, 1)),
        new TorrentSpan(ByteSpan.OfLength(20L << 40, 300)) { Header = new byte[] { 1, 2, 3 } },
        new TorrentSpan(ByteSpan.OfLength(5, long.MaxValue >> 2)),
    ]);

    [Fact]
    public void A_layout_round_trips()
    {
        var read = TorrentLayout.Parse(Sample.ToBytes());
        Assert.Equal(Sample.Spans.Select(Text), read.Spans.Select(Text));
        Assert.Empty(TorrentLayout.Parse(new TorrentLayout([]).ToBytes()).Spans);
    }

    [Fact]
    public void Damaged_bytes_are_refused()
    {
        var bytes = Sample.ToBytes();
        for (var length = 0; length < bytes.Length; length++)
            Assert.Throws<InvalidDataException>(() => TorrentLayout.Parse(bytes.AsSpan(0, length)));
        bytes[0] = 9;
        Assert.Throws<InvalidDataException>(() => TorrentLayout.Parse(bytes));
    }

    private static string Text(TorrentSpan span) => $"{span.Bytes.Start}+{span.Bytes.Length} {Convert.ToHexString(span.Header.Span)}";
}
#endif
