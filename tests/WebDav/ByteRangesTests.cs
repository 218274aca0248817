using FsCheck;
using FsCheck.Fluent;
using NzbDav.WebDav.Files;

namespace NzbDav.WebDav.Tests;

public class ByteRangesTests
{
    [Theory]
    [InlineData("bytes=0-", 100, "0-100")]
    [InlineData("BYTES=5-9", 100, "5-10")]
    [InlineData("bytes=5-100", 100, "5-100")]
    [InlineData("bytes=-7", 100, "93-100")]
    [InlineData("bytes=-7", 3, "0-3")]
    [InlineData("bytes= 1-2 ,\t4-5 ,", 100, "1-3 4-6")]
    [InlineData("bytes=4-5,1-2", 100, "4-6 1-3")]
    [InlineData("bytes=0-3,2-5,5-6,9-9", 100, "0-7 9-10")]
    [InlineData("bytes=0-0,1-1", 100, "0-2")]
    [InlineData("bytes=99-,100-", 100, "99-100")]
    [InlineData("bytes=9223372036854775806-9223372036854775807", long.MaxValue, "9223372036854775806-9223372036854775807")]
    public void Valid_ranges_give_their_parts(string header, long length, string expected)
    {
        var ranges = ByteRanges.Evaluate(header, length);
        Assert.Equal(RangeOutcome.Parts, ranges.Outcome);
        Assert.Equal(expected, string.Join(' ', ranges.Parts.Select(part => $"{part.Start}-{part.End}")));
    }

    [Theory]
    [InlineData("bytes=100-", 100)]
    [InlineData("bytes=-0", 100)]
    [InlineData("bytes=0-", 0)]
    [InlineData("bytes=-5", 0)]
    [InlineData("bytes=9223372036854775807-", 100)]
    public void Ranges_outside_the_file_are_unsatisfiable(string header, long length) =>
        Assert.Equal(RangeOutcome.Unsatisfiable, ByteRanges.Evaluate(header, length).Outcome);

    [Theory]
    [InlineData("")]
    [InlineData("bytes")]
    [InlineData("bytes=")]
    [InlineData("bytes = 0-1")]
    [InlineData("bytes=2-1")]
    [InlineData("bytes=1-2;4-5")]
    [InlineData("bytes=１-2")]
    [InlineData("bytes=1 - 2")]
    [InlineData("bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14,16-16")]
    public void Malformed_ranges_are_ignored(string header) => Assert.Equal(RangeOutcome.Whole, ByteRanges.Evaluate(header, 100).Outcome);

    [Fact]
    public void Parts_of_any_request_lie_inside_the_file_and_never_overlap()
    {
        var piece = Gen.OneOf(
            Gen.Elements("-", ",", "=", "bytes", "bytes=", " ", "\t", "x", "0", "99999999999999999999", "+", "--"),
            Gen.Choose(0, 300).Select(number => number.ToString(System.Globalization.CultureInfo.InvariantCulture)));
        var text = piece.ListOf().Select(pieces => "bytes=" + string.Concat(pieces));
        var sensible = Gen.Two(Gen.Choose(0, 300)).ListOf()
            .Select(pairs => "bytes=" + string.Join(',', pairs.Select(pair => pair.Item1 > 290
            ? $"-{pair.Item2}"
            : pair.Item2 > 290 ? $"{pair.Item1}-" : $"{pair.Item1}-{pair.Item2 + pair.Item1}")));
        var cases = from header in Gen.OneOf(text, sensible, ArbMap.Default.GeneratorFor<string>())
                    from length in Gen.Choose(0, 250)
                    select (Header: header ?? "", Length: (long)length);
        Prop.ForAll(cases.ToArbitrary(), sample =>
        {
            var ranges = ByteRanges.Evaluate(sample.Header, sample.Length);
            Assert.Equal(ranges.Outcome == RangeOutcome.Parts, ranges.Parts.Length > 0);
            Assert.InRange(ranges.Parts.Length, 0, ByteRanges.MaxParts);
            foreach (var part in ranges.Parts)
                Assert.True(part.Start >= 0 && part.Start < part.End && part.End <= sample.Length, $"{part} of {sample}");
            var sorted = ranges.Parts.OrderBy(part => part.Start).ToList();
            for (var i = 1; i < sorted.Count; i++)
                Assert.True(sorted[i - 1].End <= sorted[i].Start, sample.Header);
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(5000));
    }
}
