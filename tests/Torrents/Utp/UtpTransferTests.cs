using System.Buffers.Binary;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Utp;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Tests.Utp;

/// <summary>Whole connections over networks of all kinds.</summary>
public sealed class UtpTransferTests
{
    [Theory]
    [InlineData(1, 0, 0, 10, 0, UtpPair.Near, UtpPair.Far)]
    [InlineData(2, 0.05, 0.05, 10, 60, UtpPair.Near, UtpPair.Far)]
    [InlineData(3, 0.2, 0.1, 5, 20, UtpPair.Near, UtpPair.Far)]
    [InlineData(4, 0, 0.5, 0, 100, UtpPair.Near, UtpPair.Far)]
    [InlineData(5, 0.02, 0, 50, 5, "[2001:db8::1]:6881", "[2001:db8:1::1]:6882")]
    public async Task Bytes_of_both_directions_arrive_whole(
        int seed, double loss, double twice, int delay, int jitter, string near, string far)
    {
        var network = new LossyNetwork(seed)
        {
            Loss = loss,
            Twice = twice,
            Delay = TimeSpan.FromMilliseconds(delay),
            Jitter = TimeSpan.FromMilliseconds(jitter),
        };
        using var pair = new UtpPair(network, near, far);
        var (one, other) = await pair.ConnectAsync();
        var (there, back) = (UtpPair.Bytes(1_500_000, seed), UtpPair.Bytes(900_000, seed + 100));
        var sending = Task.WhenAll(UtpPair.SendAsync(one, there, seed), UtpPair.SendAsync(other, back, seed));
        var received = await network.RunAsync(
            Task.WhenAll(UtpPair.ReceiveAsync(other, there.Length), UtpPair.ReceiveAsync(one, back.Length)));
        await sending;
        Assert.Equal([UtpPair.HashOf(there), UtpPair.HashOf(back)], received);

        // What is closed leaves nothing behind.
        one.Dispose();
        other.Dispose();
        await network.RunUntilAsync(() => pair.Dialling.Count + pair.Accepting.Count == 0);
        Assert.Equal(0, pair.Dialling.Memory.Held + pair.Accepting.Memory.Held);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(0.1)]
    public async Task The_end_arrives_after_all_bytes(double loss)
    {
        var network = new LossyNetwork(11) { Loss = loss };
        using var pair = new UtpPair(network);
        var (one, other) = await pair.ConnectAsync();
        var bytes = UtpPair.Bytes(200_000, 1);
        var sending = UtpPair.SendAsync(one, bytes, 1, closes: true);
        Assert.Equal(UtpPair.HashOf(bytes), await network.RunAsync(UtpPair.ReceiveAsync(other)));
        await sending;
        other.Dispose();
        await network.RunUntilAsync(() => pair.Dialling.Count + pair.Accepting.Count == 0);
        Assert.Equal(0, pair.Dialling.Memory.Held + pair.Accepting.Memory.Held);
    }

    [Fact]
    public async Task What_arrives_after_the_close_resets_the_sender()
    {
        var network = new LossyNetwork(12);
        using var pair = new UtpPair(network);
        var (one, other) = await pair.ConnectAsync();
        other.Dispose();
        var sending = UtpPair.SendAsync(one, UtpPair.Bytes(5_000_000, 1), 1);
        await network.RunUntilAsync(() => sending.IsCompleted);
        await Assert.ThrowsAsync<IOException>(() => sending);
    }

    [Fact]
    public async Task A_peer_that_reads_nothing_closes_the_window_and_opens_it_again()
    {
        var network = new LossyNetwork(13) { Loss = 0.02 };
        using var pair = new UtpPair(network);
        var (one, other) = await pair.ConnectAsync();
        var bytes = UtpPair.Bytes(4 * UtpMemory.Plenty, 1);
        var sending = UtpPair.SendAsync(one, bytes, 1);
        await network.RunUntilAsync(() => network.Delivered >= UtpMemory.Plenty * 95L / 100);
        await network.PassAsync(TimeSpan.FromSeconds(30));
        Assert.False(sending.IsCompleted);
        Assert.InRange(pair.Accepting.Memory.Held, UtpMemory.Plenty / 2, 2 * UtpMemory.Plenty);
        Assert.InRange(pair.Dialling.Memory.Held, 0, 2 * UtpMemory.Plenty);

        // The packet that asks for the window: one, now and then.
        var before = network.Sent;
        await network.PassAsync(TimeSpan.FromSeconds(20));
        Assert.InRange(network.Sent - before, 1, 20);
        Assert.Equal(UtpPair.HashOf(bytes), await network.RunAsync(UtpPair.ReceiveAsync(other, bytes.Length)));
        await sending;
    }

    [Fact]
    public async Task A_path_that_is_gone_ends_the_connection()
    {
        var network = new LossyNetwork(14);
        using var pair = new UtpPair(network);
        var (one, other) = await pair.ConnectAsync();
        network.Loss = 1;
        await one.SendAsync(UtpPair.Bytes(1_000, 1));
        await network.RunUntilAsync(() => pair.Dialling.Count == 0);
        await Assert.ThrowsAsync<IOException>(async () => await one.ReceiveAsync(new byte[1]));
        Assert.Equal(0, pair.Dialling.Memory.Held);
        other.Dispose();
    }

    [Fact]
    public async Task Nobody_answers_a_dial()
    {
        var network = new LossyNetwork(15);
        using var host = new UtpHost(network.Open(UtpPair.Near), network.Time, static () => UtpPolicy.On);
        var began = network.Time.GetUtcNow();
        var dial = host.ConnectAsync(System.Net.IPEndPoint.Parse(UtpPair.Far), CancellationToken.None).AsTask();
        await network.RunUntilAsync(() => host.Count == 0);
        Assert.InRange(network.Time.GetUtcNow() - began, TimeSpan.FromSeconds(4), TimeSpan.FromSeconds(6));
        Assert.Equal(3, network.Sent);
        Assert.Null(await dial);
    }

    [Fact]
    public async Task A_quiet_connection_sends_a_packet_every_29_seconds()
    {
        var network = new LossyNetwork(16);
        using var pair = new UtpPair(network);
        var (one, other) = await pair.ConnectAsync();
        await network.PassAsync(TimeSpan.FromSeconds(1));
        var before = network.Sent;
        await network.PassAsync(TimeSpan.FromSeconds(95));
        Assert.Equal(before + 6, network.Sent);
        one.Dispose();
        other.Dispose();
    }

    [Fact]
    public async Task One_lost_packet_in_a_hundred_costs_no_more_than_half_of_a_window_each()
    {
        // With 3,000 bytes more in each round trip the window is 1.22 · √(3,000 / 1,400 / 0.01) = 18 packets (Mathis et al., 1997): 250
        // kB/s at 100 ms.
        var network = new LossyNetwork(19) { Loss = 0.01, Delay = TimeSpan.FromMilliseconds(50) };
        using var pair = new UtpPair(network);
        var (one, other) = await pair.ConnectAsync();
        var bytes = UtpPair.Bytes(12_000_000, 1);
        var began = network.Time.GetTimestamp();
        var sending = one.SendAsync(bytes).AsTask();
        var receiving = UtpPair.ReceiveAsync(other, bytes.Length);

        // A reader that waits for the processor is none that is slow in the test's time.
        network.IsReady = () => ((UtpConnection)other).Unread == 0;
        Assert.Equal(UtpPair.HashOf(bytes), await network.RunAsync(receiving));
        await sending;
        var rate = bytes.Length / TimeSpan.FromTicks(network.Time.GetTimestamp() - began).TotalSeconds;
        Assert.InRange(rate, 200_000, 400_000);
    }

    [Fact]
    public async Task Acknowledgements_that_tell_other_windows_are_no_sign_of_loss_and_three_alike_are()
    {
        var network = new LossyNetwork(18);
        using var pair = new UtpPair(network);
        var (one, other) = await pair.ConnectAsync();
        await network.PassAsync(TimeSpan.FromSeconds(1));
        var far = new DatagramAddress(pair.FarAddress);
        var (sent, template) = (0, Array.Empty<byte>());
        network.Passes = (from, bytes) =>
        {
            if (from == far)
                return false;
            sent++;
            template = bytes;
            return true;
        };
        await one.SendAsync(UtpPair.Bytes(100, 1));
        Assert.True(UtpPacket.TryRead(template, out var packet));
        var (number, theirs) = (packet.Sequence, packet.Acknowledged);
        for (var i = 0; i < 6; i++)
            network.Inject(far, Acknowledgement(1_000_000 - i));
        await network.PassAsync(TimeSpan.FromMilliseconds(100));
        Assert.Equal(1, sent);
        for (var i = 0; i < 4; i++)
            network.Inject(far, Acknowledgement(900_000));
        await network.PassAsync(TimeSpan.FromMilliseconds(100));
        Assert.Equal(2, sent);

        byte[] Acknowledgement(int window)
        {
            var bytes = new byte[UtpPacket.HeaderSize];
            var id = (ushort)(BinaryPrimitives.ReadUInt16BigEndian(template.AsSpan(2)) - 1);
            UtpPacket.Write(bytes, new UtpHeader(UtpType.State, id, 1, 1, (uint)window, (ushort)(theirs + 1), (ushort)(number - 1)));
            return bytes;
        }
    }

    [Fact]
    public async Task It_keeps_the_queue_of_a_slow_line_short()
    {
        // 500 kB/s: a window of 1 MiB would be a queue of two seconds.
        var network = new LossyNetwork(17) { Rate = 500_000, Delay = TimeSpan.FromMilliseconds(20) };
        using var pair = new UtpPair(network);
        var (one, other) = await pair.ConnectAsync();
        var bytes = UtpPair.Bytes(10_000_000, 1);
        var (began, read) = (network.Time.GetTimestamp(), network.Delivered);
        network.IsReady = () => network.Delivered - Interlocked.Read(ref read) < 50_000;
        var sending = one.SendAsync(bytes).AsTask();
        var receiving = UtpPair.ReceiveAsync(other, bytes.Length, count => Interlocked.Add(ref read, count));
        Assert.Equal(UtpPair.HashOf(bytes), await network.RunAsync(receiving));
        await sending;
        var took = TimeSpan.FromTicks(network.Time.GetTimestamp() - began).TotalSeconds;
        Assert.InRange(took, 20, 26);

        // 100 ms of queue are 50 kB; the first seconds may overshoot.
        Assert.InRange(network.MostWaiting, 20_000, 200_000);
        Assert.InRange(network.LastWaiting, 10_000, 80_000);
    }
}
