using NzbDav.Fuzz.Command;
using NzbDav.Fuzz.Contract;
using NzbDav.Fuzz.Formats;
using NzbDav.Fuzz.Mutating;
using NzbDav.Fuzz.Probing;

namespace NzbDav.Fuzz.Tests;

public sealed class EngineTests
{
    [Fact]
    public void The_same_seed_makes_the_same_inputs_and_another_makes_different_ones()
    {
        var target = TargetList.Find("metainfo")!;
        var corpus = target.Seeds().ToList();
        Assert.Equal(Make(1), Make(1));
        Assert.NotEqual(Make(1), Make(2));

        string[] Make(int seed)
        {
            var mutator = new Mutator(target, new Random(seed));
            return [.. Enumerable.Range(0, 200).Select(_ => Convert.ToHexString(mutator.Make(corpus)))];
        }
    }

    [Fact]
    public void Inputs_stay_within_the_parsers_maximum_length_and_the_corpus_is_unchanged()
    {
        var target = TargetList.Find("local")!;
        var corpus = target.Seeds().ToList();
        var before = corpus.Select(Convert.ToHexString).ToList();
        var mutator = new Mutator(target, new Random(3));
        for (var i = 0; i < 20_000; i++)
        {
            var made = mutator.Make(corpus);
            Assert.InRange(made.Length, 0, target.Longest);
            if (i % 100 == 0 && corpus.Count < 50)
                corpus.Add(made);
        }

        Assert.Equal(before, corpus.Take(before.Count).Select(Convert.ToHexString));
    }

    [Theory]
    [InlineData(nameof(CutKind.Whole))]
    [InlineData(nameof(CutKind.Bytes))]
    [InlineData(nameof(CutKind.Mixed))]
    public async Task Fragmented_streams_and_contents_hold_the_input(string kind)
    {
        var input = Enumerable.Range(0, 20_000).Select(static i => (byte)(i * 31)).ToArray();
        var cuts = new Cuts(Enum.Parse<CutKind>(kind), 9);
        await using var stream = new CutStream(input, cuts);
        using var copy = new MemoryStream();
        await stream.CopyToAsync(copy);
        Assert.Equal(input, copy.ToArray());

        var content = new CutContent(input, cuts, zeros: 1_000);
        await using var reader = content.OpenReader(5, content.Length, Content.ReadIntent.Import);
        var read = new List<byte>();
        while (true)
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            if (lease.Memory.IsEmpty)
                break;
            read.AddRange(lease.Memory.ToArray());
        }

        Assert.Equal([.. input[5..], .. new byte[1_000]], read);
    }

    [Fact]
    public void Mixed_fragments_are_the_same_for_the_same_seed_and_differ_in_length()
    {
        var lengths = Enumerable.Range(0, 500).Select(static i => new Cuts(CutKind.Mixed, 4).At(i * 7, 10_000)).ToList();
        Assert.Equal(lengths, Enumerable.Range(0, 500).Select(static i => new Cuts(CutKind.Mixed, 4).At(i * 7, 10_000)));
        Assert.NotEqual(lengths, Enumerable.Range(0, 500).Select(static i => new Cuts(CutKind.Mixed, 5).At(i * 7, 10_000)));
        Assert.InRange(lengths.Distinct().Count(), 20, 500);
    }

    [Fact]
    public void An_input_is_minimised_to_what_its_fault_needs()
    {
        var input = new byte[1_000];
        new Random(1).NextBytes(input);
        input[300] = (byte)'A';
        input[700] = (byte)'B';
        var smallest = Minimiser.Shrink(input,
            static bytes => bytes.AsSpan().IndexOf((byte)'A') is >= 0 and var at && bytes.AsSpan(at).IndexOf((byte)'B') > 0, tries: 5_000);
        Assert.Equal("AB"u8.ToArray(), smallest);
    }
}
