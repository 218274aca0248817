using System.CommandLine;
using NzbDav.FullNzbTester.Command;
using NzbDav.FullNzbTester.Options;

namespace NzbDav.FullNzbTester.Tests;

public sealed class CommandTests
{
    [Fact]
    public void The_example_command_line_is_understood()
    {
        var options = Parse("--test-full-nzb --mock-server --latency=50 --jitter=10 --size=100 --connections=20");

        Assert.Equal((100, 20), (options.SizeMiB, options.Connections));
        Assert.Equal(new NetworkProfile("far", 50, 10), Assert.Single(options.Networks));
        Assert.Null(options.Nzb);
    }

    [Theory]
    [InlineData("--profile loopback", "loopback", 0, 0, null)]
    [InlineData("--profile fibre", "fibre", 10, 2, null)]
    [InlineData("--profile line", "line", 30, 6, "6000000")]
    [InlineData("--profile line --rate 2M", "custom", 30, 6, "2M")]
    [InlineData("--latency 150 --jitter 40", "custom", 150, 40, null)]
    public void Networks_have_names(string line, string name, double latency, double jitter, string? rate) =>
        Assert.Equal(new NetworkProfile(name, latency, jitter, rate), Assert.Single(Parse($"--test-full-nzb {line}").Networks));

    [Fact]
    public void Each_network_is_one_run() =>
        Assert.Equal(["loopback", "far"], Parse("--test-full-nzb --profile loopback far").Networks.Select(network => network.Name));

    [Theory]
    [InlineData("--profile all", new[] { "loopback", "fibre", "far", "line" })]
    [InlineData("--profile far all far", new[] { "far", "loopback", "fibre", "line" })]
    [InlineData("--profile loopback far --rate 2M", new[] { "custom", "custom-2" })]
    [InlineData("--profile all --latency 50 --jitter 10", new[] { "far", "custom" })]
    public void Each_run_has_a_unique_name(string line, string[] names) =>
        Assert.Equal(names, Parse($"--test-full-nzb {line}").Networks.Select(network => network.Name));

    [Theory]
    [InlineData("--profile loopback", new[] { "loopback" })]
    [InlineData("--profile loopback --plain", new[] { "loopback" })]
    [InlineData("--profile loopback far --tls", new[] { "loopback-tls", "far-tls" })]
    [InlineData("--profile loopback far --plain --tls", new[] { "loopback", "loopback-tls", "far", "far-tls" })]
    public void Networks_are_read_in_plain_text_or_over_TLS_or_both(string line, string[] names)
    {
        var networks = Parse($"--test-full-nzb {line}").Networks;
        Assert.Equal(names, networks.Select(network => network.Name));
        Assert.All(networks, network => Assert.Equal(network.Name.EndsWith("-tls", StringComparison.Ordinal), network.Tls));
    }

    [Theory]
    [InlineData("--profile fibre --tls", "fibre-tls: 10 ± 2 ms, TLS")]
    [InlineData("--profile line", "line: 30 ± 6 ms, 6 MB/s")]
    [InlineData("--profile line --rate 2M", "custom: 30 ± 6 ms, 2MB/s")]
    [InlineData("--profile fibre", "fibre: 10 ± 2 ms")]
    public void A_network_is_described_by_its_figures(string line, string shown) =>
        Assert.Equal(shown, Assert.Single(Parse($"--test-full-nzb {line}").Networks).ToString());

    [Fact]
    public void An_nzb_file_is_read_with_the_configured_account()
    {
        var options = Parse("--test-full-nzb some.nzb");

        Assert.Equal("some.nzb", options.Nzb!.Name);
        Assert.Equal(NetworkProfile.Real, Assert.Single(options.Networks));
    }

    [Theory]
    [InlineData("--test-full-nzb --profile moon")]
    [InlineData("--test-full-nzb some.nzb --mock-server")]
    [InlineData("--test-full-nzb some.nzb --tls")]
    [InlineData("--test-full-nzb --missing 2")]
    [InlineData("--test-full-nzb --streams 0")]
    public void Invalid_command_lines_are_refused(string line) => Assert.NotEmpty(Command().Parse(line).Errors);

    [Theory]
    [InlineData("--test-full-nzb", true)]
    [InlineData("--test-full-nzb=x.nzb", true)]
    [InlineData("--demo", false)]
    public void A_tester_command_line_is_recognised(string arg, bool meant) => Assert.Equal(meant, TesterCommand.IsAsked([arg]));

    private static TesterOptions Parse(string line)
    {
        var (parser, parse) = Command();
        var parsed = parse(line);
        Assert.Empty(parsed.Errors);
        return parser.Read(parsed);
    }

    private static (OptionParser Parser, Func<string, ParseResult> Parse) Command()
    {
        var parser = new OptionParser();
        var root = new RootCommand();
        parser.AddTo(root);
        return (parser, line => root.Parse(line));
    }
}
