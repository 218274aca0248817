using System.Globalization;
using NzbDav.Fuzz.Command;
using NzbDav.Fuzz.Contract;

namespace NzbDav.Fuzz.Tests;

/// <summary>The whole command, with processes of its own, over parsers with planted faults.</summary>
public sealed class CommandTests : IDisposable
{
    private readonly DirectoryInfo _findings = Directory.CreateTempSubdirectory("nzbdav-fuzz-tests.");

    public void Dispose() => _findings.Delete(recursive: true);

    /// <summary>
    /// The faults lie behind three letters in a row, which so few random inputs would not hit: branch feedback leads to them.
    /// </summary>
    [Fact]
    public async Task Planted_faults_are_found_minimised_and_kept()
    {
        FindingKind[] kinds = [FindingKind.Throws, FindingKind.Memory, FindingKind.Differs, FindingKind.Hangs, FindingKind.Crashes];
        var targets = kinds.Select(static kind => $"planted-{kind.ToString().ToLowerInvariant()}").ToArray();
        var (exit, said) = await RunAsync([.. targets, "--inputs", "30000", "--minutes", "30", "--seed", "7"]);
        Assert.Equal(1, exit);
        Assert.Contains("5 faults: see", said, StringComparison.Ordinal);
        for (var i = 0; i < kinds.Length; i++)
        {
            Assert.Equal("1", Row(said, targets[i])[^1]);
            var input = File.ReadAllBytes(Assert.Single(_findings.EnumerateFiles(targets[i] + "*.bin")).FullName);
            Assert.Equal("BAD"u8, input.AsSpan(0, 3));
            Assert.Equal(4, input.Length);
            Assert.StartsWith(kinds[i].ToString(), File.ReadAllText(Assert.Single(_findings.EnumerateFiles(targets[i] + "*.txt")).FullName),
                StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_parser_without_a_fault_is_reported_with_its_counts_and_keeps_inputs_for_the_next_run()
    {
        var corpus = _findings.CreateSubdirectory("corpus");
        var (exit, said) = await RunAsync("bencode", "--inputs", "3000", "--minutes", "30", "--seed", "1", "--corpus", corpus.FullName);
        Assert.Equal(0, exit);
        Assert.Contains("Nothing is wrong.", said, StringComparison.Ordinal);
        var counts = Row(said, "bencode");
        Assert.Equal("3,000", counts[1]);
        Assert.InRange(int.Parse(counts[3], CultureInfo.InvariantCulture), 3, 3_000);
        Assert.InRange(int.Parse(counts[4], NumberStyles.AllowThousands, CultureInfo.InvariantCulture), 50, 10_000);
        Assert.Empty(_findings.EnumerateFiles());

        var kept = new DirectoryInfo(Path.Combine(corpus.FullName, "bencode")).EnumerateFiles().Count();
        Assert.InRange(kept, 1, 3_000);
        (_, said) = await RunAsync("bencode", "--inputs", "1", "--minutes", "30", "--seed", "2", "--corpus", corpus.FullName);
        Assert.InRange(int.Parse(Row(said, "bencode")[3], CultureInfo.InvariantCulture), kept + 1, int.MaxValue);
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

    /// <summary>A parser's name and figures.</summary>
    private static string[] Row(string said, string target) =>
        said.Split('\n').Single(line => line.StartsWith(target + " ", StringComparison.Ordinal))
            .Split(' ', StringSplitOptions.RemoveEmptyEntries);

    private async Task<(int Exit, string Said)> RunAsync(params string[] arguments)
    {
        using var output = new StringWriter();
        var exit = await FuzzCommand.Create(output).Parse([.. arguments, "--findings", _findings.FullName]).InvokeAsync();
        return (exit, output.ToString());
    }
}
