using FsCheck;
using FsCheck.Fluent;
using NzbDav.Usenet.Yenc;

namespace NzbDav.Usenet.Tests.Yenc;

/// <summary>Every implementation that this processor can run does on every input what the scalar one does.</summary>
public sealed class VectorYencDecoderTests
{
    /// <summary>Name and decoder; those the processor cannot run are left out, as CI runs on more than one kind.</summary>
    private static readonly Dictionary<string, YencDecode> Decoders = new[]
    {
        ("Chosen", true, (YencDecode)YencDecoder.Decode),
        ("Vector128", YencBlock128.IsSupported, VectorYencDecoder.Decode<YencBlock128>),
        ("Vector256", YencBlock256.IsSupported, VectorYencDecoder.Decode<YencBlock256>),
        ("Vector512", YencBlock512.IsSupported, VectorYencDecoder.Decode<YencBlock512>),
    }.Where(static decoder => decoder.Item2).ToDictionary(static decoder => decoder.Item1, static decoder => decoder.Item3);

    public static TheoryData<string> Names => [.. Decoders.Keys];

    private static readonly byte[][] LineStarts =
        [.. new[] { "\r\n.", "\r\n=x", "\n.", "\r\n..", "=\r\n.", "\r\n" }.Select(System.Text.Encoding.ASCII.GetBytes)];

    private enum Density
    {
        Encoded,
        Sparse,
        Dense,
        EscapesOnly,
        LineStarts,
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void EqualsScalarOnAnyInput(string name)
    {
        for (var seed = 0; seed < 4000; seed++)
        {
            var random = new Random(seed);
            var source = RandomSource(random, random.Next(0, 700), (Density)(seed % 5));
            AssertEqual(Decoders[name], source, source.Length, $"seed {seed}");
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void EqualsScalarOnWhatFsCheckFinds(string name)
    {
        var special = Gen.Elements("=\r\n.y=\r\n."u8.ToArray());
        var any = Gen.Choose(0, 255).Select(static value => (byte)value);
        var bytes = Gen.ArrayOf(Gen.Frequency((1, special), (2, any))).ToArbitrary();
        var config = Config.QuickThrowOnFailure.WithMaxTest(2000).WithEndSize(600);
        Prop.ForAll(
            bytes,
            Arb.From(Gen.Choose(0, 7)),
            (source, state) => AssertEqual(Decoders[name], source, source.Length, "", (YencDecoderState)state)).Check(config);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void EqualsScalarInAnyPieces(string name)
    {
        for (var seed = 0; seed < 1500; seed++)
        {
            var random = new Random(seed);
            var source = RandomSource(random, random.Next(0, 1500), (Density)(seed % 5));
            var mostRead = random.Next(1, 400);
            var mostWritten = random.Next(1, 400);
            var expectedState = default(YencDecoderState);
            var actualState = default(YencDecoderState);
            var position = 0;
            while (position < source.Length)
            {
                var piece = source.AsSpan(position, Math.Min(source.Length - position, random.Next(1, mostRead + 1)));
                var room = random.Next(1, mostWritten + 1);
                var expected = new byte[room];
                var actual = new byte[room];
                var expectedScan = ScalarYencDecoder.Decode(
                    ref expectedState, piece, expected, out var expectedRead, out var expectedWritten);
                var actualScan = Decoders[name](ref actualState, piece, actual, out var actualRead, out var actualWritten);
                Assert.Equal(
                    (expectedScan, expectedRead, expectedWritten, expectedState), (actualScan, actualRead, actualWritten, actualState));
                Assert.Equal(expected[..expectedWritten], actual[..actualWritten]);
                position += expectedRead;
            }
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void EqualsScalarWithASequenceAtEveryOffset(string name)
    {
        string[] sequences =
        [
            "\r\n.\r\n", "\r\n.\r", "\r\n.", "\r\n..", "\r\n.=y", "\r\n.=", "\r\n=y", "\r\n=", "\r\n==", "\n.\r\n", "\n=y", "\n.=y",
            "=\r\n.\r\n", "=\n=y", "=\n.", "==", "===", "====", "==y", "=.", "=\r", "\r=\n.\r\n", "\r\n.\n", "\r\n.\r\r\n.\r\n",
            "\r\n..=y", "\r\r\n.\r\n", "\r\n\r\n.\r\n", "\r\n.x", "\r\n=x",
        ];
        foreach (var sequence in sequences)
        {
            for (var offset = 0; offset < 200; offset++)
            {
                var source = new byte[300];
                source.AsSpan().Fill((byte)'x');
                System.Text.Encoding.ASCII.GetBytes(sequence).CopyTo(source, offset);
                var what = $"{sequence.ReplaceLineEndings(" ")} at {offset}";
                AssertEqual(Decoders[name], source, source.Length, what);
                AssertEqual(Decoders[name], source.AsSpan(0, offset + sequence.Length), source.Length, what + ", then the end");
            }
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void EqualsScalarCutAtEveryByte(string name)
    {
        var source = YencArticle.EncodeLines(YencArticle.RandomBytes(500));
        for (var cut = 0; cut <= source.Length; cut++)
        {
            AssertEqual(Decoders[name], source.AsSpan(0, cut), source.Length, $"source cut at {cut}");
            AssertEqual(Decoders[name], source, cut, $"destination cut at {cut}");
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void StaysWithinItsSpans(string name)
    {
        using var sourceMemory = new GuardedMemory(2000);
        using var destinationMemory = new GuardedMemory(2000);
        for (var seed = 0; seed < 4000; seed++)
        {
            var random = new Random(seed);
            var length = random.Next(0, 600);
            var room = random.Next(2) == 0 ? random.Next(0, 600) : length;
            var bytes = RandomSource(random, length, (Density)(seed % 5));
            var source = (seed & 1) == 0 ? sourceMemory.AtStart(length) : sourceMemory.AtEnd(length);
            bytes.AsSpan(0, length).CopyTo(source);
            var destination = (seed & 2) == 0 ? destinationMemory.AtStart(room) : destinationMemory.AtEnd(room);
            var state = default(YencDecoderState);
            Decoders[name](ref state, source, destination, out var consumed, out var written);
            Assert.InRange(consumed, 0, length);
            Assert.InRange(written, 0, room);
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void DecodesAWholeArticle(string name)
    {
        var data = YencArticle.RandomBytes(716_800);
        var state = default(YencDecoderState);
        var destination = new byte[data.Length];
        byte[] source = [.. YencArticle.EncodeLines(data), .. "=yend"u8];
        Assert.Equal(YencScan.ControlLine, Decoders[name](ref state, source, destination, out var consumed, out var written));
        Assert.Equal((source.Length - 3, data.Length), (consumed, written));
        Assert.Equal(data, destination);
    }

    private static void AssertEqual(YencDecode decode, ReadOnlySpan<byte> source, int room, string what, YencDecoderState start = default)
    {
        var expected = new byte[room];
        var actual = new byte[room];
        var expectedState = start;
        var actualState = start;
        var expectedScan = ScalarYencDecoder.Decode(ref expectedState, source, expected, out var expectedRead, out var expectedWritten);
        var actualScan = decode(ref actualState, source, actual, out var actualRead, out var actualWritten);
        Assert.True(
            (expectedScan, expectedRead, expectedWritten, expectedState) == (actualScan, actualRead, actualWritten, actualState), what);
        Assert.True(expected.AsSpan(0, expectedWritten).SequenceEqual(actual.AsSpan(0, actualWritten)), what);
    }

    private static byte[] RandomSource(Random random, int length, Density density)
    {
        if (density == Density.Encoded)
        {
            var data = new byte[length];
            random.NextBytes(data);
            return YencArticle.EncodeLines(data, random.Next(1, 150));
        }

        var (specials, share) = density switch
        {
            Density.Sparse => ("=\r\n."u8.ToArray(), 40),
            Density.EscapesOnly => ("="u8.ToArray(), random.Next(1, 6)),
            Density.LineStarts => ("\n"u8.ToArray(), 20),
            _ => ("=\r\n.y"u8.ToArray(), random.Next(1, 6)),
        };
        var source = new List<byte>(length + 4);
        while (source.Count < length)
        {
            if (random.Next(share) != 0)
                source.Add((byte)random.Next(256));
            else if (density == Density.LineStarts)
                source.AddRange(LineStarts[random.Next(LineStarts.Length)]);
            else
                source.Add(specials[random.Next(specials.Length)]);
        }

        return [.. source];
    }
}
