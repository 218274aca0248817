using NzbDav.Import.Probing;

namespace NzbDav.Import.Tests.Sets;

/// <summary>Which sets of files with known lengths are regular.</summary>
public sealed class RegularSetTests
{
    [Fact]
    public void Consecutively_numbered_volumes_of_equal_length_are_a_regular_set()
    {
        var set = Assert.Single(RegularSet.Find([("film.nfo", 7), ("x.part2.rar", 100), ("x.part1.rar", 100), ("x.part4.rar", 100),
            ("x.part3.rar", 100), ("x.part5.rar", 60)]));
        Assert.Equal([2, 1, 4, 3, 5], set.Members);
        Assert.Equal([4, 3], set.Middle);
    }

    /// <summary>A packer may make the first volume smaller. Its headers are read in any case.</summary>
    [Fact]
    public void The_first_volume_may_have_another_length() =>
        Assert.Single(
            RegularSet.Find([("x.part1.rar", 90), ("x.part2.rar", 100), ("x.part3.rar", 100), ("x.part4.rar", 100), ("x.part5.rar", 60)]));

    [Theory]
    [InlineData(100, 100, 99, 100, 60)]
    [InlineData(100, 100, 100, 100, 101)]
    public void Volumes_of_different_lengths_are_not_a_regular_set(long one, long two, long three, long four, long five) =>
        Assert.Empty(RegularSet.Find(
            [("x.part1.rar", one), ("x.part2.rar", two), ("x.part3.rar", three), ("x.part4.rar", four), ("x.part5.rar", five)]));

    [Theory]
    [InlineData("x.part1.rar", "x.part2.rar", "x.part3.rar", "x.part4.rar", "x.part6.rar")]
    [InlineData("x.part1.rar", "x.part2.rar", "x.part3.rar", "x.part4.rar", "y.part5.rar")]
    [InlineData("x.part1.rar", "x.part2.rar", "x.part3.rar", "x.part4.rar", "x.part4.rar")]
    [InlineData("x.part2.rar", "x.part3.rar", "x.part4.rar", "x.part5.rar", "x.part6.rar")]
    public void Names_with_a_gap_a_duplicate_or_no_first_volume_are_not_a_regular_set(params string[] names) =>
        Assert.Empty(RegularSet.Find([.. names.Select(name => (name, 100L))]));
}
