using NzbDav.Archives.Recovery.Galois;

namespace NzbDav.Archives.Recovery;

/// <summary>
/// Calculates the missing slices of a set from all others and from recovery slices; or one stripe of them from the same stripe of the
/// others. Each slice is added once, in any order and in pieces. Needs memory for the missing slices and <see cref="MostBuffered"/>. For
/// one caller at a time; the work is shared by the given number of threads.
/// </summary>
internal sealed class SliceRecovery
{
    /// <summary>
    /// Bytes of slices that are collected before they are processed, so that each missing slice passes through the CPU caches once for
    /// several of them.
    /// </summary>
    public const int MostBuffered = 16 << 20;

    private const int MostRows = 16;
    private const int LargestRow = 1 << 20;

    /// <summary>
    /// Bytes of a missing slice processed at once: together with the same part of all rows they stay in the second-level cache.
    /// </summary>
    private const int Part = 16 << 10;

    private readonly GaloisKernel _kernel = GaloisKernel.Best;
    private readonly RecoveryMatrix _matrix;
    private readonly int _sliceSize;
    private readonly int _threads;
    private readonly int _depth;
    private readonly int _rowBytes;
    private readonly byte[] _rows;
    private readonly byte[][] _slices;
    private readonly ushort[] _factors;
    private readonly GaloisMultiplier[] _prepared;
    private int _count;
    private int _filled;
    private long _offset;

    /// <param name="matrix">The missing slices and their factors.</param>
    /// <param name="sliceSize">Bytes of a slice, or of the longest stripe; at least 4, a multiple of 4.</param>
    /// <param name="threads">Number of threads, at least 1.</param>
    public SliceRecovery(RecoveryMatrix matrix, int sliceSize, int threads)
    {
        _matrix = matrix;
        _sliceSize = sliceSize;
        _threads = threads;
        var padded = Padded(sliceSize);
        _rowBytes = Math.Min(padded, LargestRow);
        _depth = DepthOf(padded, _rowBytes);
        _rows = new byte[_depth * _rowBytes];
        _slices = new byte[matrix.Missing][];
        for (var i = 0; i < _slices.Length; i++)
            _slices[i] = new byte[padded];
        _factors = new ushort[_depth * matrix.Missing];
        _prepared = new GaloisMultiplier[_depth * matrix.Missing];
    }

    /// <summary>Bytes of memory that a recovery needs, including its matrix.</summary>
    /// <param name="missing">Number of missing slices.</param>
    /// <param name="sliceSize">As in the constructor.</param>
    public static long MemoryOf(int missing, int sliceSize)
    {
        var padded = Padded(sliceSize);
        var row = Math.Min(padded, LargestRow);
        var depth = DepthOf(padded, row);
        return ((long)missing * (padded + (depth * (GaloisMultiplier.Size + sizeof(ushort))))) + ((long)depth * row)
            + RecoveryMatrix.MemoryOf(missing);
    }

    /// <summary>Begins an existing input slice.</summary>
    /// <param name="constant">Its constant.</param>
    public void BeginInput(ushort constant)
    {
        Begin();
        _matrix.FactorsOfInput(constant, Factors());
    }

    /// <summary>Begins a recovery slice.</summary>
    /// <param name="index">Its index in <see cref="RecoveryMatrix.Exponents"/>.</param>
    public void BeginRecovery(int index)
    {
        Begin();
        _matrix.FactorsOfRecovery(index, Factors());
    }

    /// <summary>Adds the next bytes of the current slice. Missing bytes count as zeros.</summary>
    /// <exception cref="ArgumentException">The bytes exceed the slice.</exception>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        if (_offset + _filled + bytes.Length > _sliceSize)
            throw new ArgumentException("The bytes exceed the slice.", nameof(bytes));
        while (!bytes.IsEmpty)
        {
            var room = Math.Min(bytes.Length, _rowBytes - _filled);
            bytes[..room].CopyTo(_rows.AsSpan((_count * _rowBytes) + _filled));
            _filled += room;
            bytes = bytes[room..];
            if (_filled == _rowBytes && _depth == 1 && !bytes.IsEmpty)
                NextPart();
        }
    }

    /// <summary>Ends the current slice.</summary>
    public void End()
    {
        if (_depth == 1)
        {
            NextPart();
            _offset = 0;
            return;
        }

        _rows.AsSpan((_count * _rowBytes) + _filled, _rowBytes - _filled).Clear();
        _count++;
        _filled = 0;
        if (_count == _depth)
            Flush(_rowBytes);
    }

    /// <summary>
    /// Returns the missing slices after all others have been added. Nothing may be added afterwards, until <see cref="Restart"/>.
    /// </summary>
    /// <returns>The slices in the matrix's order, padded to blocks of 64 bytes.</returns>
    public IReadOnlyList<byte[]> Complete()
    {
        if (_count > 0)
            Flush(_rowBytes);
        foreach (var slice in _slices)
            GaloisKernel.Join(slice);
        return _slices;
    }

    /// <summary>Begins another stripe of the same slices, which may be shorter. Overwrites what <see cref="Complete"/> returned.</summary>
    public void Restart()
    {
        foreach (var slice in _slices)
            Array.Clear(slice);
    }

    /// <summary>Number of slices that are processed together; 1 for slices larger than a row, which are processed in parts.</summary>
    private static int DepthOf(int padded, int row) => padded > row ? 1 : Math.Clamp(MostBuffered / row, 1, MostRows);

    private static int Padded(int bytes) => (bytes + GaloisKernel.Block - 1) / GaloisKernel.Block * GaloisKernel.Block;

    private void Begin()
    {
        _filled = 0;
        _offset = 0;
    }

    private Span<ushort> Factors() => _factors.AsSpan(_count * _matrix.Missing, _matrix.Missing);

    /// <summary>Begins the next part of a slice that is larger than a row.</summary>
    private void NextPart()
    {
        if (_filled == 0)
            return;
        var length = Padded(_filled);
        _rows.AsSpan(_filled, length - _filled).Clear();
        _count = 1;
        Flush(length);
        _offset += length;
        _filled = 0;
    }

    /// <summary>Adds all rows to all missing slices.</summary>
    private void Flush(int length)
    {
        var (rows, missing) = (_count, _matrix.Missing);
        GaloisKernel.Split(_rows.AsSpan(0, ((rows - 1) * _rowBytes) + length));
        for (var slice = 0; slice < missing; slice++)
        {
            for (var row = 0; row < rows; row++)
                _prepared[(slice * rows) + row] = _kernel.Prepare(_factors[(row * missing) + slice]);
        }

        // Part by part, so that the rows stay in the cache while all slices are processed.
        var parts = (length + Part - 1) / Part;
        if (_threads == 1 || parts == 1)
        {
            for (var part = 0; part < parts; part++)
                AddPart(part, rows, length);
        }
        else
        {
            Parallel.For(0, parts, new ParallelOptions { MaxDegreeOfParallelism = _threads }, part => AddPart(part, rows, length));
        }

        _count = 0;
    }

    private void AddPart(int part, int rows, int length)
    {
        var start = part * Part;
        var bytes = Math.Min(Part, length - start);
        for (var slice = 0; slice < _slices.Length; slice++)
            _kernel.Add(
                _slices[slice].AsSpan((int)_offset + start, bytes), _rows.AsSpan(start), _rowBytes, _prepared.AsSpan(slice * rows, rows));
    }
}
