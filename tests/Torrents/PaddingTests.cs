using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.Torrents.Tests.Scripted;

namespace NzbDav.Torrents.Tests;

/// <summary>Blocks of zeros that only align files to pieces are not fetched, whatever their files are called.</summary>
public sealed class PaddingTests
{
    private const int Block = 16 << 10;
    private const int PieceLength = 8 * Block;

    [Theory]
    [InlineData(".pad/100", true)]
    [InlineData(".____padding_file/0", false)]
    [InlineData("dir/_____padding_file_0_if you see this file, please update to BitComet 0.85 or above____", false)]
    public async Task Blocks_wholly_in_padding_are_not_requested(string name, bool hasAttribute)
    {
        // Three blocks and a bit of the first file, then padding; the second file fills another piece.
        const int Length = (3 * Block) + 100;
        SwarmFile[] files = [new("a.mkv", Length), new(name, PieceLength - Length, hasAttribute), new("b.mkv", PieceLength)];
        await using var swarm = new ScriptedSwarm(new MockTorrent("set", Padded(files)), isDescribed: true);
        var seeder = await swarm.ConnectSeederAsync();
        var info = swarm.Torrent.Swarm.Table!.Info;
        Assert.Equal([false, true, false], info.Files.Select(static file => file.IsPadding));
        foreach (var file in info.Files.Where(static file => !file.IsPadding))
        {
            await using var reader = swarm.Torrent.Open(file).OpenReader(0, file.Length, ReadIntent.Playback);
            for (var read = 0; read < file.Length;)
            {
                using var lease = await reader.NextAsync(CancellationToken.None);
                var expected = new byte[lease.Length];
                swarm.Content.Content.Fill(file.Offset + read, expected);
                Assert.True(expected.AsSpan().SequenceEqual(lease.Memory.Span));
                read += lease.Length;
            }
        }

        Assert.Equal(4 + 8, seeder.Heard(ScriptedPeer.Request).Count);
        Assert.Equal((12L * Block, 0L), (swarm.Torrent.GetStatus().Bytes.Payload, swarm.Torrent.GetStatus().Bytes.Failed));
    }

    [Fact]
    public async Task A_piece_whose_padding_is_not_zeros_is_fetched_whole()
    {
        const int Length = 3 * Block;
        SwarmFile[] files = [new("a.mkv", Length), new("_____padding_file_0", PieceLength - Length), new("b.mkv", PieceLength)];
        await using var swarm = new ScriptedSwarm(new MockTorrent("set", SwarmContent.Make(7, PieceLength, files)), isDescribed: true);
        var seeder = await swarm.ConnectSeederAsync();
        await using var reader = swarm.Torrent.Open(swarm.Torrent.Swarm.Table!.Info.Files[0]).OpenReader(0, Length, ReadIntent.Playback);
        for (var read = 0; read < Length;)
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            read += lease.Length;
        }

        Assert.False(seeder.IsClosed);
        Assert.Equal(3 + 8, seeder.Heard(ScriptedPeer.Request).Count);
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Have == 1);
    }

    /// <summary>Content in which the second file is zeros, whether it has the attribute or not.</summary>
    private static SwarmContent Padded(SwarmFile[] files)
    {
        var zeros = SwarmContent.Make(7, PieceLength, [files[0], files[1] with { IsPadding = true }, files[2]]);
        var bytes = new byte[zeros.Length];
        zeros.Fill(0, bytes);
        return SwarmContent.Of(PieceLength, files, bytes);
    }
}
