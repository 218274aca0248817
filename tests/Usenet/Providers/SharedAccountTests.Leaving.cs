using System.Threading.Channels;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Faults;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Tests.Nntp;

namespace NzbDav.Usenet.Tests.Providers;

/// <content>Connections that others wait for, while they carry an article.</content>
public sealed partial class SharedAccountTests
{
    [Fact]
    public async Task A_busy_connection_quits_after_its_article()
    {
        var time = new ManualTimeProvider();
        await using var usenet = new PoolFixture(
            new() { Time = time }, static options => options with { WarmConnections = 3 }, shared: true);
        usenet.Grant(3);
        await usenet.OpenAsync(3);
        var (probing, _) = await StallAsync(usenet, Fault.Stall(after: 1000, duration: TimeSpan.FromSeconds(1)));
        usenet.Grant(3, goal: 0);
        await Until.TrueAsync(() => usenet.Shares.Held == 1);
        Assert.False(probing.IsCompleted);
        await time.WhenArmedAsync(1);
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Null(await probing);
        await Until.TrueAsync(() => usenet.Shares.Held == 0);
        Assert.Equal((3L, 3L), (usenet.Mock.Stats.Commands["QUIT"], usenet.Mock.Stats.ConnectionsOpened));
        Assert.Null(usenet.Status.Trouble);
    }

    [Fact]
    public async Task A_connection_that_is_slow_to_finish_is_cut_in_the_end()
    {
        const int Size = 100_000;
        const int Piece = 1_000;
        var (id, step) = ("slow@test", TimeSpan.FromMilliseconds(100));
        var body = ConnectionFixture.Body(id, Size);
        var pieces = Channel.CreateUnbounded<int>();
        ScriptedServer? server = null;
        await using var serves = server = new ScriptedServer(async peer =>
        {
            var isFirst = server!.Connections == 1;
            await peer.SayAsync("200 ready\r\n");
            while (await peer.HearAsync() is { } line)
            {
                if (!line.StartsWith("BODY", StringComparison.Ordinal))
                    continue;
                for (var sent = 0; sent < body.Length; sent += Piece)
                {
                    if (isFirst && !(await pieces.Reader.WaitToReadAsync() && pieces.Reader.TryRead(out _)))
                        return;
                    await peer.SendAsync(body.AsMemory(sent, Math.Min(Piece, body.Length - sent)));
                }
            }
        });
        await using var usenet = new PoolFixture(
            new(), options => options with { Port = server.Port, WarmConnections = 1, Username = "", Password = "" }, shared: true);
        usenet.Grant(1);
        await usenet.OpenAsync(1);
        var table = new SegmentTable.Builder();
        table.Add(id, 0, Size);
        await using var reader = usenet.Client.Open(ExtentMap.OfWholeSegments(table.Build())).OpenReader(0, Size, ReadIntent.Playback);
        var bytes = new List<byte>();
        await ArriveAsync();
        usenet.Grant(1, goal: 0);

        // Something arrives at each step.
        for (var waited = TimeSpan.Zero; waited < ConnectionPool.DrainLimit; waited += step)
        {
            await ArriveAsync();
            usenet.Clock.Advance(step);
            Assert.Equal(1, usenet.Status.OpenConnections);
        }

        usenet.Clock.Advance(TimeSpan.FromSeconds(1));
        await Until.TrueAsync(() => usenet.Status.OpenConnections == 0);
        pieces.Writer.Complete();
        await Until.TrueAsync(() =>
        {
            usenet.Clock.Advance(step);
            return usenet.Shares.Held == 0;
        });
        usenet.Grant(1);
        while (bytes.Count < Size)
            await TakeAsync();
        Assert.Equal(ConnectionFixture.Bytes(id, Size), bytes);

        async Task ArriveAsync()
        {
            pieces.Writer.TryWrite(0);
            await TakeAsync();
        }

        async Task TakeAsync()
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            Assert.False(lease.IsEmpty);
            bytes.AddRange(lease.Memory.Span);
        }
    }

    [Fact]
    public async Task A_connection_that_has_to_leave_and_is_silent_is_cut_and_its_article_waits_for_another()
    {
        await using var usenet = new PoolFixture(new(), static options => options with { WarmConnections = 1 }, shared: true);
        usenet.Grant(1);
        await usenet.OpenAsync(1);
        var (probing, _) = await StallAsync(usenet, Fault.Silence);
        usenet.Grant(1, goal: 0);
        usenet.Clock.Advance(ConnectionPool.SilenceLimit - TimeSpan.FromTicks(1));
        Assert.Equal(1, usenet.Status.OpenConnections);
        usenet.Clock.Advance(TimeSpan.FromTicks(1));
        await Until.TrueAsync(() => usenet.Status.OpenConnections == 0);

        // The server may not have noticed.
        Assert.Equal(1, usenet.Shares.Held);
        await Until.TrueAsync(() =>
        {
            usenet.Clock.Advance(ConnectionPool.CountedFor);
            return usenet.Shares.Held == 0;
        });
        Assert.Equal((0, 1), (usenet.Grant(0, goal: 1).Kept, usenet.Client.QueuedRequests));
        await Until.TrueAsync(() => usenet.Mock.Stats.ConnectionsOpen == 0);
        usenet.Grant(1);
        Assert.Null(await probing);
        Assert.Equal(1, usenet.Mock.Stats.ConnectionsPeak);
    }
}
