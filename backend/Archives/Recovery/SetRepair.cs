using System.Globalization;
using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;
using NzbDav.Archives.Recovery.Galois;
using NzbDav.Content;
using NzbDav.Content.Checksums;

namespace NzbDav.Archives.Recovery;

/// <summary>
/// Repairs the missing or damaged slices of a set. All existing data is read once, in order, and verified by the CRC-32 of the slices. A
/// slice found to be damaged counts as missing, and everything is read again. Needs memory for the missing slices
/// (<see cref="SliceRecovery.MemoryOf"/>). Slices that do not fit into <see cref="MostMemory"/> are repaired in stripes: first the first
/// part of all of them, then the next. Used once.
/// </summary>
/// <param name="set">The set, complete, with the checksums of all its slices.</param>
/// <param name="files">The files that the set can repair, each once, in the order of <see cref="Par2Set.Recoverable"/>.</param>
/// <param name="slices">The recovery slices found so far; see <see cref="FindMore"/>.</param>
public sealed class SetRepair(Par2Set set, IReadOnlyList<RepairFile> files, IReadOnlyList<RecoverySlice> slices)
{
    /// <summary>Most slices of a set (specification, "Main packet").</summary>
    private const int MostSlices = 32_768;

    /// <summary>Largest slice in bytes: the calculation uses 32-bit offsets. The slices of posts have some megabytes.</summary>
    private const int LargestSlice = 256 << 20;

    /// <summary>Most passes over the data. Each pass after the first follows newly found damage.</summary>
    private const int MostPasses = 6;

    /// <summary>Most stripes of a pass: if slices are no longer than articles, each stripe reads the whole post.</summary>
    internal const int MostStripes = 16;

    /// <summary>
    /// Most bytes between the parts of neighbouring slices that are read and discarded. The alternative is a new reader, which waits for
    /// its first article, and most articles in between are read anyway.
    /// </summary>
    internal const int LargestSkip = 4 << 20;

    private readonly HashSet<int> _missing = [];
    private readonly List<RecoverySlice> _found = [.. slices];
    private readonly HashSet<RecoverySlice> _unusable = [];
    private int[] _firstSlice = [];
    private int _count;

    private ContentLease? _lease;
    private int _consumed;

    /// <summary>CRC-32 of what this pass has read, by slice.</summary>
    private uint[] _crcs = [];

    private int _checked;
    private int _toCheck;

    /// <summary>Number of threads for the calculation; at least 1.</summary>
    public int Threads { get; init; } = Environment.ProcessorCount;

    /// <summary>Most memory, in bytes. A repair that needs more, even in stripes, is refused.</summary>
    public long MostMemory { get; init; } = 1L << 30;

    /// <summary>
    /// Creates a file of this many bytes for slices that are repaired in stripes; the result owns it. Null: only what fits into
    /// <see cref="MostMemory"/> is repaired. Any exception ends the repair.
    /// </summary>
    public Func<long, SafeFileHandle>? Scratch { get; init; }

    /// <summary>
    /// Called before each pass that repairs slices, with the bytes of memory that it needs. Completes when they may be used. The memory of
    /// the pass before is then no longer in use; that of the last pass holds the result, unless that is in a file.
    /// </summary>
    public Func<long, CancellationToken, Task> ReserveMemory { get; init; } = static (_, _) => Task.CompletedTask;

    /// <summary>
    /// Called while the recovery slices found so far do not suffice. Returns further ones, or null if there are none. Slices are looked for
    /// only when needed: finding one costs an article, and the damage is not known before all data has been read.
    /// </summary>
    public Func<CancellationToken, Task<IReadOnlyList<RecoverySlice>?>> FindMore { get; init; } = static _ =>
        Task.FromResult<IReadOnlyList<RecoverySlice>?>(null);

    /// <summary>Receives the fraction that has been read, from 0 to 1, with each slice. Starts over when damage is found.</summary>
    public Action<double> Progress { get; init; } = static _ => { };

    /// <summary>Why a set cannot be used for a repair; null if it can.</summary>
    public static string? Unusable(Par2Set set)
    {
        ArgumentNullException.ThrowIfNull(set);
        if (set.IsPacked && set.Recoverable.IsEmpty)
            return "The recovery data are a packed set, which is not supported.";
        if (set.SliceSize is <= 0 or > LargestSlice || set.Recoverable.IsEmpty)
            return "The recovery data do not say how the post was cut into slices.";
        var known = set.Files.ToDictionary(static file => Convert.ToHexString(file.Id.Span), StringComparer.Ordinal);
        long slices = 0;
        foreach (var id in set.Recoverable)
        {
            if (!known.TryGetValue(Convert.ToHexString(id.Span), out var file))
                return "The recovery data do not describe all files of the post.";
            var count = (file.Length + set.SliceSize - 1) / set.SliceSize;
            if (file.SliceChecksums.Length != count * SliceChecksum.Size)
                return $"The recovery data lack the checksums of '{file.Name}'.";
            slices += count;
        }

        return slices <= MostSlices ? null : "The recovery data have more slices than the format allows.";
    }

    /// <summary>Runs the repair.</summary>
    /// <param name="intent">Passed to every reader.</param>
    /// <param name="cancellationToken">Fires when the repair is no longer wanted.</param>
    /// <exception cref="ContentException">Bytes are unavailable now (<see cref="ContentFault.Unavailable"/>).</exception>
    public async Task<RepairResult> RunAsync(ReadIntent intent, CancellationToken cancellationToken)
    {
        _count = Number();
        var constants = RecoveryMatrix.ConstantsOf(_count);
        for (var pass = 0; pass < MostPasses; pass++)
        {
            if (await RunPassAsync(constants, intent, cancellationToken) is { } result)
                return result;
        }

        return Failed(Usable().Length, "Each pass over the post found more damage.");
    }

    /// <summary>Reads everything once. A separate method, so that no pass keeps the memory of the one before alive.</summary>
    /// <returns>Null if it found further damage.</returns>
    private async Task<RepairResult?> RunPassAsync(ushort[] constants, ReadIntent intent, CancellationToken cancellationToken)
    {
        var lost = _missing.Order().ToArray();
        if (!await FindEnoughAsync(lost.Length, cancellationToken))
            return Failed(Usable().Length, ExplainUnsolved(Usable().Length));
        var stripe = (int)set.SliceSize;
        if (lost.Length > 0)
        {
            stripe = StripeFor(lost.Length);
            var needed = SliceRecovery.MemoryOf(lost.Length, stripe);
            if (needed > MostMemory)
                return Failed(Usable().Length, ExplainTooLarge(needed));
            await ReserveMemory(needed, cancellationToken);
        }

        var (matrix, usable) = await SolveAsync([.. lost.Select(slice => constants[slice])], cancellationToken);
        if (matrix is null)
            return Failed(usable.Length, ExplainUnsolved(usable.Length));
        RecoverySlice[] used = [.. matrix.Exponents.Select(exponent => Array.Find(usable, slice => slice.Exponent == exponent)!)];
        var repaired = await RepairAsync(matrix, used, constants, stripe, intent, cancellationToken);
        if (repaired is null)
            return null;
        RepairResult? result = null;
        try
        {
            return result = Verify(lost, repaired, usable.Length);
        }
        finally
        {
            if (result is not { Failure: null })
                repaired.Dispose();
        }
    }

    private string ExplainTooLarge(long needed)
    {
        static double MiB(long bytes) => bytes / (double)(1 << 20);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{MiB(_missing.Count * set.SliceSize):0.#} MiB are missing: more than can be repaired at once. That takes {MiB(needed):0.#} " +
            $"MiB of memory, and {MiB(MostMemory):0.#} MiB may be used. Give the server more memory.");
    }

    private RepairResult Failed(int available, string why) => new([], _missing.Count, available, why);

    /// <summary>Numbers the slices of all files, and finds the missing ones.</summary>
    private int Number()
    {
        var count = 0;
        _firstSlice = new int[files.Count];
        for (var i = 0; i < files.Count; i++)
        {
            _firstSlice[i] = count;
            var file = files[i];
            var own = SlicesOf(file);
            for (var slice = 0; slice < own; slice++)
            {
                var bytes = new ByteSpan(slice * set.SliceSize, Math.Min(file.Described.Length, (slice + 1) * set.SliceSize));
                if (file.Content is null || file.Holes.Any(hole => hole.Overlaps(bytes)))
                    _missing.Add(count + slice);
            }

            count += own;
        }

        return count;
    }

    private int SlicesOf(RepairFile file) => (int)((file.Described.Length + set.SliceSize - 1) / set.SliceSize);

    private RepairResult Verify(int[] lost, RepairedSlices repaired, int available)
    {
        var verified = new RepairedSlice[lost.Length];
        for (var i = 0; i < lost.Length; i++)
        {
            // An empty file has no slices; its first-slice number is that of the next file.
            var file = Array.FindLastIndex(_firstSlice, first => first <= lost[i]);
            var slice = lost[i] - _firstSlice[file];
            if (!files[file].Described.HasSlice(slice, repaired.ChecksumsOf(i)))
                return Failed(available, $"The restored part of '{files[file].Described.Name}' does not match the recovery data.");
            var offset = slice * set.SliceSize;
            verified[i] = new RepairedSlice(repaired, i, file, offset, (int)Math.Min(set.SliceSize, files[file].Described.Length - offset));
        }

        return new RepairResult(verified, lost.Length, available, Failure: null) { Repaired = repaired };
    }

    // One pass over the data, in as many stripes as the memory requires. A stripe consists of the same bytes of every slice, beginning at a
    // multiple of 64. Recovery data is computed word by word, so a stripe of the missing slices needs only that stripe of the others.

    /// <summary>The longest stripe, in bytes, with which this many slices fit into the memory; if none does, the shortest.</summary>
    private int StripeFor(int missing)
    {
        var length = (int)set.SliceSize;
        for (var stripes = 2; stripes <= MostStripes && Scratch is not null
            && SliceRecovery.MemoryOf(missing, length) > MostMemory; stripes++)
            length = (int)Math.Min(set.SliceSize, (((set.SliceSize - 1) / stripes / GaloisKernel.Block) + 1) * GaloisKernel.Block);
        return length;
    }

    /// <summary>Reads all data and calculates the missing slices. After damage is found, the rest is only verified.</summary>
    /// <returns>Null if damage was found.</returns>
    private async Task<RepairedSlices?> RepairAsync(
        RecoveryMatrix matrix, RecoverySlice[] used, ushort[] constants, int length, ReadIntent intent, CancellationToken cancellationToken)
    {
        var recovery = matrix.Missing == 0 ? null : new SliceRecovery(matrix, length, Threads);
        var repaired = recovery is null || length == set.SliceSize
            ? null : new RepairedSlices(Scratch!(matrix.Missing * set.SliceSize), set.SliceSize);
        UsedSlice[] readings = [.. used.Select(static slice => new UsedSlice(slice))];
        var isDone = false;
        try
        {
            _crcs = new uint[_count];
            (_checked, _toCheck) = (0, _count * (int)((set.SliceSize + length - 1) / length));
            var isGood = true;
            for (var start = 0L; start < set.SliceSize;)
            {
                var stripe = new ByteSpan(start, isGood ? Math.Min(start + length, set.SliceSize) : set.SliceSize);
                isGood &= await ReadAllAsync(isGood ? recovery : null, constants, stripe, intent, cancellationToken);
                if (recovery is not null)
                    isGood &= await ReadRecoveryAsync(recovery, readings, stripe, isGood, intent, cancellationToken);
                if (isGood && repaired is not null)
                    repaired.Write(recovery!.Complete(), stripe);
                start = stripe.End;
                if (isGood && start < set.SliceSize)
                    recovery!.Restart();
            }

            if (!isGood)
                return null;
            isDone = true;
            return repaired ?? new RepairedSlices(recovery?.Complete() ?? [], set.SliceSize);
        }
        finally
        {
            foreach (var reading in readings)
                reading.Dispose();
            if (!isDone)
                repaired?.Dispose();
        }
    }

    // Reads the existing slices of the files, one stripe after the other.

    /// <summary>Reads a stripe of all existing slices. A damaged slice counts as missing from then on.</summary>
    /// <returns>False if damage was found: the calculated result is then useless.</returns>
    private async Task<bool> ReadAllAsync(
        SliceRecovery? recovery, ushort[] constants, ByteSpan stripe, ReadIntent intent, CancellationToken cancellationToken)
    {
        var isGood = true;
        for (var i = 0; i < files.Count; i++)
        {
            var count = SlicesOf(files[i]);
            for (var slice = 0; slice < count;)
            {
                if (_missing.Contains(_firstSlice[i] + slice))
                {
                    slice++;
                    continue;
                }

                // Slices that are too far apart get their own readers.
                var end = slice + 1;
                while (end < count && set.SliceSize - stripe.Length <= LargestSkip && !_missing.Contains(_firstSlice[i] + end))
                    end++;
                var bad = await ReadRunAsync(isGood ? recovery : null, constants, i, slice, end, stripe, intent, cancellationToken);
                slice = bad >= 0 ? bad + 1 : end;
                isGood &= bad < 0;
            }
        }

        return isGood;
    }

    /// <summary>Reads a stripe of consecutive slices with one reader.</summary>
    /// <returns>The first damaged slice; −1 if there is none.</returns>
    private async Task<int> ReadRunAsync(SliceRecovery? recovery, ushort[] constants, int index, int first, int end, ByteSpan stripe,
        ReadIntent intent, CancellationToken cancellationToken)
    {
        var file = files[index];
        long StartOf(int slice) => slice * set.SliceSize;
        long Place(int slice, long offset) => Math.Min(file.Described.Length, StartOf(slice) + offset);
        var (at, last) = (Place(first, stripe.Start), Place(end - 1, stripe.End));
        var slice = first;
        try
        {
            // The last slice of a file may end before the stripe begins.
            await using var reader = at < last ? file.Content!.OpenReader(at, last, intent) : null;
            for (; slice < end; slice++)
            {
                var number = _firstSlice[index] + slice;
                var (from, to) = (Place(slice, stripe.Start), Place(slice, stripe.End));
                while (at < from && at < last)
                    at += (await ReadSomeAsync(reader!, Math.Min(from, last) - at, cancellationToken)).Length;
                recovery?.BeginInput(constants[number]);
                while (at < to)
                {
                    // A lease may extend beyond the stripe: the rest is kept for the next slice.
                    var bytes = await ReadSomeAsync(reader!, to - at, cancellationToken);
                    _crcs[number] = Crc32.Append(_crcs[number], bytes.Span);
                    recovery?.Add(bytes.Span);
                    at += bytes.Length;
                }

                recovery?.End();
                Progress(++_checked / (double)(_toCheck + 1));
                if (stripe.End < set.SliceSize)
                    continue;
                var zeros = StartOf(slice + 1) - to;
                if (SliceChecksum.AppendZeros(_crcs[number], zeros) != SliceChecksum.CrcOf(file.Described.SliceChecksums, slice))
                    break;
            }
        }
        catch (ContentException e) when (e.Fault != ContentFault.Unavailable)
        {
            // A previously unknown hole. It may be in the slice before, among bytes that were only skipped.
            slice = (int)(at / set.SliceSize);
        }
        finally
        {
            DropLease();
        }

        if (slice == end)
            return -1;
        _missing.Add(_firstSlice[index] + slice);
        return slice;
    }

    private async ValueTask<ReadOnlyMemory<byte>> ReadSomeAsync(ContentReader reader, long most, CancellationToken cancellationToken)
    {
        if (_lease is null || _consumed == _lease.Length)
        {
            DropLease();
            _lease = await reader.NextAsync(cancellationToken);
            if (_lease.IsEmpty)
                throw new InvalidOperationException("The content ended before its own length.");
        }

        var bytes = _lease.Memory[_consumed..];
        if (bytes.Length > most)
            bytes = bytes[..(int)most];
        _consumed += bytes.Length;
        return bytes;
    }

    private void DropLease()
    {
        _lease?.Dispose();
        _lease = null;
        _consumed = 0;
    }

    // Recovery slices.

    /// <summary>
    /// The recovery slices that were not found to be damaged, each exponent once, because recovery files may be posted twice.
    /// </summary>
    private RecoverySlice[] Usable() => [.. _found.Where(slice => !_unusable.Contains(slice)).DistinctBy(static slice => slice.Exponent)];

    /// <summary>Looks for recovery slices until there are as many as missing slices. False if there are fewer.</summary>
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

    /// <summary>Solves for the missing slices. Looks for further recovery slices while those found do not suffice.</summary>
    /// <param name="missing">Constants of the missing slices.</param>
    /// <param name="cancellationToken">Fires when the repair is no longer wanted.</param>
    /// <returns>The matrix, null if there are not enough recovery slices; and the usable recovery slices.</returns>
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
    /// <param name="stripe">The range read of each slice.</param>
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
                // The header is read together with the first stripe.
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

    /// <summary>A recovery slice that is read stripe by stripe.</summary>
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
