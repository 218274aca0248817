using NzbDav.Content;
using NzbDav.Content.Checksums;

namespace NzbDav.Archives.Recovery;

/// <summary>Reads the existing slices of the files, stripe by stripe.</summary>
public sealed partial class SetRepair
{
    /// <summary>
    /// Most bytes between the parts of neighbouring slices that are read and discarded: a new reader waits for its first article, and most articles between them are
    /// read anyway.
    /// </summary>
    internal const int LargestSkip = 4 << 20;

    private ContentLease? _lease;
    private int _taken;

    /// <summary>For each slice the CRC-32 of what this pass has read of it.</summary>
    private uint[] _crcs = [];

    private int _looked;
    private int _toLook;

    /// <summary>Reads a stripe of all existing slices. A damaged slice counts as missing from then on.</summary>
    /// <returns>False if damage was found: the calculated result is then useless.</returns>
    private async Task<bool> ReadAllAsync(SliceRecovery? recovery, ushort[] constants, Stripe stripe, ReadIntent intent, CancellationToken cancellationToken)
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

                // Slices that lie too far apart get a reader each.
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
    /// <returns>The first damaged slice; −1 if none is.</returns>
    private async Task<int> ReadRunAsync(SliceRecovery? recovery, ushort[] constants, int index, int first, int end, Stripe stripe, ReadIntent intent, CancellationToken cancellationToken)
    {
        var file = files[index];
        long StartOf(int slice) => slice * set.SliceSize;
        long Place(int slice, long offset) => Math.Min(file.Described.Length, StartOf(slice) + offset);
        var (at, last) = (Place(first, stripe.Start), Place(end - 1, stripe.End));
        var slice = first;
        try
        {
            // The last slice of a file may end before the stripe.
            await using var reader = at < last ? file.Content!.OpenReader(at, last, intent) : null;
            for (; slice < end; slice++)
            {
                var number = _firstSlice[index] + slice;
                var (from, to) = (Place(slice, stripe.Start), Place(slice, stripe.End));
                while (at < from && at < last)
                    at += (await TakeAsync(reader!, Math.Min(from, last) - at, cancellationToken)).Length;
                recovery?.BeginInput(constants[number]);
                while (at < to)
                {
                    // A lease may reach beyond the stripe: its rest is kept for the next slice.
                    var bytes = await TakeAsync(reader!, to - at, cancellationToken);
                    _crcs[number] = Crc32.Append(_crcs[number], bytes.Span);
                    recovery?.Add(bytes.Span);
                    at += bytes.Length;
                }

                recovery?.End();
                Progress(++_looked / (double)(_toLook + 1));
                if (stripe.End < set.SliceSize)
                    continue;
                var zeros = StartOf(slice + 1) - to;
                if (SliceChecksum.AppendZeros(_crcs[number], zeros) != SliceChecksum.CrcOf(file.Described.SliceChecksums, slice))
                    break;
            }
        }
        catch (ContentException e) when (e.Fault != ContentFault.Unavailable)
        {
            // A previously unknown hole; in what is read over it may belong to the slice before.
            slice = (int)(at / set.SliceSize);
        }
        finally
        {
            DropRest();
        }

        if (slice == end)
            return -1;
        _missing.Add(_firstSlice[index] + slice);
        return slice;
    }

    private async ValueTask<ReadOnlyMemory<byte>> TakeAsync(ContentReader reader, long most, CancellationToken cancellationToken)
    {
        if (_lease is null || _taken == _lease.Length)
        {
            DropRest();
            _lease = await reader.NextAsync(cancellationToken);
            if (_lease.IsEmpty)
                throw new InvalidOperationException("The content ended before its own length.");
        }

        var bytes = _lease.Memory[_taken..];
        if (bytes.Length > most)
            bytes = bytes[..(int)most];
        _taken += bytes.Length;
        return bytes;
    }

    private void DropRest()
    {
        _lease?.Dispose();
        _lease = null;
        _taken = 0;
    }
}
