using System.CommandLine;
using System.Net;
using NzbDav.Mocks;

namespace NzbDav.MockUsenet.Command;

/// <summary>Options of <c>nzbdav-mock-usenet</c>, with their defaults.</summary>
internal sealed class MockCommand
{
    private readonly Option<string> _address = new("--address")
    { Description = "Address to listen on", DefaultValueFactory = _ => "127.0.0.1" };
    private readonly Option<int> _port = Number("--port", 0, "Port of the first provider, the others follow it; 0 = any free ports");
    private readonly Option<int> _statsPort = Number(
        "--stats-port", 0, "HTTP port for /health, /stats, /reset and /nzb/NAME; 0 = any free port");
    private readonly Option<int> _providers = Number(
        "--providers", 1, "Providers to run; faults by rate strike different articles at each");
    private readonly Option<double> _latency = Real("--latency", "Round trip in milliseconds");
    private readonly Option<double> _jitter = Real("--jitter", "Each round trip varies by up to this many milliseconds");
    private readonly Option<long> _rate = ByteOption.Create("--rate", "Bytes per second on one connection, with K, M or G; 0 = no limit");
    private readonly Option<long> _totalRate = ByteOption.Create(
        "--total-rate", "Bytes per second over all connections of a provider; 0 = no limit");
    private readonly Option<int> _maxConnections = Number(
        "--max-connections", 0, "Connections above this are greeted with 502; 0 = no limit");
    private readonly Option<double> _ghosts = Real(
        "--ghosts", "Seconds for which a connection still counts after its client left without QUIT");
    private readonly Option<bool> _tls = new("--tls") { Description = "TLS from the first byte, with a self-signed certificate" };
    private readonly Option<FileInfo?> _certificateOut = new("--certificate-out")
    { Description = "Write the certificate here (PEM), for clients to trust" };
    private readonly Option<string?> _username = new("--username") { Description = "Require this login" };
    private readonly Option<string?> _password = new("--password") { Description = "Its password" };
    private readonly Option<ulong> _seed = new("--seed")
    { Description = "Seed of bytes, message-ids, jitter and faults", DefaultValueFactory = _ => 1 };
    private readonly Option<double> _size = new("--size")
    { Description = "MiB of seeded random bytes to post", DefaultValueFactory = _ => 100 };
    private readonly Option<string> _name = new("--name")
    { Description = "Name of the random file and of the NZB", DefaultValueFactory = _ => "mock.bin" };
    private readonly Option<bool> _film = new("--film") { Description = "The random file begins as a Matroska film does" };
    private readonly Option<FileInfo[]> _file = new("--file")
    { Description = "Post these files instead", AllowMultipleArgumentsPerToken = true };
    private readonly Option<long> _articleSize = ByteOption.Create("--article-size", "Decoded bytes per article, with K or M", 716_800);
    private readonly Option<bool> _obfuscate = new("--obfuscate") { Description = "Hide the names in subjects and yEnc headers" };
    private readonly Option<double> _missing = Share("--missing", "Share of articles (0 to 1) that answer 430");
    private readonly Option<double> _corrupt = Share("--corrupt", "Share of articles with a byte changed");
    private readonly Option<int> _corruptTimes = Number(
        "--corrupt-times", int.MaxValue, "Only this many first requests for each of them get the changed byte");
    private readonly Option<double> _stall = Share("--stall", "Share of articles that stall half way forever, at their first request");
    private readonly Option<FileInfo?> _nzbOut = new("--nzb-out") { Description = "Write the NZB here" };
    private readonly Option<bool> _eager = new("--eager") { Description = "Encode all articles before serving, for measurements" };
    private readonly Option<bool> _exitWithStdin = new("--exit-with-stdin") { Description = "Exit when standard input is closed" };

    /// <summary>The command, which passes its options to <paramref name="run"/>.</summary>
    public RootCommand Create(Func<MockSettings, CancellationToken, Task<int>> run)
    {
        Checked(_providers, static count => count > 0, "at least 1");
        Checked(_articleSize, static size => size is > 0 and <= 1 << 28, "between 1 byte and 256 MiB");
        Checked(_address, static text => IPAddress.TryParse(text, out _), "an IP address");
        var root = new RootCommand("A Usenet provider for tests and measurements: serves generated articles, and can misbehave on request.")
        {
            _address, _port, _statsPort, _providers, _latency, _jitter, _rate, _totalRate, _maxConnections, _ghosts, _tls, _certificateOut,
                _username, _password,
            _seed, _size, _name, _film, _file, _articleSize, _obfuscate, _missing, _corrupt, _corruptTimes, _stall, _nzbOut, _eager,
                _exitWithStdin,
        };
        root.SetAction((parsed, cancellationToken) => run(Read(parsed), cancellationToken));
        return root;
    }

    private static Option<T> Checked<T>(Option<T> option, Func<T, bool> holds, string rule)
    {
        option.Validators.Add(result =>
        {
            if (!result.Errors.Any() && result.GetValueOrDefault<T>() is { } value && !holds(value))
                result.AddError($"{option.Name} must be {rule}.");
        });
        return option;
    }

    private static Option<int> Number(string name, int value, string description) =>
        new(name) { Description = description, DefaultValueFactory = _ => value };

    private static Option<double> Real(string name, string description) => new(name) { Description = description };

    private static Option<double> Share(string name, string description) =>
        Checked(Real(name, description), static share => share is >= 0 and <= 1, "between 0 and 1");

    private MockSettings Read(ParseResult parsed) => new()
    {
        Address = IPAddress.Parse(parsed.GetRequiredValue(_address)),
        Port = parsed.GetValue(_port),
        StatsPort = parsed.GetValue(_statsPort),
        Providers = parsed.GetValue(_providers),
        LatencyMs = parsed.GetValue(_latency),
        JitterMs = parsed.GetValue(_jitter),
        Rate = parsed.GetValue(_rate),
        TotalRate = parsed.GetValue(_totalRate),
        MaxConnections = parsed.GetValue(_maxConnections),
        GhostSeconds = parsed.GetValue(_ghosts),
        Tls = parsed.GetValue(_tls),
        CertificateOut = parsed.GetValue(_certificateOut),
        Username = parsed.GetValue(_username),
        Password = parsed.GetValue(_password),
        Seed = parsed.GetValue(_seed),
        SizeMb = parsed.GetValue(_size),
        Name = parsed.GetRequiredValue(_name),
        Film = parsed.GetValue(_film),
        Files = parsed.GetValue(_file) ?? [],
        ArticleSize = (int)parsed.GetValue(_articleSize),
        Obfuscate = parsed.GetValue(_obfuscate),
        Missing = parsed.GetValue(_missing),
        Corrupt = parsed.GetValue(_corrupt),
        CorruptTimes = parsed.GetValue(_corruptTimes),
        Stall = parsed.GetValue(_stall),
        NzbOut = parsed.GetValue(_nzbOut),
        Eager = parsed.GetValue(_eager),
        ExitWithStdin = parsed.GetValue(_exitWithStdin),
    };
}
