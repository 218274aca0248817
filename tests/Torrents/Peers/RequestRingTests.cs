using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Tests.Peers;

public sealed class RequestRingTests
{
    [Fact]
    public void Any_order_of_answers_empties_the_ring()
    {
        var pool = new DiagnosticBufferPool();
        pool.Budget.Reserve(BufferPool.ClassOf(4 << 20));
        var slot = new PieceSlot(4 << 20);
        slot.Open(0, 4 << 20, pool.Rent(4 << 20));
        for (var seed = 0; seed < 50; seed++)
        {
            var random = new Random(seed);
            var ring = new RequestRing();
            var live = new List<int>();
            for (var step = 0; step < 2_000; step++)
            {
                var block = random.Next(256);
                if (random.Next(5) < 3 && !live.Contains(block))
                {
                    ring.Add(new Request(slot, block, step, Cancelled: false));
                    live.Add(block);
                }
                else if (live.Count > 0)
                {
                    var gone = random.Next(3) > 0 ? live[0] : live[random.Next(live.Count)];
                    if (random.Next(4) == 0)
                        ring.MarkCancelled(ring.Find(0, gone));
                    ring.RemoveAt(ring.Find(0, gone));
                    live.Remove(gone);
                }

                Assert.Equal(live.Count, ring.Count);
                Assert.Equal(0, ring.Cancelled);
            }

            Assert.All(live, block => Assert.True(ring.Find(0, block) >= 0));
            Assert.Equal(-1, ring.Find(1, 0));
        }

        slot.Buffer.Release();
        pool.AssertAllReturned();
    }
}
