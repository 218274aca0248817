using System.CommandLine;
using NzbDav.FullNzbTester.Options;

namespace NzbDav.FullNzbTester.Command;

/// <summary>The tester's options and their defaults.</summary>
internal sealed class OptionParser
{
    /// <summary>Stands for every named network.</summary>
    private const string All = "all";

    private static readonly TesterOptions Default = new();

    private readonly Option<FileInfo?> _nzb = new(CommandNames.Tester)
    {
        Description = "An .nzb to read with the configured account; nothing for the mock provider.",
        Arity = ArgumentArity.ZeroOrOne,
        HelpName = "FILE.nzb"
    };
    private readonly Option<bool> _mock = new("--mock-server")
    { Description = "Read from a mock provider (the default without FILE.nzb)." };
    private readonly Option<string[]> _profile = new("--profile")
    {
        Description =
        "Named networks, one run each: loopback, fibre (10 ± 2 ms), far (50 ± 10 ms; the default), line (30 ± 6 ms, 6 MB/s per " +
        "connection); or all.",
        AllowMultipleArgumentsPerToken = true
    };
    private readonly Option<double?> _latency = new("--latency") { Description = "Round trip in ms, in place of the network's." };
    private readonly Option<double?> _jitter = new("--jitter") { Description = "Each round trip varies by up to this many ms." };
    private readonly Option<string?> _rate = new("--rate") { Description = "Bytes per second on each connection, such as 6M." };
    private readonly Option<bool> _tls = new("--tls") { Description = "Reads over TLS, with a certificate made for the run." };
    private readonly Option<bool> _plain = new("--plain")
    {
        Description =
        "Reads in plain text (the default without --tls); together with --tls each network is run both ways and compared."
    };
    private readonly Option<int> _size = NumberOption.Create(
        "--size", Default.SizeMiB, "MiB to post; with an account, the most that one pass reads.", 1);
    private readonly Option<FileInfo?> _file = new("--file")
    { Description = "Post this file instead of random bytes, such as a video for ffprobe." };
    private readonly Option<int> _connections = NumberOption.Create("--connections", Default.Connections, "Connections of the account.", 1);
    private readonly Option<int> _streams = NumberOption.Create("--streams", Default.Streams, "Streams at once, compared with one.", 1);
    private readonly Option<int> _readers = NumberOption.Create(
        "--readers", Default.Readers, "Readers at once in the crowd; 0 for none.", 0);
    private readonly Option<int> _paced = NumberOption.Create("--paced", Default.Paced, "Streams of 2 MB/s for 10 s; such as 50.", 0);
    private readonly Option<int> _paused = NumberOption.Create(
        "--paused", Default.Paused, "Streams beside the paced ones that stop reading after a MiB; such as 200.", 0);
    private readonly Option<int> _passes = NumberOption.Create("--passes", Default.Passes, "Sequential passes over WebDAV.", 1);
    private readonly Option<int> _seeks = NumberOption.Create("--seeks", Default.Seeks, "Random places for each kind of seek.", 1);
    private readonly Option<double> _missing = Share(
        "--missing", "Share of the articles (0 to 1) that are gone: checks that this is reported, never padded.");
    private readonly Option<double> _corrupt = Share(
        "--corrupt", "Share of the articles that arrive damaged the first time: the damage must be repaired.");
    private readonly Option<double> _stall = Share("--stall", "Share of the articles that stall half way the first time.");
    private readonly Option<double> _maxRead = NumberOption.Create(
        "--max-read-ms", Default.MaxReadMs, "A read that takes longer fails its stage.");
    private readonly Option<int> _stageLimit = NumberOption.Create(
        "--stage-limit", Default.StageLimitS, "Seconds after which a stage is given up.", 1);
    private readonly Option<FileInfo?> _json = CommandFrame.Json("figures");
    private readonly Option<FileInfo?> _compare = new("--compare") { Description = "Show the figures of an earlier --json beside these." };
    private readonly Option<PlantedFault> _plant = new("--plant") { Hidden = true };

    public void AddTo(RootCommand root)
    {
        _profile.Validators.Add(result =>
        {
            foreach (var name in result.Tokens.Select(token => token.Value).Where(name => name != All && NetworkProfile.Find(name) is null))
                result.AddError(
                    $"There is no network '{name}': {string.Join(", ", NetworkProfile.Named.Select(network => network.Name))}, or {All}.");
        });
        Option[] all =
        [
            _nzb, _mock, _profile, _latency, _jitter, _rate, _tls, _plain, _size, _file, _connections, _streams, _readers, _paced, _paused,
            _passes, _seeks,
            _missing, _corrupt, _stall, _maxRead, _stageLimit, _json, _compare, _plant,
        ];
        foreach (var option in all)
            root.Options.Add(option);
        root.Validators.Add(result =>
        {
            if (result.GetValue(_nzb) is not null
                && (result.GetValue(_mock) || result.GetValue(_file) is not null || result.GetValue(_tls) || result.GetValue(_plain)))
                result.AddError("Use either an .nzb with a real account, or the mock provider.");
        });
    }

    public TesterOptions Read(ParseResult parsed) => new()
    {
        Nzb = parsed.GetValue(_nzb),
        File = parsed.GetValue(_file),
        SizeMiB = parsed.GetValue(_size),
        Connections = parsed.GetValue(_connections),
        Streams = parsed.GetValue(_streams),
        Readers = parsed.GetValue(_readers),
        Paced = parsed.GetValue(_paced),
        Paused = parsed.GetValue(_paused),
        Passes = parsed.GetValue(_passes),
        Seeks = parsed.GetValue(_seeks),
        Missing = parsed.GetValue(_missing),
        Corrupt = parsed.GetValue(_corrupt),
        Stall = parsed.GetValue(_stall),
        MaxReadMs = parsed.GetValue(_maxRead),
        StageLimitS = parsed.GetValue(_stageLimit),
        Plant = parsed.GetValue(_plant),
        Networks = parsed.GetValue(_nzb) is null ? Networks(parsed) : [NetworkProfile.Real],
        Json = parsed.GetValue(_json),
        Compare = parsed.GetValue(_compare),
    };

    private NetworkProfile[] Networks(ParseResult parsed)
    {
        var (latency, jitter, rate) = (parsed.GetValue(_latency), parsed.GetValue(_jitter), parsed.GetValue(_rate));
        var names = parsed.GetValue(_profile) is { Length: > 0 } said ? said : ["far"];
        var networks = names.SelectMany(name => name == All ? NetworkProfile.Named : [NetworkProfile.Find(name)!]);
        var (plain, tls) = (parsed.GetValue(_plain) || !parsed.GetValue(_tls), parsed.GetValue(_tls));
        return [.. networks.Select(Changed).Distinct().GroupBy(network => network.Name).SelectMany(Numbered).SelectMany(Secured)];

        IEnumerable<NetworkProfile> Secured(NetworkProfile network)
        {
            if (plain)
                yield return network;
            if (tls)
                yield return network.OverTls;
        }

        // Each gets a name of its own, which identifies its figures.
        static IEnumerable<NetworkProfile> Numbered(IEnumerable<NetworkProfile> same) =>
            same.Select((network, index) => index == 0 ? network : network with { Name = $"{network.Name}-{index + 1}" });

        NetworkProfile Changed(NetworkProfile network)
        {
            var changed = network
                with
            { LatencyMs = latency ?? network.LatencyMs, JitterMs = jitter ?? network.JitterMs, Rate = rate ?? network.Rate };
            return changed == network ? network : changed with
            {
                Name = NetworkProfile.Named.FirstOrDefault(
                named => named with { Name = "" } == changed with { Name = "" })?.Name ?? "custom"
            };
        }
    }

    private static Option<double> Share(string name, string description)
    {
        var option = new Option<double>(name) { Description = description };
        option.Validators.Add(result =>
        {
            if (!result.Errors.Any() && result.GetValueOrDefault<double>() is < 0 or > 1)
                result.AddError($"{name} must be between 0 and 1.");
        });
        return option;
    }
}
