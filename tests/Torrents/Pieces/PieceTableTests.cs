using NzbDav.Content;
using NzbDav.MockSwarm.Contents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Tests.Pieces;

/// <summary>Slots are reused, but never while something could still refer to their previous use.</summary>
public sealed class PieceTableTests : IBudgetWaiter
{
    private static readonly MockTorrent Shared = SwarmFixture.OneFile((3 * SwarmFixture.PieceLength) + 5);

    private static readonly TorrentInfo Info = Metainfo.Read(Shared.TorrentFile()).Value!.Info;

    private readonly BufferPool _pool = new(new BufferBudget(8 << 20));

    [Fact]
    public void A_closed_slot_is_reused_for_another_piece()
    {
        var table = NewTable();
        var first = Open(table, 0);
        first.MarkRequested(0);
        first.MarkReceived(0, owner: 1, now: 7);
        first.Unasked(0);
        first.Restart();
        first.Admit(1);
        Assert.True(first.IsSuspect);
        Close(table, first);

        var last = Open(table, 3);
        Assert.Same(first, last);
        Assert.Equal((3, 5, 1, 1, 0), (last.Index, last.Size, last.Blocks, last.Free, last.Received));
        Assert.Equal((false, false, 0, 0L, false), (last.IsSuspect, last.IsVerifying, last.LastAdmitted, last.LastBlock, last.IsComplete));
        Assert.Equal((BlockState.Free, 0, 0), (last.State(0), last.Copies(0), last.Owner(0)));
        Close(table, last);
    }

    [Fact]
    public void Senders_of_a_bad_piece_are_excluded_from_it_until_they_are_admitted_again()
    {
        var table = NewTable();
        var slot = Open(table, 0);
        for (var block = 0; block < slot.Blocks; block++)
            slot.MarkReceived(block, owner: 1 + (block % 2), now: 7);
        Assert.True(slot.Admits(1));

        slot.Restart();
        Assert.Equal((false, false, true), (slot.Admits(1), slot.Admits(2), slot.Admits(3)));
        slot.Admit(2);
        Assert.Equal((false, true, 2), (slot.Admits(1), slot.Admits(2), slot.LastAdmitted));
        Close(table, slot);

        var next = Open(table, 1);
        Assert.True(next.Admits(1));
        Close(table, next);
    }

    [Fact]
    public void A_slot_that_a_request_or_a_sender_still_refers_to_is_not_reused()
    {
        var table = NewTable();
        var first = Open(table, 0);
        first.MarkRequested(1);
        first.BeginWriting();
        Close(table, first);
        var second = Open(table, 1);
        Assert.NotSame(first, second);
        Assert.False(first.Write(1, 0, 0, [1]), "closed");
        Assert.Throws<InvalidOperationException>(() => first.Buffer);

        first.Unasked(1);
        table.Recycle(first);
        var third = Open(table, 2);
        Assert.NotSame(first, third);

        first.EndWriting();
        table.Recycle(first);
        var fourth = Open(table, 3);
        Assert.Same(first, fourth);
        Close(table, second);
        Close(table, third);
        Close(table, fourth);
    }

    [Fact]
    public void A_block_begun_before_the_piece_failed_does_not_write_into_the_retry()
    {
        const int Early = 1;
        const int Spiller = 2;
        const int Honest = 3;
        var table = NewTable();
        var slot = Open(table, 0);
        Assert.True(slot.Claim(0, Early));
        Assert.True(slot.Write(0, Early, 0, [1]));
        Assert.False(slot.Claim(0, Spiller));
        slot.MarkReceived(0, Spiller, now: 7, [2, 2, 2]);
        Assert.Equal([2, 2, 2], slot.Buffer.Array.AsSpan(0, 3).ToArray());

        slot.Restart();
        Assert.True(slot.Claim(0, Honest));
        Assert.True(slot.Write(0, Honest, 0, [3, 3, 3]));
        Assert.False(slot.Write(0, Early, 1, [1]), "began before");
        Assert.Equal([3, 3, 3], slot.Buffer.Array.AsSpan(0, 3).ToArray());
        Close(table, slot);
    }

    [Fact]
    public void A_piece_allocates_only_its_buffer_handle()
    {
        var table = NewTable();
        Measure(table);
        var handle = Allocated(() =>
        {
            _pool.Budget.Reserve(BufferPool.ClassOf(SwarmFixture.PieceLength));
            _pool.Rent(SwarmFixture.PieceLength).Release();
        });

        // An object of three fields.
        Assert.InRange(handle, 1, 48);
        Assert.Equal(handle, Allocated(() => Measure(table)));
    }

    void IBudgetWaiter.BudgetFreed() => Assert.Fail("There is enough.");

    private static long Allocated(Action what)
    {
        what();
        var before = GC.GetAllocatedBytesForCurrentThread();
        what();
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    private static void Measure(PieceTable table)
    {
        var slot = Open(table, 1);
        for (var block = slot.NextFree(); block >= 0; block = slot.NextFree())
            slot.MarkRequested(block);
        for (var block = 0; block < slot.Blocks; block++)
        {
            slot.MarkReceived(block, owner: 1, now: 1);
            slot.Unasked(block);
        }

        Close(table, slot);
    }

    private static PieceSlot Open(PieceTable table, int piece) => table.TryOpen(piece, isWaited: false)!;

    private static void Close(PieceTable table, PieceSlot slot) => table.Close(slot).Release();

    private PieceTable NewTable() => new(Info, new BitField(Info.PieceCount), _pool, this);
}
