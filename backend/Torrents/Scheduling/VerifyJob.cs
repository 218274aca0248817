using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Checks a piece, in the buffer that received it.</summary>
internal sealed class VerifyJob(Swarm swarm, TorrentInfo info, PieceSlot slot, long queued) : BackgroundJob
{
    public override void Run()
    {
        var started = swarm.Now;
        var isGood = swarm.Context.Check.IsGood(info, slot.Index, slot.Buffer.Array.AsSpan(0, slot.Size));
        swarm.Metrics.Hashed(started - queued, swarm.Now - started);
        swarm.Verified(slot, isGood);
    }
}
