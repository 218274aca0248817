using System.Buffers.Binary;
using System.Net;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Utp;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Tests.Utp;

/// <summary>Packets that no honest peer sends.</summary>
public sealed class UtpHostileTests
{
    private static readonly DatagramAddress Target = new(IPEndPoint.Parse(UtpPair.Far));

    [Fact]
    public async Task An_unknown_connection_is_reset_once_in_twenty_bytes_and_not_too_often()
    {
        var network = new LossyNetwork(1);
        using var pair = new UtpPair(network);
        var answers = new List<int>();
        var attacker = network.Open("192.0.2.1:1000");
        attacker.Register((_, datagram) =>
        {
            answers.Add(datagram.Length);
            return true;
        });
        for (var i = 0; i < 5; i++)
            attacker.Send(Target, Packet(UtpType.Data, 77, 1, 1, [1, 2, 3]));
        await network.PassAsync(TimeSpan.FromMilliseconds(100));
        Assert.Equal([UtpPacket.HeaderSize], answers);

        for (var i = 0; i < 1_000; i++)
            attacker.Send(Target, Packet(UtpType.State, (ushort)(100 + i), 1, 1));
        await network.PassAsync(TimeSpan.FromMilliseconds(100));
        Assert.InRange(answers.Count, 10, 21);

        // A reset of nothing is not answered by another one.
        var before = answers.Count;
        await network.PassAsync(TimeSpan.FromSeconds(2));
        attacker.Send(Target, Packet(UtpType.Reset, 5_000, 1, 1));
        await network.PassAsync(TimeSpan.FromMilliseconds(100));
        Assert.Equal(before, answers.Count);
    }

    [Fact]
    public async Task A_SYN_where_nobody_accepts_is_refused_at_once()
    {
        var network = new LossyNetwork(5);
        using var dialling = new UtpHost(network.Open(UtpPair.Near), network.Time, static () => UtpPolicy.On);
        using var refusing = new UtpHost(network.Open(UtpPair.Far), network.Time, static () => UtpPolicy.Dial);
        var began = network.Time.GetTimestamp();
        Assert.Null(await network.RunAsync(dialling.ConnectAsync(IPEndPoint.Parse(UtpPair.Far), CancellationToken.None).AsTask()));
        Assert.InRange(network.Time.GetElapsedTime(began), TimeSpan.Zero, TimeSpan.FromSeconds(1));
        Assert.Equal((0, 0), (refusing.Count, refusing.HalfOpen));
    }

    [Fact]
    public async Task Forged_SYNs_cost_bounded_memory_and_end_in_seconds()
    {
        var network = new LossyNetwork(2);
        using var pair = new UtpPair(network);
        for (var i = 0; i < 2_000; i++)
            network.Open($"192.0.2.{i % 200}:{1_000 + i}").Send(Target, Packet(UtpType.Syn, (ushort)i, 1, 0));
        await network.PassAsync(TimeSpan.FromMilliseconds(100));
        Assert.InRange(pair.Accepting.HalfOpen, 50, 100);
        Assert.Equal(pair.Accepting.HalfOpen, pair.Accepting.Count);
        Assert.Empty(pair.Greeted);
        await network.PassAsync(TimeSpan.FromSeconds(6));
        Assert.Equal((0, 0, 0L), (pair.Accepting.HalfOpen, pair.Accepting.Count, pair.Accepting.Memory.Held));
    }

    [Theory]
    [InlineData("192.0.2.1:")]
    [InlineData("[2001:db8::2:1]:")]
    public async Task One_address_has_eight_half_open_connections(string address)
    {
        var network = new LossyNetwork(3);
        using var pair = address[0] == '[' ? new UtpPair(network, "[2001:db8:2::1]:6881", "[2001:db8:1::1]:6882") : new UtpPair(network);
        for (var i = 0; i < 50; i++)
            network.Open(address + (1_000 + i)).Send(new DatagramAddress(pair.FarAddress), Packet(UtpType.Syn, (ushort)(2 * i), 1, 0));
        await network.PassAsync(TimeSpan.FromMilliseconds(100));
        Assert.Equal(8, pair.Accepting.HalfOpen);
        var (one, other) = await pair.ConnectAsync();
        one.Dispose();
        other.Dispose();
    }

    [Fact]
    public async Task Data_that_does_not_prove_the_address_opens_nothing()
    {
        var network = new LossyNetwork(4);
        using var pair = new UtpPair(network);
        ushort number = 0;
        var attacker = network.Open("192.0.2.1:1000");
        attacker.Register((_, datagram) =>
        {
            Assert.True(UtpPacket.TryRead(datagram, out var answer));
            number = answer.Sequence;
            return true;
        });
        attacker.Send(Target, Packet(UtpType.Syn, 500, 9, 0));
        await network.PassAsync(TimeSpan.FromMilliseconds(100));
        for (var guess = 2; guess < 200; guess++)
            attacker.Send(Target, Packet(UtpType.Data, 501, 10, (ushort)(number - guess), [1]));
        attacker.Send(Target, Packet(UtpType.Data, 501, 10, number, [1]));
        await network.PassAsync(TimeSpan.FromMilliseconds(100));
        Assert.Equal((1, 0), (pair.Accepting.HalfOpen, pair.Greeted.Count));
        attacker.Send(Target, Packet(UtpType.Data, 501, 10, (ushort)(number - 1), [1]));
        await network.PassAsync(TimeSpan.FromMilliseconds(100));
        Assert.Equal((0, 1), (pair.Accepting.HalfOpen, pair.Greeted.Count));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Forged_and_broken_packets_change_no_byte(int seed)
    {
        // An attacker who sees all packets and changes copies of them. Left out is what nobody could tell from the real thing: a reset, and
        // other data with a number that fits.
        var network = new LossyNetwork(seed) { Loss = 0.02, Jitter = TimeSpan.FromMilliseconds(20) };
        using var pair = new UtpPair(network);
        var (one, other) = await pair.ConnectAsync();
        var forging = new Random(seed);
        network.Passes = (from, bytes) =>
        {
            if (forging.Next(4) != 0)
                return true;
            var forged = bytes.ToArray();
            switch (forging.Next(5))
            {
                case 0:
                    forged = forged[..forging.Next(forged.Length)];
                    if (forged.Length >= UtpPacket.HeaderSize)
                        forged[0] = 0x21;
                    break;
                case 1:
                    // An acknowledgement of what was never sent, in a packet of any kind that carries other bytes.
                    forged.AsSpan(UtpPacket.HeaderSize).Clear();
                    forged[18] ^= 0x80;
                    break;
                case 2:
                    // Data that lies behind or far ahead.
                    forged[0] = 0x01;
                    forged[1] = 0;
                    forged.AsSpan(UtpPacket.HeaderSize).Clear();
                    forged[16] ^= 0x40;
                    break;
                case 3:
                    forged = [0x21, (byte)forging.Next(256), .. forged[2..UtpPacket.HeaderSize],
                        .. UtpPair.Bytes(forging.Next(300), forging.Next())];
                    forged[18] ^= 0x80;
                    break;
                default:
                    // A SYN of the same connection. One of another would make the far end answer, and the near end reset what it does not
                    // know.
                    forged = [0x41, 0, .. forged[2..UtpPacket.HeaderSize]];
                    BinaryPrimitives.WriteUInt16BigEndian(
                        forged.AsSpan(2), (ushort)(BinaryPrimitives.ReadUInt16BigEndian(forged.AsSpan(2)) - 1));
                    break;
            }

            network.Inject(from, forged);
            return true;
        };
        var (there, back) = (UtpPair.Bytes(700_000, seed), UtpPair.Bytes(700_000, seed + 100));
        var sending = Task.WhenAll(UtpPair.SendAsync(one, there, seed), UtpPair.SendAsync(other, back, seed));
        var received = await network.RunAsync(
            Task.WhenAll(UtpPair.ReceiveAsync(other, there.Length), UtpPair.ReceiveAsync(one, back.Length)));
        await sending;
        Assert.Equal([UtpPair.HashOf(there), UtpPair.HashOf(back)], received);
        Assert.True(network.Injected > 100);
        one.Dispose();
        other.Dispose();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public async Task A_peer_that_sends_anything_costs_bounded_memory(int seed)
    {
        var network = new LossyNetwork(seed);
        using var pair = new UtpPair(network);
        var random = new Random(seed);
        ushort number = 0;
        var attacker = network.Open("192.0.2.1:1000");
        attacker.Register((_, datagram) =>
        {
            if (UtpPacket.TryRead(datagram, out var answer))
                number = answer.Sequence;
            return true;
        });
        for (var i = 0; i < 4; i++)
        {
            var id = (ushort)(random.Next(1 << 14) * 4);
            attacker.Send(Target, Packet(UtpType.Syn, id, 1, 0));
            await network.PassAsync(TimeSpan.FromMilliseconds(100));
            attacker.Send(Target, Packet(UtpType.Data, (ushort)(id + 1), 2, (ushort)(number - 1), [1]));
            await network.PassAsync(TimeSpan.FromMilliseconds(100));
            Assert.Equal(i + 1, pair.Greeted.Count);
            for (var j = 0; j < 3_000; j++)
            {
                var type = (UtpType)(random.Next(40) == 0 ? random.Next(5) : random.Next(3) * 2 % 3);
                var bytes = Packet(type, (ushort)(id + 1), (ushort)(random.Next(4) == 0 ? random.Next(1 << 16) : random.Next(600)),
                    (ushort)(number - random.Next(3)), new byte[random.Next(4_000)]);
                if (random.Next(4) == 0)
                    bytes[1] = (byte)random.Next(3);
                attacker.Send(Target, bytes);
                if (j % 100 == 0)
                    await network.PassAsync(TimeSpan.FromMilliseconds(10));
            }

            Assert.InRange(pair.Accepting.Memory.Held, 0, (i + 1) * 8L * UtpMemory.Plenty);
        }

        await network.PassAsync(TimeSpan.FromSeconds(1));
        pair.Accepting.Abort();
        Assert.Equal((0, 0L), (pair.Accepting.Count, pair.Accepting.Memory.Held));
    }

    [Fact]
    public async Task A_reset_that_fits_ends_the_connection_and_others_do_not()
    {
        var network = new LossyNetwork(5);
        using var pair = new UtpPair(network);
        ushort id = 0;
        ushort acknowledged = 0;
        network.Passes = (from, bytes) =>
        {
            if (from == new DatagramAddress(pair.NearAddress) && UtpPacket.TryRead(bytes, out var packet) && packet.Type == UtpType.Data)
                (id, acknowledged) = (packet.Id, packet.Acknowledged);
            return true;
        };
        var (one, other) = await pair.ConnectAsync();
        network.Inject(new DatagramAddress(pair.NearAddress), Packet(UtpType.Reset, id, 1, (ushort)(acknowledged + 5_000)));
        await network.PassAsync(TimeSpan.FromMilliseconds(100));
        Assert.Equal(1, pair.Accepting.Count);
        network.Inject(new DatagramAddress(pair.NearAddress), Packet(UtpType.Reset, id, 1, acknowledged));
        await network.PassAsync(TimeSpan.FromMilliseconds(100));
        Assert.Equal(0, pair.Accepting.Count);
        await Assert.ThrowsAsync<IOException>(async () => await other.ReceiveAsync(new byte[1]));
        one.Dispose();
    }

    private static byte[] Packet(UtpType type, ushort id, ushort number, ushort acknowledged, byte[]? payload = null)
    {
        byte[] bytes = [.. new byte[UtpPacket.HeaderSize], .. payload ?? []];
        UtpPacket.Write(bytes, new UtpHeader(type, id, 1, 0, 1 << 20, number, acknowledged));
        return bytes;
    }
}
