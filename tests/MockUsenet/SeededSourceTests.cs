using NzbDav.MockUsenet.Articles;

namespace NzbDav.MockUsenet.Tests;

public sealed class SeededSourceTests
{
    [Fact]
    public void Any_range_equals_the_same_range_of_the_whole()
    {
        var source = new SeededSource(42, "a", 10_007);
        var whole = new byte[10_007];
        source.Fill(0, whole);
        var random = new Random(3);
        for (var i = 0; i < 2_000; i++)
        {
            var offset = random.Next(whole.Length + 1);
            var part = new byte[random.Next(Math.Min(40, whole.Length - offset) + 1)];
            source.Fill(offset, part);
            Assert.True(whole.AsSpan(offset, part.Length).SequenceEqual(part));
        }
    }

    [Fact]
    public void Seed_and_name_determine_the_bytes()
    {
        var reference = Take(new SeededSource(1, "a", 64));
        Assert.Equal(reference, Take(new SeededSource(1, "a", 1_000_000_000_000)));
        Assert.NotEqual(reference, Take(new SeededSource(2, "a", 64)));
        Assert.NotEqual(reference, Take(new SeededSource(1, "b", 64)));
    }

    [Fact]
    public void Bytes_stay_what_they_were_in_earlier_versions() =>
        Assert.Equal("E2C04CE3", Convert.ToHexString(Take(new SeededSource(1, "a", 64))[..4]));

    [Fact]
    public void Works_beyond_two_gibibytes_and_refuses_to_read_past_the_end()
    {
        var source = new SeededSource(1, "big", 1L << 40);
        var one = new byte[100];
        var other = new byte[50];
        source.Fill((1L << 39) + 3, one);
        source.Fill((1L << 39) + 53, other);
        Assert.Equal(one[50..], other);
        Assert.Throws<ArgumentOutOfRangeException>(() => source.Fill((1L << 40) - 50, one));
    }

    [Fact]
    public void Bytes_are_evenly_spread()
    {
        var bytes = new byte[1 << 20];
        new SeededSource(5, "spread", bytes.Length).Fill(0, bytes);
        var counts = new int[256];
        foreach (var value in bytes)
            counts[value]++;
        // 4,096 expected each, standard deviation 64.
        Assert.All(counts, count => Assert.InRange(count, 4_096 - 400, 4_096 + 400));
    }

    private static byte[] Take(SeededSource source)
    {
        var bytes = new byte[64];
        source.Fill(0, bytes);
        return bytes;
    }
}
