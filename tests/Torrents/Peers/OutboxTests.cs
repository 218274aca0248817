using NzbDav.Fakes;
using NzbDav.Torrents.Tests.Scripted;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Tests.Peers;

/// <summary>What is kept for peers that do not read what they are sent.</summary>
public sealed class OutboxTests
{
    private const int Have = 9;

    [Fact]
    public async Task Peers_that_do_not_read_hold_a_bounded_amount_of_memory_together_and_others_are_sent_everything()
    {
        const int Peers = 60;
        const int Each = 900 << 10;
        var budget = new OutboxBudget();
        var failed = 0;
        var jam = new TaskCompletionSource();
        var content = SwarmFixture.OneFile(SwarmFixture.PieceLength);
        var jammed = new List<Outbox>();
        for (var i = 0; i < Peers; i++)
        {
            var outbox = new Outbox(new ScriptedPeer(content, i + 1) { Jam = jam }, budget, _ => Interlocked.Increment(ref failed));
            jammed.Add(outbox);
            outbox.AboutPiece(MessageId.Have, 1);
            outbox.Flush();
            for (var bytes = 0; bytes < Each; bytes += Have)
                outbox.AboutPiece(MessageId.Have, 1);
            Assert.InRange(budget.Held, 0, OutboxBudget.Most + (1 << 20));
        }

        await Until.TrueAsync(() => Volatile.Read(ref failed) is > 30 and < Peers);

        // A bitfield of two million pieces, for one that reads.
        var reader = new ScriptedPeer(content, 100);
        var good = new Outbox(reader, budget, static _ => Assert.Fail("closed"));
        good.Handshake(default);
        good.Message(MessageId.Bitfield, new byte[250_000]);
        good.Flush();
        await good.DrainedAsync();
        Assert.Single(reader.Heard((byte)MessageId.Bitfield));

        good.Trim();
        jam.SetException(new IOException("Closed."));
        await Task.WhenAll(jammed.Select(static outbox => outbox.DrainedAsync()));
        await Until.TrueAsync(() => budget.Held == 0);
    }

    [Fact]
    public async Task A_peer_that_takes_nothing_for_two_minutes_is_disconnected()
    {
        await using var swarm = new ScriptedSwarm(1);
        var reader = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        peer.Jam = new TaskCompletionSource();
        for (var seconds = 0; seconds < 205; seconds++)
        {
            swarm.Time.Advance(TimeSpan.FromSeconds(1));
            if (seconds % 60 != 0)
                continue;

            // Keep-alives from both; the first of ours is due after a minute and a half.
            await peer.SayAsync(new byte[4]);
            await reader.SayAsync(new byte[4]);
        }

        Assert.False(peer.IsClosed);
        for (var seconds = 0; seconds < 15; seconds++)
            swarm.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.True(peer.IsClosed);
        Assert.False(reader.IsClosed);
        peer.Jam.SetResult();
    }
}
