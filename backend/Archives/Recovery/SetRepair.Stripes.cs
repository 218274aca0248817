using NzbDav.Archives.Recovery.Galois;
using NzbDav.Content;

namespace NzbDav.Archives.Recovery;

/// <summary>One pass over the data, in as many stripes as the memory asks for.</summary>
public sealed partial class SetRepair
{
    /// <summary>Most stripes of a pass: where slices are no longer than articles, each stripe reads the whole post.</summary>
    internal const int MostStripes = 16;

    /// <summary>The longest stripe, in bytes, with which this many slices fit the memory; if none does, the shortest.</summary>
    private int StripeFor(int missing)
    {
        var length = (int)set.SliceSize;
        for (var stripes = 2; stripes <= MostStripes && Scratch is not null && SliceRecovery.MemoryOf(missing, length) > MostMemory; stripes++)
            length = (int)Math.Min(set.SliceSize, (((set.SliceSize - 1) / stripes / GaloisKernel.Block) + 1) * GaloisKernel.Block);
        return length;
    }

    /// <summary>Reads all data and calculates the missing slices. Once damage was found the rest is only verified.</summary>
    /// <returns>Null if damage was found.</returns>
    private async Task<RestoredSlices?> RestoreAsync(RecoveryMatrix matrix, RecoverySlice[] used, ushort[] constants, int length, ReadIntent intent, CancellationToken cancellationToken)
    {
        var recovery = matrix.Missing == 0 ? null : new SliceRecovery(matrix, length, Threads);
        var restored = recovery is null || length == set.SliceSize ? null : new RestoredSlices(Scratch!(matrix.Missing * set.SliceSize), set.SliceSize);
        UsedSlice[] readings = [.. used.Select(static slice => new UsedSlice(slice))];
        var isDone = false;
        try
        {
            _crcs = new uint[_count];
            (_looked, _toLook) = (0, _count * (int)((set.SliceSize + length - 1) / length));
            var isGood = true;
            for (var start = 0L; start < set.SliceSize;)
            {
                var stripe = new Stripe(start, isGood ? Math.Min(start + length, set.SliceSize) : set.SliceSize);
                isGood &= await ReadAllAsync(isGood ? recovery : null, constants, stripe, intent, cancellationToken);
                if (recovery is not null)
                    isGood &= await ReadRecoveryAsync(recovery, readings, stripe, isGood, intent, cancellationToken);
                if (isGood && restored is not null)
                    restored.Write(recovery!.Complete(), stripe);
                start = stripe.End;
                if (isGood && start < set.SliceSize)
                    recovery!.Restart();
            }

            if (!isGood)
                return null;
            isDone = true;
            return restored ?? new RestoredSlices(recovery?.Complete() ?? [], set.SliceSize);
        }
        finally
        {
            foreach (var reading in readings)
                reading.Dispose();
            if (!isDone)
                restored?.Dispose();
        }
    }
}
