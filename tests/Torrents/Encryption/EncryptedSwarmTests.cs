using System.Net;
using System.Net.Sockets;
using NzbDav.Fakes;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Tests.Hostile;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents.Tests.Encryption;

/// <summary>Two engines on loopback: one serves the other as their policies allow.</summary>
public sealed class EncryptedSwarmTests
{
    private const long Size = 20 * SwarmFixture.PieceLength;

    [Theory]
    [InlineData(EncryptionPolicy.Prefer, EncryptionPolicy.Prefer, PeerEncryption.Handshake)]
    [InlineData(EncryptionPolicy.Prefer, EncryptionPolicy.Require, PeerEncryption.Full)]
    [InlineData(EncryptionPolicy.Require, EncryptionPolicy.Prefer, PeerEncryption.Full)]
    [InlineData(EncryptionPolicy.Require, EncryptionPolicy.Require, PeerEncryption.Full)]
    [InlineData(EncryptionPolicy.Prefer, EncryptionPolicy.Off, PeerEncryption.None)]
    [InlineData(EncryptionPolicy.Off, EncryptionPolicy.Prefer, PeerEncryption.None)]
    [InlineData(EncryptionPolicy.Off, EncryptionPolicy.Off, PeerEncryption.None)]
    public async Task A_leecher_gets_every_byte_if_the_policies_allow_it(
        EncryptionPolicy leeching, EncryptionPolicy seeding, PeerEncryption expected)
    {
        await using var pair = await Pair.CreateAsync(leeching, seeding);
        pair.Connect();
        await pair.Leecher.ReadAsync(pair.Leeching, 0, Size);
        Assert.Equal(expected, Assert.Single(pair.Leeching.GetDetails().Peers).Encryption);
        Assert.Equal(expected, Assert.Single(pair.Seeding.GetDetails().Peers).Encryption);
    }

    [Theory]
    [InlineData(EncryptionPolicy.Require, true, false)]
    [InlineData(EncryptionPolicy.Require, false, true)]
    [InlineData(EncryptionPolicy.Off, true, true)]
    [InlineData(EncryptionPolicy.Off, false, false)]
    public async Task An_incoming_connection_is_answered_if_the_policy_allows_it(EncryptionPolicy policy, bool isPlain, bool isAnswered)
    {
        await using var pair = await Pair.CreateAsync(EncryptionPolicy.Off, policy);
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(IPAddress.Loopback, pair.Seeder.Engine.Port);
        await socket.SendAsync(isPlain ? HostilePeer.Handshake(pair.Seeder.Swarm.Torrent.Hash.Span) : new KeyExchange().PublicKey);
        Assert.Equal(isAnswered, await ReceiveAsync(socket, 1) > 0);
    }

    [Fact]
    public async Task Requiring_encryption_closes_plain_connections()
    {
        await using var pair = await Pair.CreateAsync(EncryptionPolicy.Off, EncryptionPolicy.Prefer);
        pair.Connect();
        await pair.Leecher.ReadAsync(pair.Leeching, 0, Size);
        pair.Leecher.Engine.Apply(pair.LeecherOptions with { Encryption = EncryptionPolicy.Require });
        await Until.TrueAsync(() => pair.Leeching.GetDetails().Peers is [{ Encryption: PeerEncryption.Full }]);
    }

    [Fact]
    public async Task A_stranger_that_sends_garbage_gets_at_most_a_public_key_and_its_padding()
    {
        await using var pair = await Pair.CreateAsync(EncryptionPolicy.Prefer, EncryptionPolicy.Prefer);
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(IPAddress.Loopback, pair.Seeder.Engine.Port);
        await socket.SendAsync(Enumerable.Range(0, 4_000).Select(static i => (byte)(i * 7)).ToArray());
        var received = await ReceiveAsync(socket, int.MaxValue);
        Assert.InRange(received, 0, KeyExchange.Size + 512);
    }

    /// <summary>Receives until there are <c>enough</c> bytes or the other side closes.</summary>
    private static async Task<int> ReceiveAsync(Socket socket, int enough)
    {
        var buffer = new byte[4_096];
        var received = 0;
        try
        {
            for (int count; received < enough && (count = await socket.ReceiveAsync(buffer)) > 0;)
                received += count;
        }
        catch (SocketException)
        {
            // Closed with bytes unread.
        }

        return received;
    }

    private sealed class Pair : IAsyncDisposable
    {
        public required SwarmFixture Leecher { get; init; }

        public required SwarmFixture Seeder { get; init; }

        public required Torrent Leeching { get; init; }

        public required Torrent Seeding { get; init; }

        public required TorrentOptions LeecherOptions { get; init; }

        public static async Task<Pair> CreateAsync(EncryptionPolicy leeching, EncryptionPolicy seeding)
        {
            var content = SwarmFixture.OneFile(Size);
            var options = new TorrentOptions { Workers = 1, Listen = new IPEndPoint(IPAddress.Loopback, 0) };
            var seeder = new SwarmFixture(content, SwarmFixture.Seeders(1),
                options with { Encryption = seeding == EncryptionPolicy.Require ? EncryptionPolicy.Prefer : seeding });
            var whole = seeder.Add();
            await seeder.ReadAsync(whole, 0, Size);
            foreach (var mock in seeder.Swarm.Seeders)
                await mock.DisposeAsync();
            seeder.Engine.Apply(options with { Encryption = seeding });
            await Until.TrueAsync(() => whole.GetStatus().Peers == 0);
            var leecher = new SwarmFixture(content, [], options with { Encryption = leeching });
            return new Pair
            {
                Leecher = leecher,
                Seeder = seeder,
                Leeching = leecher.Add(),
                Seeding = whole,
                LeecherOptions = options with { Encryption = leeching }
            };
        }

        public void Connect() => Leeching.AddPeers(new IPEndPoint(IPAddress.Loopback, Seeder.Engine.Port));

        public async ValueTask DisposeAsync()
        {
            await Leecher.DisposeAsync();
            await Seeder.DisposeAsync();
        }
    }
}
