using System.Globalization;
using System.Security.Cryptography;
using NzbDav.Content;

namespace NzbDav.Archives.Recovery;

public sealed partial class SetRepair
{
    private readonly List<RecoverySlice> _found = [.. slices];
    private readonly HashSet<RecoverySlice> _unusable = [];

    /// <summary>
    /// Called when the recovery slices found so far do not suffice, again and again until they do. Returns further ones, or null if there
    /// are none. All data must be read before the damage is known, and looking for a slice costs an article: so slices are looked for as
    /// they are needed.
    /// </summary>
    public Func<CancellationToken, Task<IReadOnlyList<RecoverySlice>?>> FindMore { get; init; } = static _ =>
        Task.FromResult<IReadOnlyList<RecoverySlice>?>(null);

    /// <summary>The recovery slices that were not found to be damaged, each exponent once: recovery files may be posted twice.</summary>
    private RecoverySlice[] Usable() => [.. _found.Where(slice => !_unusable.Contains(slice)).DistinctBy(static slice => slice.Exponent)];

    /// <summary>Looks for recovery slices until there are as many as slices are missing. False if there are fewer.</summary>
    private async Task<bool> FindEnoughAsync(int missing, CancellationToken cancellationToken)
    {
        while (Usable().Length < missing)
        {
            if (await FindMore(cancellationToken) is not { } more)
                return false;
            _found.AddRange(more);
        }

        return true;
    }

    /// <summary>Solves for the missing slices. Looks for further recovery slices as long as those found do not suffice.</summary>
    /// <param name="missing">Constants of the missing slices.</param>
    /// <param name="cancellationToken">Fires when the repair is no longer wanted.</param>
    /// <returns>The matrix, null if there are not enough recovery slices; and the recovery slices.</returns>
    private async Task<(RecoveryMatrix? Matrix, RecoverySlice[] Usable)> SolveAsync(ushort[] missing, CancellationToken cancellationToken)
    {
        while (true)
        {
            var usable = Usable();
            if (RecoveryMatrix.Solve(missing, [.. usable.Select(static slice => slice.Exponent)], cancellationToken) is { } matrix)
                return (matrix, usable);
            if (await FindMore(cancellationToken) is not { } more)
                return (null, usable);
            _found.AddRange(more);
        }
    }

    private string ExplainUnsolved(int usable) => _missing.Count > usable
        ? string.Create(CultureInfo.InvariantCulture, $"{_missing.Count} slices are missing, and {usable} recovery slices are there.")
        : "The available recovery slices are not sufficient: some of them contain the same information.";

    /// <summary>Reads a stripe of the recovery slices in use. A damaged one is not used in the next pass.</summary>
    /// <param name="recovery">Receives the slices.</param>
    /// <param name="used">The slices, in the order of the matrix.</param>
    /// <param name="stripe">What is read of each.</param>
    /// <param name="isGood">False: the slices are only verified.</param>
    /// <param name="intent">Passed to every reader.</param>
    /// <param name="cancellationToken">Fires when the repair is no longer wanted.</param>
    private async Task<bool> ReadRecoveryAsync(
        SliceRecovery recovery, UsedSlice[] used, ByteSpan stripe, bool isGood, ReadIntent intent, CancellationToken cancellationToken)
    {
        for (var i = 0; i < used.Length; i++)
        {
            var (slice, head, hash) = (used[i].Slice, used[i].Head, used[i].Hash);
            if (_unusable.Contains(slice))
                continue;
            var data = slice.Packet + RecoverySlice.DataOffset;
            try
            {
                // The header is read with the first stripe.
                await using var reader = slice.Volume.OpenReader(
                    stripe.Start == 0 ? slice.Packet : data + stripe.Start, data + stripe.End, intent);
                if (stripe.Start == 0)
                {
                    for (var filled = 0; filled < head.Length;)
                    {
                        var bytes = await ReadSomeAsync(reader, head.Length - filled, cancellationToken);
                        bytes.Span.CopyTo(head.AsSpan(filled));
                        filled += bytes.Length;
                    }

                    hash.AppendData(head.AsSpan(Par2Packet.HashedFrom));
                }

                if (isGood)
                    recovery.BeginRecovery(i);
                for (var left = stripe.Length; left > 0;)
                {
                    var bytes = await ReadSomeAsync(reader, left, cancellationToken);
                    hash.AppendData(bytes.Span);
                    if (isGood)
                        recovery.Add(bytes.Span);
                    left -= bytes.Length;
                }

                if (isGood)
                    recovery.End();
                if (stripe.End < set.SliceSize || hash.GetHashAndReset().AsSpan().SequenceEqual(Par2Packet.HashOf(head)))
                    continue;
            }
            catch (ContentException e) when (e.Fault != ContentFault.Unavailable)
            {
                // A previously unknown hole.
            }
            finally
            {
                DropLease();
            }

            _unusable.Add(slice);
            isGood = false;
        }

        return isGood;
    }

    /// <summary>A recovery slice of which one stripe after the other is read.</summary>
    private sealed class UsedSlice(RecoverySlice slice) : IDisposable
    {
        public RecoverySlice Slice => slice;

        public byte[] Head { get; } = new byte[RecoverySlice.DataOffset];

#pragma warning disable CA5351 // The format's own checksum.
        public IncrementalHash Hash { get; } = IncrementalHash.CreateHash(HashAlgorithmName.MD5);
#pragma warning restore CA5351

        public void Dispose() => Hash.Dispose();
    }
}
