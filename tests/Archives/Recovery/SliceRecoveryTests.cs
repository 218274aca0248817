using System.Buffers.Binary;
using NzbDav.Archives.Recovery;
using NzbDav.Archives.Recovery.Galois;

namespace NzbDav.Archives.Tests.Recovery;

/// <summary>Missing slices are made from the others and from recovery slices.</summary>
public sealed class SliceRecoveryTests
{
    [Fact]
    public void Constants_are_the_powers_of_two_that_the_specification_lists()
    {
        // Its table begins with the exponents 1, 2, 4, 7, 8, 11, 13, 14, 16, 19.
        Assert.Equal([.. new[] { 1, 2, 4, 7, 8, 11, 13, 14, 16, 19 }.Select(GaloisField.PowerOfTwo)], RecoveryMatrix.ConstantsOf(10));
        var all = RecoveryMatrix.ConstantsOf(32_768);
        Assert.Equal(all.Length, all.Distinct().Count());
    }

    [Theory]
    [InlineData(4, 3, 1, 1)]
    [InlineData(60, 40, 5, 1)]
    [InlineData(4096, 100, 33, 1)]
    [InlineData(100_000, 20, 20, 2)]
    [InlineData((1 << 20) + 4, 5, 3, 2)]
    public void Missing_slices_are_computed_from_the_rest(int sliceSize, int inputs, int missing, int threads)
    {
        var random = new Random(sliceSize);
        var constants = RecoveryMatrix.ConstantsOf(inputs);
        var slices = new byte[inputs][];
        for (var i = 0; i < inputs; i++)
            random.NextBytes(slices[i] = new byte[sliceSize]);

        // The last slice is short and padded with zeros.
        slices[^1].AsSpan(sliceSize / 2).Clear();
        int[] exponents = [.. Enumerable.Range(0, missing + 2).Select(i => i * 7)];
        var lost = Enumerable.Range(0, inputs).OrderBy(_ => random.Next()).Take(missing).ToArray();
        var matrix = RecoveryMatrix.Solve([.. lost.Select(i => constants[i])], exponents, CancellationToken.None)!;
        Assert.Equal(exponents.Take(missing), matrix.Exponents);

        var recovery = new SliceRecovery(matrix, sliceSize, threads);
        for (var i = 0; i < missing; i++)
        {
            recovery.BeginRecovery(i);
            Give(recovery, RecoverySlice(slices, constants, (uint)matrix.Exponents[i]), random);
        }

        foreach (var i in Enumerable.Range(0, inputs).Except(lost).OrderBy(_ => random.Next()))
        {
            recovery.BeginInput(constants[i]);
            Give(recovery, i == inputs - 1 ? slices[i].AsSpan(0, sliceSize / 2) : slices[i], random);
        }

        var made = recovery.Complete();
        for (var i = 0; i < missing; i++)
            Assert.Equal(slices[lost[i]], made[i].AsSpan(0, sliceSize).ToArray());
    }

    [Fact]
    public void Too_few_recovery_slices_solve_nothing()
    {
        Assert.Null(RecoveryMatrix.Solve(RecoveryMatrix.ConstantsOf(3), [0, 1], CancellationToken.None));
    }

    [Fact]
    public void Linearly_dependent_equations_are_skipped()
    {
        // An order that divides 65,535 makes two exponents one: 2^n to the power 0 and to the power 65,535 are both 1.
        var matrix = RecoveryMatrix.Solve(RecoveryMatrix.ConstantsOf(2), [0, 65_535, 4], CancellationToken.None)!;
        Assert.Equal([0, 4], matrix.Exponents);
    }

    [Fact]
    public void Input_longer_than_a_slice_is_refused()
    {
        var matrix = RecoveryMatrix.Solve(RecoveryMatrix.ConstantsOf(1), [0], CancellationToken.None)!;
        var recovery = new SliceRecovery(matrix, 8, 1);
        recovery.BeginRecovery(0);
        recovery.Add(new byte[8]);
        Assert.Throws<ArgumentException>(() => recovery.Add(new byte[1]));
    }

    [Theory]
    [InlineData(20, 20 << 20)]
    [InlineData(300, 700_000)]
    [InlineData(200, 64)]
    public void The_memory_of_a_recovery_is_what_it_takes(int missing, int sliceSize)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        var matrix = RecoveryMatrix.Solve(RecoveryMatrix.ConstantsOf(missing), [.. Enumerable.Range(0, missing)], CancellationToken.None)!;
        var recovery = new SliceRecovery(matrix, sliceSize, 1);
        var taken = GC.GetAllocatedBytesForCurrentThread() - before;
        GC.KeepAlive(recovery);

        // Solving allocates a row for each slice besides, and drops it at once.
        Assert.InRange(SliceRecovery.MemoryOf(missing, sliceSize), taken * 0.6, taken * 1.1);
    }

    private static void Give(SliceRecovery recovery, ReadOnlySpan<byte> slice, Random random)
    {
        while (!slice.IsEmpty)
        {
            var count = random.Next(1, slice.Length + 1);
            recovery.Add(slice[..count]);
            slice = slice[count..];
        }

        recovery.End();
    }

    private static byte[] RecoverySlice(byte[][] slices, ushort[] constants, uint exponent)
    {
        var sum = new byte[slices[0].Length];
        for (var i = 0; i < slices.Length; i++)
        {
            var factor = GaloisField.Power(constants[i], exponent);
            for (var at = 0; at < sum.Length; at += 2)
            {
                var word = BinaryPrimitives.ReadUInt16LittleEndian(sum.AsSpan(at)) ^ GaloisField.Multiply(
                    factor, BinaryPrimitives.ReadUInt16LittleEndian(slices[i].AsSpan(at)));
                BinaryPrimitives.WriteUInt16LittleEndian(sum.AsSpan(at), (ushort)word);
            }
        }

        return sum;
    }
}
