using System.Globalization;
using NzbDav.Fuzz.Command;
using NzbDav.Fuzz.Contract;

namespace NzbDav.Fuzz.Tests;

/// <summary>The whole command, with processes of its own, over parsers with planted faults.</summary>
public sealed class CommandTests : IDisposable
{
    private readonly DirectoryInfo _findings = Directory.CreateTempSubdirectory("nzbdav-fuzz-tests.");

    public void Dispose() => _findings.Delete(recursive: true);

    /// <summary>The fault lies behind three letters in a row, which so few random inputs would not hit: branch feedback leads to them.</summary>
    [Theory]
    [InlineData(nameof(FindingKind.Throws), 1)]
    [InlineData(nameof(FindingKind.Memory), 1)]
    [InlineData(nameof(FindingKind.Differs), 1)]
    [InlineData(nameof(FindingKind.Hangs), 1)]
    [InlineData(nameof(FindingKind.Crashes), 1)]
    public async Task A_planted_fault_is_found_minimised_and_kept(string kind, int faults)
    {
        var (exit, said) = await RunAsync($"planted-{kind.ToLowerInvariant()}", "--inputs", "400000", "--minutes", "30", "--seed", "5");
        Assert.Equal(1, exit);
        Assert.Contains($"{faults} fault: see", said, StringComparison.Ordinal);
        var input = File.ReadAllBytes(Assert.Single(_findings.EnumerateFiles("*.bin")).FullName);
        Assert.Equal("BAD"u8, input.AsSpan(0, 3));
        Assert.Equal(4, input.Length);
        Assert.StartsWith(kind, File.ReadAllText(Assert.Single(_findings.EnumerateFiles("*.txt")).FullName), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_parser_without_a_fault_is_reported_with_its_counts()
    {
        var (exit, said) = await RunAsync("bencode", "--inputs", "3000", "--minutes", "30", "--seed", "1");
        Assert.Equal(0, exit);
        Assert.Contains("Nothing is wrong.", said, StringComparison.Ordinal);
        var counts = said.Split('\n').Single(static line => line.StartsWith("bencode", StringComparison.Ordinal)).Split(' ', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal("3,000", counts[1]);
        Assert.InRange(int.Parse(counts[3], CultureInfo.InvariantCulture), 3, 3_000);
        Assert.InRange(int.Parse(counts[4], NumberStyles.AllowThousands, CultureInfo.InvariantCulture), 50, 10_000);
        Assert.Empty(_findings.EnumerateFiles());
    }

    [Fact]
    public async Task Inputs_that_reach_new_branches_are_kept_for_the_next_run()
    {
        var corpus = _findings.CreateSubdirectory("corpus");
        await RunAsync("bencode", "--inputs", "3000", "--minutes", "30", "--seed", "1", "--corpus", corpus.FullName);
        var kept = new DirectoryInfo(Path.Combine(corpus.FullName, "bencode")).EnumerateFiles().Count();
        Assert.InRange(kept, 1, 3_000);
        var (_, said) = await RunAsync("bencode", "--inputs", "1", "--minutes", "30", "--seed", "2", "--corpus", corpus.FullName);
        var counts = said.Split('\n').Single(static line => line.StartsWith("bencode", StringComparison.Ordinal)).Split(' ', StringSplitOptions.RemoveEmptyEntries);
        Assert.InRange(int.Parse(counts[3], CultureInfo.InvariantCulture), kept + 1, int.MaxValue);
    }

    [Fact]
    public async Task An_unknown_parser_is_refused_with_the_names_of_the_known_ones()
    {
        var (exit, said) = await RunAsync("rar6");
        Assert.Equal(2, exit);
        Assert.Contains("There is no parser named rar6.", said, StringComparison.Ordinal);
        Assert.Contains("rar5", said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_a_name_the_parsers_are_listed_but_not_the_planted_faults()
    {
        using var output = new StringWriter();
        Assert.Equal(0, await FuzzCommand.Create(output).Parse([]).InvokeAsync());
        Assert.Contains("rar5 ", output.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("planted", output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_finding_is_replayed_until_it_is_fixed()
    {
        var file = Path.Combine(_findings.FullName, "a.bin");
        await File.WriteAllBytesAsync(file, "BAD!"u8.ToArray());
        using var output = new StringWriter();
        Assert.Equal(1, await FuzzCommand.Create(output).Parse(["replay", "planted-throws", file]).InvokeAsync());
        Assert.Contains("a.bin: Throws InvalidOperationException", output.ToString(), StringComparison.Ordinal);
        Assert.Equal(0, await FuzzCommand.Create(output).Parse(["replay", "bencode", file]).InvokeAsync());
        Assert.Equal(2, await FuzzCommand.Create(output).Parse(["replay", "bencode", file + "2"]).InvokeAsync());
        Assert.Contains("There is no file", output.ToString(), StringComparison.Ordinal);
    }

    private async Task<(int Exit, string Said)> RunAsync(params string[] arguments)
    {
        using var output = new StringWriter();
        var exit = await FuzzCommand.Create(output).Parse([.. arguments, "--findings", _findings.FullName]).InvokeAsync();
        return (exit, output.ToString());
    }
}
