using System.Buffers.Binary;
using NzbDav.Archives.Recovery.Galois;

namespace NzbDav.Archives.Tests.Recovery.Galois;

/// <summary>Every multiplication kernel that this processor supports gives the same results as the tables.</summary>
public sealed class GaloisKernelTests
{
    public static TheoryData<string> Kernels => [.. GaloisKernel.All.Select(static kernel => kernel.Name)];

    [Fact]
    public void Field_multiplication_follows_the_polynomial()
    {
        // x^16 is x^12 + x^3 + x + 1.
        Assert.Equal(0x100B, GaloisField.Multiply(0x8000, 2));
        Assert.Equal(0, GaloisField.Multiply(0, 77));
        for (var value = 1; value <= GaloisField.Order; value++)
            Assert.Equal(1, GaloisField.Multiply((ushort)value, GaloisField.Invert((ushort)value)));
        Assert.Equal(GaloisField.Multiply(GaloisField.Multiply(0x1234, 0x1234), 0x1234), GaloisField.Power(0x1234, 3));
        Assert.Equal(1, GaloisField.Power(0x1234, 65_535));
        Assert.Throws<DivideByZeroException>(() => GaloisField.Invert(0));
    }

    [Theory]
    [MemberData(nameof(Kernels))]
    public void A_kernel_adds_products_of_several_sources(string name)
    {
        var kernel = GaloisKernel.All.Single(kernel => kernel.Name == name);
        var random = new Random(5);
        const int Length = 192;
        const int Stride = 256;
        foreach (var factors in (ushort[][])[[0], [1], [0x8000, 0xFFFF],
            [.. Enumerable.Range(0, 17).Select(_ => (ushort)random.Next(65_536))]])
        {
            var sources = new byte[Stride * factors.Length];
            var target = new byte[Length];
            random.NextBytes(sources);
            random.NextBytes(target);
            var expected = new byte[Length];
            for (var i = 0; i < Length; i += 2)
            {
                var sum = BinaryPrimitives.ReadUInt16LittleEndian(target.AsSpan(i));
                for (var source = 0; source < factors.Length; source++)
                    sum ^= GaloisField.Multiply(
                        factors[source], BinaryPrimitives.ReadUInt16LittleEndian(sources.AsSpan((source * Stride) + i)));
                BinaryPrimitives.WriteUInt16LittleEndian(expected.AsSpan(i), sum);
            }

            GaloisKernel.Split(sources);
            GaloisKernel.Split(target);
            kernel.Add(target, sources, Stride, [.. factors.Select(kernel.Prepare)]);
            GaloisKernel.Join(target);
            Assert.Equal(expected, target);
        }
    }

    [Fact]
    public void Splitting_and_joining_round_trip()
    {
        var words = new byte[640];
        new Random(6).NextBytes(words);
        var blocks = (byte[])words.Clone();
        GaloisKernel.Split(blocks);
        Assert.NotEqual(words, blocks);
        Assert.Equal((words[0], words[1], words[62], words[63]), (blocks[0], blocks[32], blocks[31], blocks[63]));
        GaloisKernel.Join(blocks);
        Assert.Equal(words, blocks);
    }

    [Fact]
    public void Too_short_sources_are_refused()
    {
        var kernel = GaloisKernel.Best;
        Assert.Throws<ArgumentException>(() => kernel.Add(new byte[128], new byte[192], 128, [kernel.Prepare(1), kernel.Prepare(2)]));
        Assert.Throws<ArgumentException>(() => kernel.Add(new byte[60], new byte[192], 64, [kernel.Prepare(1)]));
    }
}
