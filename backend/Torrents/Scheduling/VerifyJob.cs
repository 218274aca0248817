using System.Security.Cryptography;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Makes the hash of a piece, from the buffer that received it.</summary>
internal sealed class VerifyJob(Swarm swarm, TorrentInfo info, PieceSlot slot, long queued) : BackgroundJob
{
    public override void Run()
    {
        var started = swarm.Now;
        Span<byte> hash = stackalloc byte[InfoHash.Size];
#pragma warning disable CA5350 // The protocol's own hash (BEP 3).
        SHA1.HashData(slot.Buffer.Array.AsSpan(0, slot.Size), hash);
#pragma warning restore CA5350
        swarm.Metrics.Hashed(started - queued, swarm.Now - started);
        swarm.Verified(slot, hash.SequenceEqual(info.HashOf(slot.Index)));
    }
}
