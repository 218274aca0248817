using System.Buffers.Binary;
using System.Security.Cryptography;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Identifies senders of bad blocks. A bad piece that came from one peer is that peer's fault. If it came from several, the digest and
/// sender of each block are kept until the piece is good. A sender whose block differs from the good one is then to blame. Used by one
/// thread at a time per piece, under its own lock.
/// </summary>
internal sealed class BlameLedger
{
    /// <summary>
    /// Most bad pieces remembered (the latest), and most tries of each. Without limits, a hostile swarm could fill memory: a piece whose
    /// readers have left may never become good.
    /// </summary>
    private const int MostPieces = 64;

    private const int MostTries = 8;

    private readonly Lock _gate = new();
    private readonly OrderedDictionary<int, List<(int Owner, ulong Digest)[]>> _tries = [];

    /// <summary>
    /// Records a bad piece. Returns the number of the peer that sent all blocks; 0 = they came from several, and the culprit is not known
    /// yet.
    /// </summary>
    public int Failed(PieceSlot slot)
    {
        var only = slot.Owner(0);
        for (var block = 1; block < slot.Blocks; block++)
        {
            if (slot.Owner(block) != only)
                only = 0;
        }

        if (only != 0)
            return only;
        var entries = new (int Owner, ulong Digest)[slot.Blocks];
        for (var block = 0; block < entries.Length; block++)
            entries[block] = (slot.Owner(block), Digest(slot, block));
        lock (_gate)
        {
            if (!_tries.TryGetValue(slot.Index, out var tries))
            {
                if (_tries.Count == MostPieces)
                    _tries.RemoveAt(0);
                _tries[slot.Index] = tries = [];
            }

            if (tries.Count < MostTries)
                tries.Add(entries);
        }

        return 0;
    }

    /// <summary>Called for a good piece. Returns the numbers of the peers that sent different bytes for it before.</summary>
    public IReadOnlyCollection<int> Passed(PieceSlot slot)
    {
        List<(int Owner, ulong Digest)[]>? tries;
        lock (_gate)
        {
            if (!_tries.Remove(slot.Index, out tries))
                return [];
        }

        var guilty = new HashSet<int>();
        for (var block = 0; block < slot.Blocks; block++)
        {
            var digest = Digest(slot, block);
            foreach (var entries in tries)
            {
                if (entries[block].Digest != digest)
                    guilty.Add(entries[block].Owner);
            }
        }

        return guilty;
    }

    private static ulong Digest(PieceSlot slot, int block)
    {
        Span<byte> hash = stackalloc byte[20];
#pragma warning disable CA5350 // Only compares two copies; protects nothing.
        SHA1.HashData(slot.Buffer.Array.AsSpan(block * PieceSlot.BlockSize, slot.SizeOf(block)), hash);
#pragma warning restore CA5350
        return BinaryPrimitives.ReadUInt64LittleEndian(hash);
    }
}
