using System.Runtime.InteropServices;
using NzbDav.Archives.Recovery.Galois;

namespace NzbDav.Archives.Recovery;

/// <summary>
/// The factors by which existing slices are multiplied to restore the missing ones. A recovery slice with exponent e is the sum of all
/// input slices, the i-th times its constant to the power e (Parity Volume Set Specification 2.0, "Recovery Slice packet"). As many
/// recovery slices as there are missing input slices give a system of equations for these. Immutable, thread-safe.
/// </summary>
internal sealed class RecoveryMatrix
{
    private readonly GaloisKernel _kernel = GaloisKernel.Best;

    /// <summary>Column by column, in split blocks: the factors of one recovery slice for all missing slices.</summary>
    private readonly byte[] _columns;

    private readonly int _columnBytes;
    private readonly int[] _exponents;

    private RecoveryMatrix(byte[] columns, int columnBytes, int[] exponents, int missing)
    {
        _columns = columns;
        _columnBytes = columnBytes;
        _exponents = exponents;
        Missing = missing;
    }

    /// <summary>Number of missing slices.</summary>
    public int Missing { get; }

    /// <summary>The exponents of the recovery slices in use: as many as there are missing slices.</summary>
    public IReadOnlyList<int> Exponents => _exponents;

    /// <summary>
    /// The constants of the first input slices: powers of two whose exponents have no divisor in common with 65,535, in order
    /// (specification, "Recovery Slice packet").
    /// </summary>
    /// <param name="count">At most 32,768: there are no more.</param>
    public static ushort[] ConstantsOf(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, 32_768);
        var constants = new ushort[count];
        var exponent = 0;
        for (var i = 0; i < count; i++)
        {
            do
                exponent++;
            while (exponent % 3 == 0 || exponent % 5 == 0 || exponent % 17 == 0 || exponent % 257 == 0);
            constants[i] = GaloisField.PowerOfTwo(exponent);
        }

        return constants;
    }

    /// <summary>
    /// Bytes of memory needed to solve for this number of missing slices: the equations, two halves each, and the columns.
    /// </summary>
    public static long MemoryOf(int count) => 3L * count * HalfOf(count);

    /// <summary>Chooses recovery slices and solves for the missing ones.</summary>
    /// <param name="missing">Constants of the missing input slices, each once.</param>
    /// <param name="exponents">Exponents of the available recovery slices, below 65,535, each once; the first suitable ones are
    /// used.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>Null if too few recovery slices are independent of each other.</returns>
    public static RecoveryMatrix? Solve(ReadOnlySpan<ushort> missing, IReadOnlyList<int> exponents, CancellationToken cancellationToken)
    {
        var count = missing.Length;
        if (exponents.Count < count)
            return null;
        var kernel = GaloisKernel.Best;

        // Each row has two halves in split blocks: the equation of an exponent, and the recovery slices that it was combined from.
        var half = HalfOf(count);
        var chosen = new List<int>(count);
        var rows = new byte[count][];
        var pivots = new int[count];
        var next = 0;
        while (chosen.Count < count)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (next == exponents.Count)
                return null;
            var row = new byte[2 * half];
            var words = MemoryMarshal.Cast<byte, ushort>(row.AsSpan());
            for (var i = 0; i < count; i++)
                words[i] = GaloisField.Power(missing[i], (uint)exponents[next]);
            words[(half / 2) + chosen.Count] = 1;
            GaloisKernel.Split(row);

            // Eliminate what the earlier equations determine. What remains gives one more pivot; if nothing remains, the equation is
            // redundant.
            for (var i = 0; i < chosen.Count; i++)
                Eliminate(kernel, row, rows[i], WordAt(row, pivots[i]));
            var pivot = FirstWord(row.AsSpan(0, half), count);
            if (pivot >= 0)
            {
                Scale(kernel, row, GaloisField.Invert(WordAt(row, pivot)));
                for (var i = 0; i < chosen.Count; i++)
                    Eliminate(kernel, rows[i], row, WordAt(rows[i], pivot));
                rows[chosen.Count] = row;
                pivots[chosen.Count] = pivot;
                chosen.Add(exponents[next]);
            }

            next++;
        }

        // Row i has a single 1 left, at its pivot. Its second half contains the factors that produce that slice.
        var columns = new byte[count * half];
        for (var i = 0; i < count; i++)
        {
            for (var j = 0; j < count; j++)
                SetWord(columns.AsSpan(j * half, half), pivots[i], WordAt(rows[i].AsSpan(half), j));
        }

        return new RecoveryMatrix(columns, half, [.. chosen], count);
    }

    /// <summary>The factors of a recovery slice.</summary>
    /// <param name="index">Its index in <see cref="Exponents"/>.</param>
    /// <param name="factors">Receives the factor for each missing slice.</param>
    public void FactorsOfRecovery(int index, Span<ushort> factors) =>
        ReadFactors(_columns.AsSpan(index * _columnBytes, _columnBytes), factors);

    /// <summary>The factors of an existing input slice.</summary>
    /// <param name="constant">Its constant.</param>
    /// <param name="factors">Receives the factor for each missing slice.</param>
    public void FactorsOfInput(ushort constant, Span<ushort> factors)
    {
        var sum = new byte[_columnBytes];
        var powers = new GaloisMultiplier[_exponents.Length];
        for (var i = 0; i < powers.Length; i++)
            powers[i] = _kernel.Prepare(GaloisField.Power(constant, (uint)_exponents[i]));
        _kernel.Add(sum, _columns, _columnBytes, powers);
        ReadFactors(sum, factors);
    }

    private static int HalfOf(int count) => (((2 * count) - 1) / GaloisKernel.Block + 1) * GaloisKernel.Block;

    private static void Eliminate(GaloisKernel kernel, byte[] row, byte[] other, ushort factor)
    {
        if (factor != 0)
            kernel.Add(row, other, 0, [kernel.Prepare(factor)]);
    }

    private static void Scale(GaloisKernel kernel, byte[] row, ushort factor)
    {
        var product = new byte[row.Length];
        kernel.Add(product, row, 0, [kernel.Prepare(factor)]);
        product.CopyTo(row, 0);
    }

    private static int Place(int word) => (word / 32 * GaloisKernel.Block) + (word % 32);

    private static ushort WordAt(ReadOnlySpan<byte> blocks, int word) => (ushort)(blocks[Place(word)] | (blocks[Place(word) + 32] << 8));

    private static void SetWord(Span<byte> blocks, int word, ushort value)
    {
        blocks[Place(word)] = (byte)value;
        blocks[Place(word) + 32] = (byte)(value >> 8);
    }

    private static int FirstWord(ReadOnlySpan<byte> blocks, int count)
    {
        for (var i = 0; i < count; i++)
        {
            if (WordAt(blocks, i) != 0)
                return i;
        }

        return -1;
    }

    private static void ReadFactors(ReadOnlySpan<byte> blocks, Span<ushort> factors)
    {
        for (var i = 0; i < factors.Length; i++)
            factors[i] = WordAt(blocks, i);
    }
}
