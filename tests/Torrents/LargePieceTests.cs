using NzbDav.Content;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Tests;

/// <summary>Pieces that are as large as the memory budget, or larger: what readers wait for is never refused.</summary>
[Collection(nameof(Alone))]
public sealed class LargePieceTests
{
    private const int Budget = 96 << 20;
    private const int Read = 300_000;

    [Theory]
    [InlineData(64 << 20, 3)]
    [InlineData(128 << 20, 2)]
    public async Task Two_readers_and_a_seek_are_served_from_pieces_larger_than_their_share(int pieceLength, int pieces)
    {
        var options = new TorrentOptions { Memory = Budget, Workers = 2 };
        await using var fixture = new SwarmFixture(
            SwarmFixture.OneFile((long)pieces * pieceLength, pieceLength), SwarmFixture.Seeders(2), options);
        var torrent = fixture.Add();
        var info = await torrent.DescribeAsync(default);
        var last = (pieces - 1L) * pieceLength;
        await using (var one = torrent.Open(info.Files[0]).OpenReader(0, pieceLength, ReadIntent.Playback))
        await using (var other = torrent.Open(info.Files[0]).OpenReader(last, last + pieceLength, ReadIntent.Playback))
        {
            await Task.WhenAll(fixture.CompareAsync(one, 0, Read), fixture.CompareAsync(other, last, last + Read));

            // Both pieces, one more that was begun, and no more.
            Assert.InRange(fixture.Pool.Budget.Reserved, pieceLength, Math.Max(Budget, 2L * pieceLength) + pieceLength);
        }

        // A seek across the border of two pieces.
        await fixture.ReadAsync(torrent, pieceLength - Read, pieceLength + Read);
    }

    [Fact]
    public void Larger_pieces_are_refused_with_the_reason()
    {
        var torrent = SwarmFixture.OneFile(257 << 10, pieceLength: 256 << 10).TorrentFile();
        var text = System.Text.Encoding.Latin1.GetString(torrent);
        var larger = text.Replace("12:piece lengthi262144e", "12:piece lengthi268435456e", StringComparison.Ordinal);
        Assert.NotEqual(text, larger);
        Assert.Equal(
            "The torrent's pieces are 268435456 bytes long; 1024 to 134217728 are supported.",
            Metainfo.Read(System.Text.Encoding.Latin1.GetBytes(larger)).Error);
    }
}
