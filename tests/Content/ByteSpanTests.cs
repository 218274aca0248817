namespace NzbDav.Content.Tests;

public sealed class ByteSpanTests
{
    private const int Bytes = 40;

    /// <summary>All operations against sets of single bytes.</summary>
    [Fact]
    public void Every_operation_agrees_with_counting_bytes()
    {
        for (var seed = 0; seed < 500; seed++)
        {
            var random = new Random(seed);
            var spans = Enumerable.Range(0, random.Next(6)).Select(_ => Any(random)).ToArray();
            var (one, other) = (Any(random), Any(random));
            var (mine, its) = (Of(one), Of(other));

            Assert.Equal(mine.Count, one.Length);
            Assert.Equal(mine.Count == 0, one.IsEmpty);
            Assert.All(Enumerable.Range(-1, Bytes + 2), at => Assert.Equal(mine.Contains(at), one.Contains(at)));
            Assert.Equal(mine.Overlaps(its), one.Overlaps(other));
            Assert.Equal(mine.Intersect(its), Of(one.Intersect(other)));
            Assert.True(one.Intersect(other) is var common && common.End >= common.Start, $"{one} {other}");
            Assert.Equal(mine.Select(static at => at + 7), Of(one.Shift(7)));
            if (!other.IsEmpty)
                Assert.Equal(its.IsSubsetOf(mine), one.Contains(other));

            var sorted = spans.OrderBy(static span => span.Start).ToArray();
            Assert.Equal(mine.Except(spans.SelectMany(Of)).Order(), one.Subtract(sorted).SelectMany(Of));
            Assert.All(one.Subtract(sorted), static part => Assert.False(part.IsEmpty));

            var gap = random.Next(4);
            var union = ByteSpan.Union(spans.Where(static span => !span.IsEmpty), gap);
            Assert.All(union.Zip(union.Skip(1)), pair => Assert.True(pair.Second.Start - pair.First.End > gap, $"{pair}"));
            Assert.All(spans.SelectMany(Of), at => Assert.Contains(union, span => span.Contains(at)));
            if (gap == 0)
                Assert.Equal(spans.SelectMany(Of).Distinct().Order(), union.SelectMany(Of));
            for (var at = 0; at < Bytes; at++)
            {
                var expected = union.FindIndex(span => span.End > at);
                Assert.Equal(expected < 0 ? union.Count : expected, ByteSpan.FirstEndingAfter(union, at));
            }
        }
    }

    [Fact]
    public void Spans_that_touch_have_no_byte_in_common()
    {
        Assert.False(new ByteSpan(0, 10).Overlaps(new(10, 20)));
        Assert.False(new ByteSpan(0, 10).Overlaps(new(5, 5)));
        Assert.Equal([new(0, 20)], ByteSpan.Union([new(10, 20), new(0, 10)]));
    }

    [Fact]
    public void A_length_that_leads_past_the_largest_offset_stays_what_it_is() =>
        Assert.Equal(long.MaxValue, ByteSpan.OfLength(1, long.MaxValue).Length);

    private static ByteSpan Any(Random random)
    {
        var start = random.Next(Bytes);
        return new(start, random.Next(start, Bytes + 1));
    }

    private static SortedSet<long> Of(ByteSpan span)
    {
        var bytes = new SortedSet<long>();
        for (var at = span.Start; at < span.End; at++)
            bytes.Add(at);
        return bytes;
    }
}
