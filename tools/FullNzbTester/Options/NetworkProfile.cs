using System.Globalization;

namespace NzbDav.FullNzbTester.Options;

/// <summary>A network that the mock provider simulates.</summary>
/// <param name="Name">Prefix of every figure in JSON.</param>
/// <param name="LatencyMs">Round trip in milliseconds.</param>
/// <param name="JitterMs">Each round trip varies by up to this many milliseconds.</param>
/// <param name="Rate">Bytes per second on each connection, as text for the mock, such as 6M; null for no limit.</param>
/// <param name="Tls">True if the mock uses TLS, as real providers do.</param>
internal sealed record NetworkProfile(string Name, double LatencyMs, double JitterMs, string? Rate = null, bool Tls = false)
{
    /// <summary>The networks that can be chosen by name.</summary>
    public static IReadOnlyList<NetworkProfile> Named { get; } =
    [
        new("loopback", 0, 0),
        new("fibre", 10, 2),
        new("far", 50, 10),
        new("line", 30, 6, "6000000"),
    ];

    /// <summary>A real provider, over the existing network.</summary>
    public static NetworkProfile Real { get; } = new("account", 0, 0);

    /// <summary>The same network over TLS, under a name of its own.</summary>
    public NetworkProfile OverTls => this with { Name = $"{Name}-tls", Tls = true };

    public static NetworkProfile? Find(string name) => Named.FirstOrDefault(profile => profile.Name == name);

    /// <summary>The network in numbers, such as <c>30 ± 6 ms, 6 MB/s</c>; empty for a real account.</summary>
    public string Numbers => Name == Real.Name ? ""
        : string.Create(CultureInfo.InvariantCulture, $"{LatencyMs:0.##} ± {JitterMs:0.##} ms{(Rate is null ? "" : long.TryParse(Rate, CultureInfo.InvariantCulture, out var bytes) ? $", {bytes / 1e6:0.##} MB/s" : $", {Rate}B/s")}{(Tls ? ", TLS" : "")}");

    public override string ToString() => Numbers.Length == 0 ? Name : $"{Name}: {Numbers}";
}
