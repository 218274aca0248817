using FsCheck;
using FsCheck.Fluent;
using NzbDav.Content.Checksums;

namespace NzbDav.Usenet.Tests.Yenc;

public sealed class Crc32Tests
{
    private delegate uint Append(uint crc, ReadOnlySpan<byte> data);

    private static readonly (string Name, bool IsSupported, Append Append)[] All =
    [
        ("Chosen", true, Crc32.Append),
        ("Slicing", true, SlicingCrc32.Append),
        ("Folding128", FoldingCrc32.IsSupported128, FoldingCrc32.Append128),
        ("Folding256", FoldingCrc32.IsSupported256, FoldingCrc32.Append256),
        ("Folding512", FoldingCrc32.IsSupported512, FoldingCrc32.Append512),
        ("Instruction", InstructionCrc32.IsSupported, InstructionCrc32.Append),
    ];

    /// <summary>Those the processor cannot run are left out, as CI runs on more than one kind.</summary>
    private static readonly Dictionary<string, Append> Implementations = All.Where(static entry => entry.IsSupported)
        .ToDictionary(static entry => entry.Name, static entry => entry.Append);

    public static TheoryData<string> Names => [.. Implementations.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    // Of every catalogue of CRCs.
    public void HasTheCheckValue(string name) => Assert.Equal(0xCBF43926u, Implementations[name](0, "123456789"u8));

    /// <summary>A failed assertion instead would end the process, benchmarks too.</summary>
    [Fact]
    public void WhatTheProcessorCannotRunThrows() =>
        Assert.All(All, static entry =>
            Assert.Equal(entry.IsSupported, Record.Exception(() => entry.Append(0, new byte[1000])) is not PlatformNotSupportedException));

    [Theory]
    [MemberData(nameof(Names))]
    public void IsRightAtAnyLengthAndAlignment(string name)
    {
        var data = YencArticle.RandomBytes(800);
        for (var length = 0; length <= 700; length++)
        {
            var slice = data.AsSpan(length % 67, length);
            Assert.Equal(YencArticle.Checksum(slice), Implementations[name](0, slice));
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void IsRightOnBigDataInAnyPieces(string name)
    {
        for (var seed = 0; seed < 30; seed++)
        {
            var random = new Random(seed);
            var data = YencArticle.RandomBytes(random.Next(1, 100_000), seed);
            var expected = YencArticle.Checksum(data);
            Assert.Equal(expected, Implementations[name](0, data));
            var crc = 0u;
            for (var position = 0; position < data.Length;)
            {
                var piece = Math.Min(data.Length - position, random.Next(1, 3000));
                crc = Implementations[name](crc, data.AsSpan(position, piece));
                position += piece;
            }

            Assert.Equal(expected, crc);
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void StaysWithinItsSpan(string name)
    {
        using var memory = new GuardedMemory(2000);
        for (var length = 0; length < 2000; length++)
            Assert.Equal(Implementations[name](0, memory.AtStart(length)), Implementations[name](0, memory.AtEnd(length)));
    }

    [Fact]
    public void CombinesTwoStretches() =>
        Prop.ForAll<byte[], byte[]>((first, second) =>
            Crc32.Combine(Crc32.Append(0, first), Crc32.Append(0, second), second.Length) == Crc32.Append(0, [.. first, .. second]))
            .QuickCheckThrowOnFailure();

    [Fact]
    public void CombinesLongStretches()
    {
        var first = YencArticle.RandomBytes(5000);
        var zeros = new byte[1 << 20];
        var crc = Crc32.Append(0, first);
        var all = crc;
        for (var i = 0; i < 8; i++)
            all = Crc32.Append(all, zeros);
        var second = 0u;
        for (var i = 0; i < 8; i++)
            second = Crc32.Append(second, zeros);
        Assert.Equal(all, Crc32.Combine(crc, second, 8L << 20));
    }
}
