using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Work;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Checks a piece in the buffer that received it. Belongs to the slot, which has one check at a time.</summary>
internal sealed class VerifyJob(ISwarm swarm, PieceSlot slot) : BackgroundJob
{
    /// <summary>When it was queued, in ticks.</summary>
    public long Queued { get; set; }

    public override void Run()
    {
        var started = swarm.Now;
        var isGood = swarm.Context.Check.IsGood(swarm.Table!.Info, slot.Index, slot.Buffer.Array.AsSpan(0, slot.Size));
        swarm.Metrics.Hashed(started - Queued, swarm.Now - started);
        swarm.Verified(slot, isGood);
    }
}
