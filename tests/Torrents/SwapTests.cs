using System.Net;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Seeders;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Tests;

/// <summary>Engines that serve each other over TCP.</summary>
public sealed class SwapTests
{
    private const long Size = 4_000_000;
    private const int Half = (int)(Size / SwarmFixture.PieceLength / 2);

    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("::1")]
    public async Task Two_engines_with_half_the_pieces_each_complete_each_other(string address)
    {
        var content = SwarmFixture.OneFile(Size);
        var options = new TorrentOptions { Workers = 1, Listen = new IPEndPoint(IPAddress.Parse(address), 0) };
        await using var first = new SwarmFixture(content, [new SeederOptions { Has = static piece => piece < Half }], options);
        await using var second = new SwarmFixture(content, [new SeederOptions { Has = static piece => piece >= Half }], options);
        var (one, other) = (first.Add(), second.Add());
        one.FetchAll(true);
        other.FetchAll(true);
        await Until.TrueAsync(() => one.GetStatus().Have == Half && other.GetStatus().Have == other.GetStatus().Pieces - Half);

        one.AddPeers(new IPEndPoint(IPAddress.Parse(address), second.Engine.Port));
        await Until.TrueAsync(() => one.GetStatus().Have == one.GetStatus().Pieces && other.GetStatus().Have == other.GetStatus().Pieces);
        await first.ReadAsync(one, 0, Size);
        await second.ReadAsync(other, 0, Size);
        Assert.InRange(one.GetStatus().Bytes.Uploaded, Size / 3, Size * 2 / 3);
        Assert.InRange(other.GetStatus().Bytes.Uploaded, Size / 3, Size * 2 / 3);
    }
}
