using NzbDav.Fuzz.Command;
using NzbDav.Fuzz.Contract;
using NzbDav.Fuzz.Formats;
using NzbDav.Fuzz.Probing;

namespace NzbDav.Fuzz.Tests;

/// <summary>The fuzzer's seeds and the minimised inputs of earlier findings: parsed whole, byte by byte and in pieces.</summary>
public sealed class ReplayTests
{
    public static TheoryData<string> Targets() => [.. TargetList.All.Select(static target => target.Name)];

    [Theory]
    [MemberData(nameof(Targets))]
    public void Seeds_and_earlier_findings_do_no_harm(string name)
    {
        var target = TargetList.Find(name)!;
        Assert.NotEmpty(target.Seeds());
        foreach (var input in target.Seeds().Concat(target.Cases()))
        {
            Assert.InRange(input.Length, 1, target.Longest);
            var finding = Probe.Judge(target, input, seed: 1);
            Assert.True(finding is null, $"{Convert.ToHexString(input.AsSpan(0, Math.Min(input.Length, 200)))}: {finding}");
        }
    }

    [Fact]
    public void Every_case_belongs_to_a_parser()
    {
        var files = new[] { "Seeds", "Cases" }.SelectMany(
            static folder => Directory.EnumerateFiles(Path.Combine(AppContext.BaseDirectory, folder)));
        Assert.All(files, static file => Assert.NotNull(TargetList.Find(Path.GetFileName(file).Split('.')[0])));
    }

    /// <summary>The result of parsing a seed of the parser's format. A refused seed would leave most of the parser untested.</summary>
    [Theory]
    [InlineData("nzb", "part1of3.abc@news")]
    [InlineData("yenc", "Ok True 600")]
    [InlineData("nntp", "281 welcome")]
    [InlineData("rar4", "\"Format\":")]
    [InlineData("rar5", "\"Format\":")]
    [InlineData("7z", "\"Format\":")]
    [InlineData("rar4-locked", "\"Password\":\"secret\"")]
    [InlineData("rar5-locked", "\"Password\":\"secret\"")]
    [InlineData("7z-locked", "\"Password\":\"secret\"")]
    [InlineData("iso", "\"Spans\":[{")]
    [InlineData("udf", "\"Spans\":[{")]
    [InlineData("par2", "\"Exponent\":")]
    [InlineData("mkv", "\"Codec\":")]
    [InlineData("mp4", "\"Codec\":")]
    [InlineData("avi", "\"Codec\":")]
    [InlineData("ts", "\"Codec\":")]
    [InlineData("metainfo", "film.mkv 40000 16384 True")]
    [InlineData("peer", "block 1 0 100")]
    [InlineData("encryption", "Full 68")]
    [InlineData("udp-tracker", "192.0.2.1:6881")]
    [InlineData("http-tracker", "192.0.2.1:6881")]
    [InlineData("local", "6881 ")]
    [InlineData("gateway", "/ctl/IPConn")]
    [InlineData("forms", "category=movies")]
    [InlineData("json", "\"Ids\":[\"12\",\"13\"]")]
    [InlineData("if", "urn:uuid:181d4fae")]
    [InlineData("paths", "/dav/content/a%20b")]
    public void A_seed_is_parsed(string name, string part)
    {
        var target = TargetList.Find(name)!;
        Assert.Contains(target.Seeds(), seed => target.Tell(target.Run(seed, Cuts.Whole)).Contains(part, StringComparison.Ordinal));
    }
}
